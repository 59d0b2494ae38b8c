/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_model: see drv_model.h. */
#include "drv_model.h"

#include "base/clock.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

#define N_LISTED 463 /* events that the driver names */

struct model_door {
	struct wp_drv_door door;
	struct drv_model *model;
};

/* A request as it came, and where its answer goes. */
struct request {
	struct drv_model *model;
	const void *door;
	enum wp_drv_request number;
	const void *in;
	size_t n_in;
	uint8_t *out;
	size_t n_out, n;
};

static const char stranger[] = "another program";

static uint32_t answer(struct request *r, const void *bytes, size_t n, uint32_t too_small)
{
	if (n > r->n_out)
		return too_small;
	memcpy(r->out, bytes, n);
	r->n = n;
	return WP_DRV_OK;
}

/* --- counting */

static bool takes_turns(const struct drv_model *model, const struct drv_model_core *core)
{
	return core->n > model->counters;
}

static uint32_t period_of(const struct drv_model *model, const struct drv_model_core *core)
{
	return takes_turns(model, core) ? model->period_ms : 2 * model->period_ms;
}

static void tick(struct drv_model *model, uint32_t number)
{
	struct drv_model_core *core = &model->of[number];
	uint32_t ms = period_of(model, core);
	uint32_t modes =
		!(core->filter_bits & WP_DRV_NOT_KERNEL) + !(core->filter_bits & WP_DRV_NOT_USER);
	uint32_t on = takes_turns(model, core) ? model->counters : core->n;

	core->value[0] += 1000ull * (number + 1) * ms;
	core->scheduled[0]++;
	for (uint32_t i = 0; i < on; i++) {
		uint32_t event = (core->row + i) % core->n;

		core->value[event + 1] += (uint64_t)modes * (core->events[event] + number + 1) * ms;
		core->scheduled[event + 1]++;
	}
	core->round++;
	if (takes_turns(model, core))
		core->row = (core->row + model->counters) % core->n;
}

void drv_model_advance(struct drv_model *model, uint32_t ms)
{
	for (uint32_t number = 0; number < model->cores; number++) {
		struct drv_model_core *core = &model->of[number];
		uint32_t left = ms;

		while (core->runs && left >= core->waits_ms) {
			left -= core->waits_ms;
			tick(model, number);
			core->waits_ms = period_of(model, core);
		}
		if (core->runs)
			core->waits_ms -= left;
	}
}

/* Before each request: what has gone by on the system's clock. */
static void follow_clock(struct drv_model *model)
{
	uint64_t now_ms = wp_clock_now_ns() / WP_NS_PER_MS;

	if (model->now_ms)
		drv_model_advance(model, (uint32_t)(now_ms - model->now_ms));
	model->now_ms = now_ms;
}

static void start_core(struct drv_model *model, struct drv_model_core *core)
{
	core->runs = true;
	core->waits_ms = period_of(model, core);
}

static void reset_core(struct drv_model_core *core)
{
	core->round = 0;
	memset(core->value, 0, sizeof(core->value));
	memset(core->scheduled, 0, sizeof(core->scheduled));
}

static uint32_t control(struct request *r)
{
	struct wp_drv_control request;

	if (r->n_in != sizeof(request))
		return WP_DRV_WRONG_PARAMETER;
	memcpy(&request, r->in, sizeof(request));
	if (!request.cores.cores_count || request.cores.cores_count > WP_DRV_CORES_ONCE ||
	    request.flags >= 16)
		return WP_DRV_WRONG_PARAMETER;
	for (size_t i = 0; i < request.cores.cores_count; i++)
		if (request.cores.cores_no[i] >= WP_DRV_CORES)
			return WP_DRV_WRONG_PARAMETER;
	if (r->number == WP_DRV_START)
		r->model->period_ms =
			request.period >= WP_DRV_PERIOD_MIN && request.period <= WP_DRV_PERIOD
				? (uint32_t)request.period
				: WP_DRV_PERIOD;
	for (uint32_t i = 0; r->number == WP_DRV_STOP && i < r->model->ticks; i++)
		drv_model_advance(r->model, r->model->period_ms);
	for (size_t i = 0; i < request.cores.cores_count; i++) {
		struct drv_model_core *core = &r->model->of[request.cores.cores_no[i]];

		switch (r->number) {
		case WP_DRV_START: start_core(r->model, core); break;
		case WP_DRV_STOP: core->runs = false; break;
		default: reset_core(core);
		}
	}
	return WP_DRV_OK;
}

