/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose code it is: what /proc says of a process, and the text that a recording keeps. */
#include "check.h"

#include "resolve/find/process_owner.h"

#include <unistd.h>

static void check_text(const struct wp_owners *owners, const char *want)
{
	wp_autostr struct wp_str text = {0};

	wp_owners_put(owners, &text);
	CHECK_STR(text.s ? text.s : "", want);
}

static void test_status(void)
{
	struct wp_owners owners = {0};

	CHECK(wp_process_owner_parse("Name:\tx\nUid:\t7\t7\t7\t7\nGid:\t8\t8\t8\t8\n"
				     "FDSize:\t64\nGroups:\t4 24 1000 \nNStgid:\t1\n",
				     &owners));
	check_text(&owners, "7:8:4,24,1000");
	CHECK(wp_process_owner_parse("Name:\tx\nUid:\t7\t0\t7\t7\nGid:\t8\t9\t8\t8\nGroups:\t \n",
				     &owners));
	check_text(&owners, "7:8:4,24,1000 7:8: 0:9:");
	CHECK(wp_owners_has_uid(&owners, 0) && !wp_owners_has_uid(&owners, 8));
	CHECK(!wp_process_owner_parse("Name:\tx\nUid:\t7\t7\nGid:\t8\t8\t8\t8\n", &owners));
	CHECK(!wp_process_owner_parse("", &owners));
	CHECK_U64(owners.all.n, 3);
	wp_owners_deinit(&owners);
}

static void test_process(void)
{
	struct wp_owners owners = {0};

	CHECK(wp_process_owner((uint32_t)getpid(), &owners));
	CHECK(wp_owners_has_uid(&owners, getuid()));
	CHECK(!wp_process_owner(0x7ffffff0, &owners));
	wp_owners_deinit(&owners);
}

static void check_parse(const char *text, const char *want)
{
	struct wp_owners owners = {0};

	CHECK(wp_owners_parse(text, &owners) == (*want != '\0'));
	check_text(&owners, want);
	wp_owners_deinit(&owners);
}

static void test_text(void)
{
	check_parse("0:0:", "0:0:");
	check_parse("7:8:4,24 0:9:", "7:8:4,24 0:9:");
	check_parse("7:8: 7:8:", "7:8:");
	check_parse("4294967295:1:", "4294967295:1:");
	check_parse("", "");
	check_parse("7", "");
	check_parse("7:8", "");
	check_parse("7:8:x", "");
	check_parse("-7:8:", "");
	check_parse("4294967296:8:", "");
	check_parse("0:0: x", "");
}

static void test_too_many(void)
{
	struct wp_owners owners = {0};
	wp_autostr struct wp_str text = {0};

	for (uint32_t uid = 1; uid <= 64; uid++)
		wp_owners_add_uid(&owners, uid);
	CHECK(!owners.cut);
	wp_owners_add_uid(&owners, 1);
	CHECK(!owners.cut);
	wp_owners_put(&owners, &text);
	wp_owners_add_uid(&owners, 65);
	CHECK(owners.cut);
	check_text(&owners, "");
	wp_owners_deinit(&owners);
	wp_str_puts(&text, " 65:65534:");
	CHECK(!wp_owners_parse(text.s, &owners));
	CHECK_U64(owners.all.n, 0);
}

int main(void)
{
	RUN(test_status);
	RUN(test_process);
	RUN(test_text);
	RUN(test_too_many);
	return check_done();
}
