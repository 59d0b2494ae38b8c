/* return_site: see return_site.h. Encodings: Intel's manual, volume 2, CALL. */
#include "resolve/return_site.h"

#include <string.h>
#include <unistd.h>

#define MAX_CALL 7 /* bytes: opcode, ModRM, SIB, 32 bits of displacement */

/* How many bytes follow a ModRM that says "/2" (call), itself included; 0: it says otherwise. */
static size_t operand_bytes(uint8_t modrm, uint8_t sib)
{
	uint8_t mode = modrm >> 6, base = modrm & 7;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mode == 3)
		return 1;
	size_t n = base == 4 ? 2 : 1;
	if (mode == 1)
		return n + 1;
	return mode == 2 || base == 5 || (base == 4 && (sib & 7) == 5) ? n + 4 : n;
}

bool wp_return_site_of(const uint8_t *bytes, size_t n)
{
	if (n >= 5 && bytes[n - 5] == 0xe8)
		return true;
	for (size_t len = 2; len <= MAX_CALL && len <= n; len++) {
		const uint8_t *call = bytes + n - len;

		if (call[0] == 0xff && operand_bytes(call[1], len > 2 ? call[2] : 0) == len - 1)
			return true;
	}
	return false;
}

static bool read_file(const struct wp_image *image, const struct wp_elf_segment *segment,
		      uint64_t addr, uint8_t ret[MAX_CALL])
{
	uint64_t skip = addr - MAX_CALL - segment->start.v;

	return pread(image->fd, ret, MAX_CALL, (off_t)(segment->offset.v + skip)) == MAX_CALL;
}

bool wp_return_site(const struct wp_image *image, uint64_t addr)
{
	uint8_t bytes[MAX_CALL];

	if (image->memory)
		return true;
	if (!wp_elf_image_code(&image->file.image, addr - 1))
		return false;
	wp_vec_each (struct wp_elf_segment, segment, &image->file.image.segments)
		if (addr >= segment->start.v + MAX_CALL &&
		    addr - segment->start.v <= segment->file_size && image->fd >= 0)
			return !read_file(image, segment, addr, bytes) ||
			       wp_return_site_of(bytes, MAX_CALL);
	return true;
}
