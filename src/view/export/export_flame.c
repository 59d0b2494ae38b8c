/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_flame: a flame graph as one SVG file: callers above what they call, as wide as they ran.
 *
 * It needs no script to be read: names are in the boxes, all there is to know of one in its
 * tooltip, the hottest functions and Python lines in words above; the script that is in it zooms,
 * searches and makes it as wide as its window. Left is heavy: each function's heaviest callee comes
 * first. The same profile makes the same bytes.
 */
#include "view/export/flame_hot.h"
#include "view/view.h"
#include "view/xml_text.h"

#include "flame_js.h" /* generated from flame.js */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH	   1200
#define MARGIN	   10
#define SPAN	   (WIDTH - 2 * MARGIN)
#define ROW	   17
#define HEAD	   68	/* above the words: title, subtitle, legend */
#define LINE	   15	/* of the words */
#define COLUMN_100 663	/* width of a character in hundredths */
#define LEAST	   1000 /* boxes of less than one part in so many are not drawn, */
#define LONE	   200	/* nor those of one sample where there are so many */
#define TIP_LINES  5
#define NO_LIMIT   SIZE_MAX
#define HALF	   (SPAN / 2)
#define HALF_CHARS 78

/* Light ones: the text on them is black. */
static const char *const fills[][3] = {
	[WP_SYMBOL_NATIVE] = {"#f7c873", "#f4bd5c", "#f9d28c"},
	[WP_SYMBOL_KERNEL] = {"#ef9a8e", "#ec8a7c", "#f2aaa0"},
	[WP_SYMBOL_JIT] = {"#a5d6a0", "#96ce90", "#b5deb1"},
	[WP_SYMBOL_PYTHON] = {"#8fbcec", "#7fb2e8", "#a0c7f0"},
	[WP_SYMBOL_INLINE] = {"#faecb4", "#f8e7a1", "#fbf1c6"},
};

#define UNKNOWN "#d0d0d0"
#define FRAMING "#e4e4e4" /* of threads and of all */

struct flame {
	const struct wp_profile *profile;
	const struct wp_profile_tree *tree;
	struct wp_flame_hot hot;
	struct wp_writer *out;
	uint64_t *left; /* of each node, in weight */
	uint32_t *depth;
	uint32_t depth_max;
	uint64_t total;
	uint64_t narrow, narrow_weight; /* boxes that are not drawn, and what ran in them */
	uint32_t top;			/* y of the first row */
};

/* a of b in n parts; b is not 0. */
static uint64_t part(uint64_t a, uint64_t b, uint64_t n)
{
	return (uint64_t)((unsigned __int128)a * n / b);
}

static uint64_t width_100(const struct flame *f, uint64_t weight)
{
	return f->total ? part(weight, f->total, SPAN * 100) : SPAN * 100;
}

static bool is_narrow(const struct flame *f, uint32_t at)
{
	const struct wp_tree_node *node = &f->tree->nodes.v[at];

	if (node->samples == 1 && f->profile->samples.n >= LONE)
		return true;
	return f->total && !part(node->total, f->total, LEAST);
}

/* "38.5 %" */
static void put_flame_share(const struct flame *f, uint64_t weight)
{
	uint64_t share = f->total ? (part(weight, f->total, 10000) + 5) / 10 : 1000;

	wp_writer_printf(f->out, "%" PRIu64 ".%" PRIu64 " %%", share / 10, share % 10);
}

/* "412 ms", or a number of events. */
static void put_weight(const struct flame *f, uint64_t weight)
{
	const struct wp_profile_event *event = f->profile->events.v;

	if (!f->profile->events.n || !event->is_time)
		wp_writer_printf(f->out, "%" PRIu64, weight);
	else if (weight >= UINT64_C(10000000000))
		wp_writer_printf(f->out, "%.2f s", (double)weight / 1e9);
	else if (weight >= UINT64_C(10000000))
		wp_writer_printf(f->out, "%.0f ms", (double)weight / 1e6);
	else
		wp_writer_printf(f->out, "%.3f ms", (double)weight / 1e6);
}

static const char *fill_of(const struct wp_tree_label *label)
{
	uint32_t hash = 5381;

	if (label->kind != WP_TREE_FUNCTION)
		return FRAMING;
	if (!label->known)
		return UNKNOWN;
	for (const char *c = label->text; *c; c++)
		hash = hash * 33 + (unsigned char)*c;
	return fills[label->symbol][(hash >> 8) % 3];
}

