/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code_loads: runs a CPython one instruction at a time and holds every load by its evaluation loop
 * that lies in the bytecode of a code object against the frame: which instruction it says it is at,
 *there or right behind it. x86-64, one thread.
 *
 *	code_loads STEPS PYTHON ARG...
 *
 * The program touches the file that its environment names as READY when it may be looked at.
 * Prints `KEY VALUE` lines, and what is wrong on standard error.
 */
#include "probe.h"

#include "core/process.h"
#include "format/python/python_bytecode.h"
#include "runtime/python_code.h"
#include "session/follow/python_processes.h"
#include "source/pinned/pinned_walk.h"
#include "source/proc/process_memory.h"
#include "source/proc/procfs.h"

#include <capstone/capstone.h>
#include <inttypes.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>

#define MAX_SHOWN 20
#define INSN_MAX  16
#define MOVES	  2 /* of the frame: it is told behind the next load where a compiler moved that */

static struct wp_processes processes;

/* A code object that a frame was in. */
struct code {
	uint64_t addr, start;
	uint32_t id;
	struct wp_str bytes;
	struct wp_python_instructions instructions;
	uint32_t version;
};

/* An instruction of a code object; code 0: nowhere that is known. */
struct position {
	size_t code;
	uint32_t offset;
};

/* A code unit that was loaded, and how often the frame has moved since. */
struct load {
	uint64_t ip;
	struct position at;
	unsigned int moves;
};

struct looped {
	pid_t pid;
	struct wp_memory memory;
	struct wp_python_processes processes;
	struct wp_pinned_process process;
	const struct wp_python_interpreter *python;
	struct wp_pinned_walk *walk;
	csh capstone;
	WP_VEC(cs_insn *) insns;
	struct wp_map insn_at; /* address -> index + 1 */
	WP_VEC(struct code) codes;
	struct wp_map code_at;	  /* address -> index + 1; 0: not readable */
	struct position frame;	  /* as it says itself */
	WP_VEC(struct load) open; /* loads of what it was not at yet */
	uint64_t steps, in_loop, loads, units, now, soon[MOVES], fused, yielded, other, gone;
};

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static bool step(const struct looped *s)
{
	int status, signal = 0;

	do {
		if (ptrace(PTRACE_SINGLESTEP, s->pid, NULL, signal) < 0 ||
		    waitpid(s->pid, &status, 0) != s->pid || !WIFSTOPPED(status))
			return false;
		signal = WSTOPSIG(status);
	} while (signal != SIGTRAP);
	return true;
}

static bool is_in_loop(const struct looped *s, uint64_t ip)
{
	const struct wp_python_plan *plan = &s->process.plans[0];

	return (ip >= plan->eval_start && ip < plan->eval_end) ||
	       (ip >= plan->eval_cold_start && ip < plan->eval_cold_end);
}

/* Decoded once; NULL: it cannot be. */
static const cs_insn *insn_at(struct looped *s, uint64_t ip)
{
	uint64_t *index = wp_map_put(&s->insn_at, ip);
	uint8_t bytes[INSN_MAX];
	cs_insn *insn = NULL;

	if (*index)
		return s->insns.v[*index - 1];
	if (s->memory.read(s->memory.arg, ip, bytes, sizeof(bytes)))
		cs_disasm(s->capstone, bytes, sizeof(bytes), ip, 1, &insn);
	wp_vec_push(&s->insns, insn);
	*index = s->insns.n;
	return insn;
}

static uint64_t value_of(const struct user_regs_struct *r, x86_reg reg, uint64_t next_ip)
{
	switch (reg) {
	case X86_REG_RAX: return r->rax;
	case X86_REG_RBX: return r->rbx;
	case X86_REG_RCX: return r->rcx;
	case X86_REG_RDX: return r->rdx;
	case X86_REG_RSI: return r->rsi;
	case X86_REG_RDI: return r->rdi;
	case X86_REG_RBP: return r->rbp;
	case X86_REG_RSP: return r->rsp;
	case X86_REG_R8: return r->r8;
	case X86_REG_R9: return r->r9;
	case X86_REG_R10: return r->r10;
	case X86_REG_R11: return r->r11;
	case X86_REG_R12: return r->r12;
	case X86_REG_R13: return r->r13;
	case X86_REG_R14: return r->r14;
	case X86_REG_R15: return r->r15;
	case X86_REG_RIP: return next_ip;
	default: return 0;
	}
}

/* The address that an instruction loads from; false: it loads nothing. */
static bool load_of(const cs_insn *insn, const struct user_regs_struct *r, uint64_t *ret)
{
	const cs_x86 *x86 = &insn->detail->x86;

	if (insn->id == X86_INS_LEA || insn->id == X86_INS_NOP)
		return false;
	for (uint8_t i = 0; i < x86->op_count; i++) {
		const cs_x86_op *op = &x86->operands[i];

		if (op->type != X86_OP_MEM || !(op->access & CS_AC_READ) ||
		    op->mem.segment != X86_REG_INVALID)
			continue;
		*ret = value_of(r, op->mem.base, insn->address + insn->size) +
		       value_of(r, op->mem.index, 0) * (uint64_t)op->mem.scale +
		       (uint64_t)op->mem.disp;
		return true;
	}
	return false;
}

