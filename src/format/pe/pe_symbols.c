/* SPDX-License-Identifier: BSD-3-Clause */
/* pe_symbols: see pe_symbols.h. */
#include "format/pe/pe_symbols.h"

#include "base/bytes.h"

#include <string.h>

#define MAX_NAME      (32u << 10)
#define MAX_SCANNED   (1u << 28) /* bytes of names, which may overlap each other */
#define COFF_SYMBOL   18
#define CLASS_GLOBAL  2
#define CLASS_STATIC  3
#define TYPE_FUNCTION 2 /* in the derived type, bits 4 and 5 */

struct walk {
	const struct wp_pe_image *image;
	const struct wp_pe_file *file;
	void (*take)(void *arg, const struct wp_pe_symbol *symbol);
	void *arg;
	size_t scanned;
};

static struct wp_bytes bytes_at(const struct walk *w, uint64_t rva)
{
	size_t n = 0;
	const uint8_t *bytes = wp_pe_image_bytes(w->image, w->file, rva, &n);

	return wp_bytes_of(bytes, bytes ? n : 0);
}

static void hand_over_symbol(struct walk *w, struct wp_pe_symbol symbol)
{
	const struct wp_pe_section *section = wp_pe_image_section(w->image, symbol.rva);

	w->scanned += symbol.len;
	if (!section || !symbol.len)
		return;
	if (!(section->flags & WP_PE_CODE))
		symbol.kind = WP_PE_SYMBOL_DATA;
	w->take(w->arg, &symbol);
}

/* The directory: 10 words; tables of functions, of names and of the functions that these are of. */
static void each_export(struct walk *w)
{
	const struct wp_pe_dir *dir = &w->image->dirs[WP_PE_EXPORTS];
	struct wp_bytes b = bytes_at(w, dir->rva), functions, names, ordinals;
	uint32_t n_functions, n_names;

	wp_bytes_skip(&b, 20);
	n_functions = wp_bytes_u32(&b);
	n_names = wp_bytes_u32(&b);
	functions = bytes_at(w, wp_bytes_u32(&b));
	names = bytes_at(w, wp_bytes_u32(&b));
	ordinals = bytes_at(w, wp_bytes_u32(&b));
	if (b.failed || !dir->rva)
		return;
	for (uint32_t i = 0; i < n_names && w->scanned < MAX_SCANNED; i++) {
		struct wp_bytes text = bytes_at(w, wp_bytes_u32(&names));
		uint16_t at = wp_bytes_u16(&ordinals);
		struct wp_pe_symbol symbol = {.name = wp_bytes_str(&text, MAX_NAME)};

		if (names.failed || ordinals.failed)
			return;
		wp_bytes_seek(&functions, 4ull * at);
		symbol.rva = wp_bytes_u32(&functions);
		if (functions.failed)
			return;
		/* An address in the directory itself leads to the name of another DLL's export. */
		if (!symbol.name || at >= n_functions || symbol.rva - dir->rva < dir->size)
			continue;
		symbol.len = strlen(symbol.name);
		hand_over_symbol(w, symbol);
	}
}

/* A name of up to 8 characters, or four zeroes and a place in the string table. */
static void read_coff_name(struct wp_bytes *b, const struct wp_bytes *strings,
			   struct wp_pe_symbol *ret)
{
	const char *name = wp_bytes_take(b, 8);
	struct wp_bytes text = *strings;
	uint32_t parts[2];

	if (!name)
		return;
	memcpy(parts, name, 8);
	if (parts[0]) {
		ret->name = name;
		ret->len = strnlen(name, 8);
		return;
	}
	wp_bytes_seek(&text, parts[1]);
	ret->name = wp_bytes_str(&text, MAX_NAME);
	ret->len = ret->name ? strlen(ret->name) : 0;
}

/* Compilers for 32-bit x86 put an underscore in front of C's names. */
static void strip_underscore(const struct walk *w, struct wp_pe_symbol *symbol)
{
	if (w->image->machine != WP_PE_MACHINE_I386 || !symbol->len || symbol->name[0] != '_')
		return;
	symbol->name++;
	symbol->len--;
}

/* Returns how many records belong to the symbol. */
static uint32_t read_coff_symbol(struct walk *w, struct wp_bytes *b, const struct wp_bytes *strings)
{
	struct wp_pe_symbol symbol = {0};
	uint32_t value, more;
	int16_t section;
	uint16_t type;
	uint8_t class;

	read_coff_name(b, strings, &symbol);
	value = wp_bytes_u32(b);
	section = (int16_t)wp_bytes_u16(b);
	type = wp_bytes_u16(b);
	class = wp_bytes_u8(b);
	more = wp_bytes_u8(b);
	wp_bytes_skip(b, (uint64_t)more * COFF_SYMBOL);
	if (b->failed || section < 1 || (size_t)section > w->image->sections.n ||
	    (class != CLASS_GLOBAL && class != CLASS_STATIC))
		return 1 + more;
	symbol.local = class == CLASS_STATIC;
	symbol.kind = (type >> 4 & 3) == TYPE_FUNCTION ? WP_PE_SYMBOL_FUNCTION : WP_PE_SYMBOL_LABEL;
	symbol.rva = w->image->sections.v[section - 1].rva + value;
	/* Static ones with more records and no type are sections. */
	if (symbol.kind == WP_PE_SYMBOL_LABEL && symbol.local && more)
		return 1 + more;
	strip_underscore(w, &symbol);
	hand_over_symbol(w, symbol);
	return 1 + more;
}

static void each_coff(struct walk *w)
{
	struct wp_bytes b = wp_bytes_of(w->file->data, w->file->size), symbols, strings;
	uint32_t n = w->image->n_symbols;

	if (!w->image->symbols_at)
		return;
	wp_bytes_seek(&b, w->image->symbols_at);
	symbols = wp_bytes_sub(&b, (uint64_t)n * COFF_SYMBOL);
	strings = wp_bytes_of(b.data + b.pos, b.failed ? 0 : b.size - b.pos);
	for (uint32_t i = 0; i < n && !symbols.failed && w->scanned < MAX_SCANNED;)
		i += read_coff_symbol(w, &symbols, &strings);
}

void wp_pe_symbols_each(const struct wp_pe_image *image, const struct wp_pe_file *file,
			void (*take)(void *arg, const struct wp_pe_symbol *symbol), void *arg)
{
	struct walk w = {image, file, take, arg, 0};

	each_export(&w);
	each_coff(&w);
}
