/* SPDX-License-Identifier: BSD-3-Clause */
/* python_debug_offsets: see python_debug_offsets.h. */
#include "runtime/python_debug_offsets.h"

#include "base/bytes.h"
#include "runtime/python_version.h"

#include <inttypes.h>
#include <string.h>

#define COOKIE	 "xdebugpy"
#define FREE_AT	 2 /* words: cookie, version, free_threaded */
#define MAX_SIZE (64u << 20)

/* Where the 64-bit words stand, counted in words; 0: the version has none. */
struct shape {
	uint32_t minor;
	uint16_t words;
	uint8_t runtime_size, interpreters_head;
	uint8_t interp_size, interp_next, threads_head, ceval_gil, gil, gil_locked, gil_holder;
	uint8_t modules, ma_keys, ma_values;
	uint8_t thread_size, thread_next, thread_interp, current_frame, thread_id, status;
	uint8_t frame_size, previous, executable, instr_ptr, localsplus, owner, tlbc_index;
	uint8_t code_size, filename, name, qualname, linetable, firstlineno, code_adaptive, tlbc;
	uint8_t object_size, ob_type;
	uint8_t bytes_size, bytes_ob_size, bytes_data;
	uint8_t str_size, str_state, str_length, ascii_size;
	uint8_t gen_size, gen_name, gen_frame;
	/*
	 * What the record does not tell (Include/cpython/pystate.h, pycore_runtime_structs.h): of
	 * PyThreadState.state behind _status, and of the key behind interpreters.head (0: 3.15
	 * keeps no key, but a thread-local variable), of ht_cached_keys behind ob_type.
	 */
	uint8_t state_behind_status;
	uint16_t key_behind_interpreters, windows_key_behind_interpreters, keys_behind_type;
};

static const struct shape shapes[] = {
	{
		.minor = 0x030d,
		.words = 73,
		.runtime_size = 3,
		.interpreters_head = 5,
		.interp_size = 6,
		.interp_next = 8,
		.threads_head = 9,
		.modules = 11,
		.ceval_gil = 14,
		.gil = 15,
		.gil_locked = 17,
		.gil_holder = 18,
		.thread_size = 19,
		.thread_next = 21,
		.thread_interp = 22,
		.current_frame = 23,
		.thread_id = 24,
		.status = 27,
		.frame_size = 28,
		.previous = 29,
		.executable = 30,
		.instr_ptr = 31,
		.localsplus = 32,
		.owner = 33,
		.code_size = 34,
		.filename = 35,
		.name = 36,
		.qualname = 37,
		.linetable = 38,
		.firstlineno = 39,
		.code_adaptive = 43,
		.object_size = 44,
		.ob_type = 45,
		.ma_keys = 57,
		.ma_values = 58,
		.bytes_size = 64,
		.bytes_ob_size = 65,
		.bytes_data = 66,
		.str_size = 67,
		.str_state = 68,
		.str_length = 69,
		.ascii_size = 70,
		.keys_behind_type = 872,
		.state_behind_status = 8,
		.key_behind_interpreters = 1532,
		.windows_key_behind_interpreters = 836,
	},
	{
		.minor = 0x030e,
		.words = 95,
		.runtime_size = 3,
		.interpreters_head = 5,
		.interp_size = 6,
		.interp_next = 8,
		.threads_head = 9,
		.modules = 12,
		.ceval_gil = 15,
		.gil = 16,
		.gil_locked = 18,
		.gil_holder = 19,
		.thread_size = 22,
		.thread_next = 24,
		.thread_interp = 25,
		.current_frame = 26,
		.thread_id = 27,
		.status = 30,
		.frame_size = 31,
		.previous = 32,
		.executable = 33,
		.instr_ptr = 34,
		.localsplus = 35,
		.owner = 36,
		.tlbc_index = 38,
		.code_size = 39,
		.filename = 40,
		.name = 41,
		.qualname = 42,
		.linetable = 43,
		.firstlineno = 44,
		.code_adaptive = 48,
		.tlbc = 49,
		.object_size = 50,
		.ob_type = 51,
		.ma_keys = 67,
		.ma_values = 68,
		.bytes_size = 74,
		.bytes_ob_size = 75,
		.bytes_data = 76,
		.str_size = 77,
		.str_state = 78,
		.str_length = 79,
		.ascii_size = 80,
		.gen_size = 83,
		.gen_name = 84,
		.gen_frame = 85,
		.keys_behind_type = 872,
		.state_behind_status = 12,
		.key_behind_interpreters = 1532,
	},
	{
		.minor = 0x030f,
		.words = 111,
		.runtime_size = 3,
		.interpreters_head = 5,
		.interp_size = 6,
		.interp_next = 8,
		.threads_head = 9,
		.modules = 12,
		.ceval_gil = 15,
		.gil = 16,
		.gil_locked = 18,
		.gil_holder = 19,
		.thread_size = 22,
		.thread_next = 24,
		.thread_interp = 25,
		.current_frame = 26,
		.thread_id = 30,
		.status = 33,
		.frame_size = 39,
		.previous = 40,
		.executable = 41,
		.instr_ptr = 42,
		.localsplus = 43,
		.owner = 44,
		.tlbc_index = 46,
		.code_size = 47,
		.filename = 48,
		.name = 49,
		.qualname = 50,
		.linetable = 51,
		.firstlineno = 52,
		.code_adaptive = 56,
		.tlbc = 57,
		.object_size = 58,
		.ob_type = 59,
		.ma_keys = 79,
		.ma_values = 80,
		.bytes_size = 86,
		.bytes_ob_size = 87,
		.bytes_data = 88,
		.str_size = 89,
		.str_state = 90,
		.str_length = 91,
		.ascii_size = 92,
		.gen_size = 99,
		.gen_name = 100,
		.gen_frame = 101,
		.keys_behind_type = 880,
		.state_behind_status = 16,
	},
};