static size_t keep_code(struct looped *s, const struct wp_python_slot *slot)
{
	uint64_t *index = wp_map_put(&s->code_at, slot->addr);
	struct code code = {.addr = slot->addr, .id = slot->id};
	struct wp_python_bytecode bytecode = {0};

	if (*index && s->codes.v[*index - 1].id == slot->id)
		return *index;
	if (!wp_python_code_read_bytecode(&s->memory, &s->process.plans[0],
					  s->python->build->code_code, slot->addr, slot->id,
					  &code.bytes, &code.start))
		return 0;
	code.version = bytecode.version = s->python->build->version >> 16;
	bytecode.code = (const uint8_t *)code.bytes.s;
	bytecode.n = code.bytes.len;
	if (wp_python_bytecode_decode(&bytecode, &code.instructions) != WP_PYTHON_DECODED)
		return 0;
	wp_vec_push(&s->codes, code);
	*index = s->codes.n;
	return *index;
}

/* Where the innermost frame is, and all code objects of the stack; 0: nowhere that is known. */
static size_t look(struct looped *s, const struct user_regs_struct *r, int32_t *ret_lasti)
{
	const struct wp_perf_peek_regs user = {
		.ip = r->rip,
		.sp = r->rsp,
		.n = 15,
		.others = {r->rax, r->rbx, r->rcx, r->rdx, r->rsi, r->rdi, r->rbp, r->r8, r->r9,
			   r->r10, r->r11, r->r12, r->r13, r->r14, r->r15},
	};
	const struct wp_pinned_subject subject = {(uint32_t)s->pid, (uint32_t)s->pid, &user};
	const struct wp_python_slot *slots;
	size_t n, code, ret = 0;

	wp_pinned_walk_frames(s->walk, &s->process, &subject);
	slots = wp_pinned_walk_slots(s->walk, &n);
	if (!n || WP_PYTHON_THREAD_END(slots[0].id) != WP_PYTHON_COMPLETE)
		return 0;
	for (size_t i = n; i-- > 1;) {
		if (slots[i].lasti == WP_PYTHON_MARK || slots[i].lasti == WP_PYTHON_THREAD)
			continue;
		code = keep_code(s, &slots[i]);
		ret = code;
		*ret_lasti = slots[i].lasti;
	}
	return ret;
}

/* The code object that an address lies in the bytecode of; 0: none that is known. */
static size_t code_of(const struct looped *s, uint64_t addr)
{
	for (size_t i = s->codes.n; i-- > 0;)
		if (addr - s->codes.v[i].start < s->codes.v[i].bytes.len)
			return i + 1;
	return 0;
}

static uint32_t offset_of(const struct looped *s, size_t code, int64_t lasti)
{
	const struct wp_python_instruction *at =
		wp_python_instruction_at(&s->codes.v[code - 1].instructions, lasti);

	return at ? at->offset : UINT32_MAX;
}

static bool same(const struct position *a, const struct position *b)
{
	return a->code == b->code && a->offset == b->offset;
}

/*
 * Of 3.11 and 3.12: the second half of a superinstruction, or of a comparison that jumps, which the
 * frame is never at, as both run as one. Forms change while code runs, so that the code is read
 * again.
 */
static bool is_second_half(const struct looped *s, const struct load *load)
{
	const struct code *code = &s->codes.v[load->at.code - 1];
	struct wp_python_instructions now;
	const struct wp_python_instruction *i;
	wp_autostr struct wp_str bytes = {0};
	bool ret = false;
	uint64_t at;

	if (!load->at.offset || !wp_python_code_read_bytecode(&s->memory, &s->process.plans[0],
							      s->python->build->code_code,
							      code->addr, code->id, &bytes, &at))
		return false;
	struct wp_python_bytecode bytecode = {
		.version = code->version, .code = (const uint8_t *)bytes.s, .n = bytes.len};

	if (wp_python_bytecode_decode(&bytecode, &now) != WP_PYTHON_DECODED)
		return false;
	i = wp_python_instruction_at(&now, load->at.offset - 2);
	ret = i && i->opcode && i->end == load->at.offset &&
	      (strstr(i->opcode->name, "__") || strstr(i->opcode->name, "_JUMP"));
	wp_python_instructions_deinit(&now);
	return ret;
}

static const char *loaded_name(const struct looped *s, const struct load *load)
{
	const struct wp_python_instruction *i = wp_python_instruction_at(
		&s->codes.v[load->at.code - 1].instructions, load->at.offset);

	return i && i->opcode ? i->opcode->name : "?";
}

