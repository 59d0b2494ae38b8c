/* SPDX-License-Identifier: BSD-3-Clause */
/* python_like: see python_like.h. */
#include "runtime/python_like.h"

#include <elf.h>
#include <stddef.h>
#include <endian.h>

#define MAX_HEADERS 64
#define MAX_DYNAMIC 256

static bool read_loaded_word(const struct wp_memory *memory, uint64_t addr, uint64_t *ret)
{
	uint64_t word;

	if (!memory->read(memory->arg, addr, &word, sizeof(word)))
		return false;
	*ret = le64toh(word);
	return true;
}

/* Where a program and its dynamic section are. */
struct loaded {
	uint64_t delta, dynamic; /* dynamic: run-time address; 0: it has none */
};

static bool find_loaded_program(const struct wp_python_program *program,
				const struct wp_memory *memory, struct loaded *ret)
{
	struct loaded place = {0};
	bool found = false;

	for (uint64_t i = 0; i < program->phnum && i < MAX_HEADERS; i++) {
		Elf64_Phdr header;

		if (!memory->read(memory->arg, program->phdr + i * sizeof(header), &header,
				  sizeof(header)))
			return false;
		if (le32toh(header.p_type) == PT_PHDR) {
			place.delta = program->phdr - le64toh(header.p_vaddr);
			found = true;
		} else if (le32toh(header.p_type) == PT_DYNAMIC) {
			place.dynamic = le64toh(header.p_vaddr);
		}
	}
	if (place.dynamic)
		place.dynamic += place.delta;
	*ret = place;
	return found;
}

/* Where the program has the address of struct r_debug; 0: nowhere. */
static uint64_t find_debug(uint64_t dynamic, const struct wp_memory *memory)
{
	Elf64_Dyn entry;

	for (uint64_t i = 0; dynamic && i < MAX_DYNAMIC; i++) {
		if (!memory->read(memory->arg, dynamic + i * sizeof(entry), &entry,
				  sizeof(entry)) ||
		    !entry.d_tag)
			return 0;
		if (le64toh((uint64_t)entry.d_tag) == DT_DEBUG)
			return dynamic + i * sizeof(entry) + offsetof(Elf64_Dyn, d_un);
	}
	return 0;
}

/* The linked address of the dynamic section of the library with that delta; 0: not in the list. */
static uint64_t find_library(uint64_t debug, uint64_t delta, const struct wp_memory *memory)
{
	uint64_t link[WP_PYTHON_LINK_WORDS], at;

	if (!read_loaded_word(memory, debug, &at) || !at ||
	    !read_loaded_word(memory, at + WP_PYTHON_DEBUG_MAP, &at))
		return 0;
	for (int i = 0; at && i < WP_PYTHON_LINKS; i++) {
		if (!memory->read(memory->arg, at, link, sizeof(link)))
			return 0;
		if (le64toh(link[WP_PYTHON_LINK_ADDR]) == delta)
			return le64toh(link[WP_PYTHON_LINK_LD]) - delta;
		at = le64toh(link[WP_PYTHON_LINK_NEXT]);
	}
	return 0;
}

bool wp_python_like_make(const struct wp_python_build *build, uint64_t delta,
			 const struct wp_python_program *program, const struct wp_memory *memory,
			 struct wp_python_like *ret)
{
	struct wp_python_like like = {.delta = delta};
	struct loaded place;

	if (!build->layout.eval_start || !find_loaded_program(program, memory, &place))
		return false;
	if (delta != place.delta) {
		like.debug = find_debug(place.dynamic, memory);
		like.dynamic = like.debug ? find_library(like.debug, delta, memory) : 0;
		if (!like.dynamic)
			return false;
	}
	/*
	 * What is in memory when Python code runs: it is read without waiting for the disk. With
	 * tail calls (3.14) that need not be where the loop begins.
	 */
	like.proof_at = (build->cookie ? build->cookie : build->layout.eval_start) + delta;
	if (!memory->read(memory->arg, like.proof_at, like.proof, sizeof(like.proof)))
		return false;
	*ret = like;
	return true;
}
