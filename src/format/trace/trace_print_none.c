/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_print_none: trace_print.h in a build without libtraceevent: fields are listed. */
#include "format/trace/trace_print.h"

struct wp_trace_print *wp_trace_print_new(uint8_t long_bytes, uint32_t page_bytes)
{
	(void)long_bytes, (void)page_bytes;
	return NULL;
}

bool wp_trace_print_add(struct wp_trace_print *print, const char *system,
			const struct wp_trace_description *description)
{
	(void)print, (void)system, (void)description;
	return false;
}

void wp_trace_print_string(struct wp_trace_print *print, uint64_t addr, const char *text)
{
	(void)print, (void)addr, (void)text;
}

void wp_trace_print_functions(struct wp_trace_print *print, wp_trace_function *find, void *arg)
{
	(void)print, (void)find, (void)arg;
}

void wp_trace_print_put(struct wp_trace_print *print, uint32_t id, uint32_t cpu,
			const uint8_t *payload, size_t bytes, struct wp_str *out)
{
	(void)print, (void)id, (void)cpu, (void)payload, (void)bytes, (void)out;
}

void wp_trace_print_free(struct wp_trace_print *print)
{
	(void)print;
}
