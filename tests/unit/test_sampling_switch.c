/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_switch: words, names, what is removed, when the next recording is due; and what
 * recorder_living tells it first. */
#include "session/live/sampling_switch.h"
#include "store/recorder.h"
#include "store/recorder_living.h"

#include "check.h"

#include <stdlib.h>
#include <unistd.h>

static char told[1024];

/* In the recorder's place. */
void wp_recorder_add(struct wp_recorder *recorder, const struct wp_record *record)
{
	size_t n = strlen(told);
	const char *text = record->kind == WP_RECORD_MAP    ? record->map.path
			   : record->kind == WP_RECORD_COMM ? record->comm.name
							    : record->named.name;

	(void)recorder;
	CHECK_U64(record->time_ns, 0);
	snprintf(told + n, sizeof(told) - n, "%u/%u %s;", record->pid, record->tid, text);
}

static void check_told(const struct wp_recorder_living *living, const char *want)
{
	told[0] = '\0';
	wp_recorder_living_tell(living, NULL);
	CHECK_STR(told, want);
}

static struct wp_record about(enum wp_record_kind kind, uint32_t pid, uint32_t tid)
{
	return (struct wp_record){.kind = kind, .pid = pid, .tid = tid, .time_ns = 5};
}

static void call(struct wp_recorder_living *living, uint32_t pid, uint32_t tid, const char *name,
		 bool exec)
{
	struct wp_record record = about(WP_RECORD_COMM, pid, tid);

	record.comm = (struct wp_record_comm){name, exec};
	wp_recorder_living_record(living, &record);
}

static void map(struct wp_recorder_living *living, uint32_t pid, uint64_t start, const char *path)
{
	struct wp_record record = about(WP_RECORD_MAP, pid, pid);

	record.map = (struct wp_record_map){.start = {start}, .len = 4096, .path = path};
	wp_recorder_living_record(living, &record);
}

static void make(struct wp_recorder_living *living, uint32_t parent, uint32_t pid, uint32_t tid)
{
	struct wp_record record = about(WP_RECORD_FORK, pid, tid);

	record.fork = (struct wp_record_fork){parent, parent};
	wp_recorder_living_record(living, &record);
}

static void end(struct wp_recorder_living *living, uint32_t pid, uint32_t tid)
{
	struct wp_record record = about(WP_RECORD_EXIT, pid, tid);

	wp_recorder_living_record(living, &record);
}

static void test_living(void)
{
	struct wp_recorder_living living = {0};
	struct wp_record name = about(WP_RECORD_NAME, 1, 2);

	name.named.name = "worker";
	call(&living, 1, 1, "sh", false);
	map(&living, 1, 0x1000, "/bin/sh");
	call(&living, 1, 1, "python", true); /* the shell's mapping is gone */
	map(&living, 1, 0x1000, "/bin/python");
	map(&living, 1, 0x9000, "/lib/old.so");
	map(&living, 1, 0x9000, "/lib/new.so");
	make(&living, 1, 1, 2);
	wp_recorder_living_record(&living, &name);
	check_told(&living, "1/1 python;1/1 /bin/python;1/1 /lib/new.so;1/2 python;1/2 worker;");
	make(&living, 1, 3, 3);
	end(&living, 1, 1); /* its other thread goes on */
	check_told(&living, "1/1 /bin/python;1/1 /lib/new.so;1/2 python;1/2 worker;"
			    "3/3 /bin/python;3/3 /lib/new.so;3/3 python;");
	end(&living, 1, 2);
	check_told(&living, "3/3 /bin/python;3/3 /lib/new.so;3/3 python;");
	call(&living, 3, 3, "child", false);
	check_told(&living, "3/3 /bin/python;3/3 /lib/new.so;3/3 child;");
	end(&living, 3, 3);
	end(&living, 4, 4); /* nobody knew it */
	check_told(&living, "");
	wp_recorder_living_deinit(&living);
}

