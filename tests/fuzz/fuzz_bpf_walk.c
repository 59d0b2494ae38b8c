/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_bpf_walk: one record of the BPF walker, 4 bytes into its buffer as the joiner keeps it. */
#include "format/perf/bpf_walk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

static void use(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sink += bytes[i];
}

static void use_code(const struct wp_record_code *code)
{
	use(code->name.bytes, code->name.n);
	use(code->qualname.bytes, code->qualname.n);
	use(code->filename.bytes, code->filename.n);
	use(code->lines, code->lines_captured);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 4);
	struct wp_bpf_walk walk;
	struct wp_bpf_lines lines;
	struct wp_record record;

	if (!bytes)
		return 0;
	memcpy(bytes + 4, data, size);
	sink += wp_bpf_walk_identifier(bytes + 4, size);
	if (wp_bpf_walk_parse(bytes + 4, size, &walk)) {
		for (size_t i = 0; i < walk.n; i++)
			sink += walk.frames[i].ip.v + walk.frames[i].sp;
		use(walk.dump, walk.dump_bytes);
		for (size_t i = 0; i < walk.n_slots; i++)
			sink += walk.slots[i].addr + walk.slots[i].id;
	}
	sink += wp_bpf_walk_kind(bytes + 4, size);
	if (wp_bpf_walk_parse_code(bytes + 4, size, &record))
		use_code(&record.code);
	if (wp_bpf_walk_parse_lines(bytes + 4, size, &lines))
		use(lines.bytes, lines.n);
	free(bytes);
	return 0;
}
