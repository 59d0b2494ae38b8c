/* SPDX-License-Identifier: BSD-3-Clause */
/* event_lookup: see event_lookup.h. */
#include "event/event_lookup.h"

#include "base/str.h"
#include "event/event_breakpoint.h"
#include "event/event_names.h"
#include "event/event_presence.h"
#include "event/event_probe.h"
#include "event/event_spe.h"
#include "event/event_tracepoint.h"
#include "event/event_units.h"
#include "event/event_wait.h"
#include "event/pfm_events.h"
#include "event/pmu_sysfs.h"

#include <ctype.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define WEIGHT_TERM "weight="

static const char *const prefixes[WP_EVENT_CLASSES] = {
	[WP_EVENT_CORE] = "",
	[WP_EVENT_DSU] = "/dsu/",
	[WP_EVENT_DMC_CLK] = "/dmc_clk/",
	[WP_EVENT_DMC_CLKDIV2] = "/dmc_clkdiv2/",
	[WP_EVENT_UNCORE] = "",
};

const char *wp_event_class_own(enum wp_event_class class, const char *sysfs_name)
{
	static const char *const clocks[WP_EVENT_CLASSES] = {
		[WP_EVENT_DMC_CLK] = "clk_",
		[WP_EVENT_DMC_CLKDIV2] = "clkdiv2_",
	};

	for (int other = 0; clocks[class] && other < WP_EVENT_CLASSES; other++)
		if (clocks[other] && wp_str_has_prefix(sysfs_name, clocks[other]))
			return other == (int)class ? sysfs_name + strlen(clocks[other]) : NULL;
	return sysfs_name;
}

const char *wp_event_class_prefix(enum wp_event_class class)
{
	return prefixes[class];
}

enum wp_event_class wp_event_class_skip(const char **word)
{
	for (int class = WP_EVENT_CORE + 1; class < WP_EVENT_CLASSES; class ++) {
		size_t len = strlen(prefixes[class]);

		if (len && strncasecmp(*word, prefixes[class], len) == 0) {
			*word += len;
			return (enum wp_event_class) class;
		}
	}
	return WP_EVENT_CORE;
}

struct wp_err *wp_event_word_empty(const char *list)
{
	return wp_err_new(WP_ERR_USAGE, "empty event name in '%s'%s", list,
			  wp_str_has_suffix(list, ",") ? ": no spaces behind the commas of a list"
						       : "");
}

char *wp_event_word_next(char **rest)
{
	char *word = *rest, *p = word;
	bool inside = false;

	if (!word)
		return NULL;
	bool slashes_enclose = !wp_event_is_breakpoint(word + strspn(word, "{"));
	if (wp_event_is_probe(word + strspn(word, "{")))
		p += strspn(word, "{") + wp_event_probe_length(word + strspn(word, "{"));
	for (; *p && (*p != ',' || inside); p++)
		if (*p == '/' && slashes_enclose)
			inside = !inside;
	*rest = *p ? p + 1 : NULL;
	*p = '\0';
	return word;
}

static bool lookup_tracepoint(const struct wp_machine *machine, const char *word,
			      struct wp_event *ret)
{
	uint64_t id;

	if (!wp_event_tracepoint_id(machine, word, &id))
		return false;
	ret->source = WP_EVENT_TRACEPOINT;
	ret->type = PERF_TYPE_TRACEPOINT;
	ret->config = id;
	ret->in_kernel = true;
	return true;
}

bool wp_event_raw_number(const struct wp_catalogue *catalogue, const char *text, int base,
			 uint64_t *ret)
{
	bool arm = strcmp(catalogue->machine->arch ? catalogue->machine->arch : "", "aarch64") == 0;

	return wp_str_to_u64(text, base, arm ? UINT16_MAX : UINT64_MAX, ret);
}

static struct wp_err *no_unit(enum wp_event_class class)
{
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "%s events cannot be counted here: the machine has no %s PMU",
			  prefixes[class], class == WP_EVENT_DSU ? "arm_dsu" : "arm_dmc620");
}

struct wp_err *wp_event_raw(const struct wp_catalogue *catalogue, enum wp_event_class class,
			    uint64_t config, struct wp_event *ret)
{
	const struct wp_machine_pmu *pmu = wp_pmu_of_class(catalogue->machine, class);

	ret->source = class == WP_EVENT_CORE ? WP_EVENT_HW : WP_EVENT_PMU;
	ret->type = pmu ? pmu->type : PERF_TYPE_RAW;
	ret->config = config;
	if (class == WP_EVENT_CORE)
		return NULL;
	if (!pmu)
		return no_unit(class);
	ret->unit = pmu->name;
	if (class == WP_EVENT_DSU)
		return NULL;
	wp_autofree char *terms = wp_asprintf("event=0x%llx,clkdiv2=%d", (unsigned long long)config,
					      class == WP_EVENT_DMC_CLKDIV2);
	ret->config = 0;
	return wp_pmu_encode(catalogue->machine, pmu, terms, NULL, ret, NULL);
}

