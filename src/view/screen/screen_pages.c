/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_pages: see screen_pages.h. */
#include "view/screen/screen_pages.h"

#include "view/cell_text.h"

#include <stdlib.h>
#include <string.h>

/* Pages on the way. */
struct gathering {
	struct wp_screen_pages *pages;
	const struct wp_node *group;
	char *title;   /* of the headline that came last */
	bool branches; /* what came last is one */
};

static struct wp_screen_page *last_page(const struct gathering *g)
{
	return g->pages->v.n ? &g->pages->v.v[g->pages->v.n - 1] : NULL;
}

static bool has_rows(const struct wp_screen_page *page)
{
	return page->table || page->headings;
}

/* Two tables under one headline are told apart by what they are called. */
static char *title_of_page(const struct gathering *g, const char *what)
{
	const char *title = g->title ? g->title : what ? what : "notes";

	wp_vec_each (struct wp_screen_page, page, &g->pages->v)
		if (what && strcmp(page->title, title) == 0)
			return wp_asprintf("%s: %s", title, what);
	return wp_strdup(title);
}

static struct wp_screen_page *begin_page(struct gathering *g, const char *what)
{
	struct wp_screen_page page = {.group = g->group, .title = title_of_page(g, what)};

	wp_vec_push(&g->pages->v, page);
	return last_page(g);
}

/* The page that a table or a tree goes to: notes may be there already. */
static struct wp_screen_page *page_for_rows(struct gathering *g, const char *what)
{
	struct wp_screen_page *page = last_page(g);

	if (page && !has_rows(page) && page->group == g->group)
		return page;
	return begin_page(g, what);
}

/* "==== words ====": the words, cleaned; or NULL. The caller frees. */
static char *headline_words(const char *line, size_t length)
{
	wp_autostr struct wp_str words = {0};
	wp_autofree char *copy = NULL;
	size_t signs = strspn(line, "=");

	if (signs < 8 || signs + 1 >= length || line[signs] != ' ')
		return NULL;
	copy = wp_strndup(line + signs + 1, length - signs - 1);
	length = strlen(copy);
	while (length && (copy[length - 1] == '=' || copy[length - 1] == ' '))
		length--;
	copy[length] = '\0';
	wp_cell_text_clean(&words, copy);
	return *copy ? wp_strdup(words.s) : NULL;
}

static void add_note_line(struct gathering *g, const char *line, size_t length)
{
	struct wp_screen_page *page = last_page(g);
	struct wp_screen_row row = {.kind = WP_SCREEN_NOTE, .note = {line, length}};
	char *title = headline_words(line, length);

	if (!length)
		return; /* it divides parts of a text, which pages do by themselves */
	if (title) {
		free(g->title);
		g->title = title;
		begin_page(g, NULL);
		return;
	}
	if (!page || page->group != g->group)
		page = begin_page(g, NULL);
	row.is_foot = has_rows(page);
	wp_vec_push(&page->rows, row);
}

static void gather_prose(struct gathering *g, const char *text)
{
	if (g->branches && strcmp(text, "\n") == 0)
		return; /* between two roots */
	g->branches = false;
	while (*text) {
		size_t n = strcspn(text, "\n");

		add_note_line(g, text, n);
		text += n + (text[n] == '\n');
	}
}

static void gather_table(struct gathering *g, const struct wp_node *node)
{
	struct wp_screen_page *page = page_for_rows(g, node->key);

	page->table = node->table;
	for (size_t i = 0; i < node->table->rows.n; i++) {
		struct wp_screen_row row = {
			.kind = WP_SCREEN_CELLS,
			.cells = node->table->rows.v[i],
			.subject = wp_table_subject_of(node->table, i),
		};

		wp_vec_push(&page->rows, row);
	}
}

static void gather_tree(struct gathering *g, const struct wp_node *node)
{
	page_for_rows(g, node->headings[2])->headings = node->headings;
}

static void gather_branch(struct gathering *g, const struct wp_node *node)
{
	static const char *const plain[] = {"", "", ""};
	struct wp_screen_row row = {
		.kind = WP_SCREEN_BRANCH,
		.branch = node,
		.subject = node->shares.subject,
		.depth = node->shares.depth,
	};
	struct wp_screen_page *page = last_page(g);

	if (!page || !page->headings) {
		page = page_for_rows(g, "tree");
		page->headings = plain;
	}
	wp_vec_push(&page->rows, row);
	g->branches = true;
}

static void forget_title(struct gathering *g)
{
	free(g->title);
	g->title = NULL;
}

static void gather_children(struct gathering *g, const struct wp_node *parent);

static void gather_node(struct gathering *g, const struct wp_node *parent,
			const struct wp_node *node)
{
	const struct wp_node *outer = g->group;

	switch (node->kind) {
	case WP_NODE_OBJECT:
		g->group = parent->kind == WP_NODE_ARRAY && !outer ? node : outer;
		gather_children(g, node);
		if (g->group != outer)
			forget_title(g);
		g->group = outer;
		break;
	case WP_NODE_ARRAY: gather_children(g, node); break;
	case WP_NODE_TABLE: gather_table(g, node); break;
	case WP_NODE_TREE: gather_tree(g, node); break;
	case WP_NODE_SHARES: gather_branch(g, node); break;
	default: break;
	}
}

/* A line may come in parts; returns the last of the nodes that it and its neighbours are of. */
static const struct wp_node *gather_parts(struct gathering *g, const struct wp_node *node)
{
	wp_autostr struct wp_str text = {0};

	for (;;) {
		wp_str_puts(&text, node->str);
		if (!node->next || node->next->kind != WP_NODE_PROSE ||
		    node->next->only == WP_DATA_ONLY)
			break;
		node = node->next;
	}
	gather_prose(g, wp_arena_strdup(&g->pages->arena, text.s ? text.s : ""));
	return node;
}