/* A record being read: what could not be is remembered, the first by name. */
struct reader {
	struct wp_bytes bytes;
	const char *wrong;
};

static uint64_t word_at_index(struct reader *r, uint8_t index)
{
	wp_bytes_seek(&r->bytes, (uint64_t)index * 8);
	return wp_bytes_u64(&r->bytes);
}

static uint64_t wrong(struct reader *r, const char *what)
{
	if (!r->wrong)
		r->wrong = what;
	return 0;
}

/* The size of a structure. */
static uint64_t size_at(struct reader *r, uint8_t index, const char *what)
{
	uint64_t size = word_at_index(r, index);

	return size && size % 4 == 0 && size <= MAX_SIZE ? size : wrong(r, what);
}

/* An offset of a field of `width` bytes in a structure of that size. */
static uint16_t field(struct reader *r, uint8_t index, uint64_t size, uint32_t width,
		      const char *what)
{
	uint64_t at = word_at_index(r, index);

	if (at > UINT16_MAX || at % width || at + width > size)
		return (uint16_t)wrong(r, what);
	return (uint16_t)at;
}

static void read_interpreter(struct reader *r, const struct shape *s, struct wp_python_plan *plan)
{
	uint64_t size = size_at(r, s->interp_size, "PyInterpreterState");
	uint16_t gil = field(r, s->gil, size, 8, "_gil");
	uint16_t holder = field(r, s->gil_holder, size, 8, "_gil.last_holder");
	uint16_t locked = field(r, s->gil_locked, size, 4, "_gil.locked");

	plan->interp_next = field(r, s->interp_next, size, 8, "PyInterpreterState.next");
	plan->interp_threads = field(r, s->threads_head, size, 8, "threads.head");
	plan->interp_gil = field(r, s->ceval_gil, size, 8, "ceval.gil");
	if (holder < gil || locked < gil)
		wrong(r, "_gil");
	plan->gil_holder = (uint16_t)(holder - gil);
	plan->gil_locked = (uint16_t)(locked - gil);
}

static void read_thread_offsets(struct reader *r, const struct shape *s, bool free_threaded,
				struct wp_python_plan *plan)
{
	uint64_t size = size_at(r, s->thread_size, "PyThreadState");
	uint16_t status = field(r, s->status, size, 4, "PyThreadState._status");

	plan->ts_next = field(r, s->thread_next, size, 8, "PyThreadState.next");
	plan->ts_interp = field(r, s->thread_interp, size, 8, "PyThreadState.interp");
	plan->ts_frame = field(r, s->current_frame, size, 8, "PyThreadState.current_frame");
	plan->ts_thread_id = field(r, s->thread_id, size, 8, "PyThreadState.thread_id");
	if ((uint64_t)status + s->state_behind_status + 4 > size)
		wrong(r, "PyThreadState._status");
	if (free_threaded)
		plan->ts_state = (uint16_t)(status + s->state_behind_status);
}

static void read_frame(struct reader *r, const struct shape *s, bool free_threaded,
		       struct wp_python_plan *plan)
{
	uint64_t size = size_at(r, s->frame_size, "_PyInterpreterFrame");

