/* SPDX-License-Identifier: BSD-3-Clause */
/* event_spe: see event_spe.h. */
#include "event/event_spe.h"

#include "base/str.h"
#include "event/pmu_sysfs.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define STEM "arm_spe"
/* Operations between two samples: some ten thousand samples a second of a busy core. */
#define DEFAULT_OPERATIONS 0x10000
/* PMSIRR_EL1.INTERVAL: bits 31:8. The driver's own lower limit where caps/ says none. */
#define INTERVAL_STEP 0x100u
#define INTERVAL_MAX  0xffffff00u
#define INTERVAL_MIN  0x1000u

static const struct {
	const char *name, *alias, *text;
} filters[] = {
	{"branch_filter", "b", "Only branches, and what other type filters name"},
	{"branch_filter_mask", NULL, "Whether branch_filter=0 leaves branches out"},
	{"discard", NULL, "Records are thrown away; only PMU events of SPE count"},
	{"event_filter", NULL, "Only operations that have all of these events, a bit each"},
	{"float_filter", NULL, "Only floating-point operations"},
	{"float_filter_mask", NULL, "Whether float_filter=0 leaves them out"},
	{"inv_data_src_filter", NULL, "Only loads from none of these data sources, a bit each"},
	{"inv_event_filter", NULL, "Only operations that have none of these events, a bit each"},
	{"jitter", NULL, "Vary the interval at random"},
	{"load_filter", "ld", "Only loads, and what other type filters name"},
	{"load_filter_mask", NULL, "Whether load_filter=0 leaves loads out"},
	{"min_latency", "min", "Only operations that took so many cycles"},
	{"pa_enable", NULL, "Physical addresses, for root"},
	{"pct_enable", NULL, "Time is the physical counter's, for root"},
	{"simd_filter", NULL, "Only SIMD operations"},
	{"simd_filter_mask", NULL, "Whether simd_filter=0 leaves them out"},
	{"store_filter", "st", "Only stores, and what other type filters name"},
	{"store_filter_mask", NULL, "Whether store_filter=0 leaves stores out"},
	{"ts_enable", "ts", "When each operation was; 1 unless 0 is said"},
};

const char wp_event_spe_description[] =
	"The CPU picks one of so many operations and writes down where it stood, what it was, what "
	"happened to it, how many cycles it took, which address it touched and who answered.\n"
	"record -e arm_spe_0/load_filter=1,min_latency=100/:65536 -- CMD takes one of 65536 "
	"operations, and of these the loads that took 100 cycles or more; arm_spe// is the SPE of "
	"all clusters. It is sampled only, at an interval (no -F), for a command, processes (-p) "
	"or CPUs (-a, -c). wperf mem shows who waited for what. Stacks do not come with it.";

const char wp_event_spe_packets[] =
	"PC: where it stood, and at which exception level\n"
	"B, LD, ST, OTHER: what it was: branch, load, store (GP, SIMD, SVE, atomic), any other\n"
	"EV: retired, L1D access and refill, TLB access and walk, not taken, mispredicted, LLC "
	"access and miss, remote access and more, as bits of event_filter\n"
	"VA, PA: address of the data; PA with pa_enable=1\n"
	"TGT: target of a branch\n"
	"LAT TOT, ISSUE, XLAT: cycles until it was done, until it was issued, of translation\n"
	"DATA-SOURCE: who answered a load; numbers are of the core's maker\n"
	"CONTEXT: the thread, for root\n"
	"TS: when, with ts_enable=1";

bool wp_pmu_is_spe(const struct wp_machine_pmu *pmu)
{
	return wp_str_has_prefix(pmu->name, STEM "_");
}

bool wp_event_is_spe(const char *word)
{
	return wp_str_has_prefix(word, STEM "/") ||
	       (wp_str_has_prefix(word, STEM "_") && strchr(word, '/'));
}

const struct wp_machine_pmu *wp_event_spe_pmu(const struct wp_machine *machine)
{
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (wp_pmu_is_spe(pmu))
			return pmu;
	return NULL;
}

