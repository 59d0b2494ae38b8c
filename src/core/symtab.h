/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * symtab: the symbols of one module as a compact sorted table.
 *
 * A builder takes symbols in any order with the names borrowed; the table it makes has pieces that
 * do not overlap, so that a lookup is one short binary search among those that an index names.
 * Where symbols overlap, the one that starts last covers the address (a function inside another);
 * the outer one continues behind it.
 */
#ifndef WP_SYMTAB_H
#define WP_SYMTAB_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_SYMTAB_NONE SIZE_MAX

/* How a symbol is bound; of several names at one address the lowest wins. */
enum wp_symtab_binding {
	WP_SYMTAB_GLOBAL,
	WP_SYMTAB_WEAK,
	WP_SYMTAB_LOCAL,
};

struct wp_symtab_input {
	uint64_t start, size; /* bytes; an input of size 0 is dropped */
	const char *name;     /* borrowed until wp_symtab_build() */
	uint32_t rank;	      /* of inputs with the same start the lowest gives the name */
	uint32_t tag;	      /* the owner's word */
	/* Covers only what no other symbol does, and ends where the next symbol starts: labels, and
	 * symbols that do not say their size. */
	bool filler;
};

struct wp_symtab_builder {
	WP_VEC(struct wp_symtab_input) inputs;
	struct wp_arena arena; /* names that are made up on the way */
};

struct wp_symtab_piece {
	uint32_t len;  /* bytes that this piece covers */
	uint32_t size; /* of the whole symbol, clipped to 32 bits */
	uint32_t name; /* offset in names */
	uint32_t head; /* index of the symbol's first piece: starts[head] is where it begins */
	uint32_t tag;
	uint32_t id; /* for the owner; 0 at first. Set in the head only. */
};

/* All-zero is an empty table. */
struct wp_symtab {
	uint64_t *starts; /* apart from the pieces, so that the search stays in the cache */
	struct wp_symtab_piece *pieces;
	size_t n;
	char *names;
	size_t names_bytes;
	/* By (address - starts[0]) >> shift: the last piece that starts there or before; one more
	 * than there are. */
	uint32_t *index;
	unsigned int shift;
};

/* The rank of a name: binding, then no version suffix, fewer leading underscores, shorter. */
uint32_t wp_symtab_rank(enum wp_symtab_binding binding, const char *name);
void wp_symtab_add(struct wp_symtab_builder *builder, const struct wp_symtab_input *input);
/* Makes the table and empties the builder. The caller deinits *ret. */
void wp_symtab_build(struct wp_symtab_builder *builder, struct wp_symtab *ret);
/* What a table takes, and what the one that a builder makes will take at most: bytes. */
uint64_t wp_symtab_bytes(const struct wp_symtab *table);
uint64_t wp_symtab_builder_bytes(const struct wp_symtab_builder *builder);
void wp_symtab_builder_deinit(struct wp_symtab_builder *builder);

/* The index of the piece that covers the address, or WP_SYMTAB_NONE. */
size_t wp_symtab_find(const struct wp_symtab *table, uint64_t addr);
const char *wp_symtab_name(const struct wp_symtab *table, size_t piece);
void wp_symtab_deinit(struct wp_symtab *table);

#endif
