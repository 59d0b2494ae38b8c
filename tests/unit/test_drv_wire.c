/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests to WindowsPerf's driver byte by byte, and its answers: sound ones, and what is refused.
 */
#include "check.h"

#include "base/bytes.h"
#include "source/wperfdrv/drv_reply.h"
#include "source/wperfdrv/drv_request.h"

static void test_control(void)
{
	uint32_t cores[WP_DRV_CORES + 1];
	struct wp_drv_control control;
	const uint8_t *bytes = (const uint8_t *)&control;

	for (uint32_t i = 0; i <= WP_DRV_CORES; i++)
		cores[i] = i;
	CHECK_OK(wp_drv_request_control(cores + 3, 2, WP_DRV_OF_CORE | WP_DRV_OF_DMC, 100,
					WP_DRV_ALL_DMC, &control));
	CHECK_U64(wp_u64_at(bytes), 2);
	CHECK(bytes[8] == 3 && bytes[9] == 4 && bytes[10] == 0);
	CHECK_U64(wp_u32_at(bytes + 136), 100);
	CHECK_U64(bytes[140], 255);
	CHECK_U64(wp_u32_at(bytes + 144), 5);
	CHECK_OK(wp_drv_request_control(cores, WP_DRV_CORES_ONCE, 1, 100, 0, &control));
	CHECK_ERR(wp_drv_request_control(cores, WP_DRV_CORES, 1, 100, 0, &control), "1 to 127");
	CHECK_ERR(wp_drv_request_control(cores, 0, 1, 100, 0, &control), "0 cores");
	CHECK_ERR(wp_drv_request_control(cores + WP_DRV_CORES, 1, 1, 100, 0, &control), "core 128");
}

static void test_assign(void)
{
	static const uint16_t core[] = {0x11, 0x1b, 0x75}, dsu[] = {0x2b};
	static const uint8_t want[] = {
		2, 0, 0, 0, 255, 0, 0, 0, 0,	0, 0,	 0x80, 0,    0, 0, 0, /* head */
		0, 0, 0, 0, 3,	 0, 0, 0, 0x11, 0, 0x1b, 0,    0x75, 0,	      /* core */
		1, 0, 0, 0, 1,	 0, 0, 0, 0x2b, 0,			      /* dsu */
	};
	struct wp_drv_list lists[WP_DRV_CLASSES] = {{core, 3}, {dsu, 1}};
	uint16_t many[WP_DRV_CORE_EVENTS] = {0};
	wp_autostr struct wp_str request = {0};

	CHECK_OK(wp_drv_request_assign(2, WP_DRV_NOT_KERNEL, lists, &request));
	CHECK_U64(request.len, sizeof(want));
	CHECK(request.len == sizeof(want) && memcmp(request.s, want, sizeof(want)) == 0);
	CHECK_ERR(wp_drv_request_assign(128, 0, lists, &request), "core 128");
	lists[WP_DRV_CORE] = (struct wp_drv_list){many, 127};
	CHECK_OK(wp_drv_request_assign(0, 0, lists, &request));
	lists[WP_DRV_CORE].n = 128;
	CHECK_ERR(wp_drv_request_assign(0, 0, lists, &request), "128 > 127");
	lists[WP_DRV_CORE].n = 0;
	lists[WP_DRV_DSU] = (struct wp_drv_list){many, 32};
	CHECK_ERR(wp_drv_request_assign(0, 0, lists, &request), "too many dsu");
	lists[WP_DRV_DSU].n = 0;
	lists[WP_DRV_CLK] = lists[WP_DRV_DIV] = (struct wp_drv_list){many, 1};
	CHECK_ERR(wp_drv_request_assign(0, 0, lists, &request), "not counted together");
}

