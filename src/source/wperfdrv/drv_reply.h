/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_reply: the driver's answers, bounded: bytes in, structs out, or one clear line.
 *
 * An answer is hostile: it has the length that it should have, its counts fit, its numbers are
 * ours. Text comes out as UTF-8 without control characters.
 */
#ifndef WP_DRV_REPLY_H
#define WP_DRV_REPLY_H

#include "base/err.h"
#include "base/vec.h"
#include "source/wperfdrv/drv_wire.h"

#include <stdbool.h>

/* Bytes that came as an answer; borrowed. */
struct wp_drv_reply {
	const void *bytes;
	size_t n;
};

/* Its texts, each at most as long as its field, in UTF-8. */
struct wp_drv_version {
	uint8_t major, minor, patch;
	char gitver[4 * 32 + 1], features[4 * 128 + 1];
};

struct wp_drv_numbers {
	WP_VEC(uint16_t) v;
};

/* What a unit counted: `events` as they were assigned, behind the cycle counter of core and DSU. */
struct wp_drv_counted {
	uint64_t round; /* periods that went by */
	WP_VEC(struct wp_drv_value) values;
};

struct wp_err *wp_drv_reply_version(struct wp_drv_reply reply,
				    struct wp_drv_version *ret) WP_MUST_CHECK;
/* Refuses versions whose protocol is not known. */
struct wp_err *wp_drv_version_check(const struct wp_drv_version *version) WP_MUST_CHECK;
/* Cores, counters and the map of these are within their bounds. */
struct wp_err *wp_drv_reply_hw_cfg(struct wp_drv_reply reply,
				   struct wp_drv_hw_cfg *ret) WP_MUST_CHECK;
/* What the units count, by class; classes that are not known are left out. The caller frees each
 * with wp_vec_deinit(), also after a failure. */
struct wp_err *wp_drv_reply_events(struct wp_drv_reply reply,
				   struct wp_drv_numbers ret[WP_DRV_CLASSES]) WP_MUST_CHECK;
/* The values of n events that were assigned in that order; others are refused: somebody else has
 * assigned them. ret is emptied before; the caller frees values. */
struct wp_err *wp_drv_reply_core(struct wp_drv_reply reply, const uint16_t *events, size_t n,
				 struct wp_drv_counted *ret) WP_MUST_CHECK;
struct wp_err *wp_drv_reply_dsu(struct wp_drv_reply reply, const uint16_t *events, size_t n,
				struct wp_drv_counted *ret) WP_MUST_CHECK;
/* Of the given controller out of as many as there are; events of one clock. */
struct wp_err *wp_drv_reply_dmc(struct wp_drv_reply reply, size_t dmc, enum wp_drv_class class,
				const uint16_t *events, size_t n,
				struct wp_drv_counted *ret) WP_MUST_CHECK;
/* One of enum wp_drv_status. */
struct wp_err *wp_drv_reply_status(struct wp_drv_reply reply,
				   enum wp_drv_status *ret) WP_MUST_CHECK;
struct wp_err *wp_drv_reply_dsu_cfg(struct wp_drv_reply reply,
				    struct wp_drv_dsu_cfg *ret) WP_MUST_CHECK;
struct wp_err *wp_drv_reply_dmc_cfg(struct wp_drv_reply reply,
				    struct wp_drv_dmc_cfg *ret) WP_MUST_CHECK;
/* Only the frames that are filled are of interest: `size` of them. */
struct wp_err *wp_drv_reply_samples(struct wp_drv_reply reply,
				    struct wp_drv_samples *ret) WP_MUST_CHECK;
struct wp_err *wp_drv_reply_sample_sum(struct wp_drv_reply reply,
				       struct wp_drv_sample_sum *ret) WP_MUST_CHECK;
/* Bytes that SPE has written; more than can be fetched is refused. */
struct wp_err *wp_drv_reply_spe_size(struct wp_drv_reply reply, uint64_t *ret) WP_MUST_CHECK;

#endif
