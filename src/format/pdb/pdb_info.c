/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_info: see pdb_info.h. */
#include "format/pdb/pdb_info.h"

#include "base/bytes.h"

#include <string.h>

#define INFO_STREAM	 1
#define MAX_INFO	 (16u << 20)
#define VERSION_GUID	 19990604 /* the first one with a GUID */
#define FEATURE_FASTLINK 0x494e494d

/* A table from names to streams: a bit per bucket says which ones follow, as pairs. */
static void read_stream_names(struct wp_bytes *b, struct wp_pdb_info *info)
{
	struct wp_bytes strings = wp_bytes_sub(b, wp_bytes_u32(b));
	uint32_t pairs = wp_bytes_u32(b);

	wp_bytes_u32(b);		     /* capacity */
	for (int bits = 0; bits < 2; bits++) /* present, deleted */
		wp_bytes_skip(b, 4ull * wp_bytes_u32(b));
	for (uint32_t i = 0; i < pairs && !b->failed; i++) {
		struct wp_bytes at = strings;

		wp_bytes_seek(&at, wp_bytes_u32(b));
		uint32_t stream = wp_bytes_u32(b);
		const char *name = wp_bytes_str(&at, strings.size);
		if (name && strcmp(name, "/names") == 0)
			info->names = stream;
	}
}

struct wp_err *wp_pdb_info_read(const struct wp_pdb_msf *msf, struct wp_pdb_info *ret)
{
	struct wp_pdb_info info = {.names = WP_PDB_NO_STREAM};
	uint32_t size = wp_pdb_msf_size(msf, INFO_STREAM);
	wp_autofree void *bytes =
		size <= MAX_INFO ? wp_pdb_msf_load(msf, INFO_STREAM, 0, size) : NULL;
	struct wp_bytes b = wp_bytes_of(bytes, bytes ? size : 0);
	uint32_t version = wp_bytes_u32(&b);

	wp_bytes_u32(&b); /* when it was made */
	info.age = wp_bytes_u32(&b);
	const void *guid = wp_bytes_take(&b, sizeof(info.guid));
	if (!guid || version < VERSION_GUID)
		return wp_err_new(WP_ERR_FORMAT, "%s: damaged PDB: it has no identity; link again",
				  msf->input.path);
	memcpy(info.guid, guid, sizeof(info.guid));
	read_stream_names(&b, &info);
	while (wp_bytes_left(&b) >= 4)
		info.is_fastlink |= wp_bytes_u32(&b) == FEATURE_FASTLINK;
	*ret = info;
	return NULL;
}