static void test_other_requests(void)
{
	struct wp_drv_sample_source sources[] = {{0x11, 1000, 1u << 31}, {WP_DRV_CYCLE, 7, 0}};
	const struct wp_drv_dmc_range range = {0x1000, 0x1fff};
	wp_autostr struct wp_str set = {0}, dmc = {0};
	struct wp_drv_dsu_ctl dsu;
	struct wp_drv_spe spe;

	CHECK_OK(wp_drv_request_sources(5, sources, 2, 1, &set));
	CHECK_U64(set.len, 4 + 2 * 12);
	CHECK_U64(wp_u32_at(set.s), 5);
	CHECK_U64(wp_u32_at(set.s + 4 + 12), WP_DRV_CYCLE);
	CHECK_ERR(wp_drv_request_sources(5, sources, 2, 0, &set), "free hardware PMU counters(0)");
	CHECK_ERR(wp_drv_request_sources(128, sources, 2, 1, &set), "core 128");
	CHECK_ERR(wp_drv_request_sources(0, sources, 0, 1, &set), "exceeds");
	sources[1].interval = 0;
	CHECK_ERR(wp_drv_request_sources(5, sources, 2, 1, &set), "interval of 0");
	CHECK_OK(wp_drv_request_dmc(&range, 1, &dmc));
	CHECK_U64(dmc.len, 24);
	CHECK(dmc.s[0] == 1 && wp_u64_at(dmc.s + 16) == 0x1fff);
	CHECK_ERR(wp_drv_request_dmc(&range, 255, &dmc), "255 memory controllers");
	CHECK_OK(wp_drv_request_dsu(2, 4, &dsu));
	CHECK(dsu.cluster_num == 2 && dsu.cluster_size == 4);
	CHECK_ERR(wp_drv_request_dsu(2, 0, &dsu), "clusters of 0");
	CHECK_OK(wp_drv_request_spe(3, 4096, 7, 2, &spe));
	CHECK(spe.cores.cores_count == 1 && spe.cores.cores_no[0] == 3 && spe.interval == 1024);
	CHECK_ERR(wp_drv_request_spe(300, 4096, 7, 2, &spe), "core 300");
}

static void test_version(void)
{
	struct wp_drv_version_info info = {3, 8, 0, 0, {0}, {0}};
	struct wp_drv_reply reply = {&info, sizeof(info)};
	struct wp_drv_version version;

	for (size_t i = 0; i < 32; i++)
		info.gitver[i] = i < 2 ? 0xe9 : i == 2 ? 0 : 'x'; /* behind the NUL: the client's */
	for (size_t i = 0; i < 128; i++)
		info.features[i] = 0xd83d; /* high surrogates, and no end */
	info.features[0] = 0x1b;
	info.features[2] = 0xde00; /* with the one before it a character */
	CHECK_OK(wp_drv_reply_version(reply, &version));
	CHECK_STR(version.gitver, "\xc3\xa9\xc3\xa9");
	CHECK(strncmp(version.features, "?\xf0\x9f\x98\x80\xef\xbf\xbd", 8) == 0);
	CHECK_U64(strlen(version.features), 1 + 4 + 125 * 3);
	CHECK_OK(wp_drv_version_check(&version));
	version.patch = 1;
	CHECK_ERR(wp_drv_version_check(&version), "version 3.8.1, and only 3.8.0");
	version = (struct wp_drv_version){4, 8, 0, "", ""};
	CHECK_ERR(wp_drv_version_check(&version), "version 4.8.0");
	reply.n--;
	CHECK_ERR(wp_drv_reply_version(reply, &version), "323 bytes, not 324");
}

