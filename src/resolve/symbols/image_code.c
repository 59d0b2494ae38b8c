/* SPDX-License-Identifier: BSD-3-Clause */
/* image_code: see image_code.h. */
#include "resolve/symbols/image_code.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_CODE (64u << 20) /* bytes of a segment; of larger ones the rest is not known */

static void read_segment(struct wp_image_code *code, int fd, const struct wp_elf_segment *segment)
{
	size_t n = segment->file_size < MAX_CODE ? (size_t)segment->file_size : MAX_CODE;
	uint8_t *bytes = wp_calloc(n, 1);
	ssize_t got = pread(fd, bytes, n, (off_t)segment->offset.v);

	if (got > 0)
		wp_vec_push(&code->segments,
			    (struct wp_image_segment){segment->start.v, (size_t)got, bytes});
	else
		free(bytes);
}

void wp_image_code_load(struct wp_image_code *code, int fd, const struct wp_elf_image *elf)
{
	code->loaded = true;
	if (fd < 0)
		return;
	wp_vec_each (struct wp_elf_segment, segment, &elf->segments)
		if (segment->exec && segment->file_size)
			read_segment(code, fd, segment);
}

size_t wp_image_code_copy(const struct wp_image_code *code, uint64_t addr, uint8_t *ret, size_t n)
{
	wp_vec_each (struct wp_image_segment, segment, &code->segments) {
		uint64_t skip = addr - segment->start;

		if (addr < segment->start || skip >= segment->n)
			continue;
		if (n > segment->n - skip)
			n = (size_t)(segment->n - skip);
		memcpy(ret, segment->bytes + skip, n);
		return n;
	}
	return 0;
}

void wp_image_code_deinit(struct wp_image_code *code)
{
	wp_vec_each (struct wp_image_segment, segment, &code->segments)
		free(segment->bytes);
	wp_vec_deinit(&code->segments);
}
