/* SPDX-License-Identifier: BSD-3-Clause */
/* event_probe: see event_probe.h. */
#include "event/event_probe.h"

#include "base/str.h"
#include "event/event_probe_args.h"
#include "event/pmu_sysfs.h"

#include <ctype.h>
#include <string.h>

static const struct kind {
	const char *prefix, *pmu;
	enum wp_probe_kind kind;
} kinds[] = {
	{"uprobe:", "uprobe", WP_PROBE_USER},
	{"kprobe:", "kprobe", WP_PROBE_KERNEL},
	{"usdt:", "uprobe", WP_PROBE_MARKER},
};

static const struct kind *kind_of_probe(const char *word)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(kinds); i++)
		if (wp_str_has_prefix(word, kinds[i].prefix))
			return &kinds[i];
	return NULL;
}

bool wp_event_is_probe(const char *word)
{
	return kind_of_probe(word);
}

/* The next colon that separates: "::" is of a C++ or Rust name. NULL: none. */
static const char *next_colon(const char *at)
{
	for (; (at = strchr(at, ':')); at += 2)
		if (at[1] != ':')
			return at;
	return NULL;
}

/* Where the place begins, behind the binary; "" when the word has none. */
static const char *place_of_probe(const char *word)
{
	const struct kind *kind = kind_of_probe(word);
	const char *rest = word + strlen(kind->prefix), *colon;

	if (kind->kind == WP_PROBE_KERNEL)
		return rest;
	colon = next_colon(rest);
	return colon ? colon + 1 : "";
}

/* How long the place is: up to its terms, a comma, or the end. */
static size_t place_length(const char *place)
{
	const char *at = place;
	int depth = 0;

	for (; *at; at++) {
		if (*at == '(' || *at == '<')
			depth++;
		else if ((*at == ')' || (*at == '>' && at > place && at[-1] != '-')) && depth > 0)
			depth--;
		else if (*at == '/' || (*at == ',' && depth == 0))
			break;
	}
	return (size_t)(at - place);
}

size_t wp_event_probe_length(const char *word)
{
	const char *place = place_of_probe(word), *end;

	if (!*place)
		return strcspn(word, ",");
	end = place + place_length(place);
	if (*end == '/') {
		const char *closing = strchr(end + 1, '/');

		end = closing ? closing : end + strlen(end);
		end += strcspn(end, ",");
	}
	return (size_t)(end - word);
}

/* True where `:NUMBER` behind the first part of a place is a line. */
static bool takes_line(enum wp_probe_kind kind, const char *part, size_t n)
{
	return kind == WP_PROBE_USER && !memchr(part, '+', n) && !memchr(part, '%', n) &&
	       !isdigit((unsigned char)*part);
}

char *wp_event_probe_interval(char *word)
{
	const struct kind *kind = kind_of_probe(word);
	const char *place = place_of_probe(word), *colon, *end;

	if (!*place)
		return NULL;
	end = place + place_length(place);
	if (*end == '/') {
		end = strchr(end + 1, '/');
		return end && end[1] == ':' ? word + (end + 1 - word) : NULL;
	}
	colon = next_colon(place);
	if (colon && takes_line(kind->kind, place, (size_t)(colon - place)))
		colon = next_colon(colon + 1);
	while (colon && !isdigit((unsigned char)colon[1])) /* a marker's name, or an argument */
		colon = next_colon(colon + 1);
	return colon ? word + (colon - word) : NULL;
}

static struct wp_err *bad_word(const char *word, const char *why)
{
	return wp_err_new(WP_ERR_USAGE,
			  "event '%s': %s; want uprobe:BINARY:FUNCTION, kprobe:FUNCTION or "
			  "usdt:BINARY:PROVIDER:NAME (man wperf-stat)",
			  word, why);
}

static struct wp_err *parse_probe_line(const char *word, const char *text, struct wp_probe *ret)
{
	uint64_t line;

	if (!wp_str_to_u64(text, 10, UINT32_MAX, &line) || !line)
		return wp_err_new(WP_ERR_USAGE, "event '%s': '%s' is no line", word, text);
	ret->line = (uint32_t)line;
	return NULL;
}

/* "SYMBOL+0x10": not the '+' of "operator+". */
static struct wp_err *cut_offset(const char *word, char *symbol, struct wp_probe *ret)
{
	char *plus = strrchr(symbol, '+');

	if (!plus || plus == symbol || !isdigit((unsigned char)plus[1]))
		return NULL;
	*plus = '\0';
	if (!wp_str_to_u64(plus + 1, 0, INT64_MAX, &ret->offset))
		return wp_err_new(WP_ERR_USAGE, "event '%s': '%s' is no offset", word, plus + 1);
	return NULL;
}

/* Ends the text at its next colon and gives what is behind it; NULL: it has none. */
static char *cut_colon(char *text)
{
	const char *found = next_colon(text);
	char *colon = found ? text + (found - text) : NULL;

	if (!colon)
		return NULL;
	*colon = '\0';
	return colon + 1;
}

/* "SYMBOL:LINE:ARG:ARG": ends it before the first argument and gives them; NULL: there are none. */
static char *cut_args(char *place)
{
	const char *found = next_colon(place);

	if (!found || !isdigit((unsigned char)found[1]))
		return cut_colon(place);
	return cut_colon(place + (found + 1 - place));
}

static struct wp_err *parse_place(const char *word, char *place, struct wp_probe *ret)
{
	char *percent = strrchr(place, '%'), *line;

