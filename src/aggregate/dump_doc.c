/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_doc: see dump_doc.h. */
#include "aggregate/dump_doc.h"

#include "aggregate/python_doc.h"
#include "base/str.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

void wp_dump_doc_init(struct wp_dump_doc *ret)
{
	*ret = (struct wp_dump_doc){.doc = wp_doc_new()};
	ret->dump = wp_doc_object(ret->doc, ret->doc->root, "dump");
	ret->processes = wp_doc_array(ret->doc, ret->dump, "processes");
}

/* "SIGSEGV". The caller frees. */
static char *name_signal(uint32_t number)
{
	const char *name = number < INT_MAX ? sigabbrev_np((int)number) : NULL;

	return name ? wp_asprintf("SIG%s", name) : wp_asprintf("signal %u", number);
}

/* How the process of a core ended. */
static void put_end_text(struct wp_dump_doc *dump, struct wp_node *parent,
			 const struct wp_dump_process *process)
{
	wp_autofree char *core = wp_strdup(process->core);
	wp_autofree char *name = name_signal(process->signal);
	wp_autostr struct wp_str line = {0};

	wp_utf8_hide_controls(core, "");
	wp_str_printf(&line, "core: %s", core);
	if (process->signal)
		wp_str_printf(&line, "; ended by %s", name);
	if (process->signal && process->address)
		wp_str_printf(&line, " at address 0x%" PRIx64, *process->address);
	wp_doc_prose(dump->doc, parent, "%s\n", line.s);
}

/* "process 7 (app): /opt/app; CPython 3.12.1", and what it was called with. */
static void put_process_text(struct wp_dump_doc *dump, struct wp_node *parent,
			     const struct wp_dump_process *process)
{
	wp_autostr struct wp_str line = {0};
	wp_autofree char *command = wp_strdup(process->command ? process->command : "");

	wp_str_printf(&line, "process %u (%s)", process->pid, process->name);
	if (process->exe)
		wp_str_printf(&line, ": %s", process->exe);
	if (process->python)
		wp_str_printf(&line, "; CPython %s", process->python);
	wp_utf8_hide_controls(line.s, "");
	wp_utf8_hide_controls(command, "");
	wp_doc_prose(dump->doc, parent, "%s%s\n", dump->n_processes ? "\n" : "", line.s);
	if (*command)
		wp_doc_prose(dump->doc, parent, "command: %s\n", command);
	if (process->core)
		put_end_text(dump, parent, process);
}

void wp_dump_doc_process(struct wp_dump_doc *dump, const struct wp_dump_process *process)
{
	struct wp_doc *doc = dump->doc;
	struct wp_node *object = wp_doc_object(doc, dump->processes, NULL);

	put_process_text(dump, object, process);
	wp_doc_int(doc, object, "pid", process->pid);
	wp_doc_str(doc, object, "name", process->name);
	if (process->exe)
		wp_doc_str(doc, object, "exe", process->exe);
	if (process->command)
		wp_doc_str(doc, object, "command", process->command);
	if (process->python)
		wp_doc_str(doc, object, "python", process->python);
	if (process->core)
		wp_doc_str(doc, object, "core", process->core);
	if (process->signal)
		wp_doc_int(doc, object, "signal", process->signal);
	if (process->signal && process->address)
		wp_dump_hex_json(doc, object, "address", *process->address);
	dump->process = object;
	dump->threads = wp_doc_array(doc, object, "threads");
	dump->n_processes++;
}

void wp_dump_doc_unread(struct wp_dump_doc *dump, uint32_t pid, const char *name, const char *why)
{
	struct wp_node *object;

	if (!dump->unread)
		dump->unread = wp_doc_array(dump->doc, dump->dump, "unread");
	object = wp_doc_object(dump->doc, dump->unread, NULL);
	wp_doc_int(dump->doc, object, "pid", pid);
	if (name)
		wp_doc_str(dump->doc, object, "name", name);
	wp_doc_str(dump->doc, object, "why", why);
	dump->n_unread++;
}

