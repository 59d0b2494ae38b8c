/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_doc: see dump_doc.h. */
#include "aggregate/dump_doc.h"

#include "aggregate/python_doc.h"
#include "base/str.h"
#include "base/utf8.h"

#include <inttypes.h>

void wp_dump_doc_init(struct wp_dump_doc *ret)
{
	struct wp_node *dump;

	*ret = (struct wp_dump_doc){.doc = wp_doc_new()};
	dump = wp_doc_object(ret->doc, ret->doc->root, "dump");
	ret->processes = wp_doc_array(ret->doc, dump, "processes");
}

void wp_dump_doc_process(struct wp_dump_doc *dump, uint32_t pid, const char *name, const char *exe)
{
	struct wp_doc *doc = dump->doc;
	struct wp_node *process = wp_doc_object(doc, dump->processes, NULL);

	wp_doc_prose(doc, process, "%sprocess %u (%s)%s%s\n", dump->n_processes ? "\n" : "", pid,
		     name, exe ? ": " : "", exe ? exe : "");
	wp_doc_int(doc, process, "pid", pid);
	wp_doc_str(doc, process, "name", name);
	if (exe)
		wp_doc_str(doc, process, "exe", exe);
	dump->threads = wp_doc_array(doc, process, "threads");
	dump->n_processes++;
	dump->pid = pid;
}

static const char *state_word(const struct wp_instant *at)
{
	switch (at->state) {
	case 'R': return "running";
	case 'S': return "sleeping";
	case 'D': return "waiting uninterruptibly";
	case 'T': return "stopped";
	case 't': return "stopped by a tracer";
	case 'I': return "idle";
	default: return "in an unknown state";
	}
}

/* enum wp_instant_proof: in JSON, in words. */
static const char *const proofs[][2] = {
	[WP_INSTANT_PROVEN] = {"proven", "consistent"},
	[WP_INSTANT_RAN] = {"ran", "ran meanwhile, approximate"},
	[WP_INSTANT_NOT_KNOWN] = {"not_known", "not proven: this kernel does not count turns"},
};

static const char *gil_word(uint32_t python)
{
	if (!(python & WP_PYTHON_GIL_KNOWN))
		return NULL;
	return python & WP_PYTHON_GIL_HELD ? "held" : "not_held";
}

/* What it does, in text. */
static void put_thread_headline(const struct wp_dump_thread *thread, struct wp_str *ret)
{
	const struct wp_instant *at = thread->at;

	wp_str_printf(ret, "\nthread %u (%s): %s", at->tid, at->name, state_word(at));
	if (at->in_call)
		wp_str_printf(ret, " in system call %" PRId64, at->call);
	if (thread->python & WP_PYTHON_GIL_HELD)
		wp_str_puts(ret, "; holds the GIL");
	wp_str_printf(ret, "; %s\n", proofs[at->proof][1]);
}

/* Where a frame is: "x.py:3", "libc.so.6", "x.c:12, libx.so". */
static void put_place(const struct wp_dump_frame *frame, struct wp_str *ret)
{
	bool module = frame->module && frame->kind != WP_SYMBOL_PYTHON;

	if (!module && !frame->file)
		return;
	wp_str_puts(ret, " (");
	/* The folders of a compiler's paths were those of the machine that built it. */
	if (frame->file)
		wp_str_puts(ret, module ? wp_str_basename(frame->file) : frame->file);
	if (frame->file && frame->line)
		wp_str_printf(ret, ":%u", frame->line);
	if (module)
		wp_str_printf(ret, "%s%s", frame->file ? ", " : "", frame->module);
	wp_str_puts(ret, ")");
}

/* A line whatever bytes are in its names. */
static void put_frame_text(const struct wp_dump_frame *frame, struct wp_str *ret)
{
	wp_autostr struct wp_str line = {0};

	if (frame->function)
		wp_str_puts(&line, frame->function);
	else if (frame->address)
		wp_str_printf(&line, "0x%" PRIx64, frame->address);
	else
		wp_str_puts(&line, "unknown");
	put_place(frame, &line);
	wp_utf8_hide_controls(line.s, "");
	wp_str_printf(ret, "    %s\n", line.s);
}

/* Why a native stack has no more: in JSON, in words. */
static const char *const endings[WP_STACK_ENDS][2] = {
	[WP_STACK_COMPLETE] = {"complete", NULL},
	[WP_STACK_NO_MODULE] = {"no_module", "an address outside of every file"},
	[WP_STACK_NO_RULE] = {"no_rule", "code without unwind information"},
	[WP_STACK_UNREADABLE] = {"unreadable", "the frame pointer is not known, or leads nowhere"},
	[WP_STACK_CUT] = {"cut", "it is longer than what was copied"},
	[WP_STACK_TOO_DEEP] = {"too_deep", "it is deeper than what is kept"},
	[WP_STACK_LOST] = {"lost", "it was not read"},
};

