/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_mode: see stack_mode.h. */
#include "session/live/stack_mode.h"

#include "base/str.h"

#include <string.h>

static const struct {
	const char *word;
	enum wp_stacks stacks;
	bool copies; /* takes a size */
} modes[] = {
	{"auto", WP_STACKS_BPF, true},
	{"bpf", WP_STACKS_BPF, false},
	{"dwarf", WP_STACKS_DUMP, true},
	{"fp", WP_STACKS_FP, false},
};

static struct wp_err *refuse_mode(const char *text)
{
	return wp_err_new(
		WP_ERR_USAGE,
		"input: \"%s\" to argument '--call-graph' is invalid: want auto, bpf, dwarf"
		" or fp; auto and dwarf may be followed by the bytes of stack to copy"
		" (dwarf,16384; at most %u)",
		text, WP_STACK_BYTES_MAX);
}

struct wp_err *wp_stack_mode_parse(bool wanted, const char *text, struct wp_stack_mode *ret)
{
	struct wp_stack_mode mode = {.bytes = WP_STACK_BYTES};
	wp_autofree char *word = wp_strdup(text ? text : "auto");
	char *comma = strchr(word, ',');

	if (comma)
		*comma++ = '\0';
	for (size_t i = 0; i < WP_ARRAY_LEN(modes); i++)
		if (strcmp(modes[i].word, word) == 0 && (modes[i].copies || !comma))
			mode.stacks = modes[i].stacks;
	if (!mode.stacks)
		return refuse_mode(text);
	if (comma && (!wp_str_to_u64(comma, 0, WP_STACK_BYTES_MAX, &mode.bytes) || !mode.bytes))
		return refuse_mode(text);
	mode.bytes = (mode.bytes + 7) & ~(uint64_t)7;
	mode.chosen = strcmp(word, "auto") == 0;
	if (!wanted && !text)
		mode.stacks = WP_STACKS_NONE;
	*ret = mode;
	return NULL;
}

const char *wp_stack_mode_name(enum wp_stacks stacks)
{
	switch (stacks) {
	case WP_STACKS_BPF: return "bpf";
	case WP_STACKS_FP: return "fp";
	case WP_STACKS_DUMP: return "dwarf";
	default: return "none";
	}
}
