/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_door_model: the model of the driver in the place of the device (drv_door.h), for
 * wperf_drvfake: wperf as on Windows, with what WPERF_DRVFAKE says (drv_model.h). */
#include "drv_model.h"

#include <stdlib.h>

struct wp_err *wp_drv_door_open(struct wp_drv_door **ret)
{
	static struct drv_model model;
	const char *text = getenv("WPERF_DRVFAKE");

	drv_model_init(&model, 2, 6);
	if (!drv_model_set(&model, text ? text : ""))
		return wp_err_new(WP_ERR_USAGE, "WPERF_DRVFAKE=%s: see tests/drvfake/drv_model.h",
				  text);
	*ret = drv_model_open(&model);
	return NULL;
}
