/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_features: see recorder_features.h. Comments show the bodies' layouts. */
#include "store/recorder_features.h"

#include "base/clock.h"

#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define VERSION "wperf"

static bool put_text_feature(struct wp_str *out, const char *text)
{
	if (!text || !*text)
		return false;
	wp_perfdata_put_string(out, text);
	return true;
}

static bool put_tracepoints(struct wp_str *out, const struct wp_recorder_said *said)
{
	if (!said->tracepoints || !said->tracepoints->len)
		return false;
	wp_str_append(out, said->tracepoints->s, said->tracepoints->len);
	return true;
}

static bool put_build_ids(struct wp_str *out, const struct wp_recorder_said *said)
{
	return wp_recorder_ids_put(said->ids, out);
}

static bool put_hostname(struct wp_str *out, const struct wp_recorder_said *said)
{
	struct utsname name;

	(void)said;
	return uname(&name) == 0 && put_text_feature(out, name.nodename);
}

static bool put_release(struct wp_str *out, const struct wp_recorder_said *said)
{
	return put_text_feature(out, said->machine->kernel);
}

static bool put_version(struct wp_str *out, const struct wp_recorder_said *said)
{
	(void)said;
	return put_text_feature(out, VERSION);
}

static bool put_arch(struct wp_str *out, const struct wp_recorder_said *said)
{
	return put_text_feature(out, said->machine->arch);
}

/* available, online */
static bool put_cpus(struct wp_str *out, const struct wp_recorder_said *said)
{
	wp_perfdata_put_u32(out, said->machine->core_count);
	wp_perfdata_put_u32(out, (uint32_t)said->machine->online.cpus.n);
	return true;
}

static bool put_brand(struct wp_str *out, const struct wp_recorder_said *said)
{
	return put_text_feature(out, said->machine->brand) ||
	       put_text_feature(out, said->machine->product);
}

static bool put_cpuid(struct wp_str *out, const struct wp_recorder_said *said)
{
	return put_text_feature(out, said->machine->cpuid);
}

/* in kB */
static bool put_memory(struct wp_str *out, const struct wp_recorder_said *said)
{
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

	(void)said;
	wp_perfdata_put_u64(out, pages > 0 ? (uint64_t)pages * (uint64_t)bytes / 1024 : 0);
	return true;
}

static bool put_command_feature(struct wp_str *out, const struct wp_recorder_said *said)
{
	uint32_t n = 0;

	if (!said->argv)
		return false;
	while (said->argv[n])
		n++;
	wp_perfdata_put_strings(out, said->argv, n);
	return true;
}

static bool put_events_feature(struct wp_str *out, const struct wp_recorder_said *said)
{
	wp_perfdata_put_desc(out, said->events, said->style);
	return true;
}

/* n, then for each: type, name */
static bool put_pmus(struct wp_str *out, const struct wp_recorder_said *said)
{
	wp_perfdata_put_u32(out, (uint32_t)said->machine->pmus.n);
	wp_vec_each (struct wp_machine_pmu, pmu, &said->machine->pmus) {
		wp_perfdata_put_u32(out, pmu->type);
		wp_perfdata_put_string(out, pmu->name);
	}
	return said->machine->pmus.n > 0;
}

static bool put_times_feature(struct wp_str *out, const struct wp_recorder_said *said)
{
	wp_perfdata_put_u64(out, said->first_ns);
	wp_perfdata_put_u64(out, said->last_ns);
	return true;
}

/* nanoseconds between two ticks of the clock */
static bool put_clock(struct wp_str *out, const struct wp_recorder_said *said)
{
	struct timespec tick;

	(void)said;
	if (clock_getres(CLOCK_MONOTONIC, &tick) < 0)
		return false;
	wp_perfdata_put_u64(out, (uint64_t)tick.tv_sec * WP_NS_PER_S + (uint64_t)tick.tv_nsec);
	return true;
}

