/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_folder: a recording that is a folder: two numbers of two bytes say how much of the rest is
 * data.0 and data.1; what is left is data.
 */
#include "read_recording.h"
#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_part(const char *name, const uint8_t *data, size_t size)
{
	wp_autofree char *path = wp_asprintf("%s/%s", scratch_folder(), name);
	wp_autoclose int fd = open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0)
		abort();
	scratch_fill(fd, data, size);
}

static void read_folder(bool stacks)
{
	struct wp_source *source;
	wp_autoerr struct wp_err *err =
		wp_recording_open(scratch_folder(), true, NULL, NULL, &source);

	if (err)
		return;
	if (!stacks)
		wp_recording_no_stacks(source);
	err = read_recording(source);
	source->ops->close(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t parts[2], at = 4;

	if (size < at)
		return 0;
	for (size_t i = 0; i < 2; i++) {
		size_t n = data[2 * i] | (size_t)data[2 * i + 1] << 8;

		parts[i] = n < size - at ? n : size - at;
		write_part(i ? "data.1" : "data.0", data + at, parts[i]);
		at += parts[i];
	}
	write_part("data", data + at, size - at);
	read_folder(true);
	read_folder(false);
	return 0;
}
