/* SPDX-License-Identifier: BSD-3-Clause */
/* test_python_names: names of threads out of memory of each family of versions; nothing where parts
 * do not agree. */
#include "check.h"
#include "python_names_image.h"

static struct names_image image;
static char found[4096];
static uint32_t found_tid;

static bool wants(void *arg, uint32_t tid)
{
	return tid == *(const uint32_t *)arg;
}

static void take(void *arg, uint32_t tid, const char *name)
{
	(void)arg;
	found_tid = tid;
	snprintf(found, sizeof(found), "%s", name);
}

static const char *read_name(uint32_t tid)
{
	struct wp_memory memory = {names_read, &image};
	struct wp_python_names_asker asker = {wants, take, &tid};

	found[0] = '\0';
	found_tid = 0;
	wp_python_names_read(&image.dicts, &image.plan, &memory, &asker);
	return found;
}

static void test_families(void)
{
	for (enum names_family family = N27; family < N_FAMILIES; family++) {
		names_make(&image, family, "worker-1");
		CHECK_STR(read_name(NAMES_TID), "worker-1");
		CHECK_U64(found_tid, NAMES_TID);
		CHECK_STR(read_name(NAMES_TID + 1), "");
		image.plan.tid = 0; /* libc does not tell: Thread.native_id does */
		CHECK_STR(read_name(NAMES_TID), "worker-1");
	}
}

static void test_texts(void)
{
	names_make(&image, N312, "a\x1b[2Jb\n");
	CHECK_STR(read_name(NAMES_TID), "a\\x1b[2Jb\\x0a");
	names_make(&image, N312, "");
	CHECK_STR(read_name(NAMES_TID), "");
	names_make(&image, N312, "worker");
	names_put(&image, image.name + image.plan.str_state, 1u << 2 | 1u << 6); /* not compact */
	CHECK_STR(read_name(NAMES_TID), "");
	names_put(&image, image.name + image.plan.str_state, 3u << 2 | 1u << 5);
	CHECK_STR(read_name(NAMES_TID), "");
	names_make(&image, N312, "worker");
	names_put(&image, image.name + image.plan.object_type, image.int_type);
	CHECK_STR(read_name(NAMES_TID), "");
}

/* Not its thread: another identifier in the object than in the dict; cycles end. */
static void test_damage(void)
{
	names_make(&image, N313, "worker");
	names_put(&image, image.thread + 8 + 16 + 16, names_int(&image, 12345));
	CHECK_STR(read_name(NAMES_TID), "");
	names_make(&image, N313, "worker");
	names_put(&image, image.interpreter, image.interpreter);
	CHECK_STR(read_name(NAMES_TID), "worker");
	image.dicts.dicts = WP_PYTHON_DICTS_UNKNOWN;
	CHECK_STR(read_name(NAMES_TID), "");
}

int main(void)
{
	RUN(test_families);
	RUN(test_texts);
	RUN(test_damage);
	return check_done();
}
