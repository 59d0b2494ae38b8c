/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_wire: what crosses DeviceIoControl between a command line and WindowsPerf's driver 3.8.
 *
 * Source stage, of x64 and ARM64 alike: little endian, natural alignment with every gap named, no
 * pointers. What the driver answers is read through drv_reply.h only, which bounds it.
 */
#ifndef WP_DRV_WIRE_H
#define WP_DRV_WIRE_H

#include <stddef.h>
#include <stdint.h>

#define WP_DRV_CORES	   128 /* core numbers are less */
#define WP_DRV_CORES_ONCE  127 /* in one request */
#define WP_DRV_CORE_EVENTS 128 /* the cycle counter included, as in the next one */
#define WP_DRV_DSU_EVENTS  32
#define WP_DRV_CLK_EVENTS  4
#define WP_DRV_DIV_EVENTS  8
#define WP_DRV_FRAMES	   128
#define WP_DRV_COUNTERS	   32
#define WP_DRV_OUTPUT_MAX  40960u /* a larger buffer for the answer is refused */
#define WP_DRV_LIST_BYTES  4096	  /* of the answer to QUERY_SUPP_EVENTS */
#define WP_DRV_PERIOD	   100	  /* milliseconds; what is not in 10..this is this */
#define WP_DRV_PERIOD_MIN  10
#define WP_DRV_CYCLE	   UINT32_MAX /* event_idx of the cycle counter */
#define WP_DRV_PADDING	   0x1bu      /* instructions executed: counted where a row has no event */
#define WP_DRV_ALL_DMC	   0xff

/* Bits of the registers that choose an event: what is not counted. */
#define WP_DRV_NOT_KERNEL (1ull << 31)
#define WP_DRV_NOT_USER	  (1ull << 30)

/* The interface that the driver registers its device by. */
#define WP_DRV_INTERFACE "{F8047FDD-7083-4C2E-90EF-C0C73F1045FD}"

/* CTL_CODE(40004, function, METHOD_BUFFERED, FILE_READ_ACCESS | FILE_WRITE_ACCESS) */
#define WP_DRV_CODE(function) (40004u << 16 | 3u << 14 | (0x900u + (function)) << 2)

enum wp_drv_request {
	WP_DRV_START,
	WP_DRV_STOP,
	WP_DRV_RESET,
	WP_DRV_QUERY_HW_CFG,
	WP_DRV_QUERY_SUPP_EVENTS,
	WP_DRV_QUERY_VERSION,
	WP_DRV_ASSIGN_EVENTS,
	WP_DRV_READ_COUNTING,
	WP_DRV_DSU_INIT,
	WP_DRV_DSU_READ,
	WP_DRV_DMC_INIT,
	WP_DRV_DMC_READ,
	WP_DRV_SAMPLE_SET_SRC,
	WP_DRV_SAMPLE_START,
	WP_DRV_SAMPLE_STOP,
	WP_DRV_SAMPLE_GET,
	WP_DRV_LOCK_ACQUIRE,
	WP_DRV_LOCK_RELEASE,
	WP_DRV_SPE_INIT,
	WP_DRV_SPE_GET_SIZE,
	WP_DRV_SPE_GET_BUFFER,
	WP_DRV_SPE_START,
	WP_DRV_SPE_STOP,
	WP_DRV_REQUESTS
};
_Static_assert(WP_DRV_CODE(WP_DRV_START) == 0x9C44E400, "code");
_Static_assert(WP_DRV_CODE(WP_DRV_ASSIGN_EVENTS) == 0x9C44E418, "code");
_Static_assert(WP_DRV_CODE(WP_DRV_LOCK_ACQUIRE) == 0x9C44E440, "code");
_Static_assert(WP_DRV_CODE(WP_DRV_SPE_STOP) == 0x9C44E458, "code");

enum wp_drv_class { WP_DRV_CORE, WP_DRV_DSU, WP_DRV_CLK, WP_DRV_DIV, WP_DRV_CLASSES };

enum wp_drv_lock { WP_DRV_LOCK_GET, WP_DRV_LOCK_FORCE, WP_DRV_LOCK_GIVE };

enum wp_drv_status {
	WP_DRV_IDLE,
	WP_DRV_BUSY,
	WP_DRV_ACQUIRED,
	WP_DRV_NO_RESOURCES,
	WP_DRV_UNKNOWN,
};

