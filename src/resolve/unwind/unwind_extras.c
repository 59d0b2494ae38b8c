/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_extras: see unwind_extras.h. */
#include "resolve/unwind/unwind_extras.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"

#include <string.h>

#define PLT_ENTRY    16
#define PLT_PUSHED   11 /* endbr64 or not, the index is on the stack from here on */
#define ARM_PLT_HEAD 32
#define ENTRY_BYTES  64

static const struct wp_unwind_rule end_rule = {.cfa = WP_UNWIND_END},
				   signal_rule = {.cfa = WP_UNWIND_SIGNAL},
				   leaf_rule = {.cfa = WP_UNWIND_SP};
/* push fp; fp = sp, or stp x29, x30: the caller's fp and the return address are at fp. */
static const struct wp_unwind_rule chain_rule = {WP_UNWIND_RULE_CHAIN};

static struct wp_unwind_rule sp_rule(int16_t words)
{
	return (struct wp_unwind_rule){
		.cfa = WP_UNWIND_SP, .flags = WP_UNWIND_RA_SAVED, .cfa_off = words, .ra_off = -1};
}

/* Names as in symbol tables; a '*' at the end stands for anything. */
static const struct name_rule {
	const char *name;
	const struct wp_unwind_rule *rule;
	bool only_gaps;
} name_rules[] = {
	{"_start", &end_rule, true},
	{"_dl_start_user", &end_rule, true},
	{"clone", &end_rule, true},
	{"__clone", &end_rule, true},
	{"clone3", &end_rule, true},
	{"__clone3", &end_rule, true},
	{"_rt0_*", &end_rule, false},
	{"runtime.rt0_go*", &end_rule, false},
	{"runtime.goexit", &end_rule, false},
	{"runtime.goexit.abi0", &end_rule, false},
	{"runtime.mstart", &end_rule, false},
	{"runtime.mstart.abi0", &end_rule, false},
	/* They run on a stack of their own; what called them has another one. */
	{"runtime.mcall*", &end_rule, false},
	{"runtime.systemstack", &end_rule, false},
	{"runtime.systemstack.abi0", &end_rule, false},
	{"runtime.morestack*", &end_rule, false},
	{"runtime.asmcgocall*", &end_rule, false},
	/*
	 * greenlet: what is further out on the stack is another greenlet's by now. Before 2.0,
	 * what begins a greenlet was inlined into the function that starts it.
	 */
	{"_ZN8greenlet12UserGreenlet15inner_bootstrapE*", &end_rule, false},
	{"g_initialstub*", &end_rule, false},
	{"__restore_rt", &signal_rule, true},
	{"__kernel_rt_sigreturn", &signal_rule, true},
	{"runtime.sigreturn__*", &signal_rule, false},
	{"runtime.sigreturn", &signal_rule, false},
	{"runtime.sigreturn.abi0", &signal_rule, false},
	{"Builtins_*", &chain_rule, true},
	/* Windows: where threads begin. */
	{"RtlUserThreadStart", &end_rule, false},
	/* Wine's RtlUserThreadStart of x86 jumps there. */
	{"call_thread_func", &end_rule, false},
};

static bool matches_name(const char *pattern, const char *name)
{
	size_t n = strlen(pattern) - 1;

	return pattern[n] == '*' ? strncmp(pattern, name, n) == 0 : strcmp(pattern, name) == 0;
}

static const struct name_rule *name_rule_of(const char *name)
{
	if (!strchr("_cgrBR", name[0]))
		return NULL;
	for (size_t i = 0; i < WP_ARRAY_LEN(name_rules); i++)
		if (matches_name(name_rules[i].name, name))
			return &name_rules[i];
	return NULL;
}

/* One symbol's rule: into `gaps`, which is filled in later, or over everything at once. */
static void lay_name(const struct name_rule *rule, uint64_t start, uint64_t end,
		     struct wp_unwind_rows *gaps, struct wp_unwind_rows *rows)
{
	uint64_t reached = gaps->rows.n ? gaps->base + gaps->rows.v[gaps->rows.n - 1].pc : 0;

