/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_steps: enters the evaluation loop of a CPython 3.11 or 3.12 again and again, one
 * instruction at a time, and holds what a pinned reader reads behind each against what it read
 * before the first: the same frames, and on top of them none or the one that is entered. x86-64.
 *
 *	pinned_steps [-u] ENTRIES PYTHON ARG...
 *
 * -u: the type of code objects is not known. The program touches the file that its environment
 * names as READY when it may be looked at. Prints `KEY VALUE` lines, and what is wrong on standard
 * error.
 */
#include "probe.h"

#include "session/follow/python_processes.h"
#include "source/pinned/pinned_walk.h"
#include "source/proc/procfs.h"

#include <inttypes.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>

static struct wp_processes processes;

#define INT3	  0xccul
#define MAX_STEPS 120
#define MAX_SHOWN 20

struct tally {
	uint64_t entries, steps, partial, same, entered, wrong;
};

struct stepping {
	pid_t pid;
	struct wp_python_processes processes;
	struct wp_pinned_process process;
	struct wp_pinned_walk *walk;
	uint64_t ip, frame_code; /* at the entry */
	WP_VEC(struct wp_python_slot) before;
	struct tally tally;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static uint64_t peek(const struct stepping *s, uint64_t at)
{
	return (uint64_t)ptrace(PTRACE_PEEKDATA, s->pid, at, NULL);
}

static void poke(const struct stepping *s, uint64_t at, uint64_t word)
{
	if (ptrace(PTRACE_POKEDATA, s->pid, at, word) < 0)
		die("breakpoint");
}

static struct user_regs_struct registers(const struct stepping *s)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, s->pid, NULL, &regs) < 0)
		die("registers");
	return regs;
}

/* False when the process has ended. Signals but SIGTRAP are passed on. */
static bool go(const struct stepping *s, int request)
{
	int status, signal = 0;

	do {
		if (ptrace(request, s->pid, NULL, signal) < 0 ||
		    waitpid(s->pid, &status, 0) != s->pid || !WIFSTOPPED(status))
			return false;
		signal = WSTOPSIG(status);
	} while (signal != SIGTRAP);
	return true;
}

static const struct wp_python_slot *read_frames(const struct stepping *s,
						const struct user_regs_struct *r, size_t *ret_n)
{
	const struct wp_perf_peek_regs user = {
		.ip = r->rip,
		.sp = r->rsp,
		.n = 15,
		.others = {r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi, r->rbp, r->r8, r->r9,
			   r->r10, r->r11, r->r12, r->r13, r->r14, r->r15},
	};
	const struct wp_pinned_subject subject = {(uint32_t)s->pid, (uint32_t)s->pid, &user};

	wp_pinned_walk_frames(s->walk, &s->process, &subject);
	return wp_pinned_walk_slots(s->walk, ret_n);
}

static bool same(const struct stepping *s, const struct wp_python_slot *slots, size_t n)
{
	if (n != s->before.n)
		return false;
	for (size_t i = 1; i < n; i++)
		if (slots[i].addr != s->before.v[i].addr || slots[i].lasti != s->before.v[i].lasti)
			return false;
	return true;
}

static void show(const char *what, const struct wp_python_slot *slots, size_t n)
{
	fprintf(stderr, "  %s:", what);
	for (size_t i = 0; i < n && i < 12; i++)
		fprintf(stderr, " %" PRIx64 "/%d", (uint64_t)slots[i].addr, slots[i].lasti);
	fprintf(stderr, " (%zu), end %u\n", n, WP_PYTHON_THREAD_END(slots[0].id));
}

static void compare(struct stepping *s, const struct user_regs_struct *regs)
{
	size_t n;
	const struct wp_python_slot *slots = read_frames(s, regs, &n);
	struct tally *t = &s->tally;
	uint32_t end = WP_PYTHON_THREAD_END(slots[0].id);

	t->steps++;
	if (end != WP_PYTHON_COMPLETE && end != WP_PYTHON_NO_FRAME) {
		t->partial++; /* it says so itself */
	} else if (same(s, slots, n)) {
		t->same++;
	} else if (n > 3 && slots[1].addr == s->frame_code && slots[2].lasti == WP_PYTHON_MARK &&
		   same(s, slots + 2, n - 2)) {
		t->entered++;
	} else if (t->wrong++ < MAX_SHOWN) {
		fprintf(stderr, "wrong at loop + %" PRIu64 ", entering %" PRIx64 "\n",
			(uint64_t)regs->rip - s->ip, s->frame_code);
		show("before", s->before.v, s->before.n);
		show("behind", slots, n);
	}
}