static void test_hardware(void)
{
	struct wp_drv_hw_cfg cfg = {.fpc_num = 1, .gpc_num = 5, .total_gpc_num = 6, .core_num = 4};
	struct wp_drv_reply reply = {&cfg, sizeof(cfg)};
	struct wp_drv_hw_cfg got;

	cfg.counter_idx_map[3] = 200;
	CHECK_OK(wp_drv_reply_hw_cfg(reply, &got));
	CHECK(got.core_num == 4 && got.gpc_num == 5 && got.counter_idx_map[3] < 32);
	cfg.core_num = 60000;
	CHECK_OK(wp_drv_reply_hw_cfg(reply, &got));
	CHECK_U64(got.core_num, WP_DRV_CORES);
	cfg.core_num = 0;
	CHECK_ERR(wp_drv_reply_hw_cfg(reply, &got), "0 cores");
	cfg.core_num = 4;
	cfg.gpc_num = 7;
	CHECK_ERR(wp_drv_reply_hw_cfg(reply, &got), "7 of 6 counters");
	cfg.gpc_num = cfg.total_gpc_num = 32;
	CHECK_ERR(wp_drv_reply_hw_cfg(reply, &got), "32 of 32");
}

static void test_events(void)
{
	static const uint8_t blocks[] = {0, 0, 0, 0, 2, 0, 9, 9, 0x11, 0, 0x08, 0, /* core */
					 9, 0, 0, 0, 1, 0, 0, 0, 1,    1,	   /* no class */
					 1, 0, 0, 0, 1, 0, 0, 0, 0x2b, 0};
	struct wp_drv_numbers numbers[WP_DRV_CLASSES] = {0};
	size_t cut = 0;

	CHECK_OK(wp_drv_reply_events((struct wp_drv_reply){blocks, sizeof(blocks)}, numbers));
	CHECK_U64(numbers[WP_DRV_CORE].v.n, 2);
	CHECK_U64(numbers[WP_DRV_CORE].v.v[1], 8);
	CHECK_U64(numbers[WP_DRV_DSU].v.v[0], 0x2b);
	CHECK_U64(numbers[WP_DRV_CLK].v.n, 0);
	for (size_t n = 0; n < sizeof(blocks); n++) {
		struct wp_err *err = wp_drv_reply_events((struct wp_drv_reply){blocks, n}, numbers);

		cut += err != NULL;
		wp_err_free(err);
	}
	CHECK_U64(cut, sizeof(blocks) - 3); /* nothing, one block and two are whole */
	for (int class = 0; class < WP_DRV_CLASSES; class ++)
		wp_vec_deinit(&numbers[class].v);
}

static void test_counts(void)
{
	static const uint16_t events[] = {0x11, 0x1b};
	struct wp_drv_read read = {.evt_num = 3, .round = 9};
	struct wp_drv_reply reply = {&read, sizeof(read)};
	struct wp_drv_counted counted = {0};

	read.evts[0].event_idx = WP_DRV_CYCLE;
	read.evts[1].event_idx = 0x11;
	read.evts[2] = (struct wp_drv_value){.event_idx = 0x1b, .value = 77, .scheduled = 3};
	CHECK_OK(wp_drv_reply_core(reply, events, 2, &counted));
	CHECK_U64(counted.round, 9);
	CHECK_U64(counted.values.n, 3);
	CHECK_U64(counted.values.v[2].value, 77);
	CHECK_ERR(wp_drv_reply_core(reply, events, 1, &counted), "3 events where 2");
	read.evts[2].event_idx = 0x1c;
	CHECK_ERR(wp_drv_reply_core(reply, events, 2, &counted), "event 0x1c where 0x1b");
	read.evts[0].event_idx = 0;
	CHECK_ERR(wp_drv_reply_core(reply, events, 2, &counted), "event 0x0 where 0xffffffff");
	read.evt_num = 129;
	CHECK_ERR(wp_drv_reply_core(reply, events, 2, &counted), "129 entries");
	read.evt_num = UINT32_MAX;
	CHECK_ERR(wp_drv_reply_core(reply, events, 2, &counted), "4294967295 entries");
	reply.n = 4111;
	CHECK_ERR(wp_drv_reply_core(reply, events, 2, &counted), "4111 bytes, not 4112");
	wp_vec_deinit(&counted.values);
}

