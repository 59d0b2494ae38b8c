/* SPDX-License-Identifier: BSD-3-Clause */
/* pfm_events: see pfm_events.h. */
#include "event/pfm_events.h"

#include <ctype.h>
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_perf_event.h>
#include <string.h>

/* What libpfm4 sets of a raw x86 number beside the event: user, kernel, interrupt, enable. */
#define X86_CONTROL_BITS 0x530000ull

static const char *lower_case(struct wp_arena *arena, const char *text)
{
	char *copy = wp_arena_strdup(arena, text);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

static bool encode(const char *full_name, struct wp_pfm_event *ret)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};
	pfm_perf_encode_arg_t arg = {.attr = &attr, .size = sizeof(arg)};

	if (pfm_get_os_event_encoding(full_name, PFM_PLM0 | PFM_PLM3, PFM_OS_PERF_EVENT, &arg) !=
		    PFM_SUCCESS ||
	    attr.type != PERF_TYPE_RAW)
		return false;
	ret->config = attr.config;
#if defined(__x86_64__)
	ret->config &= ~X86_CONTROL_BITS;
#endif
	ret->config1 = attr.config1;
	return true;
}

/* What is said of the part that a name has behind its colon, or of the event. */
static const char *pfm_text_of(struct wp_arena *arena, const pfm_event_info_t *event,
			       const char *name)
{
	const char *colon = strchr(name, ':');

	for (int i = 0; colon && i < event->nattrs; i++) {
		pfm_event_attr_info_t part = {.size = sizeof(part)};

		if (pfm_get_event_attr_info(event->idx, i, PFM_OS_PERF_EVENT, &part) ==
			    PFM_SUCCESS &&
		    part.type == PFM_ATTR_UMASK && strcasecmp(part.name, colon + 1) == 0 &&
		    strcmp(part.desc, "TBD") != 0)
			return wp_arena_strdup(arena, part.desc);
	}
	return wp_arena_strdup(arena, event->desc);
}

/* NAME or NAME:PART of a PMU; false when libpfm4 does not know it or cannot count it alone. */
static bool describe(struct wp_arena *arena, const char *pmu, const char *name,
		     struct wp_pfm_event *ret)
{
	const char *full = wp_arena_printf(arena, "%s::%s", pmu, name);
	pfm_event_info_t event = {.size = sizeof(event)};
	int id;

	if (!encode(full, ret))
		return false;
	id = pfm_find_event(full);
	if (id < 0 || pfm_get_event_info(id, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
		return false;
	ret->name = lower_case(arena, name);
	ret->text = pfm_text_of(arena, &event, name);
	return true;
}

/* The next PMU of a CPU that is here, behind *at; false behind the last. */
static bool next_core(int *at, pfm_pmu_info_t *ret)
{
	while (++*at < PFM_PMU_MAX) {
		*ret = (pfm_pmu_info_t){.size = sizeof(*ret)};
		if (pfm_get_pmu_info((pfm_pmu_t)*at, ret) == PFM_SUCCESS && ret->is_present &&
		    ret->type == PFM_PMU_TYPE_CORE)
			return true;
	}
	return false;
}

static void list_event(struct wp_arena *arena, const char *pmu, int id, struct wp_pfm_events *ret)
{
	pfm_event_info_t event = {.size = sizeof(event)};
	struct wp_pfm_event found;
	bool parts = false;

	if (pfm_get_event_info(id, PFM_OS_PERF_EVENT, &event) != PFM_SUCCESS)
		return;
	for (int i = 0; i < event.nattrs; i++) {
		pfm_event_attr_info_t part = {.size = sizeof(part)};

		if (pfm_get_event_attr_info(id, i, PFM_OS_PERF_EVENT, &part) != PFM_SUCCESS ||
		    part.type != PFM_ATTR_UMASK)
			continue;
		parts = true;
		if (describe(arena, pmu, wp_arena_printf(arena, "%s:%s", event.name, part.name),
			     &found))
			wp_vec_push(&ret->v, found);
	}
	if (!parts && describe(arena, pmu, event.name, &found))
		wp_vec_push(&ret->v, found);
}

void wp_pfm_list(struct wp_arena *arena, struct wp_pfm_events *ret)
{
	pfm_pmu_info_t pmu;
	int at = PFM_PMU_NONE;

	if (pfm_initialize() != PFM_SUCCESS)
		return;
	while (next_core(&at, &pmu))
		for (int id = pmu.first_event; id != -1; id = pfm_get_event_next(id))
			list_event(arena, pmu.name, id, ret);
}

bool wp_pfm_find(struct wp_arena *arena, const char *name, struct wp_pfm_event *ret)
{
	pfm_pmu_info_t pmu;
	int at = PFM_PMU_NONE;

	if (pfm_initialize() != PFM_SUCCESS)
		return false;
	while (next_core(&at, &pmu))
		if (describe(arena, pmu.name, name, ret))
			return true;
	return false;
}