	/* A trampoline is returned to at its first byte and looked up one before that. */
	if (rule->rule == &signal_rule && start > reached)
		start--;
	if (!rule->only_gaps) {
		wp_unwind_rows_lay(rows, start, end, *rule->rule, false);
	} else if (start >= reached && start >= rows->base && end > start &&
		   end - rows->base <= UINT32_MAX) {
		wp_unwind_rows_append(gaps, (uint32_t)(start - rows->base), *rule->rule);
		wp_unwind_rows_append(gaps, (uint32_t)(end - rows->base),
				      (struct wp_unwind_rule){0});
	}
}

void wp_unwind_extras_name(const struct wp_symtab *symbols, struct wp_unwind_rows *rows)
{
	struct wp_unwind_rows gaps = {.base = rows->base};

	for (size_t i = 0; i < symbols->n; i++) {
		uint64_t start = symbols->starts[i];
		const struct name_rule *rule = name_rule_of(wp_symtab_name(symbols, i));

		if (rule)
			lay_name(rule, start, start + symbols->pieces[i].len, &gaps, rows);
	}
	if (gaps.rows.n)
		wp_unwind_rows_fill(rows, &gaps);
	wp_unwind_rows_deinit(&gaps);
}

static void lay_x86_plt(const char *name, uint64_t start, uint64_t end, struct wp_unwind_rows *rows)
{
	struct wp_unwind_rule entry = sp_rule(PLT_PUSHED);

	if (strcmp(name, ".plt") != 0) {
		wp_unwind_rows_lay(rows, start, end, sp_rule(1), true);
		return;
	}
	entry.cfa = WP_UNWIND_PLT;
	if (end - start < PLT_ENTRY)
		return;
	/* The first entry pushes a word on top of the index, then jumps to the dynamic linker. */
	wp_unwind_rows_lay(rows, start, start + 6, sp_rule(2), true);
	wp_unwind_rows_lay(rows, start + 6, start + PLT_ENTRY, sp_rule(3), true);
	wp_unwind_rows_lay(rows, start + PLT_ENTRY, end, entry, true);
}

static void lay_section(uint16_t machine, const char *name, const GElf_Shdr *h, bool chains,
			struct wp_unwind_rows *rows)
{
	uint64_t start = h->sh_addr, end = start + h->sh_size;

	if (!(h->sh_flags & SHF_EXECINSTR) || end < start)
		return;
	if (wp_str_has_prefix(name, ".plt") || strcmp(name, ".iplt") == 0) {
		if (machine == EM_X86_64 || machine == EM_386)
			lay_x86_plt(name, start, end, rows);
		else if (h->sh_size > ARM_PLT_HEAD)
			wp_unwind_rows_lay(rows, start + ARM_PLT_HEAD, end, leaf_rule, true);
	}
	/* Go keeps frame pointers; on arm64 they do not say where the frame ends. */
	if (chains && machine == EM_X86_64 && strcmp(name, ".text") == 0)
		wp_unwind_rows_lay(rows, start, end, chain_rule, true);
}

static void lay_sections(Elf *elf, const struct wp_elf_image *image, bool chains,
			 struct wp_unwind_rows *rows)
{
	struct wp_elf_sections at = {.elf = elf};

	while (wp_elf_sections_next(&at))
		lay_section(image->machine, at.name, &at.header, chains, rows);
}

/* Go programs without .debug_frame have call frame information of their C parts alone. */
static bool is_bare_go(Elf *elf, bool has_debug_frame)
{
	GElf_Shdr h;

	return !has_debug_frame && (wp_elf_section(elf, ".gopclntab", &h) ||
				    wp_elf_section(elf, ".data.rel.ro.gopclntab", &h));
}

void wp_unwind_extras_lay(Elf *elf, const struct wp_symfile *file, bool has_debug_frame,
			  struct wp_unwind_rows *rows)
{
	GElf_Ehdr header;

	wp_unwind_extras_name(&file->symbols, rows);
	lay_sections(elf, &file->image, is_bare_go(elf, has_debug_frame), rows);
	if (gelf_getehdr(elf, &header) && header.e_entry &&
	    wp_elf_image_code(&file->image, header.e_entry))
		wp_unwind_rows_lay(rows, header.e_entry, header.e_entry + ENTRY_BYTES, end_rule,
				   true);
}