static void gather_children(struct gathering *g, const struct wp_node *parent)
{
	for (const struct wp_node *node = parent->first; node; node = node->next) {
		if (node->only == WP_DATA_ONLY)
			continue;
		if (node->kind == WP_NODE_PROSE)
			node = gather_parts(g, node);
		else
			gather_node(g, parent, node);
	}
}

/* A headline that only divides has no page. */
static void drop_empty_pages(struct wp_screen_pages *pages)
{
	size_t n = 0;

	for (size_t i = 0; i < pages->v.n; i++) {
		struct wp_screen_page *page = &pages->v.v[i];

		if (page->rows.n)
			pages->v.v[n++] = *page;
		else
			wp_screen_page_deinit(page);
	}
	pages->v.n = n;
}

/* One line above all is of every page. */
static void take_head(struct wp_screen_pages *pages)
{
	struct wp_screen_page *page = pages->v.v;
	wp_autostr struct wp_str text = {0};

	if (pages->v.n < 2 || has_rows(page) || page->rows.n != 1)
		return;
	wp_screen_page_text(page, page->rows.v, &text);
	pages->head = wp_strdup(text.s ? text.s : "");
	wp_screen_page_deinit(page);
	pages->v.n--;
	memmove(page, page + 1, pages->v.n * sizeof(*page));
}

void wp_screen_pages_init(struct wp_screen_pages *pages, const struct wp_doc *doc)
{
	struct gathering g = {.pages = pages};

	*pages = (struct wp_screen_pages){.at = 0};
	gather_children(&g, doc->root);
	forget_title(&g);
	drop_empty_pages(pages);
	take_head(pages);
	if (!pages->v.n)
		begin_page(&g, "nothing to show");
	wp_vec_each (struct wp_screen_page, page, &pages->v)
		wp_screen_page_refresh(page);
}

void wp_screen_pages_deinit(struct wp_screen_pages *pages)
{
	wp_vec_each (struct wp_screen_page, page, &pages->v)
		wp_screen_page_deinit(page);
	wp_vec_deinit(&pages->v);
	wp_arena_deinit(&pages->arena);
	free(pages->head);
}

void wp_screen_pages_follow(struct wp_screen_pages *pages, struct wp_screen_pages *former)
{
	for (size_t i = 0; i < former->v.n; i++)
		for (size_t j = 0; j < pages->v.n; j++) {
			if (strcmp(former->v.v[i].title, pages->v.v[j].title) != 0)
				continue;
			wp_screen_page_follow(&pages->v.v[j], &former->v.v[i]);
			if (i == former->at)
				pages->at = j;
			break;
		}
}

struct wp_screen_page *wp_screen_pages_shown(const struct wp_screen_pages *pages)
{
	return &pages->v.v[pages->at];
}

void wp_screen_pages_turn(struct wp_screen_pages *pages, long by)
{
	long n = (long)pages->v.n, at = ((long)pages->at + by) % n;

	pages->at = (size_t)(at < 0 ? at + n : at);
}

/* The next group in order, behind the last one the first; NULL: there are not two. */
static const struct wp_node *find_next_group(const struct wp_screen_pages *pages)
{
	const struct wp_node *group = wp_screen_pages_shown(pages)->group;

	for (size_t i = 1; i < pages->v.n; i++) {
		const struct wp_node *other = pages->v.v[(pages->at + i) % pages->v.n].group;

		if (other && other != group)
			return other;
	}
	return NULL;
}

/* How many pages of the same group are before it. */
static size_t place_in_group(const struct wp_screen_pages *pages, size_t at)
{
	size_t place = 0;

	while (place < at && pages->v.v[at - place - 1].group == pages->v.v[at].group)
		place++;
	return place;
}

/* "hot Python lines: cycles": what is before the colon says what it is. */
static bool same_matter(const struct wp_screen_page *a, const struct wp_screen_page *b)
{
	size_t n = strcspn(a->title, ":");

	return strcspn(b->title, ":") == n && strncmp(a->title, b->title, n) == 0;
}

bool wp_screen_pages_next_group(struct wp_screen_pages *pages)
{
	const struct wp_node *next = find_next_group(pages);
	size_t place = place_in_group(pages, pages->at), best = SIZE_MAX;
	bool sure = false;

	for (size_t i = 0; next && i < pages->v.n; i++) {
		bool same = same_matter(&pages->v.v[i], wp_screen_pages_shown(pages));

		if (pages->v.v[i].group != next || (sure && !same))
			continue;
		if (best == SIZE_MAX || (same && !sure) || place_in_group(pages, i) == place)
			best = i;
		sure |= same;
	}
	if (best == SIZE_MAX)
		return false;
	pages->at = best;
	return true;
}

static bool find_tree(struct wp_screen_pages *pages, bool any_group)
{
	const struct wp_node *group = wp_screen_pages_shown(pages)->group;

	for (size_t i = 1; i <= pages->v.n; i++) {
		size_t at = (pages->at + i) % pages->v.n;
		const struct wp_screen_page *page = &pages->v.v[at];

		if (page->headings && (any_group || page->group == group)) {
			pages->at = at;
			return true;
		}
	}
	return false;
}

bool wp_screen_pages_next_tree(struct wp_screen_pages *pages)
{
	return find_tree(pages, false) || find_tree(pages, true);
}

size_t wp_screen_pages_like(const struct wp_screen_pages *pages,
			    const struct wp_screen_pages *other)
{
	for (size_t i = 0; i < pages->v.n; i++)
		if (strcmp(pages->v.v[i].title, wp_screen_pages_shown(other)->title) == 0)
			return i;
	return 0;
}