static const char *state_word(const struct wp_instant *at)
{
	if (at->ended)
		return at->in_call ? "it was" : "it was in its own code";
	switch (at->state) {
	case 'R': return at->proof == WP_INSTANT_PROVEN ? "waiting for a CPU" : "running";
	case 'S': return "sleeping";
	case 'D': return "waiting uninterruptibly";
	case 'T': return "stopped";
	case 't': return "stopped by a tracer";
	case 'I': return "idle";
	default: return "in an unknown state";
	}
}

static const char *const proofs[][2] = {
	[WP_INSTANT_PROVEN] = {"proven", "consistent"},
	[WP_INSTANT_RAN] = {"ran", "ran meanwhile, approximate"},
	[WP_INSTANT_NOT_KNOWN] = {"not_known", "not proven: this kernel does not count turns"},
};

const char *wp_dump_proof_word(enum wp_instant_proof proof)
{
	return proofs[proof][0];
}

const char *wp_dump_proof_text(enum wp_instant_proof proof)
{
	return proofs[proof][1];
}

/*
 * CPython's function that takes the GIL, 3.2 and newer; the compiler may put a suffix behind it. Of
 * 3.7 and newer the walker knows better, by where the futex is.
 */
static bool is_take_gil(const char *function)
{
	static const char name[] = "take_gil";
	size_t n = sizeof(name) - 1;

	return function && strncmp(function, name, n) == 0 && (!function[n] || function[n] == '.');
}

static bool waits_for_gil(const struct wp_dump_thread *thread)
{
	for (size_t i = 0; i < thread->n && thread->frames[i].kind != WP_SYMBOL_PYTHON; i++)
		if (is_take_gil(thread->frames[i].function))
			return true;
	return false;
}

/* NULL: it cannot be told. */
static const char *gil_word(const struct wp_dump_thread *thread)
{
	if (!(thread->python & WP_PYTHON_GIL_KNOWN))
		return NULL;
	if (thread->python & WP_PYTHON_GIL_HELD)
		return "held";
	if (thread->python & WP_PYTHON_GIL_AWAITED)
		return "waits";
	return waits_for_gil(thread) ? "waits" : "not_held";
}

static void put_fds_text(const struct wp_instant *at, struct wp_str *ret)
{
	for (uint32_t i = 0; i < at->n_fds; i++) {
		const struct wp_instant_fd *fd = &at->fds[i];

		wp_str_printf(ret, "%s%d", i ? ", " : at->n_fds > 1 ? ", fds " : ", fd ", fd->fd);
		if (fd->name[0])
			wp_str_printf(ret, " (%s)", fd->name);
	}
	if (at->more_fds)
		wp_str_puts(ret, " ...");
}

/* " in poll, fds 3 (pipe:[7]), 4 (socket:[9])" */
static void put_call_text(const struct wp_instant *at, struct wp_str *ret)
{
	if (!at->in_call)
		return;
	if (!at->known) {
		wp_str_printf(ret, " in system call %" PRId64, at->call);
		return;
	}
	wp_str_printf(ret, " in %s", at->known->name);
	if (at->known->kind == WP_SYSCALL_FUTEX)
		wp_str_printf(ret, " 0x%" PRIx64, at->args[0]);
	if (at->known->kind == WP_SYSCALL_PROCESS && (int32_t)at->args[0] > 0)
		wp_str_printf(ret, ", process %d", (int32_t)at->args[0]);
	put_fds_text(at, ret);
}

static void put_signal_text(const struct wp_instant *at, struct wp_str *ret)
{
	wp_autofree char *name = name_signal(at->signal);

	wp_str_printf(ret, " and took %s", name);
}

