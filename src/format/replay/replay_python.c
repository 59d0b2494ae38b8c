/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_python: see replay_python.h. */
#include "format/replay/replay_python.h"

#include "base/str.h"

#include <string.h>

#define UNITS_MAX  8  /* of two bytes, that one entry of a line table covers */
#define LAST_BYTES 64 /* what the last line of a list holds for */

static const struct {
	const char *version;
	uint32_t number;
	uint32_t flags;
	enum wp_python_lines_form lines;
} versions[] = {
	{"2.7", 0x0207, WP_PYTHON_FRAME_OBJECTS | WP_PYTHON_BYTES_NAMES, WP_PYTHON_LNOTAB_UNSIGNED},
	{"3.6", 0x0306, WP_PYTHON_FRAME_OBJECTS, WP_PYTHON_LNOTAB_SIGNED},
	{"3.7", 0x0307, WP_PYTHON_FRAME_OBJECTS, WP_PYTHON_LNOTAB_SIGNED},
	{"3.8", 0x0308, WP_PYTHON_FRAME_OBJECTS, WP_PYTHON_LNOTAB_SIGNED},
	{"3.9", 0x0309, WP_PYTHON_FRAME_OBJECTS, WP_PYTHON_LNOTAB_SIGNED},
	{"3.10", 0x030a, WP_PYTHON_FRAME_OBJECTS, WP_PYTHON_LINETABLE},
	{"3.11", 0x030b, WP_PYTHON_CFRAME | WP_PYTHON_IS_ENTRY, WP_PYTHON_LOCATIONS},
	{"3.12", 0x030c, WP_PYTHON_CFRAME | WP_PYTHON_ENTRY_FRAMES, WP_PYTHON_LOCATIONS},
	{"3.13", 0x030d, WP_PYTHON_ENTRY_FRAMES, WP_PYTHON_LOCATIONS},
	{"3.14", 0x030e, WP_PYTHON_ENTRY_FRAMES | WP_PYTHON_TAGGED, WP_PYTHON_LOCATIONS},
};

struct wp_err *wp_replay_python_version(const char *text, struct wp_replay_python *ret)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(versions); i++)
		if (strcmp(versions[i].version, text) == 0) {
			ret->version = versions[i].number;
			ret->flags = versions[i].flags;
			ret->lines = versions[i].lines;
			return NULL;
		}
	return wp_err_new(WP_ERR_FORMAT, "bad value of 'version'");
}

/* The character at *s, which is moved behind it; what is not UTF-8 is taken byte by byte. */
static uint32_t next_char(const unsigned char **s)
{
	static const struct {
		unsigned char mask, lead;
		int more;
	} forms[] = {{0xe0, 0xc0, 1}, {0xf0, 0xe0, 2}, {0xf8, 0xf0, 3}};
	uint32_t c = *(*s)++;

	for (size_t i = 0; i < WP_ARRAY_LEN(forms); i++) {
		if ((c & forms[i].mask) != forms[i].lead)
			continue;
		c &= (unsigned char)~forms[i].mask;
		for (int k = 0; k < forms[i].more && (**s & 0xc0) == 0x80; k++)
			c = c << 6 | (*(*s)++ & 0x3f);
		break;
	}
	return c;
}

static uint32_t char_width_of(const char *utf8)
{
	const unsigned char *s = (const unsigned char *)utf8;
	uint32_t most = 0;

	while (*s) {
		uint32_t c = next_char(&s);

		most = c > most ? c : most;
	}
	return most > 0xffff ? 4 : most > 0xff ? 2 : 1;
}

struct wp_code_text wp_replay_python_text(const char *utf8, uint32_t flags, struct wp_arena *arena)
{
	bool bytes = flags & WP_PYTHON_BYTES_NAMES;
	struct wp_code_text text = {.width = bytes ? 1 : char_width_of(utf8)};
	uint8_t *out = wp_arena_alloc(arena, strlen(utf8) * text.width + 1);
	const unsigned char *s = (const unsigned char *)utf8;

