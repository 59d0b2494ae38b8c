/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_maps: see kernel_maps.h. */
#include "source/proc/kernel_maps.h"

#include "base/file.h"
#include "base/str.h"
#include "format/maps/kallsyms.h"
#include "format/textline.h"

#include <stdio.h>
#include <string.h>

#define KALLSYMS_MAX (256u << 20)
#define NOTES	     "/sys/kernel/notes"
#define NOTES_MAX    65536
#define MODULES_MAX  (1u << 20)
#define NT_BUILD_ID  3
#define NAME_MAX_LEN 128

/* ELF notes: name size, size, type, name, bytes; each padded to 4. */
static void read_build_id(const char *path, struct wp_record_map *map)
{
	wp_autofree char *notes = NULL;
	size_t size = 0;
	wp_autoerr struct wp_err *err = wp_file_read(path, NOTES_MAX, &notes, &size);
	struct wp_bytes b = wp_bytes_of(notes, err ? 0 : size);

	while (wp_bytes_left(&b) >= 12) {
		uint32_t name_size = wp_bytes_u32(&b), n = wp_bytes_u32(&b),
			 type = wp_bytes_u32(&b);
		const char *name = wp_bytes_take(&b, (name_size + UINT64_C(3)) & ~UINT64_C(3));
		const uint8_t *id = wp_bytes_take(&b, (n + UINT64_C(3)) & ~UINT64_C(3));

		if (!id || !name || type != NT_BUILD_ID || name_size != 4 ||
		    memcmp(name, "GNU", 4) != 0 || n > WP_BUILD_ID_MAX)
			continue;
		memcpy(map->build_id, id, n);
		map->build_id_len = (uint8_t)n;
		return;
	}
}

uint8_t wp_kernel_maps_build_id(uint8_t ret[WP_BUILD_ID_MAX])
{
	struct wp_record_map map = {0};

	read_build_id(NOTES, &map);
	memcpy(ret, map.build_id, sizeof(map.build_id));
	return map.build_id_len;
}

static bool is_kernel_symbol_named(const struct wp_kallsyms_entry *e, const char *name)
{
	return !e->module && e->name_len == strlen(name) && memcmp(e->name, name, e->name_len) == 0;
}

static void add_kernel(struct wp_records *ret)
{
	struct wp_record record = {.kind = WP_RECORD_MAP};
	wp_autofree char *text = NULL;
	size_t size = 0;
	wp_autoerr struct wp_err *err = wp_file_read("/proc/kallsyms", KALLSYMS_MAX, &text, &size);
	struct wp_bytes b = wp_bytes_of(text, err ? 0 : size);
	uint64_t start = 0, end = 0;
	struct wp_kallsyms_entry e;

	while ((!start || !end) && wp_kallsyms_next(&b, &e)) {
		if (is_kernel_symbol_named(&e, "_text"))
			start = e.addr;
		if (is_kernel_symbol_named(&e, "_etext"))
			end = e.addr;
	}
	if (!start || end <= start)
		return;
	record.map = (struct wp_record_map){.start = {start},
					    .len = end - start,
					    .pgoff = {start},
					    .kernel = true,
					    .path = WP_KERNEL_MAPS_PATH};
	read_build_id(NOTES, &record.map);
	wp_vec_push(&ret->records, record);
}

/* "name size references users state address" */
static void add_kernel_module(const struct wp_textline *line, struct wp_records *ret)
{
	struct wp_record record = {.kind = WP_RECORD_MAP};
	char name[NAME_MAX_LEN];
	wp_autofree char *text = wp_strndup(line->s, line->len), *notes = NULL;
	unsigned long long size, start;

	if (sscanf(text, "%127s %llu %*s %*s %*s %llx", name, &size, &start) != 3 || !size ||
	    !start)
		return;
	record.map = (struct wp_record_map){
		.start = {start},
		.len = size,
		.kernel = true,
		.path = wp_arena_printf(&ret->arena, "[%s]", name),
	};
	notes = wp_asprintf("/sys/module/%s/notes/.note.gnu.build-id", name);
	read_build_id(notes, &record.map);
	wp_vec_push(&ret->records, record);
}

void wp_kernel_maps(struct wp_records *ret)
{
	wp_autofree char *text = NULL;
	size_t size = 0;
	wp_autoerr struct wp_err *err = wp_file_read("/proc/modules", MODULES_MAX, &text, &size);
	struct wp_bytes b = wp_bytes_of(text, err ? 0 : size);
	struct wp_textline line;

	add_kernel(ret);
	while (wp_textline_next(&b, &line))
		add_kernel_module(&line, ret);
}
