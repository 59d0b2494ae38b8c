/* SPDX-License-Identifier: BSD-3-Clause */
/* python_mode: see python_mode.h. */
#include "session/follow/python_mode.h"

#include "base/choice.h"

#include <string.h>

struct wp_err *wp_python_mode_parse(const char *text, struct wp_python_mode *ret)
{
	static const struct {
		const char *word;
		struct wp_python_mode mode;
	} modes[] = {
		{"auto", {WP_PYTHON_BPF, true}},
		{"bpf", {WP_PYTHON_BPF, false}},
		{"pinned", {WP_PYTHON_PINNED, false}},
		{"off", {WP_PYTHON_OFF, false}},
	};

	const char *word = text ? text : "auto";
	wp_autochoice struct wp_choice choice = wp_choice_of(word);

	for (size_t i = 0; i < WP_ARRAY_LEN(modes); i++) {
		if (strcmp(modes[i].word, word) == 0) {
			*ret = modes[i].mode;
			return NULL;
		}
		wp_choice_add(&choice, modes[i].word);
	}
	return wp_choice_refuse(&choice, "--python");
}

const char *wp_python_mode_name(enum wp_python_way way)
{
	switch (way) {
	case WP_PYTHON_BPF: return "bpf";
	case WP_PYTHON_PINNED: return "pinned";
	case WP_PYTHON_REPLAY: return "replay";
	default: return "off";
	}
}
