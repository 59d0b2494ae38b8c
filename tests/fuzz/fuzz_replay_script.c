/* SPDX-License-Identifier: BSD-3-Clause */
/* Any bytes as a replay script: parsed or refused, never a fault. */
#include "format/replay/replay_script.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_replay_script script = {0};

	wp_err_free(wp_replay_script_parse((const char *)data, size, "fuzz", &script));
	wp_replay_script_deinit(&script);
	return 0;
}