/* Stands at the loop's first instruction. False when the process has ended. */
static bool enter(struct stepping *s)
{
	struct user_regs_struct regs = registers(s);
	const struct wp_python_plan *plan = &s->process.plans[0];
	const struct wp_python_slot *slots;
	size_t n;

	regs.rip = s->ip;
	if (ptrace(PTRACE_SETREGS, s->pid, NULL, &regs) < 0)
		die("registers");
	s->frame_code = peek(s, regs.rsi + plan->frame_code);
	s->before.n = 0;
	slots = read_frames(s, &regs, &n);
	for (size_t i = 0; i < n; i++)
		wp_vec_push(&s->before, slots[i]);
	s->tally.entries++;
	for (int i = 0; i < MAX_STEPS; i++) {
		if (!go(s, PTRACE_SINGLESTEP))
			return false;
		regs = registers(s);
		if (regs.rip - s->ip > plan->eval_prologue)
			return true;
		compare(s, &regs);
	}
	return true;
}

static void step_through(struct stepping *s, uint64_t entries)
{
	uint64_t word = peek(s, s->ip);
	bool runs = true;

	while (runs && s->tally.entries < entries) {
		poke(s, s->ip, (word & ~0xfful) | INT3);
		runs = go(s, PTRACE_CONT);
		if (!runs)
			break;
		poke(s, s->ip, word);
		runs = enter(s);
	}
}

static void launch(struct stepping *s, char **command)
{
	int status;

	s->pid = fork();
	if (s->pid < 0)
		die("fork");
	if (s->pid == 0) {
		execvp(command[0], command);
		_exit(127);
	}
	for (struct stat is; stat(getenv("READY"), &is) < 0;)
		if (waitpid(s->pid, &status, WNOHANG) == s->pid)
			exit(1);
	if (ptrace(PTRACE_ATTACH, s->pid, NULL, NULL) < 0 || waitpid(s->pid, &status, 0) < 0)
		die("attach");
	if (ptrace(PTRACE_SETOPTIONS, s->pid, NULL, PTRACE_O_EXITKILL) < 0)
		die("attach");
}

static struct wp_err *find_plan(struct stepping *s)
{
	struct wp_records records = {0};
	struct wp_python_process *process;

	TRY(wp_procfs_snapshot(s->pid, false, &records));
	wp_vec_each (struct wp_record, record, &records.records)
		wp_processes_take(&processes, record);
	process = wp_python_processes_find(&s->processes, (uint32_t)s->pid);
	wp_records_deinit(&records);
	if (process)
		wp_python_processes_look(&s->processes, process);
	if (!process || !process->pythons.n)
		return wp_err_new(WP_ERR_UNSUPPORTED, "no interpreter");
	s->process = (struct wp_pinned_process){
		.pid = process->pid, .n = 1, .plans = {process->pythons.v[0].plan}};
	s->ip = s->process.plans[0].eval_start;
	return NULL;
}

int main(int argc, char **argv)
{
	bool untyped = argc > 1 && strcmp(argv[1], "-u") == 0;
	struct stepping s = {.processes.files.log = &stderr_log,
			     .walk = wp_pinned_walk_new(false, false)};
	struct wp_err *err;

	argc -= untyped;
	argv += untyped;
	if (argc < 3 || !getenv("READY"))
		return 2;
	wp_processes_listen(&processes, wp_python_processes_changed, &s.processes);
	launch(&s, argv + 2);
	err = find_plan(&s);
	if (err) {
		fprintf(stderr, "error: %s\n", err->text);
		return 1;
	}
	if (untyped)
		s.process.plans[0].code_type = 0;
	step_through(&s, strtoull(argv[1], NULL, 10));
	kill(s.pid, SIGKILL);
	printf("entries %" PRIu64 "\nsteps %" PRIu64 "\nsame %" PRIu64 "\nentered %" PRIu64
	       "\npartial %" PRIu64 "\nwrong %" PRIu64 "\n",
	       s.tally.entries, s.tally.steps, s.tally.same, s.tally.entered, s.tally.partial,
	       s.tally.wrong);
	wp_pinned_walk_free(s.walk);
	wp_python_processes_deinit(&s.processes);
	wp_processes_deinit(&processes);
	wp_vec_deinit(&s.before);
	return s.tally.wrong ? 1 : 0;
}
