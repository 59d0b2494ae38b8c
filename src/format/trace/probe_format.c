/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_format: see probe_format.h. */
#include "format/trace/probe_format.h"

#include <ctype.h>
#include <string.h>

#define COMMON_BYTES 8 /* of every tracepoint */
#define IP_BYTES     8
#define SLOT_BYTES   8 /* of each argument */

static uint32_t arg_slot_of(size_t i)
{
	return (uint32_t)(COMMON_BYTES + IP_BYTES + SLOT_BYTES * i);
}

/* A word, for libtraceevent and for us: "function__entry". */
static void put_event_name(const struct wp_probe *probe, struct wp_str *out)
{
	const char *name = probe->symbol ? probe->symbol : "address";

	for (; *name; name++)
		wp_str_putc(out, isalnum((unsigned char)*name) ? *name : '_');
}

/* libtraceevent takes a negative number of less than 4 bytes for a large one. */
static uint8_t arg_width_of(const struct wp_probe_arg *arg)
{
	return arg->is_signed && arg->size < 4 ? 4 : arg->size;
}

static const char *type_of(const struct wp_probe_arg *arg)
{
	switch (arg_width_of(arg)) {
	case 1: return "u8";
	case 2: return "u16";
	case 4: return arg->is_signed ? "s32" : "u32";
	default: return arg->is_signed ? "s64" : "u64";
	}
}

static void put_format_field(const struct wp_probe_arg *arg, size_t i, struct wp_str *out)
{
	wp_str_printf(out, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n",
		      arg->is_string ? "__data_loc char[]" : type_of(arg), arg->name,
		      arg_slot_of(i), arg->is_string ? 4 : arg_width_of(arg),
		      !arg->is_string && arg->is_signed);
}

static void put_print(const struct wp_probe *probe, struct wp_str *out)
{
	wp_str_puts(out, "\nprint fmt: \"(%lx)");
	for (size_t i = 0; i < probe->n_args; i++) {
		const struct wp_probe_arg *arg = &probe->args[i];

		wp_str_printf(out, " %s=%s", arg->name,
			      arg->is_string   ? "\\\"%s\\\""
			      : arg->size == 8 ? (arg->is_signed ? "%Ld" : "%Lu")
			      : arg->is_signed ? "%d"
					       : "%u");
	}
	wp_str_puts(out, "\", REC->__probe_ip");
	for (size_t i = 0; i < probe->n_args; i++) {
		const struct wp_probe_arg *arg = &probe->args[i];

		wp_str_printf(out, arg->is_string ? ", __get_str(%s)" : ", REC->%s", arg->name);
	}
	wp_str_puts(out, "\n");
}

void wp_probe_format_put(const struct wp_probe *probe, struct wp_str *out)
{
	wp_str_puts(out, "name: ");
	put_event_name(probe, out);
	wp_str_printf(out, "\nID: %u\nformat:\n", probe->format_id);
	wp_str_puts(out, "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
			 "\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
			 "\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;"
			 "\tsigned:0;\n"
			 "\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
			 "\tfield:unsigned long __probe_ip;\toffset:8;\tsize:8;\tsigned:0;\n");
	for (size_t i = 0; i < probe->n_args; i++)
		put_format_field(&probe->args[i], i, out);
	put_print(probe, out);
}

static void put_raw_bytes(struct wp_str *out, const void *bytes, size_t n)
{
	wp_str_append(out, bytes, n);
}

bool wp_probe_format_payload(const struct wp_probe *probe, const struct wp_probe_hit *hit,
			     struct wp_str *out)
{
	uint32_t at = arg_slot_of(probe->n_args);
	size_t texts = 0;

	out->len = 0;
	put_raw_bytes(out, &probe->format_id, sizeof(probe->format_id));
	wp_str_pad(out, '\0', 2); /* flags, preempt_count */
	put_raw_bytes(out, &hit->tid, sizeof(hit->tid));
	put_raw_bytes(out, &hit->ip, sizeof(hit->ip));
	for (size_t i = 0; i < probe->n_args; i++) {
		uint64_t value = hit->values[i];

		if (probe->args[i].is_string) {
			if (value > hit->texts_bytes - texts)
				return false;
			texts += value;
			value = value << 16 | at;
			at += (uint32_t)hit->values[i];
		}
		put_raw_bytes(out, &value, sizeof(value));
	}
	put_raw_bytes(out, hit->texts, texts);
	return true;
}
