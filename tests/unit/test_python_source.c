/* SPDX-License-Identifier: BSD-3-Clause */
/* Source lines for the table of hot Python lines: whose files, which are left alone. */
#include "check.h"

#include "session/live/python_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* Our own user. */
static struct wp_owners own;

static char dir[] = "/tmp/wperf-source-XXXXXX";

static void write_file(const char *name, const char *text, size_t n)
{
	FILE *file = fopen(name, "w");

	CHECK(file && fwrite(text, 1, n, file) == n);
	fclose(file);
}

static void check_line(struct wp_python_source *source, const char *file, uint32_t line,
		       const char *want)
{
	const char *got = wp_python_source_line(source, file, line);

	CHECK_STR(got ? got : "(none)", want);
}

static void test_launched(void)
{
	static const char text[] = "import os\n\n\tif x:\ty = 1  \r\n\xff = 'z'\nlast";
	wp_autofree char *absolute = wp_asprintf("%s/app.py", dir);
	struct wp_python_source source = {0};
	struct wp_target target = {.kind = WP_TARGET_PROCESSES, .launched = true};

	write_file("app.py", text, sizeof(text) - 1);
	check_line(&source, "app.py", 1, "(none)"); /* not begun */
	wp_python_source_init(&source, &target);
	source.owners = &own;
	check_line(&source, "app.py", 1, "import os");
	check_line(&source, absolute, 1, "import os");
	check_line(&source, "app.py", 2, "(none)");
	check_line(&source, "app.py", 3, "if x: y = 1");
	check_line(&source, "app.py", 4, "\xff = 'z'");
	check_line(&source, "app.py", 5, "last");
	check_line(&source, "app.py", 6, "(none)");
	check_line(&source, "app.py", 0, "(none)");
	check_line(&source, "app.py", UINT32_MAX, "(none)");
	check_line(&source, "<string>", 1, "(none)");
	check_line(&source, "nowhere.py", 1, "(none)");
	check_line(&source, "nowhere.py", 1, "(none)");
	check_line(&source, "", 1, "(none)");
	wp_python_source_deinit(&source);
}

/* Nothing that blocks, has no end, is too large, or was written meanwhile. */
static void test_left_alone(void)
{
	struct wp_python_source source = {0};
	struct wp_target target = {.kind = WP_TARGET_PROCESSES, .launched = true};
	struct timespec later[2] = {{.tv_sec = time(NULL) + 100}, {.tv_sec = time(NULL) + 100}};

	CHECK(mkfifo("fifo", 0600) == 0);
	write_file("new.py", "x\n", 2);
	CHECK(utimensat(AT_FDCWD, "new.py", later, 0) == 0);
	write_file("large.py", "x\n", 2);
	CHECK(truncate("large.py", 9 << 20) == 0);
	write_file("zeros.py", "a\0b\nc", 5);
	wp_python_source_init(&source, &target);
	source.owners = &own;
	check_line(&source, "fifo", 1, "(none)");
	check_line(&source, "/dev/zero", 1, "(none)");
	check_line(&source, "/proc/self/maps", 1, "(none)");
	check_line(&source, dir, 1, "(none)");
	check_line(&source, "new.py", 1, "(none)");
	check_line(&source, "large.py", 1, "(none)");
	check_line(&source, "zeros.py", 1, "a");
	check_line(&source, "zeros.py", 2, "c");
	wp_python_source_deinit(&source);
}

static void test_whose(void)
{
	struct wp_python_source source = {0};
	struct wp_target target = {.kind = WP_TARGET_PROCESSES};

	wp_vec_push(&target.pids, getpid());
	wp_python_source_init(&source, &target);
	source.owners = &own;
	check_line(&source, "app.py", 1, "import os"); /* its working folder */
	wp_python_source_deinit(&source);
	source = (struct wp_python_source){0};
	wp_vec_push(&target.pids, getpid());
	wp_python_source_init(&source, &target);
	source.owners = &own;
	check_line(&source, "app.py", 1, "(none)"); /* two processes: whose? */
	wp_python_source_deinit(&source);
	source = (struct wp_python_source){0};
	target.kind = WP_TARGET_CPUS;
	wp_python_source_init(&source, &target);
	source.owners = &own;
	check_line(&source, "/etc/passwd", 1, "(none)");
	wp_python_source_deinit(&source);
	wp_vec_deinit(&target.pids);
}

static void open_as(struct wp_python_source *source, const struct wp_owners *owners)
{
	struct wp_target target = {.kind = WP_TARGET_PROCESSES, .launched = true};

	*source = (struct wp_python_source){0};
	wp_python_source_init(source, &target);
	source->owners = owners;
}

static void check_note(struct wp_python_source *source, const char *want)
{
	wp_autofree char *note = wp_python_source_note(source);

	CHECK_STR(note ? note : "(none)", want);
	wp_python_source_deinit(source);
}

/* What another user's code names. */
static void test_other_user(void)
{
	struct wp_python_source source;
	struct wp_owners nobody = {0}, many = {.cut = true};

	wp_owners_add_uid(&nobody, 65533);
	wp_owners_add_uid(&many, geteuid());
	open_as(&source, NULL);
	check_line(&source, "app.py", 1, "(none)"); /* nobody knows whose it is */
	check_note(&source, "(none)");
	open_as(&source, &many);
	check_line(&source, "app.py", 1, "(none)"); /* nobody knows who else */
	check_note(&source, "(none)");
	open_as(&source, &nobody);
	check_line(&source, "app.py", 1, "(none)"); /* the folder is ours alone */
	check_line(&source, "app.py", 3, "(none)");
	check_note(&source, geteuid() == 0 ? "no source lines of 1 file: code of user 65533 names "
					     "it, who may not read it"
					   : "no source lines of 1 file: code of user 65533 names "
					     "it, and only root can read as that user may");
	wp_owners_add_uid(&nobody, 0);
	open_as(&source, &nobody);
	CHECK(chmod(dir, 0755) == 0);
	CHECK(chmod("app.py", 0600) == 0);
	check_line(&source, "app.py", 1, "(none)"); /* nor when root's is there, too */
	CHECK(chmod("app.py", 0644) == 0);
	wp_python_source_deinit(&source);
	open_as(&source, &nobody);
	check_line(&source, "app.py", 1, geteuid() == 0 ? "import os" : "(none)");
	wp_python_source_deinit(&source);
	wp_owners_deinit(&nobody);
	wp_owners_deinit(&many);
}

int main(void)
{
	static const char *const files[] = {"app.py", "fifo", "new.py", "large.py", "zeros.py"};

	wp_owners_add_uid(&own, geteuid());
	CHECK(mkdtemp(dir) && chdir(dir) == 0);
	RUN(test_launched);
	RUN(test_left_alone);
	RUN(test_whose);
	RUN(test_other_user);
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++)
		unlink(files[i]);
	CHECK(chdir("/") == 0 && rmdir(dir) == 0);
	wp_owners_deinit(&own);
	return check_done();
}