	plan->frame_code = field(r, s->executable, size, 8, "f_executable");
	plan->frame_previous = field(r, s->previous, size, 8, "_PyInterpreterFrame.previous");
	plan->frame_instr = field(r, s->instr_ptr, size, 8, "instr_ptr");
	plan->frame_owner = field(r, s->owner, size, 1, "_PyInterpreterFrame.owner");
	plan->frame_locals = field(r, s->localsplus, size, 8, "localsplus");
	if (free_threaded && s->tlbc_index)
		plan->frame_tlbc_index = field(r, s->tlbc_index, size, 4, "tlbc_index");
}

/* 3.14 and newer; 3.13 does not tell. */
static void read_generator(struct reader *r, const struct shape *s, struct wp_python_plan *plan)
{
	uint64_t size;

	if (!s->gen_size)
		return;
	size = size_at(r, s->gen_size, "PyGenObject");
	plan->gen_frame = field(r, s->gen_frame, size, 8, "gi_iframe");
	plan->gen_qualname = field(r, s->gen_name, size - 8, 8, "gi_name") + 8;
}

static uint16_t larger_offset(uint16_t a, uint16_t b)
{
	return a > b ? a : b;
}

/* co_version stands before co_localsplusnames, co_localspluskinds and co_filename. */
#define VERSION_BEFORE_FILENAME 20

static void read_code_offsets(struct reader *r, const struct shape *s, bool free_threaded,
			      struct wp_python_plan *plan)
{
	uint64_t size = size_at(r, s->code_size, "PyCodeObject");
	uint16_t end;

	plan->code_filename = field(r, s->filename, size, 8, "co_filename");
	plan->code_name = field(r, s->name, size, 8, "co_name");
	plan->code_qualname = field(r, s->qualname, size, 8, "co_qualname");
	plan->code_lines = field(r, s->linetable, size, 8, "co_linetable");
	plan->code_first_line = field(r, s->firstlineno, size, 4, "co_firstlineno");
	if (plan->code_filename > VERSION_BEFORE_FILENAME)
		plan->code_version = plan->code_filename - VERSION_BEFORE_FILENAME;
	plan->code_first_instr = field(r, s->code_adaptive, size, 2, "co_code_adaptive");
	if (free_threaded && s->tlbc)
		plan->code_tlbc = field(r, s->tlbc, size, 8, "co_tlbc");
	end = larger_offset(larger_offset(plan->code_filename, plan->code_name),
			    larger_offset(plan->code_qualname, plan->code_lines));
	end = larger_offset(larger_offset(end, plan->code_first_line),
			    larger_offset(plan->code_tlbc, plan->object_type));
	plan->code_bytes = (uint16_t)(end + 8);
	if (plan->code_bytes > WP_PYTHON_CODE_MAX)
		wrong(r, "PyCodeObject");
}

/* PyUnicodeObject adds one pointer to PyCompactUnicodeObject, behind whose head data begin. */
static void read_strings(struct reader *r, const struct shape *s, struct wp_python_plan *plan)
{
	uint64_t bytes = size_at(r, s->bytes_size, "PyBytesObject");
	uint64_t size = size_at(r, s->str_size, "PyUnicodeObject");

	plan->bytes_size = field(r, s->bytes_ob_size, bytes, 8, "PyBytesObject.ob_size");
	plan->bytes_data = field(r, s->bytes_data, bytes, 1, "ob_sval");
	if (plan->bytes_data < plan->bytes_size + 8u)
		wrong(r, "ob_sval");
	plan->str_length = field(r, s->str_length, size, 8, "PyASCIIObject.length");
	plan->str_state = field(r, s->str_state, size, 4, "PyASCIIObject.state");
	plan->str_ascii = field(r, s->ascii_size, size, 8, "PyASCIIObject");
	if (size > UINT16_MAX || size < 8u + plan->str_ascii || size % 8)
		size = wrong(r, "PyUnicodeObject");
	plan->str_compact = (uint16_t)(size - 8);
}

/*
 * What leads to threads' names; frames can do without. Dicts are as these versions have them if
 * their members stand as close to the head as there.
 */
static struct wp_python_dict_layout read_dict_offsets(const struct reader *reader,
						      const struct shape *s, uint16_t object_type)
{
	struct reader r = *reader;
	struct wp_python_dict_layout ret = {.dicts = WP_PYTHON_DICTS_INLINE,
					    .cached_keys = s->keys_behind_type};

	ret.interp_modules =
		field(&r, s->modules, word_at_index(&r, s->interp_size), 8, "imports.modules");
	if (r.wrong || word_at_index(&r, s->ma_keys) != object_type + 24u ||
	    word_at_index(&r, s->ma_values) != object_type + 32u)
		return (struct wp_python_dict_layout){0};
	return ret;
}

