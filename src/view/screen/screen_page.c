/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_page: see screen_page.h. */
#include "view/screen/screen_page.h"

#include "view/cell_text.h"

#include <stdlib.h>
#include <string.h>

size_t wp_screen_page_columns(const struct wp_screen_page *page)
{
	return page->table ? page->table->n_columns : page->headings ? 3 : 0;
}

void wp_screen_page_deinit(struct wp_screen_page *page)
{
	wp_vec_deinit(&page->rows);
	wp_vec_deinit(&page->visible);
	free(page->title);
	free(page->widths);
	free(page->filter);
	free(page->only);
}

static void put_clean_note(struct wp_str *out, const struct wp_screen_row *row)
{
	wp_autofree char *text = wp_strndup(row->note.text, row->note.length);

	for (char *tab = text; (tab = strchr(tab, '\t'));)
		*tab = ' ';
	wp_cell_text_clean(out, text);
}

void wp_screen_page_text(const struct wp_screen_page *page, const struct wp_screen_row *row,
			 struct wp_str *out)
{
	switch (row->kind) {
	case WP_SCREEN_NOTE: put_clean_note(out, row); break;
	case WP_SCREEN_CELLS:
		for (size_t i = 0; i < page->table->n_columns; i++) {
			wp_str_puts(out, i ? "  " : "");
			wp_cell_text(out, &row->cells[i]);
		}
		break;
	case WP_SCREEN_BRANCH:
		wp_str_printf(out, "%.2f  %.2f  ", row->branch->shares.pct[0],
			      row->branch->shares.pct[1]);
		wp_cell_text_clean(out, row->branch->shares.text);
		break;
	}
}

static bool row_contains(const struct wp_screen_page *page, const struct wp_screen_row *row,
			 const char *text)
{
	wp_autostr struct wp_str all = {0};

	wp_screen_page_text(page, row, &all);
	return strcasestr(all.s ? all.s : "", text);
}

static bool cell_is(const struct wp_cell *cell, const char *text)
{
	wp_autostr struct wp_str have = {0};

	wp_cell_text(&have, cell);
	return strcmp(have.s ? have.s : "", text) == 0;
}

static bool fits_filters(const struct wp_screen_page *page, const struct wp_screen_row *row)
{
	if (row->kind == WP_SCREEN_NOTE)
		return true;
	if (page->only && row->kind == WP_SCREEN_CELLS &&
	    !cell_is(&row->cells[page->only_column], page->only))
		return false;
	return !page->filter || row_contains(page, row, page->filter);
}

/* Where what is below a branch ends. */
static size_t end_of_branch(const struct wp_screen_page *page, size_t at)
{
	size_t end = at + 1;

	while (end < page->rows.n && page->rows.v[end].kind == WP_SCREEN_BRANCH &&
	       page->rows.v[end].depth > page->rows.v[at].depth)
		end++;
	return end;
}

bool wp_screen_page_has_below(const struct wp_screen_page *page, size_t row)
{
	return page->rows.v[row].kind == WP_SCREEN_BRANCH && end_of_branch(page, row) > row + 1;
}

/* Which branches fit the filter, or have one below that does. */
static bool *find_fitting(const struct wp_screen_page *page)
{
	bool *fits = wp_calloc(page->rows.n + 1, sizeof(*fits));
	uint32_t wanted = UINT32_MAX; /* less deep than that: a row that fits is below */

	for (size_t i = page->rows.n; i-- > 0;) {
		const struct wp_screen_row *row = &page->rows.v[i];

		fits[i] = fits_filters(page, row);
		if (row->kind != WP_SCREEN_BRANCH)
			continue;
		fits[i] |= wanted != UINT32_MAX && row->depth < wanted;
		if (fits[i])
			wanted = row->depth ? row->depth : UINT32_MAX;
	}
	return fits;
}

static void gather_visible(struct wp_screen_page *page)
{
	wp_autofree bool *fits = find_fitting(page);

	page->visible.n = 0;
	for (size_t i = 0; i < page->rows.n;) {
		bool skips = page->rows.v[i].is_folded;

		if (fits[i])
			wp_vec_push(&page->visible, i);
		i = skips ? end_of_branch(page, i) : i + 1;
	}
}

static bool cell_number(const struct wp_cell *cell, double *ret)
{
	switch (cell->kind) {
	case WP_CELL_COUNT:
	case WP_CELL_NUMBER: *ret = (double)cell->number; return true;
	case WP_CELL_REAL: *ret = cell->real.value; return true;
	default: return false;
	}
}

