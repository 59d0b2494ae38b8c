/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_reply: see drv_reply.h. */
#include "source/wperfdrv/drv_reply.h"

#include "base/bytes.h"
#include "base/utf8.h"

#include <string.h>

/* Drivers whose protocol is the one of drv_wire.h. */
static const struct {
	uint8_t major, minor, patch;
} known_versions[] = {{3, 8, 0}};

static struct wp_err *refuse_length(const char *what, size_t n, size_t want)
{
	return wp_err_new(WP_ERR_FORMAT,
			  "the wperf driver answered %s with %zu bytes, not %zu: it is another "
			  "driver, or broken",
			  what, n, want);
}

static struct wp_err *refuse_count(const char *what, size_t n, size_t most)
{
	return wp_err_new(WP_ERR_FORMAT,
			  "the wperf driver answered %s with %zu entries, where at most %zu fit: "
			  "it is another driver, or broken",
			  what, n, most);
}

/* Copies an answer that always has the same length. */
static struct wp_err *take_whole(struct wp_drv_reply reply, const char *what, void *ret,
				 size_t want)
{
	if (reply.n != want)
		return refuse_length(what, reply.n, want);
	memcpy(ret, reply.bytes, want);
	return NULL;
}

/* The next character of UTF-16; what is no pair of surrogates is U+FFFD. Returns units taken. */
static size_t take_character(const uint16_t *units, size_t n, uint32_t *ret)
{
	bool high = units[0] >= 0xd800 && units[0] < 0xdc00;

	*ret = units[0];
	if (units[0] < 0xd800 || units[0] > 0xdfff)
		return 1;
	if (high && n > 1 && units[1] >= 0xdc00 && units[1] < 0xe000) {
		*ret = 0x10000 + ((uint32_t)(units[0] - 0xd800) << 10) + (units[1] - 0xdc00u);
		return 2;
	}
	*ret = 0xfffd;
	return 1;
}

/* Up to the NUL or the field's end: what is behind is what the driver was sent. */
static void take_wide_text(const uint16_t *units, size_t n, char *ret)
{
	uint32_t character;

	for (size_t i = 0; i < n && units[i];) {
		i += take_character(units + i, n - i, &character);
		ret += wp_utf8_put(ret, character);
	}
	*ret = '\0';
}

struct wp_err *wp_drv_reply_version(struct wp_drv_reply reply, struct wp_drv_version *ret)
{
	struct wp_drv_version_info info;

	TRY(take_whole(reply, "QUERY_VERSION", &info, sizeof(info)));
	*ret = (struct wp_drv_version){info.major, info.minor, info.patch, "", ""};
	take_wide_text(info.gitver, WP_ARRAY_LEN(info.gitver), ret->gitver);
	take_wide_text(info.features, WP_ARRAY_LEN(info.features), ret->features);
	wp_utf8_hide_controls(ret->gitver, "");
	wp_utf8_hide_controls(ret->features, "");
	return NULL;
}

struct wp_err *wp_drv_version_check(const struct wp_drv_version *version)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(known_versions); i++)
		if (version->major == known_versions[i].major &&
		    version->minor == known_versions[i].minor &&
		    version->patch == known_versions[i].patch)
			return NULL;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "the wperf driver is version %u.%u.%u, and only %u.%u.%u is known here: "
			  "install that one",
			  version->major, version->minor, version->patch, known_versions[0].major,
			  known_versions[0].minor, known_versions[0].patch);
}

struct wp_err *wp_drv_reply_hw_cfg(struct wp_drv_reply reply, struct wp_drv_hw_cfg *ret)
{
	struct wp_drv_hw_cfg cfg;

	TRY(take_whole(reply, "QUERY_HW_CFG", &cfg, sizeof(cfg)));
	if (!cfg.core_num || cfg.gpc_num >= WP_DRV_COUNTERS ||
	    cfg.total_gpc_num >= WP_DRV_COUNTERS || cfg.gpc_num > cfg.total_gpc_num ||
	    cfg.fpc_num > 1)
		return wp_err_new(WP_ERR_FORMAT,
				  "the wperf driver tells of %u cores with %u of %u counters: it "
				  "is another driver, or broken",
				  cfg.core_num, cfg.gpc_num, cfg.total_gpc_num);
	if (cfg.core_num > WP_DRV_CORES) /* it knows no others */
		cfg.core_num = WP_DRV_CORES;
	for (size_t i = 0; i < WP_DRV_COUNTERS; i++)
		cfg.counter_idx_map[i] %= WP_DRV_COUNTERS;
	*ret = cfg;
	return NULL;
}

struct wp_err *wp_drv_reply_events(struct wp_drv_reply reply,
				   struct wp_drv_numbers ret[WP_DRV_CLASSES])
{
	struct wp_bytes b = wp_bytes_of(reply.bytes, reply.n);

	while (wp_bytes_left(&b)) {
		uint32_t class = wp_bytes_u32(&b);
		uint16_t num = wp_bytes_u16(&b);

		wp_bytes_skip(&b, 2);
		struct wp_bytes numbers = wp_bytes_sub(&b, 2ull * num);
		if (b.failed)
			break;
		while (class < WP_DRV_CLASSES && wp_bytes_left(&numbers))
			wp_vec_push(&ret[class].v, wp_bytes_u16(&numbers));
	}
	if (b.failed)
		return wp_err_new(WP_ERR_FORMAT, "the wperf driver's list of events is cut off");
	return NULL;
}