	for (; *s; text.length++) {
		uint32_t c = bytes ? *s++ : next_char(&s);

		for (uint32_t i = 0; i < text.width; i++)
			out[text.n++] = (uint8_t)(c >> 8 * i);
	}
	text.bytes = out;
	return text;
}

/* A line table that is being written (Objects/locations.md). */
struct table {
	uint8_t *bytes;
	size_t n;
	int64_t line; /* of the entry before */
};

/* Signed, six bits a byte, the lowest first. */
static void put_delta(struct table *table, int64_t delta)
{
	uint64_t v = delta < 0 ? (uint64_t)-delta << 1 | 1 : (uint64_t)delta << 1;

	for (; v >= 64; v >>= 6)
		table->bytes[table->n++] = (uint8_t)(64 | (v & 63));
	table->bytes[table->n++] = (uint8_t)v;
}

/* Entries for that many units: without columns (kind 13), or without a position (15). */
static void put_range(struct table *table, uint64_t units, int64_t line)
{
	for (uint64_t some; units; units -= some) {
		some = units < UNITS_MAX ? units : UNITS_MAX;
		table->bytes[table->n++] = (uint8_t)(0x80 | (line ? 13 : 15) << 3 | (some - 1));
		if (!line)
			continue;
		put_delta(table, line - table->line);
		table->line = line;
	}
}

struct pair {
	uint64_t offset, line;
};

static bool parse_offset_line(char *item, struct pair *ret)
{
	char *colon = strchr(item, ':');

	if (!colon)
		return false;
	*colon++ = '\0';
	return wp_str_to_u64(item, 0, 1 << 16, &ret->offset) && ret->offset % 2 == 0 &&
	       wp_str_to_u64(colon, 0, INT32_MAX, &ret->line);
}

struct wp_err *wp_replay_python_lines(const char *pairs, const struct wp_replay_python *python,
				      struct wp_arena *arena, struct wp_record_code *code)
{
	/* An entry has at most seven bytes and covers at least two. */
	struct table table = {.line = code->first_line};
	char *rest = wp_arena_strdup(arena, pairs), *item;
	struct pair last = {0}, pair;

	if (python->lines != WP_PYTHON_LOCATIONS)
		return wp_err_new(WP_ERR_FORMAT, "'lines' is for 3.11 and newer: give 'table'");
	table.bytes = wp_arena_alloc(arena, 8 * (strlen(pairs) + (1 << 16) / 16 + LAST_BYTES));
	for (bool first = true; (item = strsep(&rest, ",")); first = false) {
		if (!parse_offset_line(item, &pair) ||
		    (first ? pair.offset != 0 : pair.offset <= last.offset))
			return wp_err_new(WP_ERR_FORMAT, "bad value of 'lines'");
		put_range(&table, (pair.offset - last.offset) / 2, (int64_t)last.line);
		last = pair;
	}
	put_range(&table, LAST_BYTES / 2, (int64_t)last.line);
	code->lines = table.bytes;
	code->lines_len = code->lines_captured = (uint32_t)table.n;
	return NULL;
}

/* One word behind "thread/": which plan, how its frames end, what of the GIL. */
static bool thread_word(const char *word, struct wp_python_slot *slot)
{
	static const struct {
		const char *word;
		uint32_t bits;
	} words[] = {
		{"complete", WP_PYTHON_COMPLETE << 8},
		{"no_thread", WP_PYTHON_NO_THREAD << 8},
		{"no_frame", WP_PYTHON_NO_FRAME << 8},
		{"partial", WP_PYTHON_PARTIAL << 8},
		{"unreadable", WP_PYTHON_UNREADABLE << 8},
		{"damaged", WP_PYTHON_DAMAGED << 8},
		{"cut", WP_PYTHON_CUT << 8},
		{"late", WP_PYTHON_LATE << 8},
		{"held", WP_PYTHON_GIL_KNOWN | WP_PYTHON_GIL_HELD},
		{"released", WP_PYTHON_GIL_KNOWN},
		{"repaired", WP_PYTHON_REPAIRED},
	};
	uint64_t plan;

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++)
		if (strcmp(words[i].word, word) == 0) {
			slot->id |= words[i].bits;
			return true;
		}
	if (!wp_str_to_u64(word, 10, WP_PYTHON_PLANS - 1, &plan))
		return false;
	slot->id |= (uint32_t)plan;
	return true;
}

