/* SPDX-License-Identifier: BSD-3-Clause */
/* drv: see drv.h. */
#include "source/wperfdrv/drv.h"

#include <string.h>

static const char *const request_names[WP_DRV_REQUESTS] = {
	[WP_DRV_START] = "START",
	[WP_DRV_STOP] = "STOP",
	[WP_DRV_RESET] = "RESET",
	[WP_DRV_QUERY_HW_CFG] = "QUERY_HW_CFG",
	[WP_DRV_QUERY_SUPP_EVENTS] = "QUERY_SUPP_EVENTS",
	[WP_DRV_QUERY_VERSION] = "QUERY_VERSION",
	[WP_DRV_ASSIGN_EVENTS] = "ASSIGN_EVENTS",
	[WP_DRV_READ_COUNTING] = "READ_COUNTING",
	[WP_DRV_LOCK_ACQUIRE] = "LOCK_ACQUIRE",
	[WP_DRV_LOCK_RELEASE] = "LOCK_RELEASE",
};

static struct wp_err *refuse_request(enum wp_drv_request request, uint32_t error)
{
	if (error == WP_DRV_NOT_OWNER)
		return wp_err_new(WP_ERR_OTHER,
				  "another program took the wperf driver away (--force-lock): what "
				  "was counted is lost");
	return wp_err_new(WP_ERR_OS, "the wperf driver refuses %s: error %u of Windows",
			  request_names[request], error);
}

/* An answer's buffer always has the full size: the driver writes before it looks. */
static struct wp_err *ask_driver(struct wp_drv *drv, enum wp_drv_request request, const void *in,
				 size_t n_in, void *out, size_t n_out, struct wp_drv_reply *ret)
{
	size_t n = 0;
	uint32_t error =
		drv->door->ops->ask(drv->door, WP_DRV_CODE(request), in, n_in, out, n_out, &n);

	if (error)
		return refuse_request(request, error);
	*ret = (struct wp_drv_reply){out, n < n_out ? n : n_out};
	return NULL;
}

static struct wp_err *lock_driver(struct wp_drv *drv, bool force)
{
	const uint32_t flag = force ? WP_DRV_LOCK_FORCE : WP_DRV_LOCK_GET;
	enum wp_drv_status status;
	struct wp_drv_reply reply;
	uint32_t answer = 0;

	TRY(ask_driver(drv, WP_DRV_LOCK_ACQUIRE, &flag, sizeof(flag), &answer, sizeof(answer),
		       &reply));
	TRY(wp_drv_reply_status(reply, &status));
	drv->locked = status == WP_DRV_ACQUIRED;
	switch (status) {
	case WP_DRV_ACQUIRED: return NULL;
	case WP_DRV_BUSY:
		return wp_err_new(WP_ERR_OTHER,
				  "another program has the wperf driver: let it end, or take the "
				  "driver away with --force-lock");
	case WP_DRV_NO_RESOURCES:
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "the wperf driver has no counters: Windows, a hypervisor or "
				  "another profiler has them all");
	default:
		return wp_err_new(WP_ERR_OTHER, "the wperf driver does not lock: status %u",
				  (unsigned int)status);
	}
}

static void unlock_driver(struct wp_drv *drv)
{
	const uint32_t flag = WP_DRV_LOCK_GIVE;
	struct wp_drv_reply reply;
	uint32_t answer = 0;

	if (drv->locked) /* or has been taken away: there is nothing to be done about it */
		wp_err_free(ask_driver(drv, WP_DRV_LOCK_RELEASE, &flag, sizeof(flag), &answer,
				       sizeof(answer), &reply));
	drv->locked = false;
}

static struct wp_err *query_version(struct wp_drv *drv)
{
	struct wp_drv_version_info ours = {.major = 3, .minor = 8}, theirs = {0};
	struct wp_drv_reply reply;

	TRY(ask_driver(drv, WP_DRV_QUERY_VERSION, &ours, sizeof(ours), &theirs, sizeof(theirs),
		       &reply));
	TRY(wp_drv_reply_version(reply, &drv->version));
	return wp_drv_version_check(&drv->version);
}

static struct wp_err *query_counters(struct wp_drv *drv, struct wp_drv_hw_cfg *ret)
{
	const uint32_t action = 0;
	struct wp_drv_hw_cfg hw = {0};
	struct wp_drv_reply reply;

	TRY(ask_driver(drv, WP_DRV_QUERY_HW_CFG, &action, sizeof(action), &hw, sizeof(hw), &reply));
	return wp_drv_reply_hw_cfg(reply, ret);
}

static struct wp_err *query_hardware(struct wp_drv *drv)
{
	const uint32_t action = 0;
	uint8_t list[WP_DRV_LIST_BYTES] = {0};
	struct wp_drv_reply reply;