/* Which units a request is for. */
enum wp_drv_units {
	WP_DRV_OF_CORE = 1,
	WP_DRV_OF_DSU = 2,
	WP_DRV_OF_DMC = 4,
	WP_DRV_OF_SPE = 8,
};

struct wp_drv_hw_cfg {
	uint8_t pmu_ver, fpc_num, gpc_num, total_gpc_num;
	uint8_t vendor_id, variant_id, arch_id, rev_id;
	uint16_t part_id, core_num;
	uint32_t gap;
	uint64_t midr_value, id_aa64dfr0_value;
	uint8_t counter_idx_map[WP_DRV_COUNTERS];
	uint16_t device_id_str[128];
	uint64_t pmbidr_el1_value, pmsidr_el1_value;
};

struct wp_drv_version_info {
	uint8_t major, minor, patch, gap;
	uint16_t gitver[32], features[128];
};

struct wp_drv_cores {
	uint64_t cores_count;
	uint8_t cores_no[WP_DRV_CORES];
};

struct wp_drv_control {
	struct wp_drv_cores cores;
	int32_t period;
	uint8_t dmc_idx, gap[3];
	uint32_t flags, gap2;
};

/* In front of evt_hdr blocks. */
struct wp_drv_assign {
	uint32_t core_idx;
	uint8_t dmc_idx, gap[3];
	uint64_t filter_bits;
};

/* In front of `num` numbers of 16 bits; the next block follows them at once. */
struct wp_drv_evt_hdr {
	uint32_t evt_class;
	uint16_t num, gap;
};

struct wp_drv_value {
	uint32_t event_idx, gap;
	uint64_t filter_bits, value, scheduled;
};

struct wp_drv_read {
	uint32_t evt_num, gap;
	uint64_t round;
	struct wp_drv_value evts[WP_DRV_CORE_EVENTS];
};

struct wp_drv_read_dsu {
	uint32_t evt_num, gap;
	uint64_t round;
	struct wp_drv_value evts[WP_DRV_DSU_EVENTS];
};

struct wp_drv_read_dmc {
	struct wp_drv_value clk[WP_DRV_CLK_EVENTS], div[WP_DRV_DIV_EVENTS];
	uint8_t clk_num, div_num, gap[6];
};

struct wp_drv_dsu_ctl {
	uint16_t cluster_num, cluster_size;
};

struct wp_drv_dsu_cfg {
	uint8_t fpc_num, gpc_num;
};

struct wp_drv_dmc_cfg {
	uint8_t clk_fpc_num, clk_gpc_num, div_fpc_num, div_gpc_num;
};

/* Registers of a memory controller: first and last byte. */
struct wp_drv_dmc_range {
	uint64_t first, last;
};

struct wp_drv_dmc_ctl {
	uint8_t dmc_num, gap[7];
	struct wp_drv_dmc_range ranges[];
};

struct wp_drv_sample_source {
	uint32_t event_src, interval, filter_bits;
};

struct wp_drv_sample_set {
	uint32_t core_idx;
	struct wp_drv_sample_source sources[];
};

struct wp_drv_frame {
	uint64_t lr, pc, ov_flags;
	uint32_t spe_event_idx, gap;
};

struct wp_drv_samples {
	uint32_t size, gap;
	struct wp_drv_frame frames[WP_DRV_FRAMES];
};

struct wp_drv_sample_sum {
	uint64_t generated, dropped;
};

struct wp_drv_spe {
	struct wp_drv_cores cores;
	uint64_t buffer_size;
	uint8_t operation_filter, gap[7];
	uint64_t event_filter, config_flags;
	uint32_t interval, gap2;
};

