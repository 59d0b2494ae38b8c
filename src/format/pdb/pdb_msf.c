/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_msf: see pdb_msf.h. */
#include "format/pdb/pdb_msf.h"

#include "base/bytes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC	    "Microsoft C/C++ MSF 7.00\r\n\x1a\x44\x53\0\0\0"
#define MAGIC_BYTES 32
#define HEAD_BYTES  56
#define MAX_STREAMS (1u << 20)
#define NO_SIZE	    UINT32_MAX /* of a stream that was deleted */

struct superblock {
	uint32_t block_bytes, blocks, directory_bytes, map_block;
};

/* Files that people take for a PDB that we could read. */
static const struct {
	const char *head, *what;
} others[] = {
	{"Microsoft C/C++ program database 2.00",
	 "a PDB 2.0 of Visual C++ 6 or older; link again with a newer linker"},
	{"Microsoft MSFZ Container",
	 "a compressed PDB (MSFZ); expand it, or link without compression"},
	{"BSJB", "a portable PDB of .NET, which tells nothing of native code"},
	{"MSCF", "a compressed file of a symbol server; unpack it with cabextract or expand.exe"},
	{"MZ", "a program, not a PDB"},
	{"\x7f"
	 "ELF",
	 "an ELF file, not a PDB"},
};

static struct wp_err *not_a_pdb(const char *path, const char *head)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(others); i++)
		if (strncmp(head, others[i].head, strlen(others[i].head)) == 0)
			return wp_err_new(WP_ERR_UNSUPPORTED, "%s: %s", path, others[i].what);
	return wp_err_new(WP_ERR_FORMAT, "%s: not a PDB file", path);
}

static struct wp_err *damaged(const struct wp_pdb_input *input, const char *what)
{
	return wp_err_new(WP_ERR_FORMAT, "%s: damaged PDB: %s; copy it again", input->path, what);
}

static bool is_block_size(uint32_t bytes)
{
	return bytes >= 512 && bytes <= 65536 && (bytes & (bytes - 1)) == 0;
}

static struct wp_err *read_superblock(const struct wp_pdb_input *input, struct superblock *ret)
{
	char head[HEAD_BYTES + 1] = "";
	size_t n = input->size < HEAD_BYTES ? (size_t)input->size : HEAD_BYTES;

	if (!input->read(input->arg, 0, head, n))
		return wp_err_new(WP_ERR_OS, "%s: cannot be read", input->path);
	if (n < HEAD_BYTES || memcmp(head, MAGIC, MAGIC_BYTES) != 0)
		return not_a_pdb(input->path, head);
	struct wp_bytes b = wp_bytes_of(head, n);
	wp_bytes_skip(&b, MAGIC_BYTES);
	ret->block_bytes = wp_bytes_u32(&b);
	wp_bytes_u32(&b); /* which of the free block maps is in use */
	ret->blocks = wp_bytes_u32(&b);
	ret->directory_bytes = wp_bytes_u32(&b);
	wp_bytes_u32(&b);
	ret->map_block = wp_bytes_u32(&b);
	if (!is_block_size(ret->block_bytes))
		return damaged(input, "no such block size");
	/* The last block need not be whole. */
	if (!ret->blocks || (uint64_t)(ret->blocks - 1) * ret->block_bytes >= input->size)
		return wp_err_new(
			WP_ERR_FORMAT,
			"%s: the PDB is cut off at %" PRIu64 " of %" PRIu64 " bytes; copy it again",
			input->path, input->size, (uint64_t)ret->blocks * ret->block_bytes);
	return NULL;
}

static uint64_t blocks_of(const struct wp_pdb_msf *msf, uint64_t bytes)
{
	return (bytes + msf->block_bytes - 1) / msf->block_bytes;
}

/* Copies len bytes that lie in these blocks, runs of neighbours at once. */
static bool read_blocks(const struct wp_pdb_msf *msf, const uint32_t *list, uint64_t offset,
			void *ret, size_t len)
{
	uint32_t unit = msf->block_bytes;
	uint64_t at = offset / unit;
	uint8_t *out = ret;

	while (len) {
		uint64_t start = (uint64_t)list[at] * unit + offset % unit;
		size_t n = unit - offset % unit;

		if (list[at] >= msf->blocks)
			return false;
		while (n < len && list[at + 1] == list[at] + 1)
			n += unit, at++;
		n = n < len ? n : len;
		if (list[at] >= msf->blocks || n > msf->input.size || start > msf->input.size - n ||
		    !msf->input.read(msf->input.arg, start, out, n))
			return false;
		out += n, len -= n, offset += n, at++;
	}
	return true;
}

