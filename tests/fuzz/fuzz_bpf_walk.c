/* fuzz_bpf_walk: one record of the BPF walker, 4 bytes into its buffer as the joiner keeps it. */
#include "format/bpf_walk.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *bytes = malloc(size + 4);
	struct wp_bpf_walk walk;

	if (!bytes)
		return 0;
	memcpy(bytes + 4, data, size);
	sink += wp_bpf_walk_identifier(bytes + 4, size);
	if (wp_bpf_walk_parse(bytes + 4, size, &walk)) {
		for (size_t i = 0; i < walk.n; i++)
			sink += walk.frames[i].ip.v + walk.frames[i].sp;
		for (size_t i = 0; i < walk.dump_bytes; i++)
			sink += walk.dump[i];
	}
	free(bytes);
	return 0;
}