	if (percent && strcmp(percent, "%return") != 0)
		return wp_err_new(WP_ERR_USAGE, "event '%s': '%s' is not known, only %%return",
				  word, percent);
	if (percent) {
		*percent = '\0';
		ret->is_return = true;
	}
	if (isdigit((unsigned char)*place)) {
		if (ret->kind == WP_PROBE_KERNEL ||
		    !wp_str_to_u64(place, 0, UINT64_MAX, &ret->offset))
			return bad_word(word, "a place does not begin with a digit, but an address "
					      "of a program does (0x...)");
		return NULL;
	}
	line = cut_colon(place);
	if (line)
		TRY(parse_probe_line(word, line, ret));
	else
		TRY(cut_offset(word, place, ret));
	if (!*place)
		return bad_word(word, "there is no function in it");
	if (ret->is_return && (ret->offset || ret->line))
		return bad_word(word, "%return is of a whole function");
	if (ret->kind == WP_PROBE_KERNEL && ret->line)
		return bad_word(word, "lines of the kernel's source are not known");
	ret->symbol = place;
	return NULL;
}

/* "PROVIDER:NAME" or "NAME", with arguments behind it: gives them. */
static char *cut_marker(char *place, struct wp_probe *ret)
{
	char *rest = cut_colon(place);

	ret->symbol = place;
	if (!rest || wp_event_probe_arg_number(rest))
		return rest;
	ret->provider = place;
	ret->symbol = rest;
	return cut_colon(rest);
}

static struct wp_err *parse_marker(const char *word, char *place, struct wp_arena *arena,
				   struct wp_probe *ret)
{
	char *args = cut_marker(place, ret);

	if (!*ret->symbol || (ret->provider && !*ret->provider))
		return bad_word(word, "it names no marker");
	return wp_event_probe_args(word, args, arena, ret);
}

static struct wp_err *parse_function(const char *word, char *place, struct wp_arena *arena,
				     struct wp_probe *ret)
{
	char *args = cut_args(place);

	TRY(parse_place(word, place, ret));
	return wp_event_probe_args(word, args, arena, ret);
}

static struct wp_err *parse_term(const char *word, char *term, struct wp_arena *arena,
				 struct wp_event *ret)
{
	char *value = term, *key = strsep(&value, "=");

	if (strcmp(key, "name") == 0 && value && *value) {
		ret->name = wp_arena_strdup(arena, value);
		return NULL;
	}
	if (strcmp(key, "weight") == 0 && value && *value) {
		ret->weight = wp_arena_strdup(arena, value);
		return NULL;
	}
	if (strcmp(key, "period") == 0 && value &&
	    wp_str_to_u64(value, 0, UINT32_MAX, &ret->period) && ret->period)
		return NULL;
	return wp_err_new(WP_ERR_USAGE,
			  "event '%s': the term '%s%s%s' is not known: there are name=TEXT, "
			  "period=NUMBER and weight=ARGUMENT",
			  word, key, value ? "=" : "", value ? value : "");
}

static struct wp_err *parse_terms(const char *word, char *terms, struct wp_arena *arena,
				  struct wp_event *ret)
{
	char *closing = strchr(terms, '/'), *term;

	if (!closing)
		return wp_err_new(WP_ERR_USAGE, "missing '/' at the end of %s", word);
	if (closing[1])
		return wp_err_new(WP_ERR_USAGE,
				  "'%s' behind the terms of %s: a probe has no "
				  "modifiers",
				  closing + 1, word);
	*closing = '\0';
	while (terms && *terms && (term = strsep(&terms, ",")))
		TRY(parse_term(word, term, arena, ret));
	return NULL;
}

static struct wp_err *parse_probe_words(const struct kind *kind, const char *word,
					struct wp_arena *arena, struct wp_event *ret)
{
	struct wp_probe *probe = ret->probe;
	char *rest = wp_arena_strdup(arena, word + strlen(kind->prefix));
	char *place = rest + (place_of_probe(word) - word) - strlen(kind->prefix), *terms;

	if (!*place_of_probe(word))
		return bad_word(word, "it names no place");
	probe->binary = "";
	if (kind->kind != WP_PROBE_KERNEL) {
		place[-1] = '\0';
		probe->binary = rest;
		if (!*rest)
			return bad_word(word, "it names no program or library");
	}
	terms = place + place_length(place);
	if (*terms == '/') {
		*terms = '\0';
		TRY(parse_terms(word, terms + 1, arena, ret));
	}
	return kind->kind == WP_PROBE_MARKER ? parse_marker(word, place, arena, probe)
					     : parse_function(word, place, arena, probe);
}

struct wp_err *wp_event_probe(const struct wp_machine *machine, const char *word,
			      struct wp_arena *arena, struct wp_event *ret)
{
	const struct kind *kind = kind_of_probe(word);
	const struct wp_machine_pmu *pmu = wp_machine_pmu_find(machine, kind->pmu);

	ret->name = wp_arena_strdup(arena, word);
	ret->source = WP_EVENT_PROBE;
	ret->in_kernel = kind->kind == WP_PROBE_KERNEL;
	ret->probe = wp_arena_alloc(arena, sizeof(*ret->probe));
	ret->probe->kind = kind->kind;
	TRY(parse_probe_words(kind, word, arena, ret));
	if (!pmu)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': this kernel has no %ss (it was built without "
				  "CONFIG_%s_EVENTS)",
				  word, kind->pmu,
				  kind->kind == WP_PROBE_KERNEL ? "KPROBE" : "UPROBE");
	ret->type = pmu->type;
	if (!ret->probe->is_return)
		return NULL;
	return wp_err_prefix(wp_pmu_encode(machine, pmu, "retprobe=1", arena, ret, NULL), "%s",
			     word);
}
