/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * drv_model: WindowsPerf's driver in process, as far as `stat` asks it: locks, version, hardware,
 * lists of events, counting with turns. It does what is known of the published driver, with its
 * order of checks and its errors, and its pitfalls: the last part of a period is lost, RESET leaves
 * the row that was last, what is behind a text is what the client sent.
 *
 * Time is what drv_model_advance() says, so that counts are known: in each millisecond core C
 * counts 1000 * (C + 1) cycles, and N + C + 1 events number N; twice as many with the kernel's.
 * Requests of DSU, DMC and sampling are not in it.
 */
#ifndef DRV_MODEL_H
#define DRV_MODEL_H

#include "source/wperfdrv/drv_door.h"

#include <stdbool.h>

struct drv_model_core {
	uint16_t events[WP_DRV_CORE_EVENTS];
	uint32_t n, row; /* row: the first event that is on a counter */
	bool runs;
	uint32_t waits_ms; /* until the timer */
	uint64_t filter_bits, round;
	uint64_t value[WP_DRV_CORE_EVENTS], scheduled[WP_DRV_CORE_EVENTS];
};

struct drv_model {
	uint32_t cores, counters; /* counters: free ones */
	uint8_t version[3];
	uint32_t period_ms;
	const void *owner; /* NULL: nobody */
	struct drv_model_core of[WP_DRV_CORES];
	uint32_t asked[WP_DRV_REQUESTS]; /* how often */

	/* Faults. */
	uint32_t status;		 /* that a lock answers instead of its own; 0: its own */
	uint32_t error[WP_DRV_REQUESTS]; /* that a request fails with */
	bool shortened[WP_DRV_REQUESTS]; /* its answer is a byte short */
	bool robbed[WP_DRV_REQUESTS];	 /* behind it another program takes the driver */
	bool garbled;			 /* numbers of what was counted are others' */
	uint32_t ticks;			 /* periods that go by before a STOP; 0: time is advanced */
	bool clock; /* time is that of the system's clock; now_ms: what it was */
	uint64_t now_ms;
};

void drv_model_init(struct drv_model *model, uint32_t cores, uint32_t counters);
/* One more handle of the device; closing it leaves the lock and the timers as they are. */
struct wp_drv_door *drv_model_open(struct drv_model *model);
void drv_model_advance(struct drv_model *model, uint32_t ms);
/* Somebody who is not one of the doors takes the driver. */
void drv_model_rob(struct drv_model *model);
/* "cores=4,counters=6,ticks=10,clock,version=3.9.0,busy,status=3,short=READ_COUNTING,lost=START,garbled":
 * false when it is none. */
bool drv_model_set(struct drv_model *model, const char *text);

#endif
