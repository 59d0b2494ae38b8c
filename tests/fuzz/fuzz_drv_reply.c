/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_drv_reply: answers of WindowsPerf's driver: the first byte says which, the rest is it; and a
 * device that answers everything with pieces of the input. */
#include "source/wperfdrv/drv.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const uint16_t events[] = {0x11, 0x1b};

static struct wp_err *decode_counts(uint8_t which, struct wp_drv_reply reply)
{
	struct wp_drv_counted counted = {0};
	struct wp_err *err =
		which == 0   ? wp_drv_reply_core(reply, events, 2, &counted)
		: which == 1 ? wp_drv_reply_dsu(reply, events, 2, &counted)
			     : wp_drv_reply_dmc(reply, which - 2, WP_DRV_DIV, events, 2, &counted);

	if (!err && counted.values.n != 2 + (which < 2))
		abort();
	wp_vec_deinit(&counted.values);
	return err;
}

static struct wp_err *decode_events(struct wp_drv_reply reply)
{
	struct wp_drv_numbers numbers[WP_DRV_CLASSES] = {0};
	struct wp_err *err = wp_drv_reply_events(reply, numbers);

	for (int class = 0; class < WP_DRV_CLASSES; class ++)
		wp_vec_deinit(&numbers[class].v);
	return err;
}

static struct wp_err *decode_version(struct wp_drv_reply reply)
{
	struct wp_drv_version version;
	struct wp_err *err = wp_drv_reply_version(reply, &version);

	if (!err && (strlen(version.gitver) >= sizeof(version.gitver) ||
		     strlen(version.features) >= sizeof(version.features)))
		abort();
	return err ? err : wp_drv_version_check(&version);
}

static struct wp_err *decode(uint8_t which, struct wp_drv_reply reply)
{
	struct wp_drv_samples samples;
	struct wp_drv_sample_sum sum;
	struct wp_drv_hw_cfg hw;
	enum wp_drv_status status;
	uint64_t bytes;

	switch (which) {
	case 4: return decode_events(reply);
	case 5: return decode_version(reply);
	case 6: return wp_drv_reply_hw_cfg(reply, &hw);
	case 7: return wp_drv_reply_status(reply, &status);
	case 8: return wp_drv_reply_samples(reply, &samples);
	case 9: return wp_drv_reply_sample_sum(reply, &sum);
	case 10: return wp_drv_reply_spe_size(reply, &bytes);
	default: return decode_counts(which & 3, reply);
	}
}

struct hostile_door {
	struct wp_drv_door door;
	const uint8_t *data;
	size_t left;
};

/* Two bytes say how much is answered, which may be more than there is room for. */
static uint32_t answer_anything(struct wp_drv_door *door, uint32_t code, const void *in,
				size_t n_in, void *out, size_t n_out, size_t *ret)
{
	struct hostile_door *own = (struct hostile_door *)door;
	size_t n;

	(void)code, (void)in, (void)n_in;
	if (own->left < 2)
		return WP_DRV_NOT_OWNER;
	*ret = (size_t)own->data[0] | (size_t)own->data[1] << 8;
	own->data += 2;
	own->left -= 2;
	n = *ret < own->left ? *ret : own->left;
	n = n < n_out ? n : n_out;
	if (n)
		memcpy(out, own->data, n);
	own->data += n;
	own->left -= n;
	return WP_DRV_OK;
}

static void close_hostile(struct wp_drv_door *door)
{
	free(door);
}

static void ask_hostile(const uint8_t *data, size_t size)
{
	static const struct wp_drv_door_ops ops = {.ask = answer_anything, .close = close_hostile};
	const struct wp_drv_list list = {events, 2};
	struct hostile_door *own = wp_calloc(1, sizeof(*own));
	struct wp_drv_counted counted = {0};
	struct wp_drv *drv = NULL;
	struct wp_err *err;

	*own = (struct hostile_door){{&ops}, data, size};
	err = wp_drv_open(&own->door, true, &drv);
	if (!err)
		err = wp_drv_read_core(drv, 0, &list, &counted);
	wp_err_free(err);
	wp_vec_deinit(&counted.values);
	wp_drv_close(drv);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] == 11)
		ask_hostile(data + 1, size - 1);
	else
		wp_err_free(decode(data[0] & 15, (struct wp_drv_reply){data + 1, size - 1}));
	return 0;
}
