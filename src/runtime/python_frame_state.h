/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_frame_state: what a version's generators and coroutines say that they do (gi_frame_state,
 * enum _framestate in Include/internal/pycore_frame.h).
 *
 * Runtime stage, private to python_*.c. The states lie in this order: created, suspended in some
 * ways, executing, ended in some ways.
 */
#ifndef WP_PYTHON_FRAME_STATE_H
#define WP_PYTHON_FRAME_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct wp_python_frame_states {
	bool known;
	int8_t created, executing;
};

/* version: as in struct wp_python_build. */
static inline struct wp_python_frame_states wp_python_frame_states(uint32_t version)
{
	uint32_t minor = version >> 16 & 0xff;

	if (minor >= 15)
		return (struct wp_python_frame_states){minor == 15, 0, 4};
	return (struct wp_python_frame_states){true, minor >= 13 ? -3 : -2, 0};
}

#endif