const char *wp_event_spe_text(const char *filter)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(filters); i++)
		if (strcmp(filters[i].name, filter) == 0)
			return filters[i].text;
	return NULL;
}

uint32_t wp_event_spe_type(const struct wp_machine *machine, int cpu)
{
	const struct wp_machine_pmu *first = wp_event_spe_pmu(machine);

	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (wp_pmu_is_spe(pmu) && cpu >= 0 && wp_cpuset_has(&pmu->cpus, (uint32_t)cpu))
			return pmu->type;
	return first ? first->type : 0;
}

void wp_event_spe_filters(const struct wp_machine_pmu *pmu, struct wp_str *ret)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(filters); i++) {
		const char *name = filters[i].name, *alias = filters[i].alias;

		if (pmu && !wp_pmu_term_bits(pmu, name))
			continue;
		wp_str_printf(ret, "%s%s%s%s: %s", name, alias ? " (" : "", alias ? alias : "",
			      alias ? ")" : "", filters[i].text);
		wp_str_putc(ret, '\n');
	}
}

/* WindowsPerf's short names. */
static const char *full_filter_name(const char *name)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(filters); i++)
		if (filters[i].alias && strcmp(filters[i].alias, name) == 0)
			return filters[i].name;
	return name;
}

/* As C's strtoull() reads numbers (0x, 0). */
static bool read_filter_value(const char *text, uint64_t *ret)
{
	char *end;

	errno = 0;
	*ret = strtoull(text, &end, 0);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* Each `name=value`, its form and nothing else. */
static struct wp_err *check_filters(const char *list)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *filter;
	uint64_t value;

	while (*list && (filter = strsep(&rest, ","))) {
		char *equals = strchr(filter, '=');

		if (!equals)
			return wp_err_new(WP_ERR_USAGE, "incorrect SPE filter: '%s' in %s", filter,
					  list);
		*equals = '\0';
		if (!*filter)
			return wp_err_new(WP_ERR_USAGE, "incorrect SPE filter name: '=%s'",
					  equals + 1);
		if (!read_filter_value(equals + 1, &value))
			return wp_err_new(WP_ERR_USAGE, "incorrect SPE filter value: %s='%s'.",
					  filter, equals + 1);
	}
	return NULL;
}

static struct wp_err *unknown_filter(const struct wp_machine_pmu *pmu, const char *filter)
{
	wp_autodir struct wp_dir terms = {0};
	wp_autostr struct wp_str known = {0};

	wp_pmu_terms(pmu, &terms);
	wp_vec_each (const char *, term, &terms.names)
		wp_str_printf(&known, "%s%s", known.len ? ", " : "", *term);
	return wp_err_new(WP_ERR_USAGE, "SPE filter '%s' unknown, use: %s", filter,
			  known.s ? known.s : "none (the kernel names none)");
}

static struct wp_err *set_filter(const struct wp_machine_pmu *pmu, const char *name,
				 const char *text, struct wp_event *ret)
{
	int bits = wp_pmu_term_bits(pmu, full_filter_name(name));
	uint64_t value, most;

	if (!bits)
		return unknown_filter(pmu, name);
	most = bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
	if (!read_filter_value(text, &value) || value > most)
		return wp_err_new(WP_ERR_USAGE, "SPE filter '%s' value out of range, use: 0-%llu",
				  name, (unsigned long long)most);
	wp_autofree char *term =
		wp_asprintf("%s=%llu", full_filter_name(name), (unsigned long long)value);
	return wp_pmu_encode(NULL, pmu, term, NULL, ret, NULL);
}

static struct wp_err *set_filters(const struct wp_machine_pmu *pmu, const char *list,
				  struct wp_event *ret)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *filter;

	if (wp_pmu_term_bits(pmu, "ts_enable"))
		TRY(set_filter(pmu, "ts_enable", "1", ret));
	while (*list && (filter = strsep(&rest, ","))) {
		char *equals = strchr(filter, '=');

		*equals = '\0';
		TRY(set_filter(pmu, filter, equals + 1, ret));
	}
	return NULL;
}

