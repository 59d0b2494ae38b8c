/* SPDX-License-Identifier: BSD-3-Clause */
/* function_code: see function_code.h. */
#include "session/report/function_code.h"

#include "resolve/lines/elf_code.h"
#include "session/live/sampling.h"

#include <string.h>

bool wp_function_code_line(struct wp_sampling *s, uint32_t module, struct wp_rva rva,
			   struct wp_resolver_line *ret)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	const struct wp_world *world = s->setup.world;

	if (module == WP_NO_MODULE)
		return false;
	if (!world->ops->line)
		return wp_resolver_line(s->resolver, module, rva, ret) && ret->line && ret->file;
	ret->file = world->ops->line(world, set->modules.v[module].path, rva, &ret->line);
	return ret->file;
}

void wp_function_code_places(struct wp_sampling *s, uint32_t module, const struct wp_rva *rvas,
			     size_t n, struct wp_resolver_place *ret)
{
	if (!s->setup.world->ops->line && module != WP_NO_MODULE) {
		wp_resolver_places(s->resolver, module, rvas, n, ret);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct wp_resolver_place){.inlined = WP_NOT_INLINED};
		if (!wp_function_code_line(s, module, rvas[i], &ret[i].line))
			ret[i].line.file = NULL;
	}
}

/* -M; the command line takes no other words. */
static enum wp_disasm_style style_of(const char *word)
{
	return word && strcmp(word, "intel") == 0 ? WP_DISASM_INTEL : WP_DISASM_ATT;
}

/* Up to n of the function's bytes, and the disassembler that fits them, for the caller to close. */
static struct wp_err *read_function_code(struct wp_sampling *s, const struct wp_symbol *symbol,
					 uint8_t *ret, size_t n, size_t *ret_n,
					 struct wp_disasm **ret_disasm)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	const char *path = set->modules.v[symbol->module].path;
	enum wp_disasm_style style = style_of(s->options->tables.style);
	struct wp_world *world = s->setup.world;
	struct wp_elf_code *code = NULL;
	struct wp_err *err;

	if (world->ops->code) {
		*ret_n = world->ops->code(world, path, symbol->start, ret, n);
		return wp_disasm_open(world->machine->arch, style, ret_disasm);
	}
	if (symbol->kind == WP_SYMBOL_KERNEL || symbol->kind == WP_SYMBOL_JIT)
		return wp_err_new(WP_ERR_UNSUPPORTED, "its code is in no file that is read");
	TRY(wp_elf_code_open(wp_resolver_file(s->resolver, symbol->module), path, &code));
	*ret_n = wp_elf_code_read(code, symbol->start, ret, n);
	err = wp_disasm_open(wp_elf_code_arch(code), style, ret_disasm);
	wp_elf_code_close(code);
	return err;
}

size_t wp_function_code_list(struct wp_sampling *s, const struct wp_symbol *symbol,
			     const char *name,
			     void (*each)(void *arg, const struct wp_instruction *instruction),
			     void *arg)
{
	uint64_t want = symbol->size < WP_FUNCTION_CODE_MOST ? symbol->size : WP_FUNCTION_CODE_MOST;
	wp_autofree uint8_t *bytes = wp_calloc(1, want + 1);
	struct wp_disasm *disasm = NULL;
	size_t n = 0;
	wp_autoerr struct wp_err *err = read_function_code(s, symbol, bytes, want, &n, &disasm);

	if (err || !n)
		wp_log(s->io->log, WP_LOG_NOTE, "no instructions of %s: %s", name,
		       err ? err->text : "its file has none there");
	else
		wp_disasm_run(disasm, bytes, n, symbol->start, each, arg);
	wp_disasm_close(disasm);
	return err ? 0 : n;
}