/* version, clock, time of day and the clock's time at one instant */
static bool put_clock_data(struct wp_str *out, const struct wp_recorder_said *said)
{
	struct timespec day;

	(void)said;
	if (clock_gettime(CLOCK_REALTIME, &day) < 0)
		return false;
	wp_perfdata_put_u32(out, 1);
	wp_perfdata_put_u32(out, CLOCK_MONOTONIC);
	wp_perfdata_put_u64(out, (uint64_t)day.tv_sec * WP_NS_PER_S + (uint64_t)day.tv_nsec);
	wp_perfdata_put_u64(out, wp_clock_now_ns());
	return true;
}

/* version (perf says 0), type (1: zstd), level, ratio, how long a mapped piece is at most */
static bool put_packing(struct wp_str *out, const struct wp_recorder_said *said)
{
	if (!said->level)
		return false;
	wp_perfdata_put_u32(out, 0);
	wp_perfdata_put_u32(out, 1);
	wp_perfdata_put_u32(out, (uint32_t)said->level);
	wp_perfdata_put_u32(out, (uint32_t)(said->unpacked_bytes /
					    (said->packed_bytes ? said->packed_bytes : 1)));
	wp_perfdata_put_u32(out, (uint32_t)said->piece_bytes);
	return true;
}

/* n, then of each AUXTRACE record: where it is, and its size: perf reads them all before the
 * others. */
static bool put_trace_index(struct wp_str *out, const struct wp_recorder_said *said)
{
	if (!said->traces)
		return false;
	wp_perfdata_put_u64(out, said->n_traces);
	for (size_t i = 0; i < said->n_traces; i++) {
		wp_perfdata_put_u64(out, said->traces[i]);
		wp_perfdata_put_u64(out, WP_PERFDATA_AUXTRACE_BYTES);
	}
	return true;
}

/* In the order of their numbers, which is that of the sections. A row writes nothing when it
 * returns false. */
static const struct {
	int feature;
	bool (*put)(struct wp_str *out, const struct wp_recorder_said *said);
} rows[] = {
	{WP_PERFDATA_TRACEPOINTS, put_tracepoints},
	{WP_PERFDATA_BUILD_IDS, put_build_ids},
	{WP_PERFDATA_HOSTNAME, put_hostname},
	{WP_PERFDATA_OSRELEASE, put_release},
	{WP_PERFDATA_VERSION, put_version},
	{WP_PERFDATA_ARCH, put_arch},
	{WP_PERFDATA_NRCPUS, put_cpus},
	{WP_PERFDATA_CPUDESC, put_brand},
	{WP_PERFDATA_CPUID, put_cpuid},
	{WP_PERFDATA_TOTAL_MEM, put_memory},
	{WP_PERFDATA_CMDLINE, put_command_feature},
	{WP_PERFDATA_EVENT_DESC, put_events_feature},
	{WP_PERFDATA_PMU_MAPPINGS, put_pmus},
	{WP_PERFDATA_AUXTRACE_INDEX, put_trace_index},
	{WP_PERFDATA_SAMPLE_TIME, put_times_feature},
	{WP_PERFDATA_CLOCKID, put_clock},
	{WP_PERFDATA_COMPRESSED, put_packing},
	{WP_PERFDATA_CLOCK_DATA, put_clock_data},
};

void wp_recorder_features_put(struct wp_str *out, uint64_t at, const struct wp_recorder_said *said,
			      uint64_t features[WP_PERFDATA_FEATURES / 64])
{
	struct wp_perfdata_section sections[WP_ARRAY_LEN(rows)];
	wp_autostr struct wp_str bodies = {0};
	size_t n = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(rows); i++) {
		size_t begin = bodies.len;

		if (!rows[i].put(&bodies, said)) {
			bodies.len = begin;
			continue;
		}
		features[rows[i].feature / 64] |= UINT64_C(1) << rows[i].feature % 64;
		sections[n++] = (struct wp_perfdata_section){begin, bodies.len - begin};
	}
	for (size_t i = 0; i < n; i++) {
		sections[i].offset += at + 16 * n;
		wp_perfdata_put_section(out, sections[i]);
	}
	wp_str_append(out, bodies.s, bodies.len);
}
