/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * weave: weaves what the standard input describes, a thing per line and numbers hexadecimal; a tool
 * for the tests.
 *
 *	loop START END PLAN	an evaluation loop		objects PLAN	3.10 and older
 *	end N			enum wp_stack_end		native IP SP	innermost first
 *	thread PLAN END		a THREAD slot			frame WORD	mark ADDR
 *
 * Prints "native N" (by place, from 0) and "python WORD", innermost first, then "unbound N missing
 * N". -i keeps the interpreter's frames.
 */
#include "base/mem.h"
#include "base/vec.h"
#include "runtime/python_weave.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct input {
	struct wp_stack stack;
	WP_VEC(struct wp_python_eval) loops;
	WP_VEC(struct wp_python_slot) slots;
	WP_VEC(char *) words; /* of the slots; NULL but for frames */
	uint32_t flags[WP_PYTHON_PLANS];
};

static void add_slot(struct input *in, struct wp_python_slot slot, const char *word)
{
	wp_vec_push(&in->slots, slot);
	wp_vec_push(&in->words, word ? wp_strdup(word) : NULL);
}

static void take_native(struct input *in, uint64_t ip, uint64_t sp)
{
	if (in->stack.n_user == WP_STACK_MAX)
		in->stack.end = WP_STACK_TOO_DEEP;
	else
		in->stack.frames[in->stack.n_user++] = (struct wp_stack_frame){{ip}, sp};
}

static bool take(struct input *in, const char *kind, const char *word, const uint64_t v[3])
{
	if (!strcmp(kind, "loop"))
		wp_vec_push(&in->loops, (struct wp_python_eval){v[0], v[1], (uint32_t)v[2]});
	else if (!strcmp(kind, "objects") && v[0] < WP_PYTHON_PLANS)
		in->flags[v[0]] = WP_PYTHON_FRAME_OBJECTS;
	else if (!strcmp(kind, "end"))
		in->stack.end = (enum wp_stack_end)v[0];
	else if (!strcmp(kind, "native"))
		take_native(in, v[0], v[1]);
	else if (!strcmp(kind, "thread"))
		add_slot(in,
			 (struct wp_python_slot){
				 .lasti = WP_PYTHON_THREAD,
				 .id = WP_PYTHON_THREAD_ID((uint32_t)v[0], (uint32_t)v[1])},
			 NULL);
	else if (!strcmp(kind, "frame"))
		add_slot(in, (struct wp_python_slot){0}, word);
	else if (!strcmp(kind, "mark"))
		add_slot(in, (struct wp_python_slot){.addr = v[0], .lasti = WP_PYTHON_MARK}, NULL);
	else
		return false;
	return true;
}

static bool read_input(struct input *in)
{
	char line[1024], kind[16], word[512];

	while (fgets(line, sizeof(line), stdin)) {
		uint64_t v[3] = {0};

		if (sscanf(line, "%15s %511s", kind, word) != 2)
			return false;
		sscanf(line, "%*s %" SCNx64 " %" SCNx64 " %" SCNx64, &v[0], &v[1], &v[2]);
		if (!take(in, kind, word, v)) {
			fprintf(stderr, "weave: %s", line);
			return false;
		}
	}
	return true;
}

static void print(const struct input *in, const struct wp_woven *woven)
{
	for (size_t i = 0; i < woven->n; i++) {
		uint32_t index = woven->frames[i].index;

		if (woven->frames[i].kind == WP_WOVEN_NATIVE)
			printf("native %u\n", index);
		else
			printf("python %s\n", in->words.v[index]);
	}
	printf("unbound %zu missing %zu\n", woven->unbound, woven->missing);
}

int main(int argc, char **argv)
{
	wp_autofree struct input *in = wp_calloc(1, sizeof(*in));
	struct wp_woven woven = {0};
	bool ok = read_input(in);
	struct wp_python_evals evals = {in->loops.v, in->loops.n, {0}};

	if (ok) {
		memcpy(evals.flags, in->flags, sizeof(evals.flags));
		wp_python_weave(&in->stack, in->slots.v, in->slots.n, &evals,
				argc > 1 && !strcmp(argv[1], "-i"), &woven);
		print(in, &woven);
	}
	wp_vec_each (char *, word, &in->words)
		free(*word);
	wp_vec_deinit(&in->words);
	wp_vec_deinit(&in->loops);
	wp_vec_deinit(&in->slots);
	wp_woven_deinit(&woven);
	return !ok;
}
