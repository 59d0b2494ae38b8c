/* SPDX-License-Identifier: BSD-3-Clause */
/* pmu_sysfs: see pmu_sysfs.h. */
#include "event/pmu_sysfs.h"

#include "base/file.h"
#include "base/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A file of a few words. */
#define FILE_MAX 4096

/* Which bits of which config word a term sets, low bits first. */
struct format {
	int word; /* of config, config1 ... config4 */
	int bits;
	unsigned char place[64]; /* of value bit i in the word */
};

const struct wp_machine_pmu *wp_pmu_core(const struct wp_machine *machine)
{
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (pmu->is_core)
			return pmu;
	return NULL;
}

const struct wp_machine_pmu *wp_pmu_of_class(const struct wp_machine *machine,
					     enum wp_event_class class)
{
	const char *prefix = class == WP_EVENT_DSU ? "arm_dsu" : "arm_dmc620";

	if (class == WP_EVENT_CORE)
		return wp_pmu_core(machine);
	if (class == WP_EVENT_UNCORE)
		return NULL; /* of any, by its own name */
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (wp_str_has_prefix(pmu->name, prefix))
			return pmu;
	return NULL;
}

/* A name from the command line may become part of a path only when it is a plain word. */
static bool is_sysfs_word(const char *name)
{
	if (!isalnum((unsigned char)*name) && *name != '_')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("_.-", *name))
			return false;
	return true;
}

/* The first line of PMU/folder/name, or NULL. The caller frees. */
static char *read_line(const struct wp_machine_pmu *pmu, const char *folder, const char *name)
{
	char *text, *newline;

	if (!pmu->dir || !is_sysfs_word(name))
		return NULL;
	wp_autofree char *path = wp_asprintf("%s/%s/%s", pmu->dir, folder, name);
	wp_autoerr struct wp_err *err = wp_file_read(path, FILE_MAX, &text, NULL);
	if (err)
		return NULL;
	newline = strchr(text, '\n');
	if (newline)
		*newline = '\0';
	return text;
}

/* `word` or `a` or `a-b`, comma separated, behind "configN:". Cuts the text in place. */
static bool parse_format(char *text, struct format *ret)
{
	static const char *const words[] = {"config", "config1", "config2", "config3", "config4"};
	char *colon = strchr(text, ':'), *rest, *range;
	struct format format = {.word = -1};

	if (!colon)
		return false;
	*colon = '\0';
	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++)
		if (strcmp(text, words[i]) == 0)
			format.word = (int)i;
	rest = colon + 1;
	while ((range = strsep(&rest, ","))) {
		char *dash = strchr(range, '-');
		uint64_t low, high;

		if (dash)
			*dash = '\0';
		if (!wp_str_to_u64(range, 10, 63, &low) ||
		    !wp_str_to_u64(dash ? dash + 1 : range, 10, 63, &high))
			return false;
		for (; low <= high && format.bits < 64; low++)
			format.place[format.bits++] = (unsigned char)low;
	}
	*ret = format;
	return format.word >= 0 && format.bits > 0;
}

static uint64_t *config_word(struct wp_event *event, int word)
{
	uint64_t *const words[] = {&event->config, &event->config1, &event->config2,
				   &event->config3, &event->config4};

	return words[word];
}

/* False when the value does not fit. */
static bool set_bits(const struct format *format, uint64_t value, struct wp_event *ret)
{
	uint64_t *config = config_word(ret, format->word);

	if (format->bits < 64 && value >> format->bits)
		return false;
	for (int i = 0; i < format->bits; i++) {
		*config &= ~(1ull << format->place[i]);
		*config |= (value >> i & 1) << format->place[i];
	}
	return true;
}

void wp_pmu_terms(const struct wp_machine_pmu *pmu, struct wp_dir *ret)
{
	wp_autofree char *path = wp_asprintf("%s/format", pmu->dir ? pmu->dir : "");

	if (pmu->dir)
		wp_dir_list(path, ret);
}

int wp_pmu_term_bits(const struct wp_machine_pmu *pmu, const char *term)
{
	wp_autofree char *text = read_line(pmu, "format", term);
	struct format format;

	return text && parse_format(text, &format) ? format.bits : 0;
}

bool wp_pmu_cap(const struct wp_machine_pmu *pmu, const char *name, uint64_t *ret)
{
	wp_autofree char *text = read_line(pmu, "caps", name);

	return text && wp_str_to_u64(text, 0, UINT64_MAX, ret);
}

static struct wp_err *unknown_term(const struct wp_machine_pmu *pmu, const char *term)
{
	wp_autodir struct wp_dir dir = {0};
	wp_autostr struct wp_str known = {0};

	wp_pmu_terms(pmu, &dir);
	wp_vec_each (const char *, name, &dir.names)
		wp_str_printf(&known, "%s, ", *name);
	return wp_err_new(WP_ERR_USAGE, "unknown term '%s' of PMU %s; it knows %sconfig", term,
			  pmu->name, known.s ? known.s : "");
}