static const char *flame_kind_of(const struct wp_tree_label *label)
{
	static const char *const names[] = {
		[WP_SYMBOL_NATIVE] = "native",	     [WP_SYMBOL_KERNEL] = "kernel",
		[WP_SYMBOL_JIT] = "JIT code",	     [WP_SYMBOL_PYTHON] = "Python",
		[WP_SYMBOL_INLINE] = "inlined here",
	};

	return names[label->symbol];
}

/* Where each box begins, how deep it lies. A node comes behind its parent. */
static void lay_out_boxes(struct flame *f)
{
	const struct wp_profile_tree *tree = f->tree;

	f->left = wp_calloc(tree->nodes.n, sizeof(*f->left));
	f->depth = wp_calloc(tree->nodes.n, sizeof(*f->depth));
	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct wp_tree_node *node = &tree->nodes.v[i];
		uint64_t left = f->left[i];

		for (uint32_t j = 0; j < node->n_children; j++) {
			uint32_t child = tree->order.v[node->children + j];

			f->left[child] = left;
			f->depth[child] = f->depth[i] + 1;
			left += tree->nodes.v[child].total;
			if (is_narrow(f, child)) {
				f->narrow++;
				f->narrow_weight += tree->nodes.v[child].self;
			} else if (f->depth[child] > f->depth_max) {
				f->depth_max = f->depth[child];
			}
		}
	}
}

static void open_svg_text(const struct flame *f, uint32_t x, uint32_t y, const char *more)
{
	wp_writer_printf(f->out, "<text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\"%s>", x, y, more);
}

static void put_command_label(const struct flame *f)
{
	const char *command = *f->profile->command ? f->profile->command : "wperf";

	open_svg_text(f, MARGIN, 20, " class=\"t\"");
	wp_xml_text(f->out, command, 130);
	wp_writer_puts(f->out, wp_xml_columns(command) > 130 ? "...</text>\n" : "</text>\n");
}

