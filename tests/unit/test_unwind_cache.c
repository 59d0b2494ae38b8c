/* SPDX-License-Identifier: BSD-3-Clause */
/* The cache of unwind rules: what is stored comes back, what is damaged or not ours does not. */
#include "check.h"
#include "resolve/unwind/unwind_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint8_t id[] = {0xab, 0xcd, 0xef};
static const struct wp_unwind_key key = {id, sizeof(id), 77};
static char root[] = "/tmp/wp_unwind_cache_XXXXXX";
static char file[160], folder[128];

static struct wp_unwind_rows make_rows(uint32_t n)
{
	struct wp_unwind_rows rows = {.base = 0x1000};

	for (uint32_t i = 0; i < n; i++)
		wp_unwind_rows_append(&rows, i * 4,
				      (struct wp_unwind_rule){.cfa = WP_UNWIND_SP,
							      .cfa_off = (int16_t)(i % 100)});
	return rows;
}

static void store(uint32_t n)
{
	struct wp_unwind_rows rows = make_rows(n);

	wp_unwind_cache_store(&key, &rows);
	wp_unwind_rows_deinit(&rows);
}

static bool loads(const struct wp_unwind_key *k)
{
	struct wp_unwind_rows rows = {0};
	bool found = wp_unwind_cache_load(k, &rows);

	if (found) {
		CHECK_U64(rows.base, 0x1000);
		CHECK_U64(rows.rows.n, 5000);
		CHECK_U64(rows.rows.v[4999].pc, 4999 * 4);
	}
	wp_unwind_rows_deinit(&rows);
	return found;
}

static void test_round_trip(void)
{
	struct wp_unwind_key other = key, unnamed = key;

	CHECK(!loads(&key));
	store(5000);
	CHECK(access(file, R_OK) == 0);
	CHECK(loads(&key));
	other.digest = 78;
	CHECK(!loads(&other));
	unnamed.build_id_len = 0;
	CHECK(!loads(&unnamed));
}

static void test_small_tables_are_not_worth_it(void)
{
	unlink(file);
	store(10);
	CHECK(access(file, R_OK) != 0);
}

static void change(off_t at, char byte)
{
	int fd = open(file, O_WRONLY);

	CHECK(pwrite(fd, &byte, 1, at) == 1);
	close(fd);
}

static void test_damage(void)
{
	const off_t places[] = {0, 4, 8, 24, 32, 40, 100, 60000};

	for (size_t i = 0; i < WP_ARRAY_LEN(places); i++) {
		store(5000);
		CHECK(loads(&key));
		change(places[i], 0x5a);
		CHECK(!loads(&key));
	}
	store(5000);
	CHECK(truncate(file, 5000) == 0);
	CHECK(!loads(&key));
	store(5000);
	CHECK(loads(&key));
}

static void test_not_ours(void)
{
	char elsewhere[160];

	store(5000);
	CHECK(chmod(file, 0666) == 0);
	CHECK(!loads(&key));
	store(5000);
	CHECK(loads(&key));
	CHECK(chmod(folder, 0777) == 0);
	CHECK(!loads(&key));
	CHECK(chmod(folder, 0700) == 0);
	snprintf(elsewhere, sizeof(elsewhere), "%s/elsewhere", root);
	CHECK(rename(file, elsewhere) == 0);
	CHECK(symlink(elsewhere, file) == 0);
	CHECK(!loads(&key));
	unlink(file);
	mkfifo(file, 0600);
	CHECK(!loads(&key));
	if (geteuid() == 0) {
		unlink(file);
		store(5000);
		CHECK(chown(file, 65534, 65534) == 0);
		CHECK(!loads(&key));
	}
}

static void test_no_place(void)
{
	setenv("XDG_CACHE_HOME", "/proc/none", 1);
	store(5000);
	CHECK(!loads(&key));
}

int main(void)
{
	char command[160];

	if (!mkdtemp(root))
		return 2;
	setenv("XDG_CACHE_HOME", root, 1);
	snprintf(folder, sizeof(folder), "%s/wperf/unwind", root);
	snprintf(file, sizeof(file), "%s/abcdef", folder);
	RUN(test_round_trip);
	RUN(test_small_tables_are_not_worth_it);
	RUN(test_damage);
	RUN(test_not_ours);
	RUN(test_no_place);
	snprintf(command, sizeof(command), "rm -rf %s", root);
	return system(command) | check_done();
}