/* Why there is no such PMU, and what works. */
static struct wp_err *refuse_spe(const struct wp_machine *machine, const char *name)
{
	const struct wp_machine_pmu *other = wp_event_spe_pmu(machine);
	const char *why = machine->spe_why;

	if (other)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "SPE is not supported by your hardware: there is no %s, but %s",
				  name, other->name);
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "SPE is not supported by your hardware: %s; recordings made elsewhere "
			  "can be read (wperf mem -i FILE), and page-faults:1 with -d has "
			  "addresses anywhere",
			  why ? why : "the kernel has no arm_spe PMU");
}

struct wp_err *wp_event_spe(const struct wp_catalogue *catalogue, const char *word,
			    struct wp_arena *arena, struct wp_event *ret, const char **ret_rest)
{
	const struct wp_machine *machine = catalogue->machine;
	const char *first = strchr(word, '/'), *second = strchr(first + 1, '/');
	const struct wp_machine_pmu *pmu;

	if (!second)
		return wp_err_new(WP_ERR_USAGE, "missing '/' at the end of %s", word);
	wp_autofree char *name = wp_strndup(word, (size_t)(first - word));
	wp_autofree char *list = wp_strndup(first + 1, (size_t)(second - first - 1));
	TRY(check_filters(list));
	ret->every_spe = strcmp(name, STEM) == 0;
	pmu = ret->every_spe ? wp_event_spe_pmu(machine) : wp_machine_pmu_find(machine, name);
	if (!pmu)
		return refuse_spe(machine, name);
	TRY(set_filters(pmu, list, ret));
	ret->source = WP_EVENT_PMU;
	ret->type = pmu->type;
	ret->is_spe = true;
	ret->name = wp_arena_strdup(arena, word);
	*ret_rest = second + 1;
	return NULL;
}

/* Of the PMU of that type. */
static uint64_t least_interval(const struct wp_machine *machine, uint32_t type)
{
	uint64_t least = INTERVAL_MIN;

	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (pmu->type == type && wp_pmu_is_spe(pmu))
			(void)wp_pmu_cap(pmu, "min_interval", &least);
	return least;
}

void wp_event_spe_interval(const struct wp_catalogue *catalogue, uint64_t interval,
			   uint64_t freq_hz, struct wp_event *event)
{
	uint64_t least = least_interval(catalogue->machine, event->type);

	event->freq_hz = 0;
	event->period = (interval ? interval : DEFAULT_OPERATIONS) & INTERVAL_MAX;
	if (event->period < least)
		event->period = least;
	if (freq_hz && !interval)
		wp_log(catalogue->log, WP_LOG_NOTE,
		       "%s has no rate: -F is for other events, and one of %llu operations is "
		       "taken (%s:N)",
		       event->name, (unsigned long long)event->period, event->name);
	if (interval && event->period != interval)
		wp_log(catalogue->log, WP_LOG_NOTE,
		       "event interval: %llu becomes %llu: multiples of %u from %llu on are what "
		       "these CPUs take",
		       (unsigned long long)interval, (unsigned long long)event->period,
		       INTERVAL_STEP, (unsigned long long)least);
}

const char *wp_event_spe_version(const struct wp_machine *machine)
{
	static const char *const versions[] = {NULL,	       "FEAT_SPE",     "FEAT_SPEv1p1",
					       "FEAT_SPEv1p2", "FEAT_SPEv1p3", "FEAT_SPEv1p4",
					       "FEAT_SPEv1p5"};
	const struct wp_machine_pmu *pmu = wp_event_spe_pmu(machine);
	uint64_t version = machine->id_aa64dfr0 >> 32 & 0xf;

	if (!pmu)
		return "not implemented";
	if (version >= WP_ARRAY_LEN(versions))
		return "unknown SPE configuration!";
	if (version)
		return versions[version];
	return wp_pmu_term_bits(pmu, "inv_event_filter") || wp_pmu_term_bits(pmu, "discard")
		       ? "FEAT_SPEv1p2"
		       : "FEAT_SPE";
}