/* What is mapped at one place again and again does not add up. */
static void test_living_again(void)
{
	struct wp_recorder_living living = {0};

	for (uint64_t i = 0; i < 100000; i++)
		map(&living, 7, 0x1000 * (i % 3), "//anon");
	check_told(&living, "7/7 //anon;7/7 //anon;7/7 //anon;");
	wp_recorder_living_deinit(&living);
}

static void test_words(void)
{
	struct wp_sampling_switch sw = {0};

	CHECK_OK(wp_sampling_switch_parse(NULL, 0, &sw));
	CHECK(!sw.on && !wp_sampling_switch_is_due(&sw, 1, UINT64_MAX));
	CHECK_OK(wp_sampling_switch_parse("signal", 3, &sw));
	CHECK(sw.on && !sw.bytes && !sw.ns && sw.files == 3);
	CHECK_OK(wp_sampling_switch_parse("10K", 0, &sw));
	CHECK_U64(sw.bytes, 10240);
	CHECK(!wp_sampling_switch_is_due(&sw, 1, 10239) &&
	      wp_sampling_switch_is_due(&sw, 1, 10240));
	CHECK(!wp_sampling_switch_is_due(&sw, 0, 10240)); /* no empty ones */
	sw = (struct wp_sampling_switch){0};
	CHECK_OK(wp_sampling_switch_parse("2m", 0, &sw));
	CHECK_U64(sw.ns, UINT64_C(120000000000));
	CHECK_ERR(wp_sampling_switch_parse("0s", 0, &sw), "--switch-output 0s: want signal");
	CHECK_ERR(wp_sampling_switch_parse("10", 0, &sw), "a size (500K");
	CHECK_ERR(wp_sampling_switch_parse("", 0, &sw), "want");
	CHECK_ERR(wp_sampling_switch_parse("99999999999999999999G", 0, &sw), "want");
	CHECK_ERR(wp_sampling_switch_parse(NULL, 2, &sw), "say when the next one begins");
}

/* Once for each signal, or for several that came in one round. */
static void test_signal(void)
{
	struct wp_sampling_switch sw = {0};
	volatile sig_atomic_t asked = 0;

	CHECK_OK(wp_sampling_switch_parse("signal", 0, &sw));
	CHECK(!wp_sampling_switch_is_due(&sw, 0, 0));
	sw.asked = &asked;
	CHECK(!wp_sampling_switch_is_due(&sw, 0, 0));
	asked = 2;
	CHECK(wp_sampling_switch_is_due(&sw, 0, 0) && !wp_sampling_switch_is_due(&sw, 0, 0));
	asked = 3;
	CHECK(wp_sampling_switch_is_due(&sw, 0, 0) && !wp_sampling_switch_is_due(&sw, 0, 0));
}

static void test_names(void)
{
	char folder[] = "/tmp/wperf-switch-XXXXXX";
	struct wp_sampling_switch sw = {.on = true, .files = 2};
	char *names[4];

	CHECK(mkdtemp(folder) != NULL);
	wp_autofree char *path = wp_asprintf("%s/x", folder);
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++) {
		FILE *file;

		names[i] = wp_strdup(wp_sampling_switch_name(&sw, path));
		CHECK(access(names[i], F_OK) != 0);
		file = fopen(names[i], "w");
		CHECK(file && fclose(file) == 0);
		CHECK(!i || strcmp(names[i - 1], names[i]) != 0);
	}
	CHECK(access(names[0], F_OK) != 0 && access(names[1], F_OK) != 0);
	CHECK(access(names[2], F_OK) == 0 && access(names[3], F_OK) == 0);
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++) {
		unlink(names[i]);
		free(names[i]);
	}
	rmdir(folder);
	wp_sampling_switch_deinit(&sw);
}

int main(void)
{
	RUN(test_living);
	RUN(test_living_again);
	RUN(test_words);
	RUN(test_signal);
	RUN(test_names);
	return check_done();
}