/* Each value is of the event that was assigned in its place. */
static struct wp_err *take_values(const struct wp_drv_value *values, size_t n_values,
				  bool has_cycle, const uint16_t *events, size_t n,
				  struct wp_drv_counted *ret)
{
	if (n_values != n + has_cycle)
		return wp_err_new(WP_ERR_FORMAT,
				  "the wperf driver counted %zu events where %zu were asked for: "
				  "another program has changed them",
				  n_values, n + has_cycle);
	for (size_t i = 0; i < n_values; i++) {
		bool cycle = has_cycle && i == 0;
		uint32_t want = cycle ? WP_DRV_CYCLE : events[i - has_cycle];

		if (values[i].event_idx != want)
			return wp_err_new(WP_ERR_FORMAT,
					  "the wperf driver counted event 0x%x where 0x%x was "
					  "asked for: another program has changed it",
					  values[i].event_idx, want);
		wp_vec_push(&ret->values, values[i]);
	}
	return NULL;
}

static void empty_counted(struct wp_drv_counted *counted, uint64_t round)
{
	counted->values.n = 0;
	counted->round = round;
}

struct wp_err *wp_drv_reply_core(struct wp_drv_reply reply, const uint16_t *events, size_t n,
				 struct wp_drv_counted *ret)
{
	struct wp_drv_read read;

	TRY(take_whole(reply, "READ_COUNTING", &read, sizeof(read)));
	empty_counted(ret, read.round);
	if (read.evt_num > WP_DRV_CORE_EVENTS)
		return refuse_count("READ_COUNTING", read.evt_num, WP_DRV_CORE_EVENTS);
	return take_values(read.evts, read.evt_num, true, events, n, ret);
}

struct wp_err *wp_drv_reply_dsu(struct wp_drv_reply reply, const uint16_t *events, size_t n,
				struct wp_drv_counted *ret)
{
	struct wp_drv_read_dsu read;

	TRY(take_whole(reply, "DSU_READ", &read, sizeof(read)));
	empty_counted(ret, read.round);
	if (read.evt_num > WP_DRV_DSU_EVENTS)
		return refuse_count("DSU_READ", read.evt_num, WP_DRV_DSU_EVENTS);
	return take_values(read.evts, read.evt_num, true, events, n, ret);
}

struct wp_err *wp_drv_reply_dmc(struct wp_drv_reply reply, size_t dmc, enum wp_drv_class class,
				const uint16_t *events, size_t n, struct wp_drv_counted *ret)
{
	struct wp_drv_read_dmc read;
	bool clk = class == WP_DRV_CLK;

	if (reply.n % sizeof(read) || reply.n / sizeof(read) <= dmc)
		return refuse_length("DMC_READ", reply.n, (dmc + 1) * sizeof(read));
	memcpy(&read, (const uint8_t *)reply.bytes + dmc * sizeof(read), sizeof(read));
	empty_counted(ret, 0);
	if (read.clk_num > WP_DRV_CLK_EVENTS || read.div_num > WP_DRV_DIV_EVENTS)
		return refuse_count("DMC_READ", clk ? read.clk_num : read.div_num,
				    clk ? WP_DRV_CLK_EVENTS : WP_DRV_DIV_EVENTS);
	return take_values(clk ? read.clk : read.div, clk ? read.clk_num : read.div_num, false,
			   events, n, ret);
}

struct wp_err *wp_drv_reply_status(struct wp_drv_reply reply, enum wp_drv_status *ret)
{
	uint32_t status = WP_DRV_UNKNOWN;

	TRY(take_whole(reply, "a lock request", &status, sizeof(status)));
	*ret = status <= WP_DRV_UNKNOWN ? (enum wp_drv_status)status : WP_DRV_UNKNOWN;
	return NULL;
}

struct wp_err *wp_drv_reply_dsu_cfg(struct wp_drv_reply reply, struct wp_drv_dsu_cfg *ret)
{
	return take_whole(reply, "DSU_INIT", ret, sizeof(*ret));
}

struct wp_err *wp_drv_reply_dmc_cfg(struct wp_drv_reply reply, struct wp_drv_dmc_cfg *ret)
{
	return take_whole(reply, "DMC_INIT", ret, sizeof(*ret));
}

struct wp_err *wp_drv_reply_samples(struct wp_drv_reply reply, struct wp_drv_samples *ret)
{
	TRY(take_whole(reply, "SAMPLE_GET", ret, sizeof(*ret)));
	if (ret->size > WP_DRV_FRAMES) {
		size_t size = ret->size;

		ret->size = 0;
		return refuse_count("SAMPLE_GET", size, WP_DRV_FRAMES);
	}
	return NULL;
}

struct wp_err *wp_drv_reply_sample_sum(struct wp_drv_reply reply, struct wp_drv_sample_sum *ret)
{
	return take_whole(reply, "SAMPLE_STOP", ret, sizeof(*ret));
}

struct wp_err *wp_drv_reply_spe_size(struct wp_drv_reply reply, uint64_t *ret)
{
	TRY(take_whole(reply, "SPE_GET_SIZE", ret, sizeof(*ret)));
	if (*ret <= WP_DRV_OUTPUT_MAX)
		return NULL;
	return wp_err_new(WP_ERR_LIMIT,
			  "the wperf driver has %llu bytes of SPE, more than the %u that it gives "
			  "at once",
			  (unsigned long long)*ret, WP_DRV_OUTPUT_MAX);
}