/* The frame never was where that load was of. A frame that yields is left behind the yield. */
static void miss(struct looped *s, const struct load *load)
{
	const char *name = loaded_name(s, load);

	if (strcmp(name, "YIELD_VALUE") == 0)
		s->yielded++;
	else if (is_second_half(s, load))
		s->fused++;
	else if (s->other++ < MAX_SHOWN)
		fprintf(stderr,
			"%" PRIx64 " loads %" PRIx64 "+%u %s, the frame is at %" PRIx64 "+%d\n",
			load->ip, s->codes.v[load->at.code - 1].addr, load->at.offset, name,
			s->codes.v[s->frame.code - 1].addr, (int)s->frame.offset);
}

static void move_frame(struct looped *s, const struct position *to)
{
	size_t n = 0;

	if (!to->code || same(&s->frame, to))
		return;
	s->frame = *to;
	wp_vec_each (struct load, load, &s->open) {
		if (same(&load->at, to))
			s->soon[load->moves]++;
		else if (++load->moves == MOVES)
			miss(s, load);
		else
			s->open.v[n++] = *load;
	}
	s->open.n = n;
}

/* Code that exec() made is freed, and its place used again. */
static bool is_there(const struct looped *s, const struct code *code)
{
	wp_autostr struct wp_str bytes = {0};
	uint64_t at;

	return wp_python_code_read_bytecode(&s->memory, &s->process.plans[0],
					    s->python->build->code_code, code->addr, code->id,
					    &bytes, &at) &&
	       at == code->start;
}

static void take_unit(struct looped *s, uint64_t ip, uint64_t addr)
{
	struct load load = {.ip = ip, .at.code = code_of(s, addr)};

	if (!load.at.code)
		return;
	if (!is_there(s, &s->codes.v[load.at.code - 1])) {
		s->gone++;
		return;
	}
	load.at.offset =
		offset_of(s, load.at.code, (int64_t)(addr - s->codes.v[load.at.code - 1].start));
	s->units++;
	if (same(&load.at, &s->frame))
		s->now++;
	else
		wp_vec_push(&s->open, load);
}

static void take_step(struct looped *s)
{
	struct position at = {0};
	struct user_regs_struct r;
	const cs_insn *insn;
	uint64_t addr;
	int32_t lasti = 0;

	if (ptrace(PTRACE_GETREGS, s->pid, NULL, &r) < 0)
		die("registers");
	s->steps++;
	if (!is_in_loop(s, r.rip))
		return;
	s->in_loop++;
	at.code = look(s, &r, &lasti);
	if (at.code && lasti < 0)
		at.code = 0; /* it has not begun */
	if (at.code)
		at.offset = offset_of(s, at.code, lasti);
	move_frame(s, &at);
	insn = insn_at(s, r.rip);
	if (!insn || !load_of(insn, &r, &addr))
		return;
	s->loads++;
	take_unit(s, r.rip, addr);
}

static void launch(struct looped *s, char **command)
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
	if (ptrace(PTRACE_ATTACH, s->pid, NULL, NULL) < 0 || waitpid(s->pid, &status, 0) < 0 ||
	    ptrace(PTRACE_SETOPTIONS, s->pid, NULL, PTRACE_O_EXITKILL) < 0)
		die("attach");
	s->memory = wp_process_memory((uint32_t)s->pid);
}

static struct wp_err *find_plan(struct looped *s)
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
	if (!process || !process->pythons.n || !process->pythons.v[0].build)
		return wp_err_new(WP_ERR_UNSUPPORTED, "no interpreter");
	s->python = &process->pythons.v[0];
	s->process =
		(struct wp_pinned_process){.pid = process->pid, .n = 1, .plans = {s->python->plan}};
	return NULL;
}

static void tell(const struct looped *s)
{
	printf("steps %" PRIu64 "\nin_loop %" PRIu64 "\nloads %" PRIu64 "\nunits %" PRIu64
	       "\ncodes %zu\nnow %" PRIu64 "\nnext %" PRIu64 "\nafter %" PRIu64 "\nfused %" PRIu64
	       "\nyielded %" PRIu64 "\ngone %" PRIu64 "\nother %" PRIu64 "\n",
	       s->steps, s->in_loop, s->loads, s->units, s->codes.n, s->now, s->soon[0], s->soon[1],
	       s->fused, s->yielded, s->gone, s->other);
}

int main(int argc, char **argv)
{
	struct looped s = {.processes.files.log = &stderr_log,
			   .walk = wp_pinned_walk_new(false, false)};
	struct wp_err *err;

	if (argc < 3 || !getenv("READY"))
		return 2;
	if (cs_open(CS_ARCH_X86, CS_MODE_64, &s.capstone) != CS_ERR_OK ||
	    cs_option(s.capstone, CS_OPT_DETAIL, CS_OPT_ON) != CS_ERR_OK)
		return 1;
	wp_processes_listen(&processes, wp_python_processes_changed, &s.processes);
	launch(&s, argv + 2);
	err = find_plan(&s);
	if (err) {
		fprintf(stderr, "error: %s\n", err->text);
		return 1;
	}
	for (uint64_t n = strtoull(argv[1], NULL, 10); n-- > 0 && step(&s);)
		take_step(&s);
	kill(s.pid, SIGKILL);
	tell(&s);
	return s.other ? 1 : 0;
}
