/* SPDX-License-Identifier: BSD-3-Clause */
/* Variables of frames out of memory: values of each kind; nothing where frames are others. */
#include "check.h"
#include "python_locals_image.h"
#include "runtime/python_text.h"
#include "runtime/python_value.h"

#include <math.h>

static struct locals_image image;
static struct wp_python_locals found;

static bool read_locals(void)
{
	struct wp_memory memory = {names_read, &image.names};

	wp_python_locals_deinit(&found);
	return wp_python_locals_read(&image.layout, &image.names.plan, &memory, image.slots, 5, 0,
				     &found);
}

static const char *value_of(uint32_t slot, const char *name)
{
	for (size_t i = 0; i < found.v.n; i++)
		if (found.v.v[i].slot == slot && strcmp(found.v.v[i].name, name) == 0)
			return found.v.v[i].value;
	return "(none)";
}

static void test_values(void)
{
	for (int tagged = 0; tagged < 2; tagged++) {
		locals_make(&image, tagged);
		CHECK(read_locals());
		CHECK_U64(found.v.n, 11);
		CHECK_STR(value_of(1, "i"), "1099511627781");
		CHECK_STR(value_of(1, "f"), "0.1");
		CHECK_STR(value_of(1, "s"), "\"it's \\x1b[0m\\\\\"");
		CHECK_STR(value_of(1, "n"), "None");
		CHECK_STR(value_of(1, "t"), "True");
		CHECK_STR(value_of(1, "unbound"), "(none)");
		CHECK_STR(value_of(1, "d"), "<dict, 1 item>");
		CHECK_STR(value_of(1, "set"), "<set, 3 items>");
		CHECK_STR(value_of(1, "mine"), "<float>");
		CHECK_STR(value_of(1, "negative"), "-7");
		CHECK_STR(value_of(1, "control"), "<a\\x1b\\xff>");
		CHECK_STR(value_of(3, "c"), "1099511627781");
		CHECK(!found.cut);
	}
}

/* Frames, names and sizes that are not what they should be. */
static void test_locals_damage(void)
{
	uint64_t tuple, at;

	locals_make(&image, true);
	image.slots[3].addr += 8;
	CHECK(!read_locals());
	CHECK_U64(found.v.n, 0);
	locals_make(&image, true);
	image.layout.frame = 0;
	CHECK(!read_locals());
	locals_make(&image, true);
	names_put(&image.names, image.codes[0] + 16, 0);
	CHECK(!read_locals());
	locals_make(&image, true);
	memcpy(&tuple, image.names.bytes + (image.codes[0] + 16 - NAMES_BASE), sizeof(tuple));
	names_put(&image.names, tuple + 16, UINT64_MAX);
	CHECK(!read_locals());
	/* The name is no str, the value is nowhere. */
	locals_make(&image, true);
	names_put(&image.names, image.variables[0][0] + 8, image.names.int_type);
	at = image.frames[0] + 16 + 8;
	names_put(&image.names, at, 8);
	CHECK(read_locals());
	CHECK_STR(value_of(1, "i"), "(none)");
	CHECK_STR(value_of(1, "f"), "<not readable>");
	/* An int of more digits than are told, whose memory is not there; a dict of too many. */
	locals_make(&image, true);
	names_put(&image.names, image.variables[0][1] + 16, UINT64_C(1) << 30);
	names_put(&image.names, image.variables[6][1] + 16, UINT64_MAX);
	CHECK(read_locals());
	CHECK_STR(value_of(1, "i"), "<int, not readable>");
	CHECK_STR(value_of(1, "d"), "<dict, not readable>");
}

static void test_floats(void)
{
	static const struct {
		double value;
		const char *text;
	} floats[] = {
		{0.0, "0.0"},
		{-0.0, "-0.0"},
		{1, "1.0"},
		{100, "100.0"},
		{0.1, "0.1"},
		{1.0 / 3, "0.3333333333333333"},
		{1e15, "1000000000000000.0"},
		{1e16, "1e+16"},
		{123456.789, "123456.789"},
		{0.0001, "0.0001"},
		{0.00001, "1e-05"},
		{5e-324, "5e-324"},
		{1.7976931348623157e308, "1.7976931348623157e+308"},
		{9007199254740994, "9007199254740994.0"},
		{-INFINITY, "-inf"},
		{NAN, "nan"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(floats); i++) {
		wp_autostr struct wp_str text = {0};

		wp_python_value_put_float(&text, floats[i].value);
		CHECK_STR(text.s, floats[i].text);
	}
}

static void test_repr(void)
{
	static const uint8_t latin[] = {'a', '\'', '"', '\n', 0xe9, 0x7f, 0};
	static const uint8_t wide[] = {0x16, 0x4e, 0x80, 0xdc, 0x2e, 0x20};
	struct wp_code_text text = {.width = 1, .length = 9, .n = 7, .bytes = latin};
	struct wp_code_text two = {.width = 2, .length = 3, .n = 6, .bytes = wide};
	struct wp_code_text none = {.width = 1};
	wp_autostr struct wp_str out = {0};

	wp_python_text_repr(&out, &text, false);
	CHECK_STR(out.s, "'a\\'\"\\n\xc3\xa9\\x7f\\x00'...");
	out.len = 0;
	wp_python_text_repr(&out, &text, true);
	CHECK_STR(out.s, "b'a\\'\"\\n\\xe9\\x7f\\x00'...");
	out.len = 0;
	wp_python_text_repr(&out, &two, false);
	CHECK_STR(out.s, "'\xe4\xb8\x96\\udc80\\u202e'");
	out.len = 0;
	wp_python_text_repr(&out, &none, false);
	CHECK_STR(out.s, "''");
}

static void test_layouts(void)
{
	struct wp_python_plan plan = {.object_type = 8};
	struct wp_python_locals_layout layout;

	wp_python_locals_layout(0x030a0df0, &plan, &layout);
	CHECK_U64(layout.frame, 352);
	CHECK_U64(layout.names[2], 80);
	wp_python_locals_layout(0x030c01f0, &plan, &layout);
	CHECK_U64(layout.frame, 72);
	CHECK_U64(layout.names[0], 96);
	CHECK_U64(layout.kinds, 104);
	CHECK(layout.tagged);
	plan.flags = WP_PYTHON_TAGGED;
	plan.frame_locals = 80;
	wp_python_locals_layout(0x030e00f0, &plan, &layout);
	CHECK_U64(layout.frame, 80);
	CHECK_U64(layout.names[0], 96);
	CHECK_U64(layout.items, 24);
	wp_python_locals_layout(0x030600f0, &plan, &layout);
	CHECK_U64(layout.frame, 0);
	plan.flags = WP_PYTHON_FREE_THREADED;
	wp_python_locals_layout(0x030d00f0, &plan, &layout);
	CHECK_U64(layout.frame, 0);
}

int main(void)
{
	RUN(test_values);
	RUN(test_locals_damage);
	RUN(test_floats);
	RUN(test_repr);
	RUN(test_layouts);
	wp_python_locals_deinit(&found);
	return check_done();
}