/* Where a recording has seen it last. */
static void put_seen_text(const struct wp_dump_seen *seen, struct wp_str *ret)
{
	if (seen->waited_ns)
		wp_str_printf(ret, "waited %.3f s until", (double)seen->waited_ns / 1e9);
	else
		wp_str_puts(ret, "ran");
	if (seen->before_end_ns)
		wp_str_printf(ret, " %.3f s before the end", (double)seen->before_end_ns / 1e9);
	else
		wp_str_puts(ret, seen->waited_ns ? " the end" : " at the end");
	wp_str_printf(ret, " (%s)", seen->event);
}

/* What it does, in text. */
static void put_state_text(const struct wp_dump_thread *thread, struct wp_str *ret)
{
	const struct wp_instant *at = thread->at;
	const char *gil = gil_word(thread);

	wp_str_puts(ret, state_word(at));
	put_call_text(at, ret);
	if (at->signal)
		put_signal_text(at, ret);
	if (gil && strcmp(gil, "held") == 0)
		wp_str_puts(ret, "; holds the GIL");
	if (gil && strcmp(gil, "waits") == 0)
		wp_str_puts(ret, "; waits for the GIL");
	wp_str_printf(ret, "; %s", wp_dump_proof_text(at->proof));
}

static void put_thread_headline(const struct wp_dump_thread *thread, struct wp_str *ret)
{
	const struct wp_instant *at = thread->at;
	wp_autostr struct wp_str line = {0};

	wp_str_printf(&line, "thread %u", at->tid);
	if (at->name[0] || thread->name)
		wp_str_printf(&line, " (%s%s", at->name, at->name[0] && thread->name ? ", " : "");
	if (thread->name)
		wp_str_printf(&line, "\"%s\"", thread->name);
	wp_str_printf(&line, "%s: ", at->name[0] || thread->name ? ")" : "");
	if (thread->seen)
		put_seen_text(thread->seen, &line);
	else
		put_state_text(thread, &line);
	wp_utf8_hide_controls(line.s, "");
	wp_str_printf(ret, "\n%s\n", line.s);
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

/* How a kernel stack ends: in JSON, in words. */
static const char *const *kernel_ending(const struct wp_instant *at)
{
	static const char *const complete[2] = {"complete", NULL};
	static const char *const cut[2] = {"cut", "kernel frames: cut"};
	static const char *const not_known[2] = {
		"not_known", "kernel frames are not known of a thread that runs"};

	if (!at->n_kernel)
		return not_known;
	return at->kernel_cut ? cut : complete;
}

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
	if (thread->has_kernel && kernel_ending(thread->at)[1])
		wp_str_printf(ret, "    [%s]\n", kernel_ending(thread->at)[1]);
	if (python)
		wp_str_printf(ret, "    [Python frames: %s]\n", python);
	if (thread->no_locals)
		wp_str_printf(ret, "    [variables: %s]\n", thread->no_locals);
}

static void put_thread_text(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_dump_thread *thread)
{
	wp_autostr struct wp_str text = {0};

	put_thread_headline(thread, &text);
	for (size_t i = 0; i < thread->n; i++) {
		wp_dump_frame_text(&thread->frames[i], &text);
	}
	put_dump_lacks(thread, &text);
	wp_doc_prose(doc, parent, "%s", text.s);
}

static void put_fds_json(struct wp_doc *doc, struct wp_node *parent, const struct wp_instant *at)
{
	struct wp_node *fds;

	if (!at->n_fds)
		return;
	fds = wp_doc_array(doc, parent, "fds");
	for (uint32_t i = 0; i < at->n_fds; i++) {
		struct wp_node *fd = wp_doc_object(doc, fds, NULL);

		wp_doc_int(doc, fd, "fd", at->fds[i].fd);
		if (at->fds[i].name[0])
			wp_doc_str(doc, fd, "name", at->fds[i].name);
	}
	if (at->more_fds)
		wp_doc_bool(doc, parent, "more_fds", true);
}