static void put_when(const struct flame *f)
{
	time_t when = (time_t)(f->profile->start_unix_ns / 1000000000);
	struct tm parts;
	char text[64];

	if (!when || !gmtime_r(&when, &parts) ||
	    !strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S UTC", &parts))
		return;
	wp_writer_printf(f->out, ", recorded %s", text);
}

static void put_subtitle(const struct flame *f)
{
	const struct wp_profile *profile = f->profile;

	open_svg_text(f, MARGIN, 38, "");
	if (profile->events.n)
		wp_xml_text(f->out, profile->events.v[0].name, 60);
	wp_writer_puts(f->out, ": ");
	put_weight(f, f->total);
	wp_writer_printf(f->out, " in %zu samples", profile->samples.n);
	if (profile->lost)
		wp_writer_printf(f->out, " (%" PRIu64 " more were lost)", profile->lost);
	put_when(f);
	if (*profile->host) {
		wp_writer_puts(f->out, " on ");
		wp_xml_text(f->out, profile->host, 60);
	}
	wp_writer_puts(f->out, "</text>\n");
}

static void put_legend(const struct flame *f)
{
	static const struct {
		enum wp_symbol_kind kind;
		const char *text;
	} kinds[] = {
		{WP_SYMBOL_PYTHON, "Python"},  {WP_SYMBOL_NATIVE, "native"},
		{WP_SYMBOL_INLINE, "inlined"}, {WP_SYMBOL_JIT, "JIT"},
		{WP_SYMBOL_KERNEL, "kernel"},
	};
	uint32_t x = MARGIN;

	for (size_t i = 0; i < WP_ARRAY_LEN(kinds); i++, x += 82) {
		wp_writer_printf(f->out,
				 "<rect x=\"%" PRIu32 "\" y=\"48\" width=\"12\" height=\"12\" "
				 "fill=\"%s\"/>",
				 x, fills[kinds[i].kind][0]);
		open_svg_text(f, x + 16, 58, "");
		wp_writer_printf(f->out, "%s</text>\n", kinds[i].text);
	}
	wp_writer_printf(f->out,
			 "<rect x=\"%" PRIu32
			 "\" y=\"48\" width=\"12\" height=\"12\" fill=\"" UNKNOWN "\"/>",
			 x);
	open_svg_text(f, x + 16, 58, "");
	wp_writer_puts(f->out, "no name</text>\n");
	open_svg_text(f, WIDTH - MARGIN, 58, " id=\"s\" text-anchor=\"end\"");
	wp_writer_puts(f->out, "</text>\n");
}

static void put_hot(const struct flame *f, const char *title, uint32_t x,
		    const struct wp_flame_hot_row *rows, size_t n)
{
	uint32_t y = HEAD + LINE;

	if (!n)
		return;
	open_svg_text(f, x, y, " class=\"h\"");
	wp_writer_printf(f->out, "%s</text>\n", title);
	for (size_t i = 0; i < n; i++) {
		y += LINE;
		open_svg_text(f, x + 48, y, " text-anchor=\"end\"");
		put_flame_share(f, rows[i].weight);
		wp_writer_puts(f->out, "</text>");
		open_svg_text(f, x + 58, y, "");
		wp_xml_text(f->out, rows[i].label ? rows[i].label->text : rows[i].text, HALF_CHARS);
		wp_writer_puts(f->out, "</text>\n");
	}
}

static void put_words(const struct flame *f)
{
	const struct wp_flame_hot *hot = &f->hot;
	bool python = hot->n_lines > 0;

	if (python)
		put_hot(f, "Python lines, with what they call outside of Python", MARGIN,
			hot->lines, hot->n_lines);
	put_hot(f, "functions, without what they call", python ? MARGIN + HALF : MARGIN,
		hot->functions, hot->n_functions);
}

/* "lines 14: 62.0 %, 12: 20.1 %": shares of all. */
static void put_tip_lines(const struct flame *f, const struct wp_tree_node *node)
{
	for (uint32_t i = 0; i < node->n_lines && i < TIP_LINES; i++) {
		const struct wp_tree_line *line = &f->tree->lines.v[node->lines + i];

		wp_writer_printf(f->out, "%s%" PRIu32 ": ", i ? ", " : "\nat line ", line->line);
		put_flame_share(f, line->weight);
	}
	if (node->n_lines > TIP_LINES)
		wp_writer_puts(f->out, ", ...");
}

static void put_tip_place(const struct flame *f, const struct wp_tree_node *node)
{
	const struct wp_profile_frame *frame = &f->profile->frames.v[node->frame];
	bool is_python = frame->kind == WP_SYMBOL_PYTHON;

	wp_writer_printf(f->out, "\n%s", flame_kind_of(&f->tree->labels.v[node->label]));
	if (frame->module != WP_NO_MODULE) {
		wp_writer_puts(f->out, ", ");
		wp_xml_text(f->out, f->profile->modules.v[frame->module].path, NO_LIMIT);
	}
	if (frame->file && !is_python) {
		wp_writer_puts(f->out, "\n");
		wp_xml_text(f->out, frame->file, NO_LIMIT);
	}
	put_tip_lines(f, node);
}

static void put_title(const struct flame *f, uint32_t at)
{
	const struct wp_tree_node *node = &f->tree->nodes.v[at];
	const struct wp_tree_label *label = wp_tree_label(f->tree, at);

	wp_writer_puts(f->out, "<title>");
	wp_xml_text(f->out, label->text, NO_LIMIT);
	wp_writer_puts(f->out, "\n");
	put_weight(f, node->total);
	wp_writer_puts(f->out, ", ");
	put_flame_share(f, node->total);
	if (node->self) {
		wp_writer_puts(f->out, ", itself ");
		put_flame_share(f, node->self);
	}
	wp_writer_printf(f->out, ", %" PRIu64 " samples", node->samples);
	if (label->kind == WP_TREE_FUNCTION)
		put_tip_place(f, node);
	wp_writer_puts(f->out, "</title>");
}

static void put_hundredths(const struct flame *f, const char *name, uint64_t value)
{
	wp_writer_printf(f->out, " %s=\"%" PRIu64 ".%02" PRIu64 "\"", name, value / 100,
			 value % 100);
}

static void put_fitting_name(const struct flame *f, const char *text, uint64_t x, uint64_t width,
			     uint32_t y)
{
	uint64_t room = width > 600 ? (width - 600) / COLUMN_100 : 0;

	if (room < 3)
		return;
	wp_writer_puts(f->out, "<text");
	put_hundredths(f, "x", x + 300);
	wp_writer_printf(f->out, " y=\"%" PRIu32 "\">", y + 12);
	if (wp_xml_columns(text) <= room) {
		wp_xml_text(f->out, text, NO_LIMIT);
	} else {
		wp_xml_text(f->out, text, (size_t)room - 2);
		wp_writer_puts(f->out, "..");
	}
	wp_writer_puts(f->out, "</text>");
}

static void put_box(const struct flame *f, uint32_t at)
{
	const struct wp_tree_node *node = &f->tree->nodes.v[at];
	const struct wp_tree_label *label = wp_tree_label(f->tree, at);
	uint64_t x = MARGIN * 100 + (f->total ? width_100(f, f->left[at]) : 0);
	uint64_t width = width_100(f, node->total);
	uint32_t y = f->top + f->depth[at] * ROW;

	if (is_narrow(f, at))
		return;
	wp_writer_puts(f->out, "<g>");
	put_title(f, at);
	wp_writer_puts(f->out, "<rect");
	put_hundredths(f, "x", x);
	wp_writer_printf(f->out, " y=\"%" PRIu32 "\"", y);
	put_hundredths(f, "width", width);
	wp_writer_printf(f->out, " height=\"%d\" fill=\"%s\"/>", ROW - 1, fill_of(label));
	put_fitting_name(f, label->text, x, width, y);
	wp_writer_puts(f->out, "</g>\n");
}

static void put_svg_head(const struct flame *f, uint32_t height)
{
	wp_writer_printf(f->out,
			 "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			 "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
			 "width=\"100%%\" height=\"%" PRIu32 "\" viewBox=\"0 0 %d %" PRIu32
			 "\" preserveAspectRatio=\"xMinYMin\">\n",
			 height, WIDTH, height);
	wp_writer_puts(f->out,
		       "<style>text { font: 11px 'DejaVu Sans Mono', Menlo, Consolas, monospace; "
		       "fill: #000; white-space: pre } .t { font-size: 15px; font-weight: bold } "
		       ".h { font-weight: bold } #f text { pointer-events: none } "
		       "#f rect { stroke: #fff; stroke-width: 0.4 } "
		       "#f g:hover rect { stroke: #000; stroke-width: 1 }</style>\n"
		       "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n");
}

/* What the picture lacks. */
static void put_lacks(const struct flame *f, uint32_t y)
{
	bool lone = f->profile->samples.n >= LONE;

	open_svg_text(f, MARGIN, y, "");
	if (f->narrow) {
		wp_writer_printf(f->out,
				 "Not drawn: %" PRIu64 " boxes of less than 0.1 %%%s, with ",
				 f->narrow, lone ? " or of one sample" : "");
		put_flame_share(f, f->narrow_weight);
		wp_writer_puts(f->out, " in them. ");
	}
	if (f->profile->start_is_cut)
		wp_writer_puts(f->out, "Left out: how the interpreter came to &lt;module&gt; "
				       "(--frames all shows it).");
	wp_writer_puts(f->out, "</text>\n");
}

static bool has_lacks(const struct flame *f)
{
	return f->narrow || f->profile->start_is_cut;
}

/*
 * flame.js is written as it is. Each g of #f is a box to it: a title whose first line is the whole
 * name, a rect and, where it fits, a text. A click on a box makes it as wide as the picture, one on
 * a box that is wide already goes back; the key / (or a click on #s) asks for a regular expression
 * and paints what matches. A window narrower than the file's own width shows the picture smaller.
 */
static void put_foot(const struct flame *f, uint32_t height)
{
	if (has_lacks(f))
		put_lacks(f, height - 8);
	wp_writer_printf(f->out, "<script><![CDATA[\n%s]]></script>\n</svg>\n", flame_js);
}

static void put_picture(struct flame *f)
{
	size_t n = f->hot.n_lines > f->hot.n_functions ? f->hot.n_lines : f->hot.n_functions;
	uint32_t height;

	f->top = (uint32_t)(HEAD + LINE * (n ? n + 2 : 1));
	height = f->top + (f->depth_max + 1) * ROW + (has_lacks(f) ? 24 : MARGIN);
	put_svg_head(f, height);
	put_command_label(f);
	put_subtitle(f);
	put_legend(f);
	put_words(f);
	wp_writer_puts(f->out, "<g id=\"f\">\n");
	for (uint32_t i = 0; i < f->tree->nodes.n; i++)
		put_box(f, i);
	wp_writer_puts(f->out, "</g>\n");
	put_foot(f, height);
}

static void render_flame(const struct wp_profile *profile, struct wp_writer *out)
{
	struct wp_profile_tree tree;
	struct flame flame = {.profile = profile, .tree = &tree, .out = out};

	wp_profile_tree_make(profile, &tree);
	flame.total = tree.nodes.v[0].total;
	wp_flame_hot_make(profile, &tree, &flame.hot);
	lay_out_boxes(&flame);
	put_picture(&flame);
	free(flame.left);
	free(flame.depth);
	wp_flame_hot_deinit(&flame.hot);
	wp_profile_tree_deinit(&tree);
}

const struct wp_export_ops wp_export_flame = {
	.name = "flame",
	.suffix = ".flame.svg",
	.text = "a flame graph, to be looked at with any browser",
	.one_event = true,
	.cuts_start = true,
	.render = render_flame,
};