static uint32_t assign_core(struct drv_model_core *core, const uint8_t *bytes, size_t n)
{
	struct wp_drv_evt_hdr head;

	while (n >= sizeof(head)) {
		memcpy(&head, bytes, sizeof(head));
		bytes += sizeof(head);
		n -= sizeof(head);
		if (head.num * 2u > n ||
		    (head.evt_class == WP_DRV_CORE && head.num + 1u > WP_DRV_CORE_EVENTS))
			return WP_DRV_WRONG_PARAMETER;
		if (head.evt_class == WP_DRV_CORE) {
			memcpy(core->events, bytes, head.num * 2u);
			core->n = head.num;
			core->row = 0;
		}
		bytes += head.num * 2u;
		n -= head.num * 2u;
	}
	return WP_DRV_OK;
}

static uint32_t assign(struct request *r)
{
	struct wp_drv_assign head;

	if (r->n_in < sizeof(head))
		return WP_DRV_WRONG_PARAMETER;
	memcpy(&head, r->in, sizeof(head));
	if (head.core_idx >= WP_DRV_CORES)
		abort(); /* the driver would write behind its table */
	r->model->of[head.core_idx].filter_bits = head.filter_bits;
	return assign_core(&r->model->of[head.core_idx], (const uint8_t *)r->in + sizeof(head),
			   r->n_in - sizeof(head));
}

static uint32_t read_counting(struct request *r)
{
	const struct drv_model_core *core;
	struct wp_drv_control request;
	struct wp_drv_read read;

	if (r->n_in != sizeof(request))
		return WP_DRV_WRONG_PARAMETER;
	memcpy(&request, r->in, sizeof(request));
	if (request.cores.cores_count != 1 || request.cores.cores_no[0] >= WP_DRV_CORES)
		return WP_DRV_WRONG_PARAMETER;
	core = &r->model->of[request.cores.cores_no[0]];
	memset(&read, 0xa5, sizeof(read)); /* what is not said is garbage */
	read.evt_num = core->n + 1;
	read.round = core->round;
	for (uint32_t i = 0; i <= core->n; i++) {
		read.evts[i].event_idx = i ? core->events[i - 1] : WP_DRV_CYCLE;
		read.evts[i].value = core->value[i];
		read.evts[i].scheduled = core->scheduled[i];
	}
	if (r->model->garbled)
		read.evts[core->n].event_idx ^= 1;
	return answer(r, &read, sizeof(read), WP_DRV_TOO_SMALL);
}

/* --- locks and questions */

/* Counters are reserved with the lock, and have the driver's own events until others come. */
static uint32_t acquire(struct request *r)
{
	struct drv_model *model = r->model;
	uint32_t flag, status = WP_DRV_ACQUIRED;

	if (r->n_in != sizeof(flag))
		return WP_DRV_WRONG_PARAMETER;
	memcpy(&flag, r->in, sizeof(flag));
	if (flag > WP_DRV_LOCK_FORCE)
		return WP_DRV_WRONG_PARAMETER;
	if (flag == WP_DRV_LOCK_GET && model->owner && model->owner != r->door)
		status = WP_DRV_BUSY;
	else if (model->status)
		status = model->status;
	else
		model->owner = r->door;
	return answer(r, &status, sizeof(status), WP_DRV_SHORT);
}

static uint32_t release(struct request *r)
{
	uint32_t flag, status = r->model->owner == r->door ? WP_DRV_IDLE : WP_DRV_BUSY;

	if (r->n_in != sizeof(flag))
		return WP_DRV_WRONG_PARAMETER;
	memcpy(&flag, r->in, sizeof(flag));
	if (flag != WP_DRV_LOCK_GIVE)
		return WP_DRV_WRONG_PARAMETER;
	if (status == WP_DRV_IDLE) {
		for (uint32_t core = 0; core < WP_DRV_CORES; core++)
			r->model->of[core].runs = false;
		r->model->owner = NULL;
	}
	return answer(r, &status, sizeof(status), WP_DRV_SHORT);
}

static void put_text(uint16_t *field, const char *text)
{
	do
		*field++ = (uint8_t)*text;
	while (*text++);
}

