/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_source: counts of whole cores, by WindowsPerf's driver.
 *
 * Source stage: a source (core/source.h) for counting. The driver reads its counters once a period,
 * or every second one when nothing takes turns: what happened since is not in the counts, and
 * their times are of the periods that are.
 */
#ifndef WP_DRV_SOURCE_H
#define WP_DRV_SOURCE_H

#include "core/source.h"
#include "source/wperfdrv/drv.h"

/* The driver is borrowed until close. */
struct wp_err *wp_drv_source_open(struct wp_drv *drv, const struct wp_source_options *options,
				  struct wp_source **ret) WP_MUST_CHECK;

#endif
