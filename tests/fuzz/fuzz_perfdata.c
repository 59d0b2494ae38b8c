/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_perfdata: a whole perf.data file: as sections in memory, and as a file that the recording
 * source reads to its end.
 */
#include "format/perf/perfdata.h"
#include "read_recording.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_file(const uint8_t *data, size_t size, bool stacks)
{
	wp_autoclose int fd = memfd_create("recording", MFD_CLOEXEC);
	wp_autofree char *path = wp_asprintf("/proc/self/fd/%d", fd);
	struct wp_source *source;

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		return;
	wp_autoerr struct wp_err *err = wp_recording_open(path, false, NULL, NULL, &source);
	if (err)
		return;
	if (!stacks)
		wp_recording_no_stacks(source);
	err = read_recording(source);
	source->ops->close(source);
}

/* Each reader on bytes that were not made for it. */
static void read_parts(const uint8_t *data, size_t size)
{
	struct wp_bytes b = wp_bytes_of(data, size);
	struct wp_perfdata_build_id id;
	struct wp_perfdata_header header;
	struct wp_perfdata_record record;
	struct wp_perfdata_attr attr;
	struct wp_perfdata_desc desc;
	struct wp_perfdata_note note = wp_perfdata_note_read(b);
	uint32_t n, attr_size;
	struct wp_perfdata_clock clock = {0};

	if (note.kind == WP_PERFDATA_NOTE_FUNCTION)
		sink += strlen(note.function.file);
	wp_err_free(wp_perfdata_header_read(data, size, &header));
	wp_err_free(wp_perfdata_attr_read(data, size, &attr));
	if (wp_perfdata_record_read(data, size, &record) == WP_PERFDATA_WHOLE)
		sink += wp_perfdata_identifier(data, &record);
	if (wp_perfdata_build_id_read(b, 0xffff, &id))
		sink += strlen(id.path) + id.id[id.len / 2];
	wp_perfdata_clock_read(b, &clock);
	sink += clock.unix_ns;
	if (!wp_perfdata_desc_begin(&b, &n, &attr_size))
		return;
	while (n-- && wp_perfdata_desc_next(&b, attr_size, &desc))
		sink += strlen(desc.name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_parts(data, size);
	read_file(data, size, true);
	read_file(data, size, false);
	return 0;
}