static uint32_t tell_version(struct request *r)
{
	struct wp_drv_version_info info;

	if (r->n_in != sizeof(info))
		return WP_DRV_WRONG_PARAMETER;
	memcpy(&info, r->in, sizeof(info));
	memset(info.gitver, 'x', sizeof(info.gitver)); /* a client's bytes stand behind the NUL */
	memset(info.features, 'x', sizeof(info.features));
	info.major = r->model->version[0];
	info.minor = r->model->version[1];
	info.patch = r->model->version[2];
	put_text(info.gitver, "0123abcd");
	put_text(info.features, "+trace");
	return answer(r, &info, sizeof(info), WP_DRV_TOO_SMALL);
}

static uint32_t tell_hardware(struct request *r)
{
	struct wp_drv_hw_cfg cfg = {
		.pmu_ver = 4,
		.fpc_num = 1,
		.gpc_num = (uint8_t)r->model->counters,
		.total_gpc_num = (uint8_t)r->model->counters,
		.vendor_id = 0x41,
		.variant_id = 3,
		.arch_id = 0xf,
		.rev_id = 1,
		.part_id = 0xd0c,
		.core_num = (uint16_t)r->model->cores,
		.midr_value = 0x413fd0c1,
		.id_aa64dfr0_value = 0x110305408,
	};

	if (r->n_in != 4)
		return WP_DRV_WRONG_PARAMETER;
	for (uint32_t i = 0; i < r->model->counters && i < WP_DRV_COUNTERS - 1; i++)
		cfg.counter_idx_map[i] = (uint8_t)(i + 1); /* 0 is another's */
	cfg.counter_idx_map[31] = 31;
	put_text(cfg.device_id_str,
		 "core.stat=core;core.sample=core;dsu.stat=dsu;dmc.stat=dmc_clk,dmc_clkdiv2");
	return answer(r, &cfg, sizeof(cfg), WP_DRV_TOO_SMALL);
}

static uint32_t tell_events(struct request *r)
{
	struct {
		struct wp_drv_evt_hdr head;
		uint16_t events[N_LISTED];
	} list = {.head = {WP_DRV_CORE, N_LISTED, 0}};

	if (r->n_in != 4)
		return WP_DRV_WRONG_PARAMETER;
	for (uint32_t i = 0; i < N_LISTED; i++)
		list.events[i] = (uint16_t)i;
	return answer(r, &list, sizeof(list.head) + sizeof(list.events), WP_DRV_TOO_SMALL);
}

/* Without SPE its requests succeed and do nothing. */
static uint32_t no_spe(struct request *r)
{
	const uint64_t none = 0;

	return r->number == WP_DRV_SPE_GET_SIZE ? answer(r, &none, sizeof(none), WP_DRV_SHORT)
						: WP_DRV_OK;
}

/* --- the device */

static uint32_t handle(struct request *r)
{
	if (r->number < WP_DRV_LOCK_ACQUIRE && r->model->owner != r->door)
		return WP_DRV_NOT_OWNER; /* before lengths are looked at */
	switch (r->number) {
	case WP_DRV_START:
	case WP_DRV_STOP:
	case WP_DRV_RESET: return control(r);
	case WP_DRV_QUERY_HW_CFG: return tell_hardware(r);
	case WP_DRV_QUERY_SUPP_EVENTS: return tell_events(r);
	case WP_DRV_QUERY_VERSION: return tell_version(r);
	case WP_DRV_ASSIGN_EVENTS: return assign(r);
	case WP_DRV_READ_COUNTING: return read_counting(r);
	case WP_DRV_LOCK_ACQUIRE: return acquire(r);
	case WP_DRV_LOCK_RELEASE: return release(r);
	case WP_DRV_SPE_INIT:
	case WP_DRV_SPE_GET_SIZE:
	case WP_DRV_SPE_GET_BUFFER:
	case WP_DRV_SPE_START:
	case WP_DRV_SPE_STOP: return no_spe(r);
	default: return WP_DRV_WRONG_PARAMETER;
	}
}

