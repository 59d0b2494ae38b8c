/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_python_source: a file that says it is the source of Python code; each of its lines. */
#include "session/live/python_source.h"

#include "scratch.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME	   "/app.py"
#define LINE_BYTES 1000

static void check_line(const char *line)
{
	size_t n = strlen(line);

	if (!n || n > LINE_BYTES || line[strcspn(line, "\r\n\t")] || *line == ' ')
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wp_owners own;
	static int fd = -1;
	struct wp_target target = {.kind = WP_TARGET_PROCESSES, .launched = true};
	struct wp_python_source source = {0};
	char path[64];
	uint32_t lines = 1;

	snprintf(path, sizeof(path), "%s" NAME, scratch_folder());
	if (fd < 0) {
		fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		wp_owners_add_uid(&own, geteuid());
	}
	scratch_fill(fd, data, size);
	wp_python_source_init(&source, &target);
	source.owners = &own;
	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	for (uint32_t line = 0; line <= lines + 1; line++) {
		const char *text = wp_python_source_line(&source, path, line);

		if (text)
			check_line(text);
		if (text && (line == 0 || line > lines))
			abort();
	}
	wp_python_source_deinit(&source);
	return 0;
}
