/* SPDX-License-Identifier: BSD-3-Clause */
/* return_site: x86's calls, and bytes that are none, in front of an address. */
#include "resolve/unwind/return_site.h"

#include "check.h"

static bool is(const char *bytes, size_t n)
{
	uint64_t target;

	return wp_return_site_of((const uint8_t *)bytes, n, 0x401000, &target) != WP_RETURN_NONE;
}

#define IS(bytes) is(bytes, sizeof(bytes) - 1)

static void test_calls(void)
{
	CHECK(IS("\x90\x90\xe8\x01\x02\x03\x04")); /* call there */
	CHECK(IS("\x90\x90\x90\x90\x90\xff\xd0")); /* call eax */
	CHECK(IS("\x90\x90\x90\x90\x90\xff\x10")); /* [eax] */
	CHECK(IS("\x90\x90\x90\x90\xff\x55\x08")); /* [ebp + 8] */
	CHECK(IS("\x90\xff\x15\x01\x02\x03\x04")); /* [address] */
	CHECK(IS("\x90\xff\x93\x01\x02\x03\x04")); /* [ebx + 32 bits] */
	CHECK(IS("\x90\x90\x90\x90\xff\x14\x24")); /* [esp] */
	CHECK(IS("\x90\x90\x90\xff\x54\x24\x08")); /* [esp + 8] */
	CHECK(IS("\xff\x94\x24\x01\x02\x03\x04")); /* [esp + 32 bits] */
	CHECK(IS("\xff\x14\x85\x01\x02\x03\x04")); /* [4 * eax + address] */
}

static void test_others(void)
{
	CHECK(!IS("\x90\x90\x90\x90\x90\x90\x90"));
	CHECK(!IS("\x90\x90\x90\x90\x90\xff\xe0")); /* jmp eax */
	CHECK(!IS("\x90\x90\x90\x90\x90\xff\x30")); /* push [eax] */
	CHECK(!IS("\x90\x90\xe9\x01\x02\x03\x04")); /* jmp there */
	CHECK(!IS("\x90\x90\x90\x90\x90\xff\x15")); /* cut off */
	CHECK(!IS("\xd0"));
	CHECK(!IS(""));
}

static void test_target(void)
{
	const uint8_t call[] = {0xe8, 0x00, 0xf0, 0xff, 0xff};
	uint64_t target = 0;

	CHECK_U64(wp_return_site_of(call, 5, 0x401000, &target), WP_RETURN_DIRECT);
	CHECK_U64(target, 0x400000);
}

/* "cfa_kind offset fp_offset" of an epilogue; "-": it is none. */
static void check_exit(const char *code, size_t n, const char *want)
{
	struct wp_unwind_rule rule;
	char got[64] = "-";

	if (wp_return_soon_of((const uint8_t *)code, n, &rule))
		snprintf(got, sizeof(got), "%s %d %d", rule.cfa == WP_UNWIND_FP ? "fp" : "sp",
			 rule.cfa_off, rule.flags & WP_UNWIND_FP_SAVED ? rule.fp_off : 0);
	CHECK_STR(got, want);
}

#define CHECK_EXIT(code, want) check_exit(code, sizeof(code) - 1, want)

static void test_exits(void)
{
	CHECK_EXIT("\xc3", "sp 1 0");
	CHECK_EXIT("\xc2\x0c\x00", "sp 1 0");
	CHECK_EXIT("\x5e\x5f\xc3", "sp 3 0");			   /* pop esi; pop edi */
	CHECK_EXIT("\x83\xc4\x10\x5b\x5d\xc3", "sp 7 -2");	   /* add esp, 16 */
	CHECK_EXIT("\x5d\x5f\xc3", "sp 3 -3");			   /* pop ebp; pop edi */
	CHECK_EXIT("\x81\xc4\x00\x01\x00\x00\xc3", "sp 65 0");	   /* add esp, 256 */
	CHECK_EXIT("\xc9\xc3", "fp 2 -2");			   /* leave */
	CHECK_EXIT("\x8b\xe5\x5d\xc2\x08\x00", "fp 2 -2");	   /* mov esp, ebp */
	CHECK_EXIT("\x8d\x65\xf4\x5b\x5e\x5f\x5d\xc3", "fp 2 -2"); /* lea esp, [ebp - 12] */
	CHECK_EXIT("\x89\xf0\x5e\xc3", "sp 2 0");		   /* mov eax, esi */
	CHECK_EXIT("\x5e\xe9\x00\x00\x00\x00", "-");		   /* jmp */
	CHECK_EXIT("\x89\xc5\xc3", "-");			   /* mov ebp, eax */
	CHECK_EXIT("\x5d\xc9\xc3", "-");			   /* ebp is gone */
	CHECK_EXIT("\x5e\x5f", "-");
	CHECK_EXIT("", "-");
}

int main(void)
{
	RUN(test_calls);
	RUN(test_target);
	RUN(test_exits);
	RUN(test_others);
	return check_done();
}