/*
 * Include/cpython/unicodeobject.h: interned:2, kind:3, compact:1, ascii:1; free-threaded builds
 * from 3.14 on give `interned` a byte of its own.
 */
static void set_string_bits(const struct shape *s, bool free_threaded, struct wp_python_plan *plan)
{
	uint16_t first = free_threaded && s->minor >= 0x030e ? 8 : 2;

	plan->str_kind_shift = first;
	plan->str_compact_shift = first + 3;
	plan->str_ascii_shift = first + 4;
}

static void set_flags(const struct shape *s, bool free_threaded, struct wp_python_plan *plan)
{
	plan->flags = WP_PYTHON_ENTRY_FRAMES | WP_PYTHON_INSTR_POINTER;
	if (s->minor >= 0x030e)
		plan->flags |= WP_PYTHON_TAGGED;
	if (free_threaded) {
		plan->flags |= WP_PYTHON_FREE_THREADED;
		plan->interp_gil = 0; /* nobody holds it */
	}
}

bool wp_python_debug_offsets_is(const void *bytes, size_t n, uint32_t *ret_version)
{
	struct wp_bytes b = wp_bytes_of(bytes, n);
	const void *cookie = wp_bytes_take(&b, 8);
	uint64_t version = wp_bytes_u64(&b);

	if (b.failed || memcmp(cookie, COOKIE, 8) != 0 || version > UINT32_MAX)
		return false;
	*ret_version = (uint32_t)version;
	return true;
}

static const struct shape *shape_of(uint32_t version)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(shapes); i++)
		if (shapes[i].minor == version >> 16 && wp_python_version_is_final(version))
			return &shapes[i];
	return NULL;
}

static void read_runtime(struct reader *r, const struct shape *s,
			 struct wp_python_debug_offsets *ret)
{
	uint64_t size = size_at(r, s->runtime_size, "_PyRuntimeState");

	ret->runtime_interpreters = field(r, s->interpreters_head, size, 8, "interpreters.head");
	if (s->key_behind_interpreters)
		ret->runtime_key = ret->runtime_interpreters + s->key_behind_interpreters;
	if (s->windows_key_behind_interpreters)
		ret->runtime_windows_key =
			ret->runtime_interpreters + s->windows_key_behind_interpreters;
	if (ret->runtime_key + 4u > size)
		wrong(r, "_PyRuntimeState");
}

struct wp_err *wp_python_debug_offsets_read(const void *bytes, size_t n,
					    struct wp_python_debug_offsets *ret)
{
	struct wp_python_debug_offsets found = {0};
	struct reader r = {.bytes = wp_bytes_of(bytes, n)};
	const struct shape *s = NULL;
	char name[WP_PYTHON_VERSION_MAX];
	uint64_t object;

	if (wp_python_debug_offsets_is(bytes, n, &found.version))
		s = shape_of(found.version);
	if (!s || n < s->words * 8u)
		return wp_err_new(WP_ERR_UNSUPPORTED, "CPython %s is not known to this program",
				  wp_python_version_print(found.version, name));
	if (word_at_index(&r, FREE_AT) > 1)
		wrong(&r, "free_threaded");
	found.free_threaded = word_at_index(&r, FREE_AT) == 1;
	object = size_at(&r, s->object_size, "PyObject");
	found.plan.object_type = field(&r, s->ob_type, object, 8, "ob_type");
	read_runtime(&r, s, &found);
	read_interpreter(&r, s, &found.plan);
	read_thread_offsets(&r, s, found.free_threaded, &found.plan);
	read_frame(&r, s, found.free_threaded, &found.plan);
	read_code_offsets(&r, s, found.free_threaded, &found.plan);
	read_strings(&r, s, &found.plan);
	read_generator(&r, s, &found.plan);
	set_string_bits(s, found.free_threaded, &found.plan);
	set_flags(s, found.free_threaded, &found.plan);
	found.dicts = read_dict_offsets(&r, s, found.plan.object_type);
	if (r.wrong)
		return wp_err_new(WP_ERR_FORMAT,
				  "the offsets with which CPython %s describes itself make no "
				  "sense (%s)",
				  wp_python_version_print(found.version, name), r.wrong);
	*ret = found;
	return NULL;
}