/* The directory's own blocks are listed in a run of blocks. */
static void *load_directory(const struct wp_pdb_msf *msf, const struct superblock *super)
{
	uint64_t n = blocks_of(msf, super->directory_bytes);
	uint64_t map = (uint64_t)super->map_block * msf->block_bytes;

	if (n > msf->blocks || n * 4 > msf->input.size || map > msf->input.size - n * 4)
		return NULL;
	wp_autofree uint32_t *list = wp_calloc((size_t)n + 1, sizeof(*list));
	uint8_t *directory = wp_calloc(1, (size_t)super->directory_bytes + 1);
	if (msf->input.read(msf->input.arg, map, list, (size_t)n * 4) &&
	    read_blocks(msf, list, 0, directory, super->directory_bytes))
		return directory;
	free(directory);
	return NULL;
}

/* The number of streams, their sizes, then the blocks of each. */
static struct wp_err *parse_directory(struct wp_pdb_msf *msf, struct wp_bytes *b)
{
	uint64_t total = 0;

	msf->n = wp_bytes_u32(b);
	if (b->failed || msf->n > MAX_STREAMS || msf->n > wp_bytes_left(b) / 4) {
		msf->n = 0;
		return damaged(&msf->input, "its directory of streams ends too early");
	}
	msf->streams = wp_calloc((size_t)msf->n + 1, sizeof(*msf->streams));
	for (uint32_t i = 0; i < msf->n; i++) {
		uint32_t size = wp_bytes_u32(b);

		msf->streams[i].size = size == NO_SIZE ? 0 : size;
		msf->streams[i].first = total;
		total += blocks_of(msf, msf->streams[i].size);
	}
	if (total > msf->blocks)
		return damaged(&msf->input, "its streams are larger than the file");
	if (total > wp_bytes_left(b) / 4)
		return damaged(&msf->input, "its directory of streams ends too early");
	msf->block_list = wp_calloc((size_t)total + 1, sizeof(*msf->block_list));
	if (total)
		memcpy(msf->block_list, wp_bytes_take(b, total * 4), (size_t)total * 4);
	return NULL;
}

struct wp_err *wp_pdb_msf_open(const struct wp_pdb_input *input, struct wp_pdb_msf *ret)
{
	struct wp_pdb_msf msf = {.input = *input};
	struct superblock super = {0};

	TRY(read_superblock(input, &super));
	msf.block_bytes = super.block_bytes;
	msf.blocks = super.blocks;
	wp_autofree void *directory = load_directory(&msf, &super);
	if (!directory)
		return damaged(input, "its directory of streams cannot be read");
	struct wp_bytes b = wp_bytes_of(directory, super.directory_bytes);
	struct wp_err *err = parse_directory(&msf, &b);
	if (err)
		wp_pdb_msf_deinit(&msf);
	else
		*ret = msf;
	return err;
}

uint32_t wp_pdb_msf_size(const struct wp_pdb_msf *msf, uint32_t stream)
{
	return stream < msf->n ? msf->streams[stream].size : 0;
}

bool wp_pdb_msf_read(const struct wp_pdb_msf *msf, uint32_t stream, uint64_t offset, void *ret,
		     size_t len)
{
	uint32_t size = wp_pdb_msf_size(msf, stream);

	if (len > size || offset > size - len)
		return false;
	return !len ||
	       read_blocks(msf, msf->block_list + msf->streams[stream].first, offset, ret, len);
}

void *wp_pdb_msf_load(const struct wp_pdb_msf *msf, uint32_t stream, uint64_t offset, size_t len)
{
	uint32_t size = wp_pdb_msf_size(msf, stream);

	if (len > size || offset > size - len)
		return NULL;
	if (!wp_budget_take(msf->input.budget, WP_BUDGET_PDB, len))
		return NULL;
	uint8_t *bytes = wp_calloc(1, len + 1);
	if (wp_pdb_msf_read(msf, stream, offset, bytes, len))
		return bytes;
	free(bytes);
	return NULL;
}

void wp_pdb_msf_deinit(struct wp_pdb_msf *msf)
{
	free(msf->streams);
	free(msf->block_list);
	*msf = (struct wp_pdb_msf){0};
}