static bool parse_thread(char *words, struct wp_python_slot *slot)
{
	slot->lasti = WP_PYTHON_THREAD;
	for (char *word; (word = strsep(&words, "/"));)
		if (!thread_word(word, slot))
			return false;
	return true;
}

/* "+8" behind a name; "+-1" for a frame that has not begun. */
static bool parse_lasti(char *item, int32_t *ret)
{
	char *plus = strrchr(item, '+');
	uint64_t v;
	bool negative;

	if (!plus)
		return false;
	*plus++ = '\0';
	negative = *plus == '-';
	if (!wp_str_to_u64(plus + negative, 10, INT32_MAX - 1, &v))
		return false;
	*ret = negative ? -(int32_t)v : (int32_t)v;
	return true;
}

/* A code object by its name, or by its address, which may be one that no `pycode` line has. */
static bool find_script_code(const char *name, const struct wp_replay_pycode *codes, size_t n,
			     struct wp_python_slot *slot)
{
	uint64_t addr = 0;
	bool by_address = wp_str_to_u64(name, 0, UINT64_MAX, &addr);

	slot->addr = addr;
	while (n-- > 0)
		if (by_address ? codes[n].addr == addr : strcmp(codes[n].name, name) == 0) {
			slot->addr = codes[n].addr;
			slot->id = codes[n].id;
			return true;
		}
	return by_address;
}

static bool parse_slot(char *item, const struct wp_replay_pycode *codes, size_t n,
		       struct wp_python_slot *slot)
{
	char *slash = strchr(item, '/');
	uint64_t addr;

	if (strcmp(item, "thread") == 0)
		return parse_thread(NULL, slot);
	if (wp_str_has_prefix(item, "thread/"))
		return parse_thread(slash + 1, slot);
	if (wp_str_has_prefix(item, "mark/")) {
		slot->lasti = WP_PYTHON_MARK;
		if (!wp_str_to_u64(slash + 1, 0, UINT64_MAX, &addr))
			return false;
		slot->addr = addr;
		return true;
	}
	return parse_lasti(item, &slot->lasti) && find_script_code(item, codes, n, slot);
}

struct wp_err *wp_replay_python_slots(const char *text, const struct wp_replay_pycode *codes,
				      size_t n, struct wp_arena *arena, struct wp_stack_raw *ret)
{
	char *rest = wp_arena_strdup(arena, text), *item;
	WP_VEC(struct wp_python_slot) slots = {0};
	struct wp_python_slot *copy;
	bool good = true;

	while (good && (item = strsep(&rest, ","))) {
		struct wp_python_slot slot = {0};

		/* Frames are those of the thread before them. */
		good = parse_slot(item, codes, n, &slot) && slots.n < WP_PYTHON_SLOTS &&
		       (slots.n || slot.lasti == WP_PYTHON_THREAD);
		wp_vec_push(&slots, slot);
	}
	copy = wp_arena_alloc(arena, (slots.n + 1) * sizeof(*copy));
	if (slots.n)
		memcpy(copy, slots.v, slots.n * sizeof(*copy));
	ret->python = copy;
	ret->n_python = slots.n;
	wp_vec_deinit(&slots);
	return good ? NULL : wp_err_new(WP_ERR_FORMAT, "bad value of 'python'");
}
