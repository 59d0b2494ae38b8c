/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_pid: unwinds the threads of a process from copies of their stacks; a tool for the tests.
 *
 *	unwind_pid TID           one thread: "ip sp module name" per frame, innermost first, then
 *				 how the stack ended
 *	unwind_pid -n N PID      stops every thread N times at random instants; prints one line:
 *				 stacks, how many were complete, and the other ends
 *
 * -k KB sets how much of the stack is copied (64).
 */
#include "base/file.h"
#include "base/str.h"
#include "format/maps/proc_maps.h"
#include "resolve/resolver.h"
#include "resolve/resolver_stack.h"

#include <dirent.h>
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static struct wp_processes processes;

static const char *const ends[WP_STACK_ENDS] = {"complete", "no-module", "no-rule", "unreadable",
						"cut",	    "too-deep",	 "lost"};

struct tool {
	struct wp_resolver *resolver;
	uint32_t pid;
	size_t copy_bytes;
	uint64_t stacks, frames, by_end[WP_STACK_ENDS];
	bool print;
	struct wp_stack stack;
};

static uint32_t process_of(uint32_t tid)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/status", tid);
	wp_autofree char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, 1 << 20, &text, NULL);
	const char *at = err ? NULL : strstr(text, "\nTgid:");

	return at ? (uint32_t)strtoul(at + 6, NULL, 10) : tid;
}

static void map_process(struct tool *tool)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/maps", tool->pid);
	wp_autofree char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, 64 << 20, &text, NULL);
	struct wp_record r = {.kind = WP_RECORD_MAP, .pid = tool->pid, .tid = tool->pid};
	char *at = text;

	while (!err && wp_proc_maps_next(&at, &r.map))
		wp_processes_take(&processes, &r);
}

#ifdef __x86_64__
/* Of a 32-bit thread the kernel gives struct user_regs_struct32. */
static void take_regs(const void *regs, size_t size, struct wp_stack_regs *ret)
{
	/* ebx ecx edx esi edi ebp eax ds es fs gs orig_eax eip cs eflags esp ss; ds: no register */
	static const uint8_t numbers[17] = {3, 1, 2, 6, 7, 5, 0, 9, 9, 9, 9, 9, 8, 9, 9, 4, 9};
	const struct user_regs_struct *u = regs;
	uint32_t narrow[17];

	if (size == sizeof(narrow)) {
		memcpy(narrow, regs, sizeof(narrow));
		for (size_t i = 0; i < 17; i++)
			ret->r[numbers[i]] = narrow[i];
		ret->valid = (1 << 9) - 1;
		ret->x86 = true;
		return;
	}
	ret->r[6] = u->rbp;
	ret->r[7] = u->rsp;
	ret->r[16] = u->rip;
	ret->valid = 1 << 6 | 1 << 7 | 1 << 16;
}
#else
static void take_regs(const void *regs, size_t size, struct wp_stack_regs *ret)
{
	const struct user_regs_struct *u = regs;

	(void)size;
	memcpy(ret->r, u->regs, sizeof(u->regs));
	ret->r[31] = u->sp;
	ret->r[32] = u->pc;
	ret->valid = (1ull << 33) - 1;
}
#endif

static bool read_regs(uint32_t tid, struct wp_stack_regs *ret)
{
	struct user_regs_struct u;
	struct iovec iov = {&u, sizeof(u)};

	*ret = (struct wp_stack_regs){0};
	if (ptrace(PTRACE_GETREGSET, (pid_t)tid, NT_PRSTATUS, &iov) != 0)
		return false;
	take_regs(&u, iov.iov_len, ret);
	return true;
}

static size_t read_stack(struct tool *tool, uint64_t sp, uint8_t *ret)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/mem", tool->pid);
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t got = 0;

	while (fd >= 0 && got < tool->copy_bytes) {
		size_t page = 4096 - (sp + got) % 4096;
		size_t want = tool->copy_bytes - got < page ? tool->copy_bytes - got : page;

		if (pread(fd, ret + got, want, (off_t)(sp + got)) != (ssize_t)want)
			break;
		got += want;
	}
	return got;
}

