/*
 * fuzz_python_walk: the walker of Python frames over a damaged process.
 *
 * In: a byte that picks the family, one of options, then changes of 11 bytes: what (memory, an
 * offset of the plan, a register), where (16 bits), a value (64 bits). Every walk must end within
 * its bounds.
 */
#include "../unit/python_image.h"

#include "core/python_capture.h"

#include <stddef.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHANGE_BYTES 11

enum { MEMORY, FAR_MEMORY, PLAN, REGISTER, KINDS };

static struct image image;
static struct wp_python_captured captured;

static void change(const uint8_t *data)
{
	uint16_t *offsets = &image.walk.plan.interp_next;
	size_t n = (sizeof(image.walk.plan) - offsetof(struct wp_python_plan, interp_next)) / 2;
	uint64_t value;
	uint16_t where;

	memcpy(&where, data + 1, sizeof(where));
	memcpy(&value, data + 3, sizeof(value));
	switch (data[0] % KINDS) {
	case MEMORY: image_put64(&image, IMAGE_BASE + where, value); break;
	case FAR_MEMORY: image_put64(&image, IMAGE_BASE + where * 4ull, value); break;
	case PLAN: offsets[where % n] = (uint16_t)value; break;
	case REGISTER:
		image.walk.ip = where % 4 == 0 ? value : image.walk.ip;
		image.walk.sp = where % 4 == 1 ? value : image.walk.sp;
		image.walk.cfa = where % 4 == 2 ? value : image.walk.cfa;
		image.walk.hint = where % 4 == 3 ? value : image.walk.hint;
		break;
	default: break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	image_two_runs(&image, data[0] % FAMILIES);
	image.walk.want_gil = data[1] & 1;
	if (data[1] & 2)
		image.walk.plan.tsd = 0;
	for (size_t at = 2; at + CHANGE_BYTES <= size && at < 4096; at += CHANGE_BYTES)
		change(data + at);
	image_walk(&image);
	if (image.steps > WP_PYTHON_STEPS || image.n > WP_PYTHON_SLOTS ||
	    image.walk.end >= WP_PYTHON_ENDS || image.slots[0].lasti != WP_PYTHON_THREAD)
		abort();
	for (uint32_t i = 0; i < 3; i++) {
		wp_python_capture(&image.walk, AT_CODE + i * 0x200, image_id(i), &captured);
		if (wp_python_captured_bytes(&captured) > sizeof(captured))
			abort();
	}
	return 0;
}