static void put_call_json(struct wp_doc *doc, struct wp_node *parent, const struct wp_instant *at)
{
	struct wp_node *call = wp_doc_object(doc, parent, "syscall"), *args;

	wp_doc_int(doc, call, "number", at->call);
	if (at->known)
		wp_doc_str(doc, call, "name", at->known->name);
	args = wp_doc_array(doc, call, "args");
	for (int i = 0; i < WP_INSTANT_ARGS; i++)
		wp_dump_hex_json(doc, args, NULL, at->args[i]);
	put_fds_json(doc, call, at);
}

static void put_seen_json(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_dump_seen *seen)
{
	struct wp_node *object = wp_doc_object(doc, parent, "seen");

	wp_doc_str(doc, object, "event", seen->event);
	wp_doc_int(doc, object, "before_end_ns", (int64_t)seen->before_end_ns);
	if (seen->waited_ns)
		wp_doc_int(doc, object, "waited_ns", (int64_t)seen->waited_ns);
}

static void put_thread_json(struct wp_doc *doc, struct wp_node *parent,
			    const struct wp_dump_thread *thread)
{
	const struct wp_instant *at = thread->at;
	const char state[2] = {at->state}, *gil = thread->seen ? NULL : gil_word(thread);
	const char *python = wp_python_fault(WP_PYTHON_THREAD_END(thread->python));
	struct wp_node *frames;

	wp_doc_int(doc, parent, "tid", at->tid);
	wp_doc_str(doc, parent, "name", at->name);
	if (thread->name)
		wp_doc_str(doc, parent, "python_name", thread->name);
	wp_doc_str(doc, parent, "state", state);
	if (at->signal)
		wp_doc_int(doc, parent, "signal", at->signal);
	if (at->in_call)
		put_call_json(doc, parent, at);
	if (at->where[0])
		wp_doc_str(doc, parent, "wchan", at->where);
	if (gil)
		wp_doc_str(doc, parent, "gil", gil);
	wp_doc_str(doc, parent, "proof", thread->seen ? "recorded" : wp_dump_proof_word(at->proof));
	if (thread->seen)
		put_seen_json(doc, parent, thread->seen);
	if (thread->has_kernel)
		wp_doc_str(doc, parent, "kernel_end", kernel_ending(at)[0]);
	if (thread->has_native)
		wp_doc_str(doc, parent, "native_end",
			   at->has_place ? endings[thread->end][0] : "running");
	if (python)
		wp_doc_str(doc, parent, "python_end", python);
	if (thread->no_locals)
		wp_doc_str(doc, parent, "no_locals", thread->no_locals);
	if (thread->left_out)
		wp_doc_str(doc, parent, "left_out", thread->left_out);
	frames = wp_doc_array(doc, parent, "frames");
	for (size_t i = 0; i < thread->n; i++)
		wp_dump_frame_json(doc, frames, &thread->frames[i]);
}

void wp_dump_doc_thread(struct wp_dump_doc *dump, const struct wp_dump_thread *thread)
{
	struct wp_node *object = wp_doc_object(dump->doc, dump->threads, NULL);

	put_thread_text(dump->doc, object, thread);
	put_thread_json(dump->doc, object, thread);
	dump->n_threads++;
	dump->n_proven += !thread->seen && thread->at->proof == WP_INSTANT_PROVEN;
}

void wp_dump_doc_end(struct wp_dump_doc *dump)
{
	wp_doc_prose(dump->doc, dump->doc->root, "\n%zu thread%s of %zu process%s; ",
		     dump->n_threads, dump->n_threads == 1 ? "" : "s", dump->n_processes,
		     dump->n_processes == 1 ? "" : "es");
	if (dump->recorded)
		wp_doc_prose(dump->doc, dump->doc->root, "where each was sampled last\n");
	else
		wp_doc_prose(dump->doc, dump->doc->root, "%zu stack%s proven consistent\n",
			     dump->n_proven, dump->n_proven == 1 ? " is" : "s are");
	if (dump->n_unread)
		wp_doc_prose(dump->doc, dump->doc->root,
			     "%zu process%s could not be read: -v says why\n", dump->n_unread,
			     dump->n_unread == 1 ? "" : "es");
}
