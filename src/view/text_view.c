/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_view: a document as text: its prose as it stands and its tables as aligned columns.
 *
 * The layout is WindowsPerf's byte for byte: six spaces of margin, two before every column, an
 * underline as long as the heading, and left-aligned cells keep their padding to the line's end
 * (ragged ones, which are ours, do not). A nested table has no margin and makes its row as high as
 * it is. On a screen that is too narrow for a table, its columns shrink (fit, shorten).
 */
#include "view/view.h"

#include "base/utf8.h"
#include "view/cell_text.h"
#include "view/fit.h"
#include "view/shorten.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARGIN 6
#define GAP    2
/* A last column wider than this keeps no padding: one long cell would make every row wrap. */
#define TERMINAL 100

#define RED	  "\33[31m"
#define GREEN	  "\33[32m"
#define NO_COLOUR "\33[m"

/* What a nested table is for: its lines are shortened where it stands. */
static const struct wp_screen nowhere;

/* A table whose cells have become text; row 0 is the headings, row 1 their underlines. */
struct grid {
	const struct wp_table *table;
	const struct wp_screen *screen;
	bool fitted; /* it was too wide for the screen */
	size_t margin, rows, columns;
	struct wp_str *cells; /* [row * columns + column]; a nested table has several lines */
	size_t *widths;
};

static void put_text_table(struct wp_str *out, const struct wp_table *table, size_t margin,
			   const struct wp_screen *screen);

static void put_text_cell(struct wp_str *out, const struct wp_cell *cell)
{
	if (cell->kind == WP_CELL_TABLE)
		put_text_table(out, cell->table, 0, &nowhere);
	else
		wp_cell_text(out, cell);
}

/* The text's line number `at` (empty behind the last one); *ret_length is without its newline. */
static const char *find_text_line(const struct wp_str *text, size_t at, size_t *ret_length)
{
	const char *line = text->s ? text->s : "";

	for (; at > 0 && *line; at--) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	*ret_length = strcspn(line, "\n");
	return line;
}

static size_t count_lines(const struct wp_str *text)
{
	size_t lines = 1;

	for (size_t i = 0; i + 1 < text->len; i++)
		lines += text->s[i] == '\n';
	return lines;
}

static size_t widest_line(const struct wp_str *text)
{
	size_t widest = 0, length;

	for (size_t at = count_lines(text); at-- > 0;) {
		const char *line = find_text_line(text, at, &length);
		size_t width = wp_utf8_width(line, length);

		if (width > widest)
			widest = width;
	}
	return widest;
}

static void measure_grid(struct grid *grid)
{
	memset(grid->widths, 0, grid->columns * sizeof(*grid->widths));
	for (size_t at = 0; at < grid->rows * grid->columns; at++) {
		size_t width = widest_line(&grid->cells[at]), i = at % grid->columns;

		if (width > grid->widths[i])
			grid->widths[i] = width;
	}
}

static void grid_init(struct grid *grid, const struct wp_table *table)
{
	grid->table = table;
	grid->rows = table->rows.n + 2;
	grid->columns = table->n_columns;
	grid->cells = wp_calloc(grid->rows * grid->columns, sizeof(*grid->cells));
	grid->widths = wp_calloc(grid->columns, sizeof(*grid->widths));
	for (size_t i = 0; i < grid->columns; i++) {
		const char *heading = table->columns[i].heading;

		wp_str_puts(&grid->cells[i], heading);
		wp_str_pad(&grid->cells[grid->columns + i], '=',
			   wp_utf8_width(heading, strlen(heading)));
		for (size_t row = 0; row < table->rows.n; row++)
			put_text_cell(&grid->cells[(row + 2) * grid->columns + i],
				      &table->rows.v[row][i]);
	}
	measure_grid(grid);
}

static bool is_too_wide(const struct grid *grid)
{
	size_t width = grid->margin;

	for (size_t i = 0; i < grid->columns; i++)
		width += GAP + grid->widths[i];
	return width > grid->screen->columns;
}

/* Every line of a column's cells, gently, or (columns not 0) to its width. */
static void shorten_column(struct grid *grid, size_t column, size_t columns)
{
	enum wp_fit fit = grid->table->columns[column].fit;

	for (size_t row = 2; row < grid->rows; row++) {
		struct wp_str *cell = &grid->cells[row * grid->columns + column], shorter = {0};
		char *rest = cell->s, *line;

		while ((line = strsep(&rest, "\n"))) {
			if (columns)
				wp_shorten(&shorter, line, fit, columns, grid->screen);
			else
				wp_shorten_gently(&shorter, line, fit, grid->screen);
			if (rest)
				wp_str_putc(&shorter, '\n');
		}
		wp_str_deinit(cell);
		*cell = shorter;
	}
}

