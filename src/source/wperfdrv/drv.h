/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv: WindowsPerf's driver in our hands: locked, known by its version, asked in whole sentences.
 *
 * Source stage. One program at a time has it. Whoever dies with it leaves it locked, and its
 * counters running: a new owner stops them. What a request may cost is in docs/windows.md.
 */
#ifndef WP_DRV_H
#define WP_DRV_H

#include "core/cpuset.h"
#include "source/wperfdrv/drv_door.h"
#include "source/wperfdrv/drv_reply.h"
#include "source/wperfdrv/drv_request.h"

struct wp_drv {
	struct wp_drv_door *door; /* owned */
	bool locked, counts;	  /* ours; counters may run */
	struct wp_drv_version version;
	struct wp_drv_hw_cfg hw;
	struct wp_drv_numbers events[WP_DRV_CLASSES]; /* that it knows */
};

/* Takes the door, also when it fails. force: away from whoever has it. */
struct wp_err *wp_drv_open(struct wp_drv_door *door, bool force, struct wp_drv **ret) WP_MUST_CHECK;
/* Stops what runs and gives it back. NULL is nothing. */
void wp_drv_close(struct wp_drv *drv);

/* Fails when another program has taken it since. */
struct wp_err *wp_drv_check(struct wp_drv *drv) WP_MUST_CHECK;

/* Which cores' which units are meant, and how long a period is. */
struct wp_drv_scope {
	const struct wp_cpuset *cores;
	uint32_t units; /* enum wp_drv_units, or'ed */
	uint32_t period_ms;
};

struct wp_err *wp_drv_start(struct wp_drv *drv, const struct wp_drv_scope *scope) WP_MUST_CHECK;
struct wp_err *wp_drv_stop(struct wp_drv *drv, const struct wp_drv_scope *scope) WP_MUST_CHECK;
/* Counts begin at 0. */
struct wp_err *wp_drv_reset(struct wp_drv *drv, const struct wp_drv_scope *scope) WP_MUST_CHECK;
struct wp_err *wp_drv_assign(struct wp_drv *drv, uint32_t core, uint64_t filter_bits,
			     const struct wp_drv_list lists[WP_DRV_CLASSES]) WP_MUST_CHECK;
/* What a core has counted of n events that were assigned. */
struct wp_err *wp_drv_read_core(struct wp_drv *drv, uint32_t core, const struct wp_drv_list *list,
				struct wp_drv_counted *ret) WP_MUST_CHECK;

#endif
