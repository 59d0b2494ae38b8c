/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_frame: see screen_frame.h. */
#include "view/screen/screen_frame.h"

#include "base/utf8.h"
#include "view/cell_text.h"
#include "view/screen/screen_widths.h"
#include "view/shorten.h"

#include <stdlib.h>
#include <string.h>

#define GAP 2

/* A frame on the way. */
struct drawer {
	struct wp_screen_frame *frame;
	const struct wp_screen *screen;
	const struct wp_screen_page *page;
	struct wp_screen_widths widths;
};

void wp_screen_frame_deinit(struct wp_screen_frame *frame)
{
	wp_vec_each (struct wp_screen_line, line, &frame->lines) {
		wp_str_deinit(&line->text);
		wp_vec_deinit(&line->spans);
	}
	wp_vec_deinit(&frame->lines);
}

/* What can be printed, as wide as the character at s, of n bytes; returns how many bytes that was.
 */
static size_t put_printable(struct wp_str *out, const char *s, size_t n, bool utf8)
{
	uint32_t character;
	size_t bytes = wp_utf8_get(s, n, &character);

	if (!bytes || wp_utf8_control(s)) {
		wp_str_putc(out, '?');
		return bytes ? bytes : 1;
	}
	if (!utf8 && character >= 0x80) {
		wp_str_pad(out, '?', wp_utf8_columns(character));
		return bytes;
	}
	wp_str_append(out, s, bytes);
	return bytes;
}

/* Columns from `shift` on, at most so many; returns how many they are. */
static size_t put_window(struct wp_str *out, const char *text, size_t shift, size_t columns,
			 bool utf8)
{
	wp_autostr struct wp_str plain = {0};
	size_t n = strlen(text), from, bytes, before = out->len;

	for (size_t at = 0; at < n;)
		at += put_printable(&plain, text + at, n - at, utf8);
	if (!plain.s)
		return 0;
	from = wp_utf8_bytes(plain.s, shift);
	bytes = wp_utf8_bytes(plain.s + from, columns);
	wp_str_append(out, plain.s + from, bytes);
	return wp_utf8_width(out->s + before, bytes);
}

static struct wp_screen_line *add_line(struct drawer *d, const char *text, size_t shift,
				       enum wp_screen_mark mark)
{
	struct wp_screen_line line = {.mark = mark};
	size_t columns = d->screen->columns;
	size_t width = put_window(&line.text, text, shift, columns, d->screen->utf8);

	wp_str_pad(&line.text, ' ', columns - width);
	wp_vec_push(&d->frame->lines, line);
	return &d->frame->lines.v[d->frame->lines.n - 1];
}

static void put_padded(struct wp_str *out, const char *text, size_t width, bool right)
{
	size_t have = wp_utf8_width(text, strlen(text)), pad = width > have ? width - have : 0;

	wp_str_pad(out, ' ', right ? pad : 0);
	wp_str_puts(out, text);
	wp_str_pad(out, ' ', right ? 0 : pad);
}

static void mark_heat(struct wp_screen_line *line, size_t from, size_t to, double pct)
{
	enum wp_heat heat = wp_cell_text_heat(pct);
	struct wp_screen_span span = {from, to,
				      heat == WP_HEAT_HOT ? WP_SCREEN_HOT : WP_SCREEN_WARM};

	if (heat != WP_HEAT_COLD && to <= line->text.len)
		wp_vec_push(&line->spans, span);
}

/* A cell in its column; of a fitted table not wider than that. */
static void put_table_cell(const struct drawer *d, struct wp_str *out, const struct wp_cell *cell,
			   size_t column)
{
	const struct wp_column *c = &d->page->table->columns[column];
	size_t width = d->widths.v[column];
	wp_autostr struct wp_str text = {0};
	wp_autostr struct wp_str shorter = {0};

	if (cell)
		wp_cell_text(&text, cell);
	else
		wp_cell_text_clean(&text, c->heading);
	if (text.s && wp_utf8_width(text.s, text.len) > width)
		wp_shorten(&shorter, text.s, cell ? c->fit : WP_FIT_TEXT, width, d->screen);
	put_padded(out,
		   shorter.s ? shorter.s
		   : text.s  ? text.s
			     : "",
		   width, c->align == WP_ALIGN_RIGHT);
}

/* cells NULL: the headings. */
static void draw_table_row(struct drawer *d, const struct wp_cell *cells, enum wp_screen_mark mark)
{
	const struct wp_table *table = d->page->table;
	wp_autostr struct wp_str text = {0};
	wp_autofree size_t *from = wp_calloc(table->n_columns + 1, sizeof(*from));
	wp_autofree size_t *to = wp_calloc(table->n_columns + 1, sizeof(*to));
	struct wp_screen_line *line;

	for (size_t i = 0; i < table->n_columns; i++) {
		if (!d->widths.v[i])
			continue;
		wp_str_pad(&text, ' ', GAP);
		from[i] = text.len;
		put_table_cell(d, &text, cells ? &cells[i] : NULL, i);
		to[i] = text.len;
	}
	line = add_line(d, text.s ? text.s : "", d->page->shift, mark);
	for (size_t i = 0; cells && !d->page->shift && i < table->n_columns; i++)
		if (table->columns[i].is_share && cells[i].kind == WP_CELL_REAL && to[i])
			mark_heat(line, from[i], to[i], cells[i].real.value);
}

