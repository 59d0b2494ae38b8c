/* SPDX-License-Identifier: BSD-3-Clause */
/* python_like_files: by what processes are found that do not run yet (see python_like.h). */
#include "runtime/python_elf.h"
#include "runtime/python_like.h"

#include <elf.h>
#include <endian.h>

#define MAX_DYNAMIC 256

/* The linked address of the dynamic section; 0: there is none. */
static uint64_t dynamic_of(const struct wp_python_elf *elf)
{
	size_t n = 0;
	GElf_Phdr header;

	if (elf_getphdrnum(elf->elf, &n) < 0)
		return 0;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf->elf, (int)i, &header) && header.p_type == PT_DYNAMIC)
			return header.p_vaddr;
	return 0;
}

/* Where the program will have the address of struct r_debug; 0: nowhere. */
static uint64_t debug_of(const struct wp_python_elf *program)
{
	uint64_t at = dynamic_of(program);
	Elf64_Dyn entry;

	for (int i = 0; at && i < MAX_DYNAMIC; i++, at += sizeof(entry)) {
		if (!wp_python_elf_read(program, at, &entry, sizeof(entry)) || !entry.d_tag)
			return 0;
		if (le64toh((uint64_t)entry.d_tag) == DT_DEBUG)
			return at + offsetof(Elf64_Dyn, d_un);
	}
	return 0;
}

/* As the kernel finds it (fs/binfmt_elf.c, start_code). False: no code. */
static bool find_code_start(const struct wp_python_elf *program, uint64_t *ret)
{
	uint64_t code = UINT64_MAX;

	wp_vec_each (const struct wp_elf_segment, segment, &program->image.segments)
		if (segment->exec && segment->start.v < code)
			code = segment->start.v;
	*ret = code;
	return code != UINT64_MAX;
}

static bool make_like(const struct wp_python_build *build, const struct wp_python_elf *program,
		      const struct wp_python_elf *library, struct wp_python_like *like)
{
	if (program != library) {
		like->debug = debug_of(program);
		like->dynamic = dynamic_of(library);
		if (!like->debug || !like->dynamic)
			return false;
	}
	like->proof_at = build->cookie ? build->cookie : build->layout.eval_start;
	return like->proof_at &&
	       wp_python_elf_read(library, like->proof_at, like->proof, sizeof(like->proof));
}

bool wp_python_like_of_files(const struct wp_python_build *build, int program, int library,
			     struct wp_python_like *ret, uint64_t *ret_code)
{
	struct wp_python_elf elf, other;
	struct wp_python_like like = {0};
	bool good = false;
	uint64_t code = 0;

	if (!wp_python_elf_open(program, &elf))
		return false;
	if (program == library) {
		good = make_like(build, &elf, &elf, &like);
	} else if (wp_python_elf_open(library, &other)) {
		good = make_like(build, &elf, &other, &like);
		wp_python_elf_close(&other);
	}
	good = good && build->layout.eval_start && find_code_start(&elf, &code);
	wp_python_elf_close(&elf);
	if (good) {
		*ret = like;
		*ret_code = code - like.debug;
	}
	return good;
}