static uint32_t ask_model(struct wp_drv_door *door, uint32_t code, const void *in, size_t n_in,
			  void *out, size_t n_out, size_t *ret)
{
	struct drv_model *model = ((struct model_door *)door)->model;
	uint32_t number = (code - WP_DRV_CODE(0)) >> 2, error;
	struct request r = {model, door, (enum wp_drv_request)number, in, n_in, out, n_out, 0};

	if (!n_in)
		return WP_DRV_EMPTY;
	if (n_out > WP_DRV_OUTPUT_MAX)
		return WP_DRV_TOO_LARGE;
	if (code != WP_DRV_CODE(number) || number >= WP_DRV_REQUESTS)
		return WP_DRV_WRONG_PARAMETER;
	if (model->clock)
		follow_clock(model);
	model->asked[number]++;
	error = model->error[number] ? model->error[number] : handle(&r);
	*ret = error ? 0 : r.n - (r.n && model->shortened[number]);
	if (!error && model->robbed[number])
		drv_model_rob(model);
	return error;
}

static void close_model(struct wp_drv_door *door)
{
	free(door);
}

static const struct wp_drv_door_ops ops = {.ask = ask_model, .close = close_model};

struct wp_drv_door *drv_model_open(struct drv_model *model)
{
	struct model_door *own = wp_calloc(1, sizeof(*own));

	*own = (struct model_door){.door = {&ops}, .model = model};
	return &own->door;
}

void drv_model_init(struct drv_model *model, uint32_t cores, uint32_t counters)
{
	*model = (struct drv_model){
		.cores = cores,
		.counters = counters,
		.version = {3, 8, 0},
		.period_ms = WP_DRV_PERIOD,
	};
}

void drv_model_rob(struct drv_model *model)
{
	model->owner = stranger;
}

/* --- faults, in words */

static bool set_flag(const char *name, bool flags[WP_DRV_REQUESTS])
{
	static const struct {
		const char *name;
		enum wp_drv_request request;
	} requests[] = {
		{"START", WP_DRV_START},
		{"STOP", WP_DRV_STOP},
		{"RESET", WP_DRV_RESET},
		{"ASSIGN_EVENTS", WP_DRV_ASSIGN_EVENTS},
		{"READ_COUNTING", WP_DRV_READ_COUNTING},
		{"QUERY_HW_CFG", WP_DRV_QUERY_HW_CFG},
		{"QUERY_VERSION", WP_DRV_QUERY_VERSION},
		{"QUERY_SUPP_EVENTS", WP_DRV_QUERY_SUPP_EVENTS},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(requests); i++)
		if (strcmp(name, requests[i].name) == 0)
			return flags[requests[i].request] = true;
	return false;
}

static bool set_number(const char *value, uint64_t max, uint32_t *ret)
{
	uint64_t number;

	if (!wp_str_to_u64(value, 10, max, &number))
		return false;
	*ret = (uint32_t)number;
	return true;
}

static bool set_version(struct drv_model *model, char *text)
{
	for (size_t i = 0; i < 3; i++) {
		char *part = strsep(&text, ".");
		uint32_t number;

		if (!part || !set_number(part, UINT8_MAX, &number))
			return false;
		model->version[i] = (uint8_t)number;
	}
	return true;
}

static bool set_word(struct drv_model *model, const char *name, char *value)
{
	if (strcmp(name, "busy") == 0)
		return drv_model_rob(model), true;
	if (strcmp(name, "clock") == 0)
		return model->clock = true;
	if (strcmp(name, "garbled") == 0)
		return model->garbled = true;
	if (!value)
		return false;
	if (strcmp(name, "cores") == 0)
		return set_number(value, WP_DRV_CORES, &model->cores);
	if (strcmp(name, "counters") == 0)
		return set_number(value, UINT8_MAX, &model->counters);
	if (strcmp(name, "ticks") == 0)
		return set_number(value, 1000000, &model->ticks);
	if (strcmp(name, "status") == 0)
		return set_number(value, UINT32_MAX, &model->status);
	if (strcmp(name, "version") == 0)
		return set_version(model, value);
	if (strcmp(name, "short") == 0)
		return set_flag(value, model->shortened);
	return strcmp(name, "lost") == 0 && set_flag(value, model->robbed);
}

bool drv_model_set(struct drv_model *model, const char *text)
{
	wp_autofree char *copy = wp_strdup(text);
	char *rest = copy, *word;

	while (*copy && (word = strsep(&rest, ","))) {
		char *value = strchr(word, '=');

		if (value)
			*value++ = '\0';
		if (!set_word(model, word, value))
			return false;
	}
	return true;
}
