/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_request: what the driver is asked, as bytes; every byte of a request is given.
 *
 * Limits of the protocol are looked at here: what the driver would refuse without a reason, or
 * would take for an index behind its tables, is refused in words before it is sent.
 */
#ifndef WP_DRV_REQUEST_H
#define WP_DRV_REQUEST_H

#include "base/err.h"
#include "base/str.h"
#include "source/wperfdrv/drv_wire.h"

/* Numbers of one class, in the order that they are counted; borrowed. */
struct wp_drv_list {
	const uint16_t *events;
	size_t n;
};

/* START, STOP, RESET, READ_COUNTING, DSU_READ, DMC_READ, SAMPLE_START, _STOP: 1 to
 * WP_DRV_CORES_ONCE cores below WP_DRV_CORES. dmc: a controller or WP_DRV_ALL_DMC. */
struct wp_err *wp_drv_request_control(const uint32_t *cores, size_t n, uint32_t units,
				      uint32_t period_ms, uint8_t dmc,
				      struct wp_drv_control *ret) WP_MUST_CHECK;
/* ASSIGN_EVENTS of one core: appended to ret. */
struct wp_err *wp_drv_request_assign(uint32_t core, uint64_t filter_bits,
				     const struct wp_drv_list lists[WP_DRV_CLASSES],
				     struct wp_str *ret) WP_MUST_CHECK;
/* SAMPLE_SET_SRC: appended to ret. */
struct wp_err *wp_drv_request_sources(uint32_t core, const struct wp_drv_sample_source *sources,
				      size_t n, uint32_t free_counters,
				      struct wp_str *ret) WP_MUST_CHECK;
/* DMC_INIT: appended to ret. */
struct wp_err *wp_drv_request_dmc(const struct wp_drv_dmc_range *ranges, size_t n,
				  struct wp_str *ret) WP_MUST_CHECK;
/* DSU_INIT; a size of 0 would divide by it inside the kernel. */
struct wp_err *wp_drv_request_dsu(uint32_t clusters, uint32_t size,
				  struct wp_drv_dsu_ctl *ret) WP_MUST_CHECK;
/* SPE_START and its like, on one core. */
struct wp_err *wp_drv_request_spe(uint32_t core, uint64_t buffer_size, uint8_t operations,
				  uint64_t config_flags, struct wp_drv_spe *ret) WP_MUST_CHECK;

#endif
