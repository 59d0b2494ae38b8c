/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_python_build: an ELF file as the reader of CPython builds and of libcs sees it, and its own
 * bytes as the memory of a process that maps it. */
#include "runtime/python_build.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct image {
	const uint8_t *data;
	size_t size;
};

/* Every address is somewhere in the image. */
static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	const struct image *image = arg;
	uint64_t at = addr % (image->size + 1);

	if (n > image->size - at)
		return false;
	memcpy(ret, image->data + at, n);
	return true;
}

/* What a walker relies on. */
static void check(const struct wp_python_build *build)
{
	const struct wp_python_plan *plan = &build->layout;

	if (!build->eval.parts.n || !plan->code_bytes || plan->code_bytes > WP_PYTHON_CODE_MAX ||
	    plan->code_lines + 8u > plan->code_bytes || plan->code_name + 8u > plan->code_bytes ||
	    plan->code_filename + 8u > plan->code_bytes || !plan->interpreters || !plan->code_type)
		abort();
	for (size_t i = 0; i < build->eval.parts.n; i++)
		if (build->eval.parts.v[i].start >= build->eval.parts.v[i].end ||
		    (i && build->eval.parts.v[i].start <= build->eval.parts.v[i - 1].end))
			abort();
}

static void plan(const struct wp_python_build *build, const uint8_t *data, size_t size)
{
	struct image image = {data, size};
	struct wp_memory memory = {read_image, &image};
	struct wp_python_libc libc = {.tsd = 0x310};
	struct wp_python_plan made;
	struct wp_err *err = wp_python_build_plan(build, 0x1000, &libc, &memory, &made);

	wp_err_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autoclose int fd = memfd_create("python", MFD_CLOEXEC);
	struct wp_python_build *build = NULL;
	struct wp_python_libc libc;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return 0;
	struct wp_err *err = wp_python_build_read(fd, "libpython3.8.so.1.0", &build);

	wp_err_free(err);
	if (build) {
		check(build);
		plan(build, data, size);
		free(wp_python_build_name(build));
		wp_python_build_free(build);
	}
	wp_python_libc_read(fd, &libc);
	return 0;
}
