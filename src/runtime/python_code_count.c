/* SPDX-License-Identifier: BSD-3-Clause */
/* python_code_count: see python_code_count.h. */
#include "runtime/python_code_count.h"

#include "base/mem.h"

#include <endian.h>
#include <string.h>

/* Include/internal/pycore_function.h of 3.13 to 3.15: {function, code object} by their number. */
#define SLOTS	   4096
#define SLOT_WORDS 2
/* How far into an interpreter the table may begin: it stands at 14 to 20 KB. */
#define PLACES 4096
#define WORDS  (PLACES + SLOTS * SLOT_WORDS)

#define ENOUGH	8  /* code objects that must be where their number says */
#define MAX_TRY 24 /* places that are looked at in the process's memory */

struct search {
	const struct wp_python_plan *plan;
	const struct wp_memory *memory;
	uint64_t words[WORDS]; /* of the interpreter, from its beginning */
	unsigned tried;
};

bool wp_python_code_count_is_kept(uint32_t version, const struct wp_python_plan *plan)
{
	/* Free-threaded builds count, but keep no table. */
	return version >= 0x030d0000 && version < 0x03100000 &&
	       !(plan->flags & WP_PYTHON_FREE_THREADED);
}

static bool is_object(uint64_t word)
{
	return word && word % 8 == 0 && word >= 4096 && word < 1ull << 56;
}

/* The code object of a number, where the table begins at a word; 0: none. */
static uint64_t code_of(const struct search *search, size_t table, uint32_t number)
{
	return le64toh(search->words[table + number % SLOTS * SLOT_WORDS + 1]);
}

/* Whether the table can begin there, by what is in it for the numbers below the count. */
static bool is_likely(const struct search *search, size_t table, uint32_t count)
{
	size_t n = 0;

	for (uint32_t i = 1; i <= SLOTS && i < count; i++) {
		uint64_t code = code_of(search, table, count - i);

		if (code && !is_object(code))
			return false;
		n += code != 0;
	}
	return n >= ENOUGH;
}

/* Whether a code object lies there that has the number, or had it some turns of the table ago. */
static bool has_number(const struct search *search, uint64_t code, uint32_t number)
{
	const struct wp_python_plan *plan = search->plan;
	const struct wp_memory *memory = search->memory;
	uint64_t type;
	uint32_t version;

	if (!memory->read(memory->arg, code + plan->object_type, &type, sizeof(type)) ||
	    (plan->code_type && le64toh(type) != plan->code_type) ||
	    !memory->read(memory->arg, code + plan->code_version, &version, sizeof(version)))
		return false;
	version = le32toh(version);
	return version && version <= number && version % SLOTS == number % SLOTS;
}

static bool agrees(const struct search *search, size_t table, uint32_t count)
{
	unsigned good = 0, bad = 0;

	for (uint32_t i = 1; i <= SLOTS && i < count && good < ENOUGH; i++) {
		uint64_t code = code_of(search, table, count - i);

		if (!code)
			continue;
		if (has_number(search, code, count - i))
			good++;
		else if (++bad > 1) /* one may just be made or freed: the process runs on */
			return false;
	}
	return good == ENOUGH;
}

/* struct _py_func_state: the count, padded to a word, and the table. */
static size_t find_table(struct search *search)
{
	for (size_t table = 1; table < PLACES; table++) {
		uint64_t count = le64toh(search->words[table - 1]);

		if (count <= ENOUGH || count > UINT32_MAX ||
		    !is_likely(search, table, (uint32_t)count))
			continue;
		if (agrees(search, table, (uint32_t)count))
			return table - 1;
		if (++search->tried == MAX_TRY)
			break;
	}
	return 0;
}

uint64_t wp_python_code_count_find(const struct wp_python_plan *plan,
				   const struct wp_memory *memory)
{
	wp_autofree struct search *search = wp_calloc(1, sizeof(*search));
	uint64_t interp;
	size_t at;

	search->plan = plan;
	search->memory = memory;
	if (!memory->read(memory->arg, plan->interpreters, &interp, sizeof(interp)) ||
	    !is_object(le64toh(interp)) || !plan->code_version ||
	    !memory->read(memory->arg, le64toh(interp), search->words, sizeof(search->words)))
		return 0;
	at = find_table(search);
	return at ? le64toh(interp) + at * 8 : 0;
}
