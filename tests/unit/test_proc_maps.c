/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_maps: lines of /proc/PID/maps. */
#include "format/maps/proc_maps.h"

#include "check.h"

static void test_lines(void)
{
	char text[] = "400000-401000 r-xp 00002000 fe:01 1234    /usr/bin/with a blank\n"
		      "500000-501000 rw-p 00000000 00:00 0 \n"
		      "600000-602000 rwxp 00000000 00:00 0 \n"
		      "7fff00000000-7fff00001000 r-xp 00000000 00:00 0     [vdso]\n"
		      "800000-801000 r-xs 00000000 00:05 99   /memfd:jit (deleted)";
	char *at = text;
	struct wp_record_map map;

	CHECK(wp_proc_maps_next(&at, &map));
	CHECK_U64(map.start.v, 0x400000);
	CHECK_U64(map.len, 0x1000);
	CHECK_U64(map.pgoff.v, 0x2000);
	CHECK_U64(map.dev_major, 0xfe);
	CHECK_U64(map.dev_minor, 1);
	CHECK_U64(map.inode, 1234);
	CHECK_STR(map.path, "/usr/bin/with a blank");
	CHECK(wp_proc_maps_next(&at, &map));
	CHECK_U64(map.len, 0x2000);
	CHECK_STR(map.path, "//anon");
	CHECK(wp_proc_maps_next(&at, &map));
	CHECK_STR(map.path, "[vdso]");
	CHECK(wp_proc_maps_next(&at, &map));
	CHECK_STR(map.path, "/memfd:jit");
	CHECK(!wp_proc_maps_next(&at, &map));
	CHECK(!wp_proc_maps_next(&at, &map));
}

static void test_data_lines(void)
{
	char text[] = "400000-401000 r-xp 00002000 fe:01 1234    /bin/x\n"
		      "500000-501000 rw-p 00000000 00:00 0       [heap]\n"
		      "600000-602000 rw-s 00003000 00:01 7       /dev/zero (deleted)\n"
		      "700000-701000 rw-p 00000000 00:00 0       [anon:a pool]\n"
		      "800000-801000 ---p 00000000 00:00 0 ";
	static const char *const paths[] = {"/bin/x", "[heap]", "/dev/zero", "[anon:a pool]",
					    "//anon"};
	struct wp_record_map map;
	char *at = text;

	for (size_t i = 0; i < WP_ARRAY_LEN(paths); i++) {
		CHECK(wp_proc_maps_next_all(&at, &map));
		CHECK_STR(map.path, paths[i]);
		CHECK_U64(map.data, i > 0);
	}
	CHECK(!wp_proc_maps_next_all(&at, &map));
}

static void test_nonsense(void)
{
	char text[] = "\n\nx\n400000 r-xp 0 0:0 0 x\n"
		      "401000-400000 r-xp 00000000 00:00 0 /backwards\n"
		      "400000-400000 r-xp 00000000 00:00 0 /empty\n"
		      "400000-401000 r-x 00000000 00:00 0 /short\n"
		      "g00000-401000 r-xp 00000000 00:00 0 /letter\n"
		      "400000-1ffffffffffffffff r-xp 00000000 00:00 0 /large\n"
		      "400000-401000 r-xp 00000000 100000000:00 0 /device\n"
		      "400000-401000 r-xp";
	char *at = text;
	struct wp_record_map map;

	CHECK(!wp_proc_maps_next(&at, &map));
}

static void test_path_len(void)
{
	CHECK_U64(wp_proc_maps_path_len("/x (deleted)"), 2);
	CHECK_U64(wp_proc_maps_path_len("/x"), 2);
	CHECK_U64(wp_proc_maps_path_len("[anon] (deleted)"), 16);
	CHECK_U64(wp_proc_maps_path_len(""), 0);
}

int main(void)
{
	RUN(test_lines);
	RUN(test_data_lines);
	RUN(test_nonsense);
	RUN(test_path_len);
	return check_done();
}
