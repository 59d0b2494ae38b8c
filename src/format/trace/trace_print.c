/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_print: see trace_print.h. The library looks where a payload leads it, beyond its end, too:
 * it gets a copy with as many zeros behind as trace_gate lets it look at.
 */
#include "format/trace/trace_print.h"

#include "base/mem.h"
#include "base/str.h"
#include "format/trace/trace_gate.h"

#include <stdlib.h>
#include <string.h>
#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

struct wp_trace_print {
	struct tep_handle *tep;
	uint8_t *copy;
	size_t used; /* of the copy: what the last payload had */
	wp_trace_function *find;
	void *arg;
};

struct wp_trace_print *wp_trace_print_new(uint8_t long_bytes, uint32_t page_bytes)
{
	struct wp_trace_print *print = wp_calloc(1, sizeof(*print));

	tep_set_loglevel(TEP_LOG_NONE);
	print->tep = tep_alloc();
	if (!print->tep) {
		free(print);
		return NULL;
	}
	tep_set_file_bigendian(print->tep, TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(print->tep, TEP_LITTLE_ENDIAN);
	tep_set_long_size(print->tep, long_bytes);
	tep_set_page_size(print->tep, (int)(page_bytes & 0xffffff));
	print->copy = wp_calloc(WP_PAYLOAD_MAX + WP_TRACE_GATE_BEHIND, 1);
	return print;
}

bool wp_trace_print_add(struct wp_trace_print *print, const char *system,
			const struct wp_trace_description *description)
{
	wp_autostr struct wp_str text = {0};

	if (!wp_trace_gate_passes(description->print, &description->fields))
		return false;
	wp_trace_text_put(description, &text);
	tep_parse_event(print->tep, text.s, text.len, system);
	/* What it says of the arguments alone may make no sense to it: then it lists the fields. */
	return tep_find_event(print->tep, (int)description->id);
}

/* The library (1.7, 1.8) takes a newline off the end, and looks at what is two bytes before that: a
 * text must have two characters and the newline, or it reads what is before the text. */
void wp_trace_print_string(struct wp_trace_print *print, uint64_t addr, const char *text)
{
	wp_autofree char *padded = wp_asprintf("%-2s\n", text);

	tep_register_print_string(print->tep, padded, addr);
}

static char *resolve_function(void *arg, unsigned long long *addr, char **module)
{
	struct wp_trace_print *print = arg;
	uint64_t at = *addr;
	const char *name = print->find(print->arg, &at);

	*addr = at;
	*module = NULL;
	return (char *)name; /* the library does not write to it */
}

void wp_trace_print_functions(struct wp_trace_print *print, wp_trace_function *find, void *arg)
{
	print->find = find;
	print->arg = arg;
	tep_set_function_resolver(print->tep, resolve_function, print);
}

static void copy_payload(struct wp_trace_print *print, const uint8_t *payload, size_t bytes)
{
	if (print->used > bytes)
		memset(print->copy + bytes, 0, print->used - bytes);
	if (bytes)
		memcpy(print->copy, payload, bytes);
	print->used = bytes;
}

void wp_trace_print_put(struct wp_trace_print *print, uint32_t id, uint32_t cpu,
			const uint8_t *payload, size_t bytes, struct wp_str *out)
{
	struct tep_event *event = tep_find_event(print->tep, (int)id);
	struct tep_record record = {.cpu = (int)cpu, .data = print->copy};
	struct trace_seq seq;

	if (!event || bytes > WP_PAYLOAD_MAX)
		return;
	copy_payload(print, payload, bytes);
	record.size = (int)bytes;
	trace_seq_init(&seq);
	tep_print_event(print->tep, &seq, &record, "%s", TEP_PRINT_INFO);
	wp_str_append(out, seq.buffer, seq.len);
	trace_seq_destroy(&seq);
}

void wp_trace_print_free(struct wp_trace_print *print)
{
	if (!print)
		return;
	tep_free(print->tep);
	free(print->copy);
	free(print);
}
