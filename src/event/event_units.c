/* SPDX-License-Identifier: BSD-3-Clause */
/* event_units: see event_units.h. */
#include "event/event_units.h"

#include "base/str.h"
#include "event/event_spe.h"
#include "event/pmu_sysfs.h"

#include <stdlib.h>
#include <string.h>

struct units {
	WP_VEC(const struct wp_machine_pmu *) v;
};

/* A number is hexadecimal and has a digit: the `df` of amd_df is a name. */
size_t wp_pmu_stem(const char *name)
{
	const char *last = strrchr(name, '_');

	if (!last || !last[1] || last[1 + strspn(last + 1, "0123456789abcdef")] ||
	    !strpbrk(last + 1, "0123456789"))
		return strlen(name);
	return (size_t)(last - name);
}

static bool has_stem(const char *name, const char *stem, size_t len)
{
	return wp_pmu_stem(name) == len && strncmp(name, stem, len) == 0;
}

bool wp_pmu_same_kind(const char *a, const char *b)
{
	return has_stem(b, a, wp_pmu_stem(a));
}

const struct wp_machine_pmu *wp_pmu_like(const struct wp_machine *machine, const char *name)
{
	const struct wp_machine_pmu *exact = wp_machine_pmu_find(machine, name);
	wp_autofree char *uncore = wp_asprintf("uncore_%s", name);

	if (exact)
		return exact;
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (!pmu->is_core && (has_stem(pmu->name, name, strlen(name)) ||
				      has_stem(pmu->name, uncore, strlen(uncore))))
			return pmu;
	return NULL;
}

bool wp_pmu_is_uncore(const struct wp_machine_pmu *pmu)
{
	return !pmu->is_core && !wp_pmu_is_spe(pmu) &&
	       (pmu->cpus.cpus.n > 0 || wp_str_has_prefix(pmu->name, "arm_dsu") ||
		wp_str_has_prefix(pmu->name, "arm_dmc620"));
}

static int by_number(const void *a, const void *b)
{
	const char *x = (*(const struct wp_machine_pmu *const *)a)->name;
	const char *y = (*(const struct wp_machine_pmu *const *)b)->name;
	size_t nx = strlen(x), ny = strlen(y);

	if (nx != ny)
		return nx < ny ? -1 : 1;
	return strcmp(x, y);
}

static void list_like_units(const struct wp_machine *machine, const char *like, struct units *ret)
{
	size_t stem = wp_pmu_stem(like);

	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (!pmu->is_core && has_stem(pmu->name, like, stem))
			wp_vec_push(&ret->v, pmu);
	if (ret->v.n)
		qsort(ret->v.v, ret->v.n, sizeof(*ret->v.v), by_number);
}

/* True when the word names a PMU by its full name: `uncore_imc_0/cas_count_read/`. */
static bool names_unit(const struct wp_machine *machine, const char *word)
{
	const char *slash = strchr(word, '/');

	if (!slash)
		return false;
	wp_autofree char *name = wp_strndup(word, (size_t)(slash - word));
	return wp_machine_pmu_find(machine, name) != NULL;
}

static bool excluded(const struct wp_catalogue *catalogue, const struct wp_event *event)
{
	bool dmc = event->class == WP_EVENT_DMC_CLK || event->class == WP_EVENT_DMC_CLKDIV2;

	return dmc && catalogue->dmc != WP_DMC_ALL && catalogue->dmc != (uint64_t)event->unit_index;
}

static struct wp_err *no_such_dmc(const struct wp_catalogue *catalogue, size_t n)
{
	return wp_err_new(WP_ERR_USAGE,
			  "option --dmc %llu: there is no such memory controller; use 0-%zu",
			  (unsigned long long)catalogue->dmc, n - 1);
}

struct wp_err *wp_event_check_dmc(const struct wp_catalogue *catalogue)
{
	struct units units = {0};
	struct wp_err *err = NULL;

	if (catalogue->dmc == WP_DMC_ALL)
		return NULL;
	list_like_units(catalogue->machine, "arm_dmc620", &units);
	if (units.v.n == 0)
		err = wp_err_new(WP_ERR_USAGE,
				 "option --dmc %llu: the machine has no arm_dmc620 PMU",
				 (unsigned long long)catalogue->dmc);
	else if (catalogue->dmc >= units.v.n)
		err = no_such_dmc(catalogue, units.v.n);
	wp_vec_deinit(&units.v);
	return err;
}

struct wp_err *wp_event_push_units(const struct wp_catalogue *catalogue, const char *word,
				   const struct wp_event *event, struct wp_event_set *ret)
{
	struct wp_event copy = *event;
	struct units units = {0};
	bool only = names_unit(catalogue->machine, word);
	size_t pushed = 0;

	if (!event->unit) {
		wp_vec_push(&ret->events, copy);
		return NULL;
	}
	list_like_units(catalogue->machine, event->unit, &units);
	for (size_t i = 0; i < units.v.n; i++) {
		if (only && strcmp(units.v.v[i]->name, event->unit) != 0)
			continue;
		copy.unit = units.v.v[i]->name;
		copy.type = units.v.v[i]->type;
		copy.unit_index = (int)i;
		if (excluded(catalogue, &copy))
			continue;
		copy.is_copy = pushed++ > 0;
		wp_vec_push(&ret->events, copy);
	}
	struct wp_err *err = pushed ? NULL : no_such_dmc(catalogue, units.v.n);
	wp_vec_deinit(&units.v);
	return err;
}
