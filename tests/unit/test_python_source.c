/* Source lines for the table of hot Python lines: whose files, which are left alone. */
#include "check.h"

#include "session/python_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

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
	check_line(&source, "app.py", 1, "import os"); /* its working folder */
	wp_python_source_deinit(&source);
	source = (struct wp_python_source){0};
	wp_vec_push(&target.pids, getpid());
	wp_python_source_init(&source, &target);
	check_line(&source, "app.py", 1, "(none)"); /* two processes: whose? */
	wp_python_source_deinit(&source);
	source = (struct wp_python_source){0};
	target.kind = WP_TARGET_CPUS;
	wp_python_source_init(&source, &target);
	check_line(&source, "/etc/passwd", 1, "(none)");
	wp_python_source_deinit(&source);
	wp_vec_deinit(&target.pids);
}

int main(void)
{
	static const char *const files[] = {"app.py", "fifo", "new.py", "large.py", "zeros.py"};

	CHECK(mkdtemp(dir) && chdir(dir) == 0);
	RUN(test_launched);
	RUN(test_left_alone);
	RUN(test_whose);
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++)
		unlink(files[i]);
	CHECK(chdir("/") == 0 && rmdir(dir) == 0);
	return check_done();
}