/* A table of one name below its numbers keeps its margin: the sum below it stands in line. */
static void shrink_margin(struct grid *grid)
{
	size_t names = 0;

	for (size_t i = 0; i < grid->columns; i++)
		names += grid->table->columns[i].fit != WP_FIT_FIXED;
	grid->margin = names > 1 ? 0 : grid->margin;
}

static void fit_grid(struct grid *grid)
{
	wp_autofree struct wp_fit_column *columns = wp_calloc(grid->columns, sizeof(*columns));

	if (!grid->screen->columns || !is_too_wide(grid))
		return;
	grid->fitted = true;
	shrink_margin(grid);
	for (size_t i = 0; i < grid->columns; i++)
		if (grid->table->columns[i].fit != WP_FIT_FIXED)
			shorten_column(grid, i, 0);
	measure_grid(grid);
	for (size_t i = 0; i < grid->columns; i++)
		columns[i] = (struct wp_fit_column){
			.fit = grid->table->columns[i].fit,
			.least = widest_line(&grid->cells[i]),
			.width = grid->widths[i],
		};
	wp_fit(columns, grid->columns, GAP,
	       grid->screen->columns > grid->margin ? grid->screen->columns - grid->margin : 0);
	for (size_t i = 0; i < grid->columns; i++) {
		if (columns[i].width && columns[i].width < grid->widths[i])
			shorten_column(grid, i, columns[i].width);
		grid->widths[i] = columns[i].width;
	}
}

static void grid_deinit(struct grid *grid)
{
	for (size_t at = 0; at < grid->rows * grid->columns; at++)
		wp_str_deinit(&grid->cells[at]);
	free(grid->cells);
	free(grid->widths);
}

/* The colour of a share, or NULL. */
static const char *colour_of_share(double pct)
{
	static const char *const colours[] = {
		[WP_HEAT_COLD] = NULL, [WP_HEAT_WARM] = GREEN, [WP_HEAT_HOT] = RED};

	return colours[wp_cell_text_heat(pct)];
}

/* The colour of a cell, or NULL; the first two rows are the heading. */
static const char *colour_of(const struct grid *grid, size_t row, size_t column)
{
	const struct wp_cell *cell;

	if (!grid->screen->coloured || row < 2 || !grid->table->columns[column].is_share)
		return NULL;
	cell = &grid->table->rows.v[row - 2][column];
	return cell->kind == WP_CELL_REAL ? colour_of_share(cell->real.value) : NULL;
}

/* One line of a row: every column's line number `at`, blank where the cell has fewer. */
static void put_row_line(struct wp_str *out, const struct grid *grid, size_t row, size_t at)
{
	for (size_t i = 0; i < grid->columns; i++) {
		size_t length;
		const char *text =
			find_text_line(&grid->cells[row * grid->columns + i], at, &length);

		if (grid->fitted && !grid->widths[i])
			continue; /* left out */
		size_t pad = grid->widths[i] - wp_utf8_width(text, length);
		const char *colour = colour_of(grid, row, i);
		bool right = grid->table->columns[i].align == WP_ALIGN_RIGHT;
		bool bare = i + 1 == grid->columns && grid->widths[i] > TERMINAL;

		wp_str_pad(out, ' ', GAP + (right ? pad : 0));
		if (colour)
			wp_str_puts(out, colour);
		wp_str_append(out, text, length);
		if (colour)
			wp_str_puts(out, NO_COLOUR);
		wp_str_pad(out, ' ', right || bare ? 0 : pad);
	}
	if (grid->fitted || grid->table->columns[grid->columns - 1].align == WP_ALIGN_RAGGED)
		while (out->len && out->s[out->len - 1] == ' ')
			out->len--;
	wp_str_putc(out, '\n');
}

static size_t height_of(const struct grid *grid, size_t row)
{
	size_t height = 1;

	for (size_t i = 0; i < grid->columns; i++) {
		size_t lines = count_lines(&grid->cells[row * grid->columns + i]);

		if (lines > height)
			height = lines;
	}
	return height;
}

