/* return_site: x86's calls, and bytes that are none, in front of an address. */
#include "resolve/return_site.h"

#include "check.h"

static bool is(const char *bytes, size_t n)
{
	return wp_return_site_of((const uint8_t *)bytes, n);
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

int main(void)
{
	RUN(test_calls);
	RUN(test_others);
	return check_done();
}
