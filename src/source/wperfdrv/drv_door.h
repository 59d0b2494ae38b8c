/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_door: the device of WindowsPerf's driver: opened, asked, closed.
 *
 * Source stage. On Windows it is the first interface that the driver has registered
 * (drv_door_win.c). In tests a model of the driver stands behind it (tests/drvfake/), where
 * requests, answers and errors are the driver's, too.
 */
#ifndef WP_DRV_DOOR_H
#define WP_DRV_DOOR_H

#include "base/err.h"
#include "source/wperfdrv/drv_wire.h"

/* What GetLastError() says of a request that failed. */
enum wp_drv_error {
	WP_DRV_OK = 0,
	WP_DRV_NOT_OWNER = 22, /* or the device is being removed */
	WP_DRV_WRONG_PARAMETER = 87,
	WP_DRV_TOO_SMALL = 122,
	WP_DRV_TOO_LARGE = 234,
	WP_DRV_EMPTY = 1106,
	WP_DRV_SHORT = 1450, /* as WP_DRV_TOO_SMALL, of locks and SPE */
};

struct wp_drv_door;

struct wp_drv_door_ops {
	/* 0, with how many bytes were answered, or an error: that of Windows, as above. */
	uint32_t (*ask)(struct wp_drv_door *door, uint32_t code, const void *in, size_t n_in,
			void *out, size_t n_out, size_t *ret);
	void (*close)(struct wp_drv_door *door);
};

/* The first member of every door's own struct. */
struct wp_drv_door {
	const struct wp_drv_door_ops *ops;
};

/* The driver of this machine; there is one on Windows only. */
struct wp_err *wp_drv_door_open(struct wp_drv_door **ret) WP_MUST_CHECK;

#endif