/* `rHEX` or a number, lower case. *ret_is tells whether the word is one of them. */
static struct wp_err *lookup_raw(const struct wp_catalogue *catalogue, enum wp_event_class class,
				 const char *word, struct wp_arena *arena, struct wp_event *ret,
				 bool *ret_is)
{
	bool letter_r =
		word[0] == 'r' && word[1] && !word[1 + strspn(word + 1, "0123456789abcdef")];
	const struct wp_extra_event *named;
	uint64_t number;

	*ret_is = letter_r || isdigit((unsigned char)word[0]);
	if (!*ret_is)
		return NULL;
	if (!wp_event_raw_number(catalogue, word + letter_r, letter_r ? 16 : 0, &number))
		return wp_err_new(WP_ERR_USAGE, "invalid or too large event number in %s", word);
	TRY(wp_event_raw(catalogue, class, number, ret));
	named = wp_catalogue_extra(catalogue, class, NULL, number);
	ret->name =
		named ? named->name : wp_arena_printf(arena, "r%llx", (unsigned long long)number);
	return NULL;
}

/* What kind of thing a PMU's event is, by the PMU's type. */
static void set_source(const struct wp_machine_pmu *pmu, struct wp_event *ret)
{
	const struct wp_event_name *software;

	if (wp_pmu_is_uncore(pmu)) {
		ret->class = ret->class == WP_EVENT_CORE ? WP_EVENT_UNCORE : ret->class;
		ret->unit = pmu->name;
	}
	ret->type = pmu->type;
	ret->source = pmu->is_core			  ? WP_EVENT_HW
		      : pmu->type == PERF_TYPE_SOFTWARE	  ? WP_EVENT_SW
		      : pmu->type == PERF_TYPE_TRACEPOINT ? WP_EVENT_TRACEPOINT
							  : WP_EVENT_PMU;
	software = ret->source == WP_EVENT_SW ? wp_event_software_of(ret->config) : NULL;
	ret->is_clock = software && software->is_clock;
	ret->in_kernel = ret->source == WP_EVENT_TRACEPOINT || (software && software->in_kernel);
}

/* By the name it has within its class. */
static const struct wp_machine_event *find_of_class(const struct wp_machine *machine,
						    const struct wp_machine_pmu *pmu,
						    enum wp_event_class class, const char *name)
{
	wp_vec_each (struct wp_machine_event, event, &machine->events) {
		const char *own = wp_event_class_own(class, event->name);

		if (own && strcmp(own, name) == 0 && strcmp(event->pmu, pmu->name) == 0)
			return event;
	}
	return NULL;
}

/* An event that the PMU names itself. */
static bool lookup_pmu_event(const struct wp_machine *machine, const struct wp_machine_pmu *pmu,
			     enum wp_event_class class, const char *name, struct wp_event *ret)
{
	const struct wp_machine_event *found =
		pmu ? find_of_class(machine, pmu, class, name) : NULL;

	if (!found)
		return false;
	ret->config = found->config;
	ret->config1 = found->config1;
	ret->config2 = found->config2;
	ret->scale = found->scale;
	ret->measure = found->measure;
	set_source(pmu, ret);
	return true;
}

static bool lookup_generic(const char *name, struct wp_event *ret)
{
	const struct wp_event_name *hardware = wp_event_hardware_find(name);
	const struct wp_event_name *software = hardware ? NULL : wp_event_software_find(name);

	if (hardware || wp_event_cache_find(name, &ret->config)) {
		ret->source = WP_EVENT_HW;
		ret->type = hardware ? PERF_TYPE_HARDWARE : PERF_TYPE_HW_CACHE;
		ret->config = hardware ? hardware->config : ret->config;
		return true;
	}
	if (!software)
		return false;
	ret->source = WP_EVENT_SW;
	ret->type = PERF_TYPE_SOFTWARE;
	ret->config = software->config;
	ret->in_kernel = software->in_kernel;
	ret->is_clock = software->is_clock;
	return true;
}

static bool lookup_other_pmus(const struct wp_machine *machine, const char *name,
			      struct wp_event *ret)
{
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (!pmu->is_core && lookup_pmu_event(machine, pmu, WP_EVENT_CORE, name, ret))
			return true;
	return false;
}