#define WP_DRV_SIZE(type, bytes) _Static_assert(sizeof(struct wp_drv_##type) == (bytes), #type)
#define WP_DRV_AT(type, member, at) \
	_Static_assert(offsetof(struct wp_drv_##type, member) == (at), #type "." #member)

WP_DRV_SIZE(hw_cfg, 336);
WP_DRV_AT(hw_cfg, pmu_ver, 0);
WP_DRV_AT(hw_cfg, fpc_num, 1);
WP_DRV_AT(hw_cfg, gpc_num, 2);
WP_DRV_AT(hw_cfg, total_gpc_num, 3);
WP_DRV_AT(hw_cfg, vendor_id, 4);
WP_DRV_AT(hw_cfg, variant_id, 5);
WP_DRV_AT(hw_cfg, arch_id, 6);
WP_DRV_AT(hw_cfg, rev_id, 7);
WP_DRV_AT(hw_cfg, part_id, 8);
WP_DRV_AT(hw_cfg, core_num, 10);
WP_DRV_AT(hw_cfg, midr_value, 16);
WP_DRV_AT(hw_cfg, id_aa64dfr0_value, 24);
WP_DRV_AT(hw_cfg, counter_idx_map, 32);
WP_DRV_AT(hw_cfg, device_id_str, 64);
WP_DRV_AT(hw_cfg, pmbidr_el1_value, 320);
WP_DRV_AT(hw_cfg, pmsidr_el1_value, 328);
WP_DRV_SIZE(version_info, 324);
WP_DRV_AT(version_info, major, 0);
WP_DRV_AT(version_info, minor, 1);
WP_DRV_AT(version_info, patch, 2);
WP_DRV_AT(version_info, gitver, 4);
WP_DRV_AT(version_info, features, 68);
WP_DRV_SIZE(cores, 136);
WP_DRV_AT(cores, cores_no, 8);
WP_DRV_SIZE(control, 152);
WP_DRV_AT(control, period, 136);
WP_DRV_AT(control, dmc_idx, 140);
WP_DRV_AT(control, flags, 144);
WP_DRV_SIZE(assign, 16);
WP_DRV_AT(assign, dmc_idx, 4);
WP_DRV_AT(assign, filter_bits, 8);
WP_DRV_SIZE(evt_hdr, 8);
WP_DRV_AT(evt_hdr, num, 4);
WP_DRV_SIZE(value, 32);
WP_DRV_AT(value, filter_bits, 8);
WP_DRV_AT(value, value, 16);
WP_DRV_AT(value, scheduled, 24);
WP_DRV_SIZE(read, 4112);
WP_DRV_AT(read, round, 8);
WP_DRV_AT(read, evts, 16);
WP_DRV_SIZE(read_dsu, 1040);
WP_DRV_AT(read_dsu, round, 8);
WP_DRV_AT(read_dsu, evts, 16);
WP_DRV_SIZE(read_dmc, 392);
WP_DRV_AT(read_dmc, div, 128);
WP_DRV_AT(read_dmc, clk_num, 384);
WP_DRV_AT(read_dmc, div_num, 385);
WP_DRV_SIZE(dsu_ctl, 4);
WP_DRV_AT(dsu_ctl, cluster_size, 2);
WP_DRV_SIZE(dsu_cfg, 2);
WP_DRV_AT(dsu_cfg, gpc_num, 1);
WP_DRV_SIZE(dmc_cfg, 4);
WP_DRV_AT(dmc_cfg, clk_gpc_num, 1);
WP_DRV_AT(dmc_cfg, div_fpc_num, 2);
WP_DRV_AT(dmc_cfg, div_gpc_num, 3);
WP_DRV_SIZE(dmc_range, 16);
WP_DRV_SIZE(dmc_ctl, 8);
WP_DRV_AT(dmc_ctl, ranges, 8);
WP_DRV_SIZE(sample_source, 12);
WP_DRV_AT(sample_source, interval, 4);
WP_DRV_AT(sample_source, filter_bits, 8);
WP_DRV_SIZE(sample_set, 4);
WP_DRV_AT(sample_set, sources, 4);
WP_DRV_SIZE(frame, 32);
WP_DRV_AT(frame, pc, 8);
WP_DRV_AT(frame, ov_flags, 16);
WP_DRV_AT(frame, spe_event_idx, 24);
WP_DRV_SIZE(samples, 4104);
WP_DRV_AT(samples, frames, 8);
WP_DRV_SIZE(sample_sum, 16);
WP_DRV_AT(sample_sum, dropped, 8);
WP_DRV_SIZE(spe, 176);
WP_DRV_AT(spe, buffer_size, 136);
WP_DRV_AT(spe, operation_filter, 144);
WP_DRV_AT(spe, event_filter, 152);
WP_DRV_AT(spe, config_flags, 160);
WP_DRV_AT(spe, interval, 168);

#endif
