/* SPDX-License-Identifier: BSD-3-Clause */
/* WindowsPerf's driver, as a model of it in process: locked, robbed, of another version, broken. */
#include "check.h"

#include "drv_model.h"
#include "source/wperfdrv/drv.h"

static void test_open(void)
{
	struct drv_model model;
	struct wp_drv *drv = NULL;

	drv_model_init(&model, 4, 6);
	CHECK_OK(wp_drv_open(drv_model_open(&model), false, &drv));
	CHECK(model.owner == drv->door);
	CHECK(drv->hw.core_num == 4 && drv->hw.gpc_num == 6 && drv->hw.midr_value == 0x413fd0c1);
	CHECK_STR(drv->version.gitver, "0123abcd");
	CHECK_STR(drv->version.features, "+trace");
	CHECK_U64(drv->events[WP_DRV_CORE].v.n, 463);
	CHECK_U64(model.asked[WP_DRV_STOP], 1); /* what a dead owner has left */
	wp_drv_close(drv);
	CHECK(!model.owner);
	CHECK_U64(model.asked[WP_DRV_STOP], 1); /* nothing ran */
}

static void test_lock(void)
{
	struct drv_model model;
	struct wp_drv *first = NULL, *second = NULL;
	struct wp_cpuset cores = {0};
	struct wp_drv_scope scope = {&cores, WP_DRV_OF_CORE, 100};

	wp_cpuset_add(&cores, 0);
	drv_model_init(&model, 1, 6);
	CHECK_OK(wp_drv_open(drv_model_open(&model), false, &first));
	CHECK_OK(wp_drv_start(first, &scope));
	CHECK_ERR(wp_drv_open(drv_model_open(&model), false, &second),
		  "another program has the wperf driver: let it end, or take the driver away with "
		  "--force-lock");
	CHECK(model.of[0].runs && model.owner == first->door);
	CHECK_OK(wp_drv_open(drv_model_open(&model), true, &second));
	CHECK(!model.of[0].runs && model.owner == second->door);
	CHECK_ERR(wp_drv_stop(first, &scope), "another program took the wperf driver away");
	wp_drv_close(first); /* gives nothing back that is not its */
	CHECK(model.owner == second->door);
	CHECK_OK(wp_drv_start(second, &scope));
	wp_drv_close(second);
	CHECK(!model.owner && !model.of[0].runs);
	wp_cpuset_deinit(&cores);
}

/* What a lock answers, an error or a short answer of each request at the opening. */
static void test_refusals(void)
{
	static const enum wp_drv_request asked[] = {WP_DRV_LOCK_ACQUIRE, WP_DRV_QUERY_VERSION,
						    WP_DRV_QUERY_HW_CFG, WP_DRV_QUERY_SUPP_EVENTS,
						    WP_DRV_STOP};
	struct drv_model model;
	struct wp_drv *drv = NULL;

	drv_model_init(&model, 1, 6);
	model.status = WP_DRV_NO_RESOURCES;
	CHECK_ERR(wp_drv_open(drv_model_open(&model), false, &drv), "has no counters");
	model.status = WP_DRV_UNKNOWN;
	CHECK_ERR(wp_drv_open(drv_model_open(&model), false, &drv), "status 4");
	model.status = WP_DRV_IDLE + 99;
	CHECK_ERR(wp_drv_open(drv_model_open(&model), true, &drv), "does not lock");
	for (size_t i = 0; i < WP_ARRAY_LEN(asked); i++) {
		drv_model_init(&model, 1, 6);
		model.error[asked[i]] = WP_DRV_WRONG_PARAMETER;
		CHECK_ERR(wp_drv_open(drv_model_open(&model), false, &drv), "error 87 of Windows");
		CHECK(!model.owner);
		drv_model_init(&model, 1, 6);
		model.shortened[asked[i]] = true;
		if (asked[i] != WP_DRV_STOP) /* which has no answer */
			CHECK_ERR(wp_drv_open(drv_model_open(&model), false, &drv), "driver");
	}
	CHECK(!drv);
}

static void test_unknown_version(void)
{
	struct drv_model model;
	struct wp_drv *drv = NULL;

	drv_model_init(&model, 1, 6);
	model.version[1] = 9;
	CHECK_ERR(wp_drv_open(drv_model_open(&model), false, &drv), "version 3.9.0");
	CHECK(!model.owner);
	CHECK_U64(model.asked[WP_DRV_QUERY_HW_CFG] + model.asked[WP_DRV_STOP], 0);
}

/* 128 cores are asked in two turns. */
static void test_many_cores(void)
{
	struct drv_model model;
	struct wp_drv *drv = NULL;
	struct wp_cpuset cores = {0};
	struct wp_drv_scope scope = {&cores, WP_DRV_OF_CORE, 10};

	for (uint32_t core = 0; core < WP_DRV_CORES; core++)
		wp_cpuset_add(&cores, core);
	drv_model_init(&model, WP_DRV_CORES, 6);
	CHECK_OK(wp_drv_open(drv_model_open(&model), false, &drv));
	CHECK_OK(wp_drv_start(drv, &scope));
	CHECK_U64(model.asked[WP_DRV_START], 2);
	CHECK(model.of[0].runs && model.of[127].runs && model.period_ms == 10);
	wp_drv_close(drv);
	CHECK(!model.of[127].runs);
	wp_cpuset_deinit(&cores);
}

int main(void)
{
	RUN(test_open);
	RUN(test_lock);
	RUN(test_refusals);
	RUN(test_unknown_version);
	RUN(test_many_cores);
	return check_done();
}