	TRY(query_counters(drv, &drv->hw));
	TRY(ask_driver(drv, WP_DRV_QUERY_SUPP_EVENTS, &action, sizeof(action), list, sizeof(list),
		       &reply));
	return wp_drv_reply_events(reply, drv->events);
}

/* START, STOP or RESET of all cores, so many at a time as the driver takes. */
static struct wp_err *control_cores(struct wp_drv *drv, enum wp_drv_request request,
				    const struct wp_drv_scope *scope)
{
	const uint32_t *cores = scope->cores->cpus.v;
	size_t left = scope->cores->cpus.n;

	while (left) {
		size_t n = left < WP_DRV_CORES_ONCE ? left : WP_DRV_CORES_ONCE;
		struct wp_drv_control control;
		struct wp_drv_reply reply;

		TRY(wp_drv_request_control(cores, n, scope->units, scope->period_ms, WP_DRV_ALL_DMC,
					   &control));
		TRY(ask_driver(drv, request, &control, sizeof(control), NULL, 0, &reply));
		cores += n;
		left -= n;
	}
	return NULL;
}

/* What somebody who died, or was robbed of the driver, has left running. */
static struct wp_err *stop_everything(struct wp_drv *drv)
{
	struct wp_cpuset all = {0};
	struct wp_drv_scope scope = {&all, WP_DRV_OF_CORE, WP_DRV_PERIOD};
	struct wp_err *err;

	for (uint32_t core = 0; core < drv->hw.core_num; core++)
		wp_cpuset_add(&all, core);
	err = control_cores(drv, WP_DRV_STOP, &scope);
	wp_cpuset_deinit(&all);
	return err;
}

/* Nothing but the version is asked of a driver that is not known. */
static struct wp_err *begin_driver(struct wp_drv *drv, bool force)
{
	TRY(lock_driver(drv, force));
	TRY(query_version(drv));
	TRY(query_hardware(drv));
	return stop_everything(drv);
}

struct wp_err *wp_drv_open(struct wp_drv_door *door, bool force, struct wp_drv **ret)
{
	struct wp_drv *drv = wp_calloc(1, sizeof(*drv));
	struct wp_err *err;

	drv->door = door;
	err = begin_driver(drv, force);
	if (err)
		wp_drv_close(drv);
	else
		*ret = drv;
	return err;
}

void wp_drv_close(struct wp_drv *drv)
{
	if (!drv)
		return;
	if (drv->locked && drv->counts)
		wp_err_free(stop_everything(drv));
	unlock_driver(drv);
	drv->door->ops->close(drv->door);
	for (int class = 0; class < WP_DRV_CLASSES; class ++)
		wp_vec_deinit(&drv->events[class].v);
	free(drv);
}

/* What hardware there is may be asked at any time, and only by who has the driver. */
struct wp_err *wp_drv_check(struct wp_drv *drv)
{
	struct wp_drv_hw_cfg hw;

	return query_counters(drv, &hw);
}

struct wp_err *wp_drv_start(struct wp_drv *drv, const struct wp_drv_scope *scope)
{
	drv->counts = true;
	return control_cores(drv, WP_DRV_START, scope);
}

struct wp_err *wp_drv_stop(struct wp_drv *drv, const struct wp_drv_scope *scope)
{
	TRY(control_cores(drv, WP_DRV_STOP, scope));
	drv->counts = false;
	return NULL;
}

struct wp_err *wp_drv_reset(struct wp_drv *drv, const struct wp_drv_scope *scope)
{
	return control_cores(drv, WP_DRV_RESET, scope);
}

struct wp_err *wp_drv_assign(struct wp_drv *drv, uint32_t core, uint64_t filter_bits,
			     const struct wp_drv_list lists[WP_DRV_CLASSES])
{
	wp_autostr struct wp_str request = {0};
	struct wp_drv_reply reply;

	TRY(wp_drv_request_assign(core, filter_bits, lists, &request));
	return ask_driver(drv, WP_DRV_ASSIGN_EVENTS, request.s, request.len, NULL, 0, &reply);
}

struct wp_err *wp_drv_read_core(struct wp_drv *drv, uint32_t core, const struct wp_drv_list *list,
				struct wp_drv_counted *ret)
{
	struct wp_drv_control control;
	struct wp_drv_read read = {0};
	struct wp_drv_reply reply;

	TRY(wp_drv_request_control(&core, 1, WP_DRV_OF_CORE, WP_DRV_PERIOD, WP_DRV_ALL_DMC,
				   &control));
	TRY(ask_driver(drv, WP_DRV_READ_COUNTING, &control, sizeof(control), &read, sizeof(read),
		       &reply));
	return wp_drv_reply_core(reply, list->events, list->n, ret);
}