static void print_stack(struct tool *tool, const struct wp_record *sample)
{
	struct wp_rva rva;

	for (size_t i = 0; i < tool->stack.n_user; i++) {
		const struct wp_stack_frame *f = &tool->stack.frames[i];
		uint32_t id = wp_resolver_symbol_at(tool->resolver, sample,
						    (struct wp_va){f->ip.v - (i > 0)}, WP_MODE_USER,
						    &rva);
		const struct wp_symbol_set *set = wp_resolver_symbols(tool->resolver);
		const struct wp_symbol *s = &set->symbols.v[id];

		printf("%" PRIx64 " %" PRIx64 " %s %s\n", f->ip.v, f->sp,
		       s->module == WP_NO_MODULE ? "-" : set->modules.v[s->module].name,
		       s->name ? s->name : "-");
	}
	printf("%s\n", ends[tool->stack.end]);
}

/* Of a thread that stands still. */
static bool unwind(struct tool *tool, uint32_t tid)
{
	wp_autofree uint8_t *copy = wp_calloc(tool->copy_bytes, 1);
	struct wp_stack_regs regs;
	int sp, ip;
	struct wp_stack_raw raw = {.regs = &regs, .dump = copy};
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .pid = tool->pid, .tid = tid};

	if (!read_regs(tid, &regs))
		return false;
	sp = regs.x86 ? 4 : regs.valid >> 32 ? 31 : 7;
	ip = regs.x86 ? 8 : regs.valid >> 32 ? 32 : 16;
	raw.dump_bytes = read_stack(tool, regs.r[sp], copy);
	sample.sample.ip.v = regs.r[ip];
	sample.sample.stack = &raw;
	wp_resolver_stack(tool->resolver, &sample, &tool->stack);
	tool->stacks++;
	tool->frames += tool->stack.n_user;
	tool->by_end[tool->stack.end]++;
	if (tool->print)
		print_stack(tool, &sample);
	return true;
}

static bool stop_and_unwind(struct tool *tool, uint32_t tid)
{
	int status;

	if (ptrace(PTRACE_SEIZE, (pid_t)tid, 0, 0) != 0)
		return false;
	bool ok = ptrace(PTRACE_INTERRUPT, (pid_t)tid, 0, 0) == 0 &&
		  waitpid((pid_t)tid, &status, __WALL) == (pid_t)tid && WIFSTOPPED(status);
	if (ok) {
		map_process(tool);
		ok = unwind(tool, tid);
	}
	ptrace(PTRACE_DETACH, (pid_t)tid, 0, 0);
	return ok;
}

static void all_threads(struct tool *tool)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/task", tool->pid);
	DIR *dir = opendir(path);

	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (entry->d_name[0] != '.')
			stop_and_unwind(tool, (uint32_t)atoi(entry->d_name));
	if (dir)
		closedir(dir);
}

static void print_rate(const struct tool *tool)
{
	uint64_t n = tool->stacks;

	printf("%" PRIu64 " stacks, %.1f frames each, %.1f %% complete", n,
	       n ? (double)tool->frames / (double)n : 0.0,
	       n ? 100.0 * (double)tool->by_end[WP_STACK_COMPLETE] / (double)n : 0.0);
	for (int i = 0; i < WP_STACK_ENDS; i++)
		if (i != WP_STACK_COMPLETE && tool->by_end[i])
			printf(", %" PRIu64 " %s", tool->by_end[i], ends[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	struct wp_resolver_options options = {.processes = &processes};
	wp_autofree struct tool *tool = wp_calloc(1, sizeof(*tool));
	int opt, times = 0;
	bool ok = true;

	tool->copy_bytes = 64 << 10;
	while ((opt = getopt(argc, argv, "n:k:v")) != -1) {
		if (opt == 'n')
			times = atoi(optarg);
		else if (opt == 'k')
			tool->copy_bytes = (size_t)atoi(optarg) << 10;
		else if (opt == 'v')
			tool->print = true;
		else
			return 2;
	}
	if (optind >= argc)
		return 2;
	uint32_t tid = (uint32_t)atoi(argv[optind]);
	tool->pid = process_of(tid);
	tool->resolver = wp_resolver_new(&options);
	tool->print |= !times;
	if (times) {
		srandom(tid);
		for (int i = 0; i < times; i++) {
			usleep((useconds_t)(random() % 2000));
			all_threads(tool);
		}
		print_rate(tool);
	} else {
		ok = stop_and_unwind(tool, tid);
	}
	wp_resolver_free(tool->resolver);
	wp_processes_deinit(&processes);
	return !ok;
}