static void put_text_table(struct wp_str *out, const struct wp_table *table, size_t margin,
			   const struct wp_screen *screen)
{
	struct grid grid = {.screen = screen, .margin = margin};

	if (!table->n_columns)
		return;
	grid_init(&grid, table);
	fit_grid(&grid);
	for (size_t row = 0; row < grid.rows; row++) {
		size_t height = height_of(&grid, row);

		for (size_t at = 0; at < height; at++) {
			wp_str_pad(out, ' ', grid.margin);
			put_row_line(out, &grid, row, at);
		}
	}
	grid_deinit(&grid);
}

static void put_share_column(struct wp_str *out, double pct, int width, bool coloured)
{
	const char *colour = coloured ? colour_of_share(pct) : NULL;
	char number[16];
	int n = snprintf(number, sizeof(number), "%.2f", pct);

	wp_str_pad(out, ' ', n < width ? (size_t)(width - n) : 0);
	wp_str_puts(out, colour ? colour : "");
	wp_str_puts(out, number);
	wp_str_puts(out, colour ? NO_COLOUR : "");
}

/* Deep in a tree the branches nearest to the name are shown, and half of the room is the name's. */
static void put_tree_branch(struct wp_str *out, const struct wp_node *node, size_t room,
			    const struct wp_screen *screen)
{
	const char *indent = node->shares.indent;
	size_t width = strlen(indent);
	wp_autostr struct wp_str name = {0};

	if (width + wp_utf8_width(node->shares.text, strlen(node->shares.text)) <= room) {
		wp_cell_text_clean(out, indent);
		wp_cell_text_clean(out, node->shares.text);
		return;
	}
	wp_shorten_gently(&name, node->shares.text, WP_FIT_SYMBOL, screen);
	if (width > room / 2) {
		indent += width - room / 2;
		width = room / 2;
	}
	wp_cell_text_clean(out, indent);
	wp_autostr struct wp_str shorter = {0};
	wp_shorten(&shorter, name.s ? name.s : "", WP_FIT_SYMBOL, room - width, screen);
	wp_cell_text_clean(out, shorter.s ? shorter.s : "");
}

static void put_shares_line(struct wp_str *out, const struct wp_node *node,
			    const struct wp_screen *screen)
{
	static const size_t before = 14 + 8 + GAP;
	size_t room = !screen->columns		     ? SIZE_MAX
		      : screen->columns > 2 * before ? screen->columns - before
						     : before;

	put_share_column(out, node->shares.pct[0], 14, screen->coloured);
	put_share_column(out, node->shares.pct[1], 8, screen->coloured);
	wp_str_pad(out, ' ', GAP);
	put_tree_branch(out, node, room, screen);
	wp_str_putc(out, '\n');
}

static void put_tree_headings(struct wp_str *out, const char *const headings[3])
{
	static const char line[] = "==============================";
	const char *first = headings[0], *second = headings[1], *what = headings[2];

	wp_str_printf(out, "\n%14s  %6s  %s\n%14.*s  %6.*s  %.*s\n", first, second, what,
		      (int)strlen(first), line, (int)strlen(second), line, (int)strlen(what), line);
}

/* Headlines fit too; other prose is for the terminal to wrap. */
static void put_prose(struct wp_str *out, const char *text, const struct wp_screen *screen)
{
	while (screen->columns && *text) {
		size_t n = strcspn(text, "\n");

		wp_shorten_headline(out, text, n, screen->columns);
		wp_str_append(out, text + n, text[n] == '\n');
		text += n + (text[n] == '\n');
	}
	wp_str_puts(out, text);
	if (out->s)
		wp_utf8_hide_controls(out->s, "\n\t");
}

static void put_text_children(struct wp_writer *out, const struct wp_node *parent,
			      const struct wp_screen *screen)
{
	wp_node_each (node, parent) {
		wp_autostr struct wp_str text = {0};

		if (node->only == WP_DATA_ONLY)
			continue;
		if (node->kind == WP_NODE_OBJECT || node->kind == WP_NODE_ARRAY) {
			put_text_children(out, node, screen);
		} else if (node->kind == WP_NODE_PROSE) {
			put_prose(&text, node->str, screen);
		} else if (node->kind == WP_NODE_TABLE) {
			put_text_table(&text, node->table, MARGIN, screen);
		} else if (node->kind == WP_NODE_TREE) {
			put_tree_headings(&text, node->headings);
		} else if (node->kind == WP_NODE_SHARES) {
			put_shares_line(&text, node, screen);
		}
		wp_writer_puts(out, text.s ? text.s : "");
	}
}

static void render_text(const struct wp_doc *doc, struct wp_writer *out)
{
	put_text_children(out, doc->root, &doc->screen);
}

const struct wp_view_ops wp_view_text = {
	.name = "text",
	.render = render_text,
};
