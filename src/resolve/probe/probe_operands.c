/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_operands: see probe_operands.h. */
#include "resolve/probe/probe_operands.h"

#include "base/str.h"
#include "format/elf/elf_symbols.h"
#include "format/elf/usdt_operand.h"
#include "resolve/probe/probe_btf.h"
#include "resolve/probe/probe_named.h"

#include <string.h>

/* Where integers and pointers are passed, by DWARF's numbers. */
struct convention {
	const char *name;
	uint8_t n, registers[8];
};

/* System V ABI, AMD64 supplement, 3.2.3; Microsoft's x64 calling convention; AAPCS64 6.8.2. */
static const struct convention x86_64 = {"x86-64", 6, {5, 4, 1, 2, 8, 9}};
static const struct convention windows = {"x86-64's Windows", 4, {2, 1, 8, 9}};
static const struct convention arm64 = {"arm64", 8, {0, 1, 2, 3, 4, 5, 6, 7}};

static const struct convention *convention_of(const struct wp_probe_image *image)
{
	if (image->symbols.image.machine == EM_AARCH64)
		return &arm64;
	return image->elf.view ? &windows : &x86_64;
}

static struct wp_operand in_register(uint8_t number)
{
	return (struct wp_operand){
		.kind = WP_OPERAND_REGISTER,
		.size = 8,
		.is_signed = true,
		.base = number,
		.index = WP_OPERAND_NO_REG,
	};
}

/* An argument is as wide as it was said to be, else as the widest of its operands. */
static void settle_size(struct wp_probe_arg *arg, struct wp_operand *op, bool typed)
{
	if (arg->is_string) {
		op->size = 8; /* where the text is */
		op->is_signed = false;
	} else if (typed && op->kind != WP_OPERAND_CONSTANT) {
		op->size = op->size < arg->size ? op->size : arg->size;
		op->is_signed = arg->is_signed;
	} else if (!typed && arg->size < op->size) {
		arg->size = op->size;
		arg->is_signed = op->is_signed;
	}
}

/* number: which argument it is, from 1. */
static struct wp_err *find_passed(const char *event, const struct wp_probe *probe,
				  const struct wp_probe_arg *arg, uint32_t number,
				  const struct convention *convention, struct wp_operand *ret)
{
	if (arg->is_result) {
		*ret = in_register(0); /* rax and x0 alike */
		return NULL;
	}
	if (number > convention->n)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': %s: %s functions get the first %u in registers, and "
				  "only those can be read",
				  event, arg->word, convention->name, convention->n);
	if ((probe->symbol && probe->offset) || probe->line)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s': %s is where the convention says only when the "
				  "function begins",
				  event, arg->word);
	*ret = in_register(convention->registers[number - 1]);
	return NULL;
}

/* "sym(%rip)" counts from the marker: both are where they are linked, the one to the other. */
static bool find_operand_symbol(const struct wp_probe_image *image, uint64_t at,
				const struct wp_usdt_operand *from, struct wp_operand *op)
{
	wp_autofree char *name = wp_strndup(from->symbol, from->symbol_len);
	uint64_t value;

	if (!wp_elf_symbols_value(image->elf.elf, name, &value))
		return false;
	op->value = (int64_t)((uint64_t)op->value + value - at);
	return true;
}

static struct wp_err *find_noted(const struct wp_probe_image *image, const struct wp_probe_arg *arg,
				 const struct wp_probe_address *address, struct wp_operand *ret)
{
	struct wp_usdt_operand all[WP_USDT_ARGS], *found;
	size_t n = wp_usdt_operands(address->arguments, image->symbols.image.machine == EM_AARCH64,
				    all);

	if (arg->number > n)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': the marker has %zu argument%s%s%s%s", image->event,
				  n, n == 1 ? "" : "s", n ? ": \"" : "", address->arguments,
				  n ? "\"" : "");
	found = &all[arg->number - 1];
	if (!found->known)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': the marker's %s is \"%.*s\", which cannot be read",
				  image->event, arg->word, (int)found->text_len, found->text);
	*ret = found->operand;
	if (found->symbol && !find_operand_symbol(image, address->at, found, ret))
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': the marker's %s is \"%.*s\", and %s does not say "
				  "where that is (it is stripped)",
				  image->event, arg->word, (int)found->text_len, found->text,
				  image->file->path);
	return NULL;
}

