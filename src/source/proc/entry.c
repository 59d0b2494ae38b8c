/* SPDX-License-Identifier: BSD-3-Clause */
/* entry: see entry.h. */
#include "source/proc/entry.h"

#include "source/proc/procfs.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>

#if defined(__x86_64__)

#define REGS_PC(regs) ((regs)->rip)

/* DR7: breakpoint 0, of this process, on execution (Intel SDM vol. 3, 18.2.4). */
#define DR7_EXECUTE_0 1ul

static bool set_register(pid_t pid, size_t number, uint64_t value)
{
	size_t at = offsetof(struct user, u_debugreg) + number * sizeof(long);

	return ptrace(PTRACE_POKEUSER, pid, (void *)at, (void *)value) == 0;
}

static bool set_breakpoint(pid_t pid, uint64_t at)
{
	return set_register(pid, 0, at) && set_register(pid, 7, DR7_EXECUTE_0);
}

static void clear_breakpoint(pid_t pid)
{
	set_register(pid, 7, 0);
	set_register(pid, 0, 0);
	set_register(pid, 6, 0);
}

#elif defined(__aarch64__)

#include <asm/ptrace.h>

#define REGS_PC(regs) ((regs)->pc)

/* DBGBCR_EL1: enabled, at EL0, all four bytes of the instruction (Arm ARM, D19.3.1). */
#define BCR_EXECUTE   (1u | 2u << 1 | 0xfu << 5)

static bool set_first(pid_t pid, uint64_t at, uint32_t control)
{
	struct user_hwdebug_state state = {0};
	struct iovec part = {&state, offsetof(struct user_hwdebug_state, dbg_regs[1])};

	state.dbg_regs[0].addr = at;
	state.dbg_regs[0].ctrl = control;
	return ptrace(PTRACE_SETREGSET, pid, (void *)NT_ARM_HW_BREAK, &part) == 0;
}

static bool set_breakpoint(pid_t pid, uint64_t at)
{
	return set_first(pid, at, BCR_EXECUTE);
}

static void clear_breakpoint(pid_t pid)
{
	set_first(pid, 0, 0);
}

#else
#error "no hardware breakpoints for this architecture"
#endif

/* Where a stopped child is; false: unknown, or it runs 32-bit code. */
static bool get_pc(pid_t pid, uint64_t *ret)
{
	struct user_regs_struct regs;
	struct iovec all = {&regs, sizeof(regs)};

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &all) < 0 ||
	    all.iov_len != sizeof(regs))
		return false;
	*ret = REGS_PC(&regs);
	return true;
}

/* Of the program, not of the dynamic linker. */
static bool find_entry(pid_t pid, uint64_t *ret)
{
	return wp_procfs_auxv(pid, AT_ENTRY, ret);
}

static void go_on(struct wp_entry *entry, int signal, enum wp_entry_state state)
{
	entry->state = state;
	if (ptrace(PTRACE_CONT, entry->pid, NULL, (void *)(intptr_t)signal) < 0)
		entry->state = WP_ENTRY_OFF; /* it was killed */
}

/* Only of a child that is stopped. */
static void detach(struct wp_entry *entry, int signal)
{
	if (entry->state == WP_ENTRY_LINKS)
		clear_breakpoint(entry->pid);
	ptrace(PTRACE_DETACH, entry->pid, NULL, (void *)(intptr_t)signal);
	entry->state = WP_ENTRY_OFF;
}

/* It became another program, of which nothing has run. */
static void trace_new_program(struct wp_entry *entry)
{
	uint64_t pc, at;

	if (!get_pc(entry->pid, &pc) || !find_entry(entry->pid, &at)) {
		detach(entry, 0);
	} else if (pc == at) {
		entry->state = WP_ENTRY_STOPPED; /* linked statically */
	} else if (set_breakpoint(entry->pid, at)) {
		go_on(entry, 0, WP_ENTRY_LINKS);
	} else {
		entry->refused = errno;
		detach(entry, 0);
	}
}

static bool is_at_entry(const struct wp_entry *entry)
{
	uint64_t pc, at;

	return entry->state == WP_ENTRY_LINKS && get_pc(entry->pid, &pc) &&
	       find_entry(entry->pid, &at) && pc == at;
}

bool wp_entry_follow(struct wp_entry *entry, pid_t pid)
{
	*entry = (struct wp_entry){.pid = pid};
	if (ptrace(PTRACE_SEIZE, pid, NULL, (void *)PTRACE_O_TRACEEXEC) < 0) {
		entry->refused = errno;
		return false;
	}
	entry->state = WP_ENTRY_EXECS;
	return true;
}

void wp_entry_stopped(struct wp_entry *entry, int wait_status)
{
	int signal = WSTOPSIG(wait_status), event = wait_status >> 16;

	if (entry->state == WP_ENTRY_OFF)
		return;
	if (event == PTRACE_EVENT_STOP || entry->state == WP_ENTRY_LEAVING) {
		detach(entry, event ? 0 : signal);
	} else if (event == PTRACE_EVENT_EXEC) {
		trace_new_program(entry);
	} else if (signal == SIGTRAP && is_at_entry(entry)) {
		clear_breakpoint(entry->pid);
		entry->state = WP_ENTRY_STOPPED;
	} else {
		go_on(entry, event ? 0 : signal, entry->state);
	}
}

void wp_entry_release(struct wp_entry *entry, bool more)
{
	if (entry->state != WP_ENTRY_STOPPED)
		return;
	if (more)
		go_on(entry, 0, WP_ENTRY_EXECS);
	else
		detach(entry, 0);
}

void wp_entry_leave(struct wp_entry *entry)
{
	if (entry->state == WP_ENTRY_STOPPED) {
		detach(entry, 0);
	} else if (entry->state == WP_ENTRY_EXECS || entry->state == WP_ENTRY_LINKS) {
		enum wp_entry_state was = entry->state;

		/* It is detached at the stop that this makes. */
		if (ptrace(PTRACE_INTERRUPT, entry->pid, NULL, NULL) < 0)
			entry->state = WP_ENTRY_OFF;
		else if (was != WP_ENTRY_LINKS)
			entry->state = WP_ENTRY_LEAVING;
	}
}
