/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_frame: see dump_frame.h. */
#include "aggregate/dump_frame.h"

#include "base/utf8.h"

#include <inttypes.h>

struct wp_dump_frame wp_dump_frame_of(const struct wp_symbol_set *set,
				      const struct wp_profile_frame *point, uint64_t address)
{
	const struct wp_symbol *symbol = &set->symbols.v[point->symbol];
	const struct wp_module *module =
		symbol->module == WP_NO_MODULE ? NULL : &set->modules.v[symbol->module];

	return (struct wp_dump_frame){
		.kind = symbol->kind,
		.function = symbol->reason == WP_SYMBOL_KNOWN ? symbol->name : NULL,
		.module = module ? module->name : NULL,
		.path = module ? module->path : NULL,
		.file = point->file && *point->file ? point->file : NULL,
		.line = point->line,
		.address = address,
	};
}

void wp_dump_hex_json(struct wp_doc *doc, struct wp_node *parent, const char *key, uint64_t value)
{
	wp_autofree char *text = wp_asprintf("0x%" PRIx64, value);

	wp_doc_str(doc, parent, key, text);
}

/* Where a frame is: "x.py:3", "libc.so.6", "x.c:12, libx.so". */
static void put_place(const struct wp_dump_frame *frame, struct wp_str *ret)
{
	bool module = frame->module && frame->kind != WP_SYMBOL_PYTHON;

	if (!module && !frame->file)
		return;
	wp_str_puts(ret, " (");
	/* The folders of a compiler's paths were those of the machine that built it. */
	if (frame->file)
		wp_str_puts(ret, module ? wp_str_basename(frame->file) : frame->file);
	if (frame->file && frame->line)
		wp_str_printf(ret, ":%u", frame->line);
	if (module)
		wp_str_printf(ret, "%s%s", frame->file ? ", " : "", frame->module);
	wp_str_puts(ret, ")");
}

/* A line whatever bytes are in its names. */
static void put_frame_line(const struct wp_dump_frame *frame, struct wp_str *ret)
{
	wp_autostr struct wp_str line = {0};

	if (frame->function)
		wp_str_puts(&line, frame->function);
	else if (frame->address)
		wp_str_printf(&line, "0x%" PRIx64, frame->address);
	else
		wp_str_puts(&line, "unknown");
	put_place(frame, &line);
	wp_utf8_hide_controls(line.s, "");
	wp_str_printf(ret, "    %s\n", line.s);
}

/* Below its frame, a line each. */
static void put_locals_text(const struct wp_dump_frame *frame, struct wp_str *ret)
{
	for (size_t i = 0; i < frame->n_locals; i++) {
		wp_autofree char *line =
			wp_asprintf("%s = %s", frame->locals[i].name, frame->locals[i].value);

		wp_utf8_hide_controls(line, "");
		wp_str_printf(ret, "        %s\n", line);
	}
}

void wp_dump_frame_text(const struct wp_dump_frame *frame, struct wp_str *ret)
{
	put_frame_line(frame, ret);
	put_locals_text(frame, ret);
}

static const char *kind_word(enum wp_symbol_kind kind)
{
	switch (kind) {
	case WP_SYMBOL_KERNEL: return "kernel";
	case WP_SYMBOL_JIT: return "jit";
	case WP_SYMBOL_PYTHON: return "python";
	case WP_SYMBOL_INLINE: return "inline";
	default: return "native";
	}
}

static void put_locals_json(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_dump_frame *frame)
{
	struct wp_node *locals;

	if (!frame->n_locals)
		return;
	locals = wp_doc_array(doc, parent, "locals");
	for (size_t i = 0; i < frame->n_locals; i++) {
		struct wp_node *local = wp_doc_object(doc, locals, NULL);

		wp_doc_str(doc, local, "name", frame->locals[i].name);
		wp_doc_str(doc, local, "value", frame->locals[i].value);
	}
}

void wp_dump_frame_json(struct wp_doc *doc, struct wp_node *frames,
			const struct wp_dump_frame *frame)
{
	struct wp_node *object = wp_doc_object(doc, frames, NULL);

	wp_doc_str(doc, object, "kind", kind_word(frame->kind));
	if (frame->function)
		wp_doc_str(doc, object, "function", frame->function);
	if (frame->path && frame->kind != WP_SYMBOL_PYTHON)
		wp_doc_str(doc, object, "module", frame->path);
	if (frame->file)
		wp_doc_str(doc, object, "file", frame->file);
	if (frame->line)
		wp_doc_int(doc, object, "line", frame->line);
	if (frame->address)
		wp_dump_hex_json(doc, object, "address", frame->address);
	put_locals_json(doc, object, frame);
}