/* Text is what a char * leads to, unless a type was typed; the same at all places. */
static struct wp_err *settle_text(const struct wp_probe_image *image, struct wp_probe_arg *arg,
				  bool is_first, bool is_text)
{
	if (is_first && !arg->is_typed)
		arg->is_string = is_text;
	if (arg->is_typed || arg->is_string == is_text)
		return NULL;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "event '%s': %s is text at one place and none at another: say %s:string "
			  "or %s:u64",
			  image->event, arg->word, arg->word, arg->word);
}

static struct wp_err *find_named(struct wp_probe_image *image, struct wp_line_asker *asker,
				 const struct wp_probe *probe, struct wp_probe_arg *arg,
				 const struct wp_probe_address *address, struct wp_operand *ret)
{
	const struct convention *convention = convention_of(image);
	uint64_t at = address->at + (probe->symbol ? probe->offset : 0);
	struct wp_variable found;

	TRY(wp_probe_named(image, asker, arg, at, convention == &windows, &found));
	TRY(settle_text(image, arg, address == image->found.v, found.is_text));
	*ret = found.operand;
	if (!found.nth)
		return NULL;
	if (found.nth > convention->n)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': %s is passed in memory, and not yet where the debug "
				  "information has it: probe a line, FUNCTION:LINE",
				  image->event, arg->word);
	ret->kind = WP_OPERAND_REGISTER;
	ret->base = convention->registers[found.nth - 1];
	return NULL;
}

/* Of a function in a file; an argument by name is asked for. */
static struct wp_err *find_argument(struct wp_probe_image *image, struct wp_line_asker *asker,
				    const struct wp_probe *probe, struct wp_probe_arg *arg,
				    const struct wp_probe_address *address, struct wp_operand *ret)
{
	if (probe->kind == WP_PROBE_MARKER)
		return find_noted(image, arg, address, ret);
	if (!arg->number && !arg->is_result)
		return find_named(image, asker, probe, arg, address, ret);
	return find_passed(image->event, probe, arg, arg->number, convention_of(image), ret);
}

struct wp_err *wp_probe_operands(struct wp_probe_image *image, struct wp_line_asker *asker,
				 struct wp_probe *probe, const struct wp_probe_address *address,
				 struct wp_arena *arena, const struct wp_operand **ret)
{
	struct wp_operand *operands;

	*ret = NULL;
	if (!probe->n_args)
		return NULL;
	operands = wp_arena_alloc(arena, probe->n_args * sizeof(*operands));
	for (size_t i = 0; i < probe->n_args; i++) {
		struct wp_probe_arg *arg = &probe->args[i];

		TRY(find_argument(image, asker, probe, arg, address, &operands[i]));
		settle_size(arg, &operands[i], arg->is_typed);
	}
	*ret = operands;
	return NULL;
}

static struct wp_err *find_kernel_argument(const char *event, const char *module,
					   const struct wp_probe *probe, struct wp_probe_arg *arg,
					   const struct convention *convention,
					   struct wp_operand *ret)
{
	struct wp_variable named;

	if (arg->number || arg->is_result)
		return find_passed(event, probe, arg, arg->number, convention, ret);
	TRY(wp_probe_btf_find(event, module, probe->symbol, arg, &named));
	if (!arg->is_typed)
		arg->is_string = named.is_text;
	TRY(find_passed(event, probe, arg, named.nth, convention, ret));
	ret->size = named.operand.size;
	ret->is_signed = named.operand.is_signed;
	return NULL;
}

struct wp_err *wp_probe_operands_kernel(const char *event, const char *module,
					struct wp_probe *probe, struct wp_arena *arena,
					const struct wp_operand **ret)
{
#ifdef __aarch64__
	const struct convention *convention = &arm64;
#else
	const struct convention *convention = &x86_64;
#endif
	struct wp_operand *operands;

	*ret = NULL;
	if (!probe->n_args)
		return NULL;
	operands = wp_arena_alloc(arena, probe->n_args * sizeof(*operands));
	for (size_t i = 0; i < probe->n_args; i++) {
		struct wp_probe_arg *arg = &probe->args[i];

		TRY(find_kernel_argument(event, module, probe, arg, convention, &operands[i]));
		settle_size(arg, &operands[i], arg->is_typed);
	}
	*ret = operands;
	return NULL;
}
