/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_file: see elf_file.h. */
#include "format/elf/elf_file.h"

#include "format/elf/elf_bounds.h"
#include "format/pe/pe_view.h"

#include <sys/stat.h>
#include <unistd.h>

#define MAX_PE (1u << 30)

bool wp_elf_file_read_pe(int fd, struct wp_pe_file *ret, void **ret_owned)
{
	uint8_t head[2];
	struct stat st;
	size_t n = 0;
	ssize_t got = 0;

	if (pread(fd, head, sizeof(head), 0) != sizeof(head) ||
	    !wp_pe_image_is(head, sizeof(head)) || fstat(fd, &st) != 0 || st.st_size > MAX_PE ||
	    (uint64_t)st.st_size > wp_elf_bounds_of(fd))
		return false;
	uint8_t *data = wp_calloc((size_t)st.st_size, 1);
	while (n < (size_t)st.st_size &&
	       (got = pread(fd, data + n, (size_t)st.st_size - n, (off_t)n)) > 0)
		n += (size_t)got;
	*ret = (struct wp_pe_file){data, n};
	*ret_owned = data;
	return true;
}

static struct wp_elf_file view_of(const struct wp_pe_file *pe, bool debug)
{
	struct wp_elf_file file = {0};
	size_t size;
	wp_autoerr struct wp_err *err = wp_pe_view_make(pe, debug, &file.view, &size);

	if (!err)
		file.elf = wp_elf_open_memory(file.view, size);
	return file;
}

struct wp_elf_file wp_elf_file_open(int fd, bool debug)
{
	wp_autofree void *bytes = NULL;
	struct wp_pe_file pe;

	if (wp_elf_file_read_pe(fd, &pe, &bytes))
		return view_of(&pe, debug);
	return (struct wp_elf_file){.elf = wp_elf_open(fd)};
}

struct wp_elf_file wp_elf_file_of_memory(void *data, size_t size, bool debug)
{
	struct wp_pe_file pe = {data, size};

	if (wp_pe_image_is(data, size))
		return view_of(&pe, debug);
	return (struct wp_elf_file){.elf = wp_elf_open_memory(data, size)};
}

void wp_elf_file_close(struct wp_elf_file *file)
{
	elf_end(file->elf);
	free(file->view);
	*file = (struct wp_elf_file){0};
}