/* DMC-620's events are numbered alike in both clock domains; the name says which is meant. */
static void force_clock(const struct wp_machine *machine, enum wp_event_class class,
			struct wp_event *ret)
{
	const struct wp_machine_pmu *pmu = wp_pmu_of_class(machine, class);

	if (class == WP_EVENT_CORE || class == WP_EVENT_DSU)
		return;
	wp_err_free(wp_pmu_encode(machine, pmu,
				  class == WP_EVENT_DMC_CLKDIV2 ? "clkdiv2=1" : "clkdiv2=0", NULL,
				  ret, NULL));
}

static const struct wp_cpu_event *find_cpu_event(const struct wp_cpu *cpu, const char *name)
{
	return cpu ? wp_cpu_event_find(cpu, name) : NULL;
}

/*
 * An event of the CPU's table, or a common one of the architecture, which the PMU need not have; of
 * a DSU, which counts the common events of its CPUs' PMUs.
 */
static bool lookup_cpu_event(const struct wp_catalogue *catalogue, enum wp_event_class class,
			     const char *name, uint64_t *ret_config)
{
	const char *arch = catalogue->machine->arch ? catalogue->machine->arch : "";
	bool common =
		class == WP_EVENT_DSU || (class == WP_EVENT_CORE && strcmp(arch, "aarch64") == 0);
	const struct wp_cpu_event *found =
		class == WP_EVENT_CORE ? find_cpu_event(catalogue->cpu, name) : NULL;

	if (!found && common)
		found = find_cpu_event(wp_cpu_find("armv8-a"), name);
	if (!found && common)
		found = find_cpu_event(wp_cpu_find("armv9-a"), name);
	if (found)
		*ret_config = found->config;
	return found;
}

/* An event of the CPU that only libpfm4 knows; on the computer itself, not on a script's. */
static bool lookup_pfm(const struct wp_catalogue *catalogue, const char *name, struct wp_event *ret)
{
	const struct wp_machine_pmu *core = wp_pmu_core(catalogue->machine);
	struct wp_arena scratch = {0};
	struct wp_pfm_event event;
	bool found = wp_catalogue_is_host(catalogue) && wp_pfm_find(&scratch, name, &event);

	if (found) {
		ret->source = WP_EVENT_HW;
		ret->type = core ? core->type : PERF_TYPE_RAW;
		ret->config = event.config;
		ret->config1 = event.config1;
	}
	wp_arena_deinit(&scratch);
	return found;
}

/* A plain word: an extra event, or a name of one of the places in event_parse.h's order. */
static struct wp_err *lookup_name(const struct wp_catalogue *catalogue, enum wp_event_class class,
				  const char *name, struct wp_event *ret, bool *ret_found)
{
	const struct wp_machine *machine = catalogue->machine;
	const struct wp_extra_event *extra = wp_catalogue_extra(catalogue, class, name, 0);
	const struct wp_machine_pmu *pmu = wp_pmu_of_class(machine, class);
	uint64_t config;

	*ret_found = true;
	if (extra)
		return wp_event_raw(catalogue, class, extra->config, ret);
	if (lookup_pmu_event(machine, pmu, class, name, ret))
		force_clock(machine, class, ret);
	else if (lookup_cpu_event(catalogue, class, name, &config))
		return wp_event_raw(catalogue, class, config, ret);
	else
		*ret_found = class == WP_EVENT_CORE &&
			     (lookup_generic(name, ret) || lookup_other_pmus(machine, name, ret) ||
			      lookup_pfm(catalogue, name, ret));
	return NULL;
}

/* What a count stands for is said beside the event's name, wherever that is among the terms. */
static void set_scale(const struct wp_machine *machine, const struct wp_machine_pmu *pmu,
		      const char *terms, struct wp_event *ret)
{
	wp_autofree char *copy = wp_strdup(terms);
	char *rest = copy, *term;

	while ((term = strsep(&rest, ","))) {
		const struct wp_machine_event *named = wp_pmu_event_find(machine, pmu->name, term);

		if (named && named->scale != 0)
			ret->scale = named->scale;
		if (named && named->measure)
			ret->measure = named->measure;
	}
}

/* PMUs whose samples are packets in a buffer of their own, which nothing here reads. */
static struct wp_err *refuse_aux(const struct wp_machine_pmu *pmu, const char *word)
{
	static const char *const names[] = {"cs_etm", "intel_bts", "intel_pt", "hisi_ptt"};

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		if (wp_str_has_prefix(pmu->name, names[i]))
			return wp_err_new(WP_ERR_UNSUPPORTED,
					  "%s cannot be counted or sampled: its samples go to a "
					  "buffer that wperf does not read; perf record does",
					  word);
	return NULL;
}