/* "- " and what is below it, "+ " and it is folded away. */
static void put_branch_name(const struct drawer *d, struct wp_str *out, size_t row)
{
	const struct wp_screen_row *it = &d->page->rows.v[row];
	size_t used = out->len + 2, columns = d->screen->columns, indent = it->depth;
	size_t room = columns > used + 8 ? columns - used : 8;
	wp_autostr struct wp_str clean = {0};

	wp_str_pad(out, ' ', indent < room / 2 ? indent : room / 2);
	wp_str_puts(out, it->is_folded				  ? "+ "
			 : wp_screen_page_has_below(d->page, row) ? "- "
								  : "  ");
	wp_cell_text_clean(&clean, it->branch->shares.text);
	room -= indent < room / 2 ? indent : room / 2;
	if (d->page->shift)
		wp_str_puts(out, clean.s ? clean.s : "");
	else
		wp_shorten(out, clean.s ? clean.s : "", WP_FIT_SYMBOL, room, d->screen);
}

static void draw_branch(struct drawer *d, size_t row, enum wp_screen_mark mark)
{
	const struct wp_screen_row *it = &d->page->rows.v[row];
	wp_autostr struct wp_str text = {0};
	struct wp_screen_line *line;
	size_t end[2];

	for (size_t i = 0; i < 2; i++) {
		wp_str_printf(&text, "%*.2f", i ? 8 : 7, it->branch->shares.pct[i]);
		end[i] = text.len;
	}
	wp_str_pad(&text, ' ', GAP);
	put_branch_name(d, &text, row);
	line = add_line(d, text.s, d->page->shift, mark);
	for (size_t i = 0; !d->page->shift && i < 2; i++)
		mark_heat(line, i ? end[0] : 0, end[i], it->branch->shares.pct[i]);
}

static void draw_row(struct drawer *d, size_t row, bool is_cursor)
{
	const struct wp_screen_row *it = &d->page->rows.v[row];
	wp_autostr struct wp_str note = {0};
	enum wp_screen_mark mark = is_cursor			? WP_SCREEN_CURSOR
				   : it->kind == WP_SCREEN_NOTE ? WP_SCREEN_DIM
								: WP_SCREEN_PLAIN;

	switch (it->kind) {
	case WP_SCREEN_NOTE:
		wp_screen_page_text(d->page, it, &note);
		add_line(d, note.s ? note.s : "", d->page->shift, mark);
		break;
	case WP_SCREEN_CELLS: draw_table_row(d, it->cells, mark); break;
	case WP_SCREEN_BRANCH: draw_branch(d, row, mark); break;
	}
}

static void draw_headings(struct drawer *d)
{
	const char *const *headings = d->page->headings;
	wp_autostr struct wp_str text = {0};

	if (d->page->table) {
		draw_table_row(d, NULL, WP_SCREEN_HEADING);
	} else if (headings) {
		wp_str_printf(&text, "%7s%8s    %s", headings[0], headings[1], headings[2]);
		add_line(d, text.s, d->page->shift, WP_SCREEN_HEADING);
	}
}

/* " 2/5  hot Python lines: cpu-clock" */
static void draw_title(struct drawer *d, const struct wp_screen_pages *pages)
{
	wp_autofree char *head = wp_asprintf(" %zu/%zu  ", pages->at + 1, pages->v.n);
	wp_autostr struct wp_str text = {0};
	size_t used = strlen(head), columns = d->screen->columns;

	wp_str_puts(&text, head);
	wp_shorten(&text, d->page->title, WP_FIT_TEXT, columns > used + 8 ? columns - used : 8,
		   d->screen);
	add_line(d, text.s, 0, WP_SCREEN_BAR);
}

size_t wp_screen_frame_height(const struct wp_screen_pages *pages, const struct wp_screen *screen)
{
	size_t others = wp_screen_page_columns(wp_screen_pages_shown(pages)) ? 3 : 2;

	others += pages->head != NULL;
	return screen->lines > others ? screen->lines - others : 1;
}

void wp_screen_frame_draw(struct wp_screen_frame *frame, struct wp_screen_pages *pages,
			  const char *status, const struct wp_screen *screen)
{
	struct wp_screen_page *page = wp_screen_pages_shown(pages);
	struct drawer d = {.frame = frame, .screen = screen, .page = page};
	size_t height = wp_screen_frame_height(pages, screen);

	wp_screen_page_scroll(page, height);
	wp_screen_widths_init(&d.widths, page, page->shift ? SIZE_MAX : screen->columns, GAP);
	draw_title(&d, pages);
	if (pages->head)
		add_line(&d, pages->head, 0, WP_SCREEN_DIM);
	draw_headings(&d);
	for (size_t i = 0; i < height; i++)
		if (page->top + i < page->visible.n)
			draw_row(&d, page->visible.v[page->top + i], page->top + i == page->cursor);
		else
			add_line(&d, "", 0, WP_SCREEN_PLAIN);
	add_line(&d, status, 0, WP_SCREEN_BAR);
	wp_screen_widths_deinit(&d.widths);
}

void wp_screen_frame_text(struct wp_screen_frame *frame, const char *text, const char *status,
			  const struct wp_screen *screen)
{
	struct drawer d = {.frame = frame, .screen = screen};

	for (size_t i = 1; i < screen->lines; i++) {
		size_t n = strcspn(text, "\n");
		wp_autofree char *line = wp_strndup(text, n);

		add_line(&d, line, 0, WP_SCREEN_PLAIN);
		text += n + (text[n] == '\n');
	}
	add_line(&d, status, 0, WP_SCREEN_BAR);
}
