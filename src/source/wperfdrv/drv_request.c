/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_request: see drv_request.h. */
#include "source/wperfdrv/drv_request.h"

#include <string.h>

/* The interval that WindowsPerf sends; its driver leaves the hardware's. */
#define SPE_INTERVAL 1024

static struct wp_err *refuse_driver_core(uint32_t core)
{
	return wp_err_new(WP_ERR_LIMIT, "core %u: the wperf driver knows cores 0 to %d only", core,
			  WP_DRV_CORES - 1);
}

static struct wp_err *put_cores(const uint32_t *cores, size_t n, struct wp_drv_cores *ret)
{
	if (!n || n > WP_DRV_CORES_ONCE)
		return wp_err_new(WP_ERR_LIMIT, "%zu cores: the wperf driver takes 1 to %d at once",
				  n, WP_DRV_CORES_ONCE);
	*ret = (struct wp_drv_cores){.cores_count = n};
	for (size_t i = 0; i < n; i++) {
		if (cores[i] >= WP_DRV_CORES)
			return refuse_driver_core(cores[i]);
		ret->cores_no[i] = (uint8_t)cores[i];
	}
	return NULL;
}

struct wp_err *wp_drv_request_control(const uint32_t *cores, size_t n, uint32_t units,
				      uint32_t period_ms, uint8_t dmc, struct wp_drv_control *ret)
{
	struct wp_drv_control control = {
		.period = (int32_t)period_ms,
		.dmc_idx = dmc,
		.flags = units,
	};

	TRY(put_cores(cores, n, &control.cores));
	*ret = control;
	return NULL;
}

static void put_bytes(struct wp_str *ret, const void *bytes, size_t n)
{
	wp_str_append(ret, bytes, n);
}

static struct wp_err *check_lists(const struct wp_drv_list lists[WP_DRV_CLASSES])
{
	static const struct {
		const char *name;
		size_t most; /* without the cycle counter, as padding is counted */
	} limits[WP_DRV_CLASSES] = {
		[WP_DRV_CORE] = {"core", WP_DRV_CORE_EVENTS - 1},
		[WP_DRV_DSU] = {"dsu", WP_DRV_DSU_EVENTS - 1},
		[WP_DRV_CLK] = {"dmc_clk", WP_DRV_CLK_EVENTS},
		[WP_DRV_DIV] = {"dmc_clkdiv2", WP_DRV_DIV_EVENTS},
	};

	for (int class = 0; class < WP_DRV_CLASSES; class ++)
		if (lists[class].n > limits[class].most)
			return wp_err_new(WP_ERR_LIMIT,
					  "too many %s (including padding) events: %zu > %zu",
					  limits[class].name, lists[class].n, limits[class].most);
	if (lists[WP_DRV_CLK].n && lists[WP_DRV_DIV].n)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "/dmc_clk/ and /dmc_clkdiv2/ events are not counted together: "
				  "the wperf driver forgets the former");
	return NULL;
}

struct wp_err *wp_drv_request_assign(uint32_t core, uint64_t filter_bits,
				     const struct wp_drv_list lists[WP_DRV_CLASSES],
				     struct wp_str *ret)
{
	const struct wp_drv_assign head = {
		.core_idx = core,
		.dmc_idx = WP_DRV_ALL_DMC,
		.filter_bits = filter_bits,
	};

	if (core >= WP_DRV_CORES)
		return refuse_driver_core(core);
	TRY(check_lists(lists));
	put_bytes(ret, &head, sizeof(head));
	for (uint32_t class = 0; class < WP_DRV_CLASSES; class ++) {
		const struct wp_drv_evt_hdr block = {class, (uint16_t)lists[class].n, 0};

		if (!lists[class].n)
			continue;
		put_bytes(ret, &block, sizeof(block));
		put_bytes(ret, lists[class].events, lists[class].n * sizeof(*lists[class].events));
	}
	return NULL;
}

struct wp_err *wp_drv_request_sources(uint32_t core, const struct wp_drv_sample_source *sources,
				      size_t n, uint32_t free_counters, struct wp_str *ret)
{
	const struct wp_drv_sample_set head = {core};
	size_t events = 0;

	if (core >= WP_DRV_CORES)
		return refuse_driver_core(core);
	for (size_t i = 0; i < n; i++) {
		events += sources[i].event_src != WP_DRV_CYCLE;
		if (!sources[i].interval)
			return wp_err_new(WP_ERR_USAGE, "an interval of 0 would sample always");
	}
	if (!n || events > free_counters || n - events > 1)
		return wp_err_new(WP_ERR_LIMIT,
				  "number of events requested exceeds the number of free hardware "
				  "PMU counters(%u)",
				  free_counters);
	put_bytes(ret, &head, sizeof(head));
	put_bytes(ret, sources, n * sizeof(*sources));
	return NULL;
}

struct wp_err *wp_drv_request_dmc(const struct wp_drv_dmc_range *ranges, size_t n,
				  struct wp_str *ret)
{
	const struct wp_drv_dmc_ctl head = {.dmc_num = (uint8_t)n};

	if (!n || n >= WP_DRV_ALL_DMC)
		return wp_err_new(WP_ERR_LIMIT,
				  "%zu memory controllers: the wperf driver takes 1 to %d", n,
				  WP_DRV_ALL_DMC - 1);
	put_bytes(ret, &head, sizeof(head));
	put_bytes(ret, ranges, n * sizeof(*ranges));
	return NULL;
}

struct wp_err *wp_drv_request_dsu(uint32_t clusters, uint32_t size, struct wp_drv_dsu_ctl *ret)
{
	if (!clusters || !size || clusters > WP_DRV_CORES || size > WP_DRV_CORES)
		return wp_err_new(WP_ERR_LIMIT, "%u clusters of %u cores are none", clusters, size);
	*ret = (struct wp_drv_dsu_ctl){(uint16_t)clusters, (uint16_t)size};
	return NULL;
}

struct wp_err *wp_drv_request_spe(uint32_t core, uint64_t buffer_size, uint8_t operations,
				  uint64_t config_flags, struct wp_drv_spe *ret)
{
	struct wp_drv_spe spe = {
		.buffer_size = buffer_size,
		.operation_filter = operations,
		.config_flags = config_flags,
		.interval = SPE_INTERVAL,
	};

	TRY(put_cores(&core, 1, &spe.cores));
	*ret = spe;
	return NULL;
}