/* `pmu/terms/[modifiers]`; what is behind the second slash is left in *ret_rest. */
static struct wp_err *lookup_pmu(const struct wp_catalogue *catalogue, const char *word,
				 struct wp_arena *arena, struct wp_event *ret,
				 const char **ret_rest)
{
	const char *first = strchr(word, '/'), *second = strchr(first + 1, '/');
	const char *shown = NULL;

	if (!second)
		return wp_err_new(WP_ERR_USAGE, "missing '/' at the end of %s", word);
	wp_autofree char *name = wp_strndup(word, (size_t)(first - word));
	wp_autofree char *terms = wp_strndup(first + 1, (size_t)(second - first - 1));
	const struct wp_machine_pmu *pmu = wp_pmu_like(catalogue->machine, name);
	if (!pmu)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "unknown event name: %s (there is no PMU %s; see wperf detect)",
				  word, name);
	TRY(refuse_aux(pmu, word));
	struct wp_err *err = wp_pmu_encode(catalogue->machine, pmu, terms, arena, ret, &shown);
	if (err)
		return wp_err_prefix(err, "%s", word);
	set_scale(catalogue->machine, pmu, terms, ret);
	set_source(pmu, ret);
	*ret_rest = second + 1;
	ret->name = shown && *shown ? shown : wp_arena_strdup(arena, word);
	return NULL;
}

/* Letters that perf knows as modifiers, so that they are refused as such. */
#define PERF_MODIFIERS "ukhpPGHISDWeb"

static bool is_modifiers(const char *text)
{
	return *text && strspn(text, PERF_MODIFIERS) == strlen(text);
}

static struct wp_err *set_modifiers(const char *word, const char *modifiers, struct wp_event *ret)
{
	bool user = strchr(modifiers, 'u'), kernel = strchr(modifiers, 'k');

	for (const char *p = modifiers; *p; p++)
		if (*p != 'u' && *p != 'k')
			return wp_err_new(WP_ERR_USAGE,
					  "event modifier '%c' in %s is not supported: use :u "
					  "(user), :k (kernel) or :uk",
					  *p, word);
	ret->user_only = user && !kernel;
	ret->kernel_only = kernel && !user;
	return NULL;
}

/* An unknown name, with the nearest known one, or with why this machine may know so few. */
static struct wp_err *refuse_unknown_event(const struct wp_catalogue *catalogue, const char *word)
{
	wp_autofree char *near = wp_event_suggest(catalogue, word);
	const struct wp_machine *machine = catalogue->machine;
	bool tracepoint = strchr(word, ':');

	if (near)
		return wp_err_new(WP_ERR_NOT_FOUND, "unknown event name: %s, did you mean %s?",
				  word, near);
	if (tracepoint && !machine->limits.tracefs)
		return wp_err_new(WP_ERR_NOT_FOUND, "event '%s' cannot be looked up: %s", word,
				  machine->limits.tracefs_why);
	if (!tracepoint && !machine->has_hw_pmu)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "unknown event name: %s (there is no hardware PMU here, see "
				  "wperf list)",
				  word);
	return wp_err_new(WP_ERR_NOT_FOUND, "unknown event name: %s", word);
}

static struct wp_err *unknown_of_class(const struct wp_catalogue *catalogue,
				       enum wp_event_class class, const char *word)
{
	if (class == WP_EVENT_CORE)
		return refuse_unknown_event(catalogue, word);
	if (!wp_pmu_of_class(catalogue->machine, class))
		return no_unit(class);
	return wp_err_new(WP_ERR_NOT_FOUND, "unknown event name: %s%s", prefixes[class], word);
}

/* Tracepoints and breakpoints, whose names have colons and are shown as they were typed. */
static struct wp_err *lookup_colons(const struct wp_catalogue *catalogue, const char *name,
				    struct wp_event *ret, bool *ret_found)
{
	*ret_found = true;
	if (wp_event_is_breakpoint(name))
		return wp_event_breakpoint(name, ret);
	*ret_found = lookup_tracepoint(catalogue->machine, name, ret);
	return NULL;
}

