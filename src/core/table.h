/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * table: rows and typed cells under headings: the value between aggregation and output.
 *
 * Text prints headings and aligned cells; JSON prints an array of objects whose keys are the
 * headings with '_' for ' '; CSV prints two heading lines. None of them knows which verb made it.
 */
#ifndef WP_TABLE_H
#define WP_TABLE_H

#include "base/arena.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_table;

enum wp_align {
	WP_ALIGN_LEFT,
	WP_ALIGN_RIGHT,
	WP_ALIGN_RAGGED, /* left, and nothing behind it: a last column that may make rows wrap */
};

/* What a screen that is too narrow may do to a column. */
enum wp_fit {
	WP_FIT_FIXED,  /* nothing */
	WP_FIT_SYMBOL, /* shorten names of functions, with ":module" behind them */
	WP_FIT_PATH,   /* shorten paths, with ":line" behind them */
	WP_FIT_TEXT,   /* cut its end, or leave the column out */
};

enum wp_cell_kind {
	WP_CELL_EMPTY,	/* blank; JSON null */
	WP_CELL_STR,	/* as it is; JSON string */
	WP_CELL_COUNT,	/* uint64 with thousands commas in text; JSON integer */
	WP_CELL_NUMBER, /* uint64 plain; JSON integer */
	WP_CELL_REAL,	/* text: `decimals` fixed places; JSON: raw number, 6 significant digits */
	WP_CELL_TABLE,	/* a nested table, several lines high */
	WP_CELL_NOT_COUNTED,	 /* "<not counted>": an event that never ran; JSON null */
	WP_CELL_NOT_IMPLEMENTED, /* "<not implemented>": nothing counts the event; JSON null */
	WP_CELL_NOT_SUPPORTED,	 /* "<not supported>": the event cannot be opened; JSON null */
};

struct wp_cell {
	enum wp_cell_kind kind;
	union {
		const char *str;
		uint64_t number;
		struct {
			double value;
			int decimals;
		} real;
		const struct wp_table *table;
	};
};

/* What a row is about, for who asks for more of it; all-zero: nothing that more is known of. */
struct wp_subject {
	bool has_symbol;
	uint32_t symbol; /* its id, in the run that the document is of */
	uint32_t line;	 /* of its source; 0: none */
};

struct wp_column {
	const char *heading;
	const char *key;   /* JSON: instead of the heading; else NULL */
	const char *group; /* CSV: printed in a line above the headings; else NULL */
	enum wp_align align;
	enum wp_fit fit;
	bool is_share;	/* percent of all: on a terminal, what is hot stands out */
	bool text_only; /* not in JSON */
};

struct wp_table {
	struct wp_arena *arena; /* owns everything below */
	/* As a cell, in JSON: the one member of an object around it; NULL: the bare array. */
	const char *key;
	struct wp_column *columns;
	size_t n_columns;
	WP_VEC(struct wp_cell *) rows;	    /* freed by wp_doc_free(); each has n_columns cells */
	WP_VEC(struct wp_subject) subjects; /* of the first rows; the others have none */
};

/* Short forms for building a row: wp_table_add(t, (struct wp_cell[]){wp_cell_count(3),
 * wp_cell_str("x")}). */
static inline struct wp_cell wp_cell_str(const char *s)
{
	return (struct wp_cell){.kind = WP_CELL_STR, .str = s};
}

static inline struct wp_cell wp_cell_count(uint64_t v)
{
	return (struct wp_cell){.kind = WP_CELL_COUNT, .number = v};
}

static inline struct wp_cell wp_cell_number(uint64_t v)
{
	return (struct wp_cell){.kind = WP_CELL_NUMBER, .number = v};
}

static inline struct wp_cell wp_cell_real(double v, int decimals)
{
	return (struct wp_cell){.kind = WP_CELL_REAL, .real = {v, decimals}};
}

static inline struct wp_cell wp_cell_table(const struct wp_table *table)
{
	return (struct wp_cell){.kind = WP_CELL_TABLE, .table = table};
}

/* Appends a column; call before the first row. Strings are borrowed: they live as long as the
 * table. The column returned is there until the next one is appended. */
struct wp_column *wp_table_column(struct wp_table *table, const char *heading, enum wp_align align);
/* Appends a right-aligned column of cells that are WP_CELL_REAL percents of the whole. */
void wp_table_share_column(struct wp_table *table, const char *heading);
/* Append columns of cells that may be shortened. */
void wp_table_symbol_column(struct wp_table *table, const char *heading, enum wp_align align);
void wp_table_path_column(struct wp_table *table, const char *heading, enum wp_align align);
void wp_table_text_column(struct wp_table *table, const char *heading, enum wp_align align);
/* Appends a copy of n_columns cells. */
void wp_table_add(struct wp_table *table, const struct wp_cell *cells);
/* Of the row that was added last. */
void wp_table_subject(struct wp_table *table, struct wp_subject subject);
struct wp_subject wp_table_subject_of(const struct wp_table *table, size_t row);

static inline struct wp_subject wp_subject_of(uint32_t symbol, uint32_t line)
{
	return (struct wp_subject){.has_symbol = true, .symbol = symbol, .line = line};
}

#endif