static int compare_cells(const struct wp_cell *a, const struct wp_cell *b)
{
	double x, y;
	bool number_a = cell_number(a, &x), number_b = cell_number(b, &y);

	if (number_a != number_b)
		return number_a ? 1 : -1;
	if (number_a)
		return (x > y) - (x < y);
	if (a->kind == WP_CELL_STR && b->kind == WP_CELL_STR)
		return strcmp(a->str, b->str);
	return (a->kind == WP_CELL_STR) - (b->kind == WP_CELL_STR);
}

/* Notes above stay above, notes below below; what is equal stays in order. */
static int compare_visible(const void *a, const void *b, void *arg)
{
	const struct wp_screen_page *page = arg;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	const struct wp_screen_row *x = &page->rows.v[i], *y = &page->rows.v[j];
	int order = 0;

	if (x->kind == WP_SCREEN_CELLS && y->kind == WP_SCREEN_CELLS)
		order = compare_cells(&x->cells[page->sort_column], &y->cells[page->sort_column]);
	if (order)
		return page->is_descending ? -order : order;
	return (i > j) - (i < j);
}

void wp_screen_page_refresh(struct wp_screen_page *page)
{
	size_t at = page->cursor < page->visible.n ? page->visible.v[page->cursor] : SIZE_MAX;

	gather_visible(page);
	if (page->is_sorted && page->visible.n)
		qsort_r(page->visible.v, page->visible.n, sizeof(*page->visible.v), compare_visible,
			page);
	for (size_t i = 0; i < page->visible.n; i++)
		if (page->visible.v[i] == at) {
			page->cursor = i;
			return;
		}
	page->cursor = 0;
	while (page->cursor + 1 < page->visible.n &&
	       wp_screen_page_row(page)->kind == WP_SCREEN_NOTE &&
	       !wp_screen_page_row(page)->is_foot)
		page->cursor++;
}

static bool same_column(const struct wp_screen_page *page, const struct wp_screen_page *former,
			size_t column)
{
	return page->table && column < page->table->n_columns &&
	       strcmp(page->table->columns[column].heading,
		      former->table->columns[column].heading) == 0;
}

void wp_screen_page_follow(struct wp_screen_page *page, struct wp_screen_page *former)
{
	page->shift = former->shift;
	page->top = former->top;
	page->filter = former->filter;
	former->filter = NULL;
	if (former->is_sorted && same_column(page, former, former->sort_column)) {
		page->is_sorted = true;
		page->is_descending = former->is_descending;
		page->sort_column = former->sort_column;
	}
	if (former->only && same_column(page, former, former->only_column)) {
		page->only_column = former->only_column;
		page->only = former->only;
		former->only = NULL;
	}
	wp_screen_page_refresh(page);
	page->cursor = 0;
	wp_screen_page_move(page, (long)former->cursor);
}

struct wp_screen_row *wp_screen_page_row(const struct wp_screen_page *page)
{
	return page->cursor < page->visible.n ? &page->rows.v[page->visible.v[page->cursor]] : NULL;
}

void wp_screen_page_move(struct wp_screen_page *page, long rows)
{
	size_t last = page->visible.n ? page->visible.n - 1 : 0;

	if (rows < 0)
		page->cursor -= page->cursor < (size_t)-rows ? page->cursor : (size_t)-rows;
	else
		page->cursor =
			last - page->cursor < (size_t)rows ? last : page->cursor + (size_t)rows;
}

void wp_screen_page_scroll(struct wp_screen_page *page, size_t height)
{
	size_t last = page->visible.n > height ? page->visible.n - height : 0;

	if (page->cursor < page->top)
		page->top = page->cursor;
	if (height && page->cursor >= page->top + height)
		page->top = page->cursor - height + 1;
	if (page->top > last)
		page->top = last;
	if (page->cursor < height && page->top <= page->cursor && page->top < 2)
		page->top = 0; /* a note or two above are seen too */
}

bool wp_screen_page_find_line(struct wp_screen_page *page, uint32_t line)
{
	for (size_t i = 0; line && i < page->visible.n; i++)
		if (page->rows.v[page->visible.v[i]].subject.line == line) {
			page->cursor = i;
			return true;
		}
	return false;
}