/* A raw number or a name, without modifiers; the event is shown in lower case. */
static struct wp_err *lookup_core(const struct wp_catalogue *catalogue, enum wp_event_class class,
				  char *name, struct wp_arena *arena, struct wp_event *ret)
{
	bool found;

	for (char *p = name; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	TRY(lookup_raw(catalogue, class, name, arena, ret, &found));
	if (found)
		return NULL;
	TRY(lookup_name(catalogue, class, name, ret, &found));
	if (!found)
		return unknown_of_class(catalogue, class, name);
	ret->name = wp_arena_strdup(arena, name);
	return NULL;
}

/* A word without slashes: everything but `pmu/.../` (`mem:` included: its length has a slash). */
static struct wp_err *lookup_plain(const struct wp_catalogue *catalogue, enum wp_event_class class,
				   const char *word, struct wp_arena *arena, struct wp_event *ret)
{
	wp_autofree char *name = wp_strdup(word);
	char *colon = strrchr(name, ':');
	const char *modifiers = "";
	bool found;

	ret->name = wp_arena_strdup(arena, word);
	if (lookup_tracepoint(catalogue->machine, word, ret))
		return NULL;
	if (colon && colon != name && is_modifiers(colon + 1)) {
		*colon = '\0';
		modifiers = colon + 1;
		TRY(set_modifiers(word, modifiers, ret));
	}
	TRY(lookup_colons(catalogue, name, ret, &found));
	if (found)
		return NULL;
	TRY(lookup_core(catalogue, class, name, arena, ret));
	if (*modifiers)
		ret->name = wp_arena_printf(arena, "%s:%s", ret->name, modifiers);
	return NULL;
}

/* What the machine has no counter for is refused before anything runs. */
static struct wp_err *check_countable(const struct wp_catalogue *catalogue,
				      const struct wp_event *event)
{
	const struct wp_machine *machine = catalogue->machine;

	if (event->in_kernel && event->user_only)
		wp_log(catalogue->log, WP_LOG_WARNING,
		       "event '%s' happens in the kernel: with :u it stays 0", event->name);
	if (event->source != WP_EVENT_HW || machine->has_hw_pmu)
		return NULL;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "event '%s' cannot be counted here: %s; software events can: cpu-clock, "
			  "task-clock, page-faults, context-switches (see wperf list)",
			  event->name,
			  machine->hw_pmu_why ? machine->hw_pmu_why : "there is no hardware PMU");
}

/*
 * `subsystem:name/weight=FIELD/`. *ret_is: it is of a tracepoint. Whether there is such a field is
 * known when its description is read.
 */
static struct wp_err *lookup_terms(const struct wp_machine *machine, const char *word,
				   struct wp_arena *arena, struct wp_event *ret, bool *ret_is)
{
	const char *slash = strchr(word, '/'), *end = slash ? strchr(slash + 1, '/') : NULL;
	wp_autofree char *name = wp_strndup(word, slash ? (size_t)(slash - word) : 0);

	*ret_is = end && !end[1] && lookup_tracepoint(machine, name, ret);
	if (!*ret_is)
		return NULL;
	if (!wp_str_has_prefix(slash + 1, WEIGHT_TERM) || end == slash + 1 + strlen(WEIGHT_TERM))
		return wp_err_new(WP_ERR_USAGE, "%s: behind a tracepoint want /weight=FIELD/",
				  word);
	slash += 1 + strlen(WEIGHT_TERM);
	ret->weight = wp_arena_strndup(arena, slash, (size_t)(end - slash));
	ret->name = wp_arena_strdup(arena, word);
	return NULL;
}

struct wp_err *wp_event_lookup(const struct wp_catalogue *catalogue, enum wp_event_class class,
			       const char *word, struct wp_arena *arena, struct wp_event *ret)
{
	struct wp_event event = {.class = class, .group = WP_EVENT_NO_GROUP};
	const char *slash = strchr(word, '/'), *rest = "";
	bool is_probe = class == WP_EVENT_CORE && wp_event_is_probe(word), terms = false;
	bool is_wait = class == WP_EVENT_CORE && wp_event_is_wait(word);

	if (!*word)
		return wp_err_new(WP_ERR_USAGE, "empty event name");
	if (!is_probe && !is_wait)
		TRY(lookup_terms(catalogue->machine, word, arena, &event, &terms));
	if (is_wait) {
		TRY(wp_event_wait(catalogue->machine, word, &event));
	} else if (is_probe) {
		TRY(wp_event_probe(catalogue->machine, word, arena, &event));
	} else if (!terms && slash && slash != word && class == WP_EVENT_CORE &&
		   !wp_event_is_breakpoint(word)) {
		TRY((wp_event_is_spe(word) ? wp_event_spe : lookup_pmu)(catalogue, word, arena,
									&event, &rest));
		TRY(set_modifiers(word, rest + (*rest == ':'), &event));
	} else if (!terms) {
		TRY(lookup_plain(catalogue, class, word, arena, &event));
	}
	TRY(check_countable(catalogue, &event));
	event.presence = wp_event_presence(catalogue, &event);
	*ret = event;
	return NULL;
}