/* config, config1 and config2 are known to every PMU. */
static bool set_plain(const char *term, uint64_t value, struct wp_event *ret)
{
	if (strcmp(term, "config") == 0)
		ret->config = value;
	else if (strcmp(term, "config1") == 0)
		ret->config1 = value;
	else if (strcmp(term, "config2") == 0)
		ret->config2 = value;
	else
		return false;
	return true;
}

static struct wp_err *set_term(const struct wp_machine_pmu *pmu, const char *term,
			       const char *value, struct wp_event *ret)
{
	uint64_t number = 1;
	struct format format;

	if (value && strcmp(value, "?") == 0)
		return wp_err_new(WP_ERR_USAGE, "term '%s' of PMU %s needs a value", term,
				  pmu->name);
	if (value && !wp_str_to_u64(value, 0, UINT64_MAX, &number))
		return wp_err_new(WP_ERR_USAGE, "'%s=%s': the value is not a number of 64 bits",
				  term, value);
	if (value && set_plain(term, number, ret))
		return NULL;
	wp_autofree char *text = read_line(pmu, "format", term);
	if (!text)
		return unknown_term(pmu, term);
	if (!parse_format(text, &format))
		return wp_err_new(WP_ERR_UNSUPPORTED, "term '%s' of PMU %s is of an unknown kind",
				  term, pmu->name);
	if (!set_bits(&format, number, ret))
		return wp_err_new(WP_ERR_USAGE, "'%s=%s': the value does not fit in %d bits", term,
				  value ? value : "1", format.bits);
	return NULL;
}

/* True when the comma list `given` has `term=`. */
static bool gives_value(const char *given, const char *term)
{
	size_t len = strlen(term);

	for (const char *at = given; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, term, len) == 0 && at[len] == '=')
			return true;
	}
	return false;
}

/*
 * The terms of an event's name; a name in there is not looked up again. What it leaves open with
 * `=?` must be given beside it.
 */
static struct wp_err *set_alias(const struct wp_machine_pmu *pmu, char *terms, const char *given,
				struct wp_event *ret)
{
	char *term;

	while ((term = strsep(&terms, ","))) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (value && strcmp(value, "?") == 0 && gives_value(given, term))
			continue;
		TRY(set_term(pmu, term, value, ret));
	}
	return NULL;
}

/* A word without a value: a name of events/, else a term that is 1. */
static struct wp_err *set_word(const struct wp_machine *machine, const struct wp_machine_pmu *pmu,
			       const char *word, const char *given, struct wp_event *ret)
{
	wp_autofree char *alias = read_line(pmu, "events", word);
	const struct wp_machine_event *event =
		alias || !machine ? NULL : wp_pmu_event_find(machine, pmu->name, word);

	if (alias)
		return set_alias(pmu, alias, given, ret);
	if (!event)
		return set_term(pmu, word, NULL, ret);
	ret->config |= event->config;
	ret->config1 |= event->config1;
	ret->config2 |= event->config2;
	return NULL;
}

struct wp_err *wp_pmu_encode(const struct wp_machine *machine, const struct wp_machine_pmu *pmu,
			     const char *terms, struct wp_arena *arena, struct wp_event *ret,
			     const char **ret_name)
{
	wp_autofree char *copy = wp_strdup(terms);
	char *rest = copy, *term;

	while (*copy && (term = strsep(&rest, ","))) {
		char *value = strchr(term, '=');

		if (value)
			*value++ = '\0';
		if (value && ret_name && strcmp(term, "name") == 0) {
			*ret_name = wp_arena_strdup(arena, value);
			continue;
		}
		TRY(value ? set_term(pmu, term, value, ret)
			  : set_word(machine, pmu, term, terms, ret));
	}
	return NULL;
}

const struct wp_machine_event *wp_pmu_event_find(const struct wp_machine *machine, const char *pmu,
						 const char *name)
{
	wp_vec_each (struct wp_machine_event, event, &machine->events)
		if (strcmp(event->pmu, pmu) == 0 && strcmp(event->name, name) == 0)
			return event;
	return NULL;
}

void wp_pmu_events(const struct wp_machine_pmu *pmu, struct wp_dir *ret)
{
	wp_autodir struct wp_dir dir = {0};
	wp_autofree char *path = wp_asprintf("%s/events", pmu->dir ? pmu->dir : "");

	if (pmu->dir)
		wp_dir_list(path, &dir);
	wp_vec_each (const char *, name, &dir.names)
		if (is_sysfs_word(*name) && !strchr(*name, '.'))
			wp_vec_push(&ret->names, wp_arena_strdup(&ret->arena, *name));
}

void wp_pmu_event_scale(const struct wp_machine_pmu *pmu, const char *name, struct wp_arena *arena,
			double *ret_scale, const char **ret_measure)
{
	wp_autofree char *measure_file = wp_asprintf("%s.unit", name);
	wp_autofree char *scale_file = wp_asprintf("%s.scale", name);
	wp_autofree char *measure = read_line(pmu, "events", measure_file);
	wp_autofree char *scale = read_line(pmu, "events", scale_file);

	*ret_scale = 0;
	if (scale)
		wp_str_to_scale(scale, ret_scale);
	*ret_measure = measure && *measure ? wp_arena_strdup(arena, measure) : NULL;
}