void wp_screen_page_find_hottest(struct wp_screen_page *page)
{
	size_t column = 0;
	double hottest = 0;

	while (page->table && column < page->table->n_columns &&
	       !page->table->columns[column].is_share)
		column++;
	if (!page->table || column == page->table->n_columns)
		return;
	for (size_t i = 0; i < page->visible.n; i++) {
		const struct wp_screen_row *row = &page->rows.v[page->visible.v[i]];
		double share;

		if (row->kind == WP_SCREEN_CELLS && cell_number(&row->cells[column], &share) &&
		    share > hottest) {
			hottest = share;
			page->cursor = i;
		}
	}
}

/* Text is sorted upwards, numbers downwards: the first row that has something in it tells. */
static bool is_number_column(const struct wp_screen_page *page, size_t column)
{
	double number;

	wp_vec_each (struct wp_screen_row, row, &page->rows)
		if (row->kind == WP_SCREEN_CELLS && row->cells[column].kind != WP_CELL_EMPTY)
			return cell_number(&row->cells[column], &number);
	return false;
}

bool wp_screen_page_sort_next(struct wp_screen_page *page)
{
	if (!page->table)
		return false;
	page->sort_column = page->is_sorted ? page->sort_column + 1 : 0;
	page->is_sorted = page->sort_column < page->table->n_columns;
	if (page->is_sorted)
		page->is_descending = is_number_column(page, page->sort_column);
	wp_screen_page_refresh(page);
	return true;
}

bool wp_screen_page_reverse(struct wp_screen_page *page)
{
	if (!page->table || !page->is_sorted)
		return false;
	page->is_descending = !page->is_descending;
	wp_screen_page_refresh(page);
	return true;
}

void wp_screen_page_filter(struct wp_screen_page *page, const char *text)
{
	free(page->filter);
	page->filter = text && *text ? wp_strdup(text) : NULL;
	wp_screen_page_refresh(page);
}

static bool find_column(const struct wp_screen_page *page, const char *heading, size_t *ret)
{
	for (size_t i = 0; page->table && i < page->table->n_columns; i++)
		if (strcmp(page->table->columns[i].heading, heading) == 0) {
			*ret = i;
			return true;
		}
	return false;
}

bool wp_screen_page_only(struct wp_screen_page *page, const char *heading)
{
	const struct wp_screen_row *row = wp_screen_page_row(page);
	wp_autostr struct wp_str text = {0};
	size_t column;

	if (!find_column(page, heading, &column))
		return false;
	if (page->only) {
		free(page->only);
		page->only = NULL;
	} else if (row && row->kind == WP_SCREEN_CELLS) {
		wp_cell_text(&text, &row->cells[column]);
		page->only = wp_strdup(text.s ? text.s : "");
		page->only_column = column;
	}
	wp_screen_page_refresh(page);
	return true;
}

bool wp_screen_page_search(struct wp_screen_page *page, const char *text, bool backwards)
{
	size_t n = page->visible.n;

	for (size_t i = 1; *text && i <= n; i++) {
		size_t at = (page->cursor + (backwards ? n - i : i)) % n;

		if (row_contains(page, &page->rows.v[page->visible.v[at]], text)) {
			page->cursor = at;
			return true;
		}
	}
	return false;
}

bool wp_screen_page_fold(struct wp_screen_page *page)
{
	struct wp_screen_row *row = wp_screen_page_row(page);

	if (!row || !wp_screen_page_has_below(page, (size_t)(row - page->rows.v)))
		return false;
	row->is_folded = !row->is_folded;
	wp_screen_page_refresh(page);
	return true;
}

/* From the cursor up to where it is visible when everything but roots is folded away. */
static void stand_on_root(struct wp_screen_page *page)
{
	struct wp_screen_row *row = wp_screen_page_row(page);
	size_t root = row ? (size_t)(row - page->rows.v) : 0;

	while (root > 0 && page->rows.v[root].kind == WP_SCREEN_BRANCH && page->rows.v[root].depth)
		root--;
	for (size_t i = 0; i < page->visible.n; i++)
		if (page->visible.v[i] == root)
			page->cursor = i;
}

bool wp_screen_page_fold_all(struct wp_screen_page *page)
{
	bool any = false, folds;

	wp_vec_each (struct wp_screen_row, row, &page->rows)
		any |= row->is_folded;
	folds = !any;
	for (size_t i = 0; i < page->rows.n; i++)
		if (!folds || wp_screen_page_has_below(page, i)) {
			any = true;
			page->rows.v[i].is_folded = folds;
		}
	if (folds)
		stand_on_root(page);
	wp_screen_page_refresh(page);
	return any;
}