static void test_unit_counts(void)
{
	static const uint16_t events[] = {0x2b};
	struct wp_drv_read_dsu dsu = {.evt_num = 2, .round = 1};
	struct wp_drv_read_dmc dmc[2] = {{.div_num = 1}, {.div_num = 1}};
	struct wp_drv_reply reply = {&dsu, sizeof(dsu)}, both = {dmc, sizeof(dmc)};
	struct wp_drv_counted counted = {0};

	dsu.evts[0].event_idx = WP_DRV_CYCLE;
	dsu.evts[1].event_idx = dmc[1].div[0].event_idx = 0x2b;
	dmc[1].div[0].value = 5;
	CHECK_OK(wp_drv_reply_dsu(reply, events, 1, &counted));
	CHECK_U64(counted.values.n, 2);
	dsu.evt_num = 33;
	CHECK_ERR(wp_drv_reply_dsu(reply, events, 1, &counted), "33 entries");
	CHECK_OK(wp_drv_reply_dmc(both, 1, WP_DRV_DIV, events, 1, &counted));
	CHECK_U64(counted.values.v[0].value, 5);
	CHECK_ERR(wp_drv_reply_dmc(both, 0, WP_DRV_DIV, events, 1, &counted), "event 0x0");
	CHECK_ERR(wp_drv_reply_dmc(both, 2, WP_DRV_DIV, events, 1, &counted), "not 1176");
	dmc[1].clk_num = 5;
	CHECK_ERR(wp_drv_reply_dmc(both, 1, WP_DRV_CLK, events, 1, &counted), "at most 4");
	wp_vec_deinit(&counted.values);
}

static void test_small_replies(void)
{
	struct wp_drv_samples samples = {.size = 2}, got;
	struct wp_drv_sample_sum sum = {1, 2};
	const uint32_t words[2] = {1, 0}, strange[] = {9};
	const uint64_t size = 40960, large = 40961;
	struct wp_drv_dsu_cfg dsu;
	struct wp_drv_dmc_cfg dmc;
	enum wp_drv_status status;
	uint64_t bytes;

	CHECK_OK(wp_drv_reply_samples((struct wp_drv_reply){&samples, sizeof(samples)}, &got));
	samples.size = 129;
	CHECK_ERR(wp_drv_reply_samples((struct wp_drv_reply){&samples, sizeof(samples)}, &got),
		  "129 entries");
	CHECK_U64(got.size, 0);
	CHECK_OK(wp_drv_reply_sample_sum((struct wp_drv_reply){&sum, sizeof(sum)}, &sum));
	CHECK_ERR(wp_drv_reply_sample_sum((struct wp_drv_reply){&sum, 15}, &sum), "15 bytes");
	CHECK_OK(wp_drv_reply_status((struct wp_drv_reply){words, 4}, &status));
	CHECK(status == WP_DRV_BUSY);
	CHECK_OK(wp_drv_reply_status((struct wp_drv_reply){strange, 4}, &status));
	CHECK(status == WP_DRV_UNKNOWN);
	CHECK_ERR(wp_drv_reply_status((struct wp_drv_reply){words, 8}, &status), "8 bytes");
	CHECK_OK(wp_drv_reply_dsu_cfg((struct wp_drv_reply){words, 2}, &dsu));
	CHECK_OK(wp_drv_reply_dmc_cfg((struct wp_drv_reply){words, 4}, &dmc));
	CHECK_OK(wp_drv_reply_spe_size((struct wp_drv_reply){&size, 8}, &bytes));
	CHECK_ERR(wp_drv_reply_spe_size((struct wp_drv_reply){&large, 8}, &bytes), "40961 bytes");
}

int main(void)
{
	RUN(test_control);
	RUN(test_assign);
	RUN(test_other_requests);
	RUN(test_version);
	RUN(test_hardware);
	RUN(test_events);
	RUN(test_counts);
	RUN(test_unit_counts);
	RUN(test_small_replies);
	return check_done();
}