/* What the frames lack. */
static void put_dump_lacks(const struct wp_dump_thread *thread, struct wp_str *ret)
{
	const char *python = wp_python_fault(WP_PYTHON_THREAD_END(thread->python));

	if (thread->left_out)
		wp_str_printf(ret, "    [%s]\n", thread->left_out);
	else if (thread->has_native && !thread->at->has_place)
		wp_str_puts(ret, "    [native frames are not known of a thread that runs]\n");
	else if (thread->has_native && endings[thread->end][1])
		wp_str_printf(ret, "    [the native stack ends here: %s]\n",
			      endings[thread->end][1]);
	if (python)
		wp_str_printf(ret, "    [Python frames: %s]\n", python);
}

static void put_thread_text(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_dump_thread *thread)
{
	wp_autostr struct wp_str text = {0};

	put_thread_headline(thread, &text);
	for (size_t i = 0; i < thread->n; i++)
		put_frame_text(&thread->frames[i], &text);
	put_dump_lacks(thread, &text);
	wp_doc_prose(doc, parent, "%s", text.s);
}

static void put_hex(struct wp_doc *doc, struct wp_node *parent, const char *key, uint64_t value)
{
	wp_autofree char *text = wp_asprintf("0x%" PRIx64, value);

	wp_doc_str(doc, parent, key, text);
}

static void put_call_json(struct wp_doc *doc, struct wp_node *parent, const struct wp_instant *at)
{
	struct wp_node *call = wp_doc_object(doc, parent, "syscall"), *args;

	wp_doc_int(doc, call, "number", at->call);
	args = wp_doc_array(doc, call, "args");
	for (int i = 0; i < WP_INSTANT_ARGS; i++)
		put_hex(doc, args, NULL, at->args[i]);
}

static const char *kind_word(enum wp_symbol_kind kind)
{
	switch (kind) {
	case WP_SYMBOL_KERNEL: return "kernel";
	case WP_SYMBOL_JIT: return "jit";
	case WP_SYMBOL_PYTHON: return "python";
	case WP_SYMBOL_INLINE: return "inline";
	default: return "native";
	}
}

static void put_frame_json(struct wp_doc *doc, struct wp_node *frames,
			   const struct wp_dump_frame *frame)
{
	struct wp_node *object = wp_doc_object(doc, frames, NULL);

	wp_doc_str(doc, object, "kind", kind_word(frame->kind));
	if (frame->function)
		wp_doc_str(doc, object, "function", frame->function);
	if (frame->path && frame->kind != WP_SYMBOL_PYTHON)
		wp_doc_str(doc, object, "module", frame->path);
	if (frame->file)
		wp_doc_str(doc, object, "file", frame->file);
	if (frame->line)
		wp_doc_int(doc, object, "line", frame->line);
	if (frame->address)
		put_hex(doc, object, "address", frame->address);
}

static void put_thread_json(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_dump_thread *thread)
{
	const struct wp_instant *at = thread->at;
	const char state[2] = {at->state}, *gil = gil_word(thread->python);
	const char *python = wp_python_fault(WP_PYTHON_THREAD_END(thread->python));
	struct wp_node *frames;

	wp_doc_int(doc, parent, "tid", at->tid);
	wp_doc_str(doc, parent, "name", at->name);
	wp_doc_str(doc, parent, "state", state);
	if (at->in_call)
		put_call_json(doc, parent, at);
	if (at->where[0])
		wp_doc_str(doc, parent, "wchan", at->where);
	if (gil)
		wp_doc_str(doc, parent, "gil", gil);
	wp_doc_str(doc, parent, "proof", proofs[at->proof][0]);
	if (thread->has_native)
		wp_doc_str(doc, parent, "native_end",
			   at->has_place ? endings[thread->end][0] : "running");
	if (python)
		wp_doc_str(doc, parent, "python_end", python);
	if (thread->left_out)
		wp_doc_str(doc, parent, "left_out", thread->left_out);
	frames = wp_doc_array(doc, parent, "frames");
	for (size_t i = 0; i < thread->n; i++)
		put_frame_json(doc, frames, &thread->frames[i]);
}

void wp_dump_doc_thread(struct wp_dump_doc *dump, const struct wp_dump_thread *thread)
{
	struct wp_node *object = wp_doc_object(dump->doc, dump->threads, NULL);

	put_thread_text(dump->doc, object, thread);
	put_thread_json(dump->doc, object, thread);
	dump->n_threads++;
	dump->n_proven += thread->at->proof == WP_INSTANT_PROVEN;
}

void wp_dump_doc_end(struct wp_dump_doc *dump)
{
	wp_doc_prose(dump->doc, dump->doc->root,
		     "\n%zu thread%s of %zu process%s; %zu stack%s proven consistent\n",
		     dump->n_threads, dump->n_threads == 1 ? "" : "s", dump->n_processes,
		     dump->n_processes == 1 ? "" : "es", dump->n_proven,
		     dump->n_proven == 1 ? " is" : "s are");
}
