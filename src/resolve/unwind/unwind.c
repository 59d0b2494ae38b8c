/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind: see unwind.h. Stack memory is the sampled program's: every address is checked against the
 * copy, every step must come closer to the stack's beginning.
 */
#include "resolve/unwind/unwind.h"

#include "base/invariant.h"
#include "resolve/unwind/return_site.h"

#include <elf.h>
#include <string.h>

#define ARM_LR	 30
#define BIT(n)	 (1ull << (n))
#define RED_ZONE 128 /* bytes below sp that a function may use */

#define MAX_SEARCHED	 128 /* words */
#define SEARCHED_FURTHER 16  /* of them, behind the first that may be it */

/* struct sigframe_ia32 and rt_sigframe_ia32 behind their return address, up to sigcontext_32. */
#define SIGFRAME      4
#define RT_SIGFRAME   160
#define SIGCONTEXT_CS 60

/* User addresses of arm64; what is above is the pointer authentication code. */
#define ARM_ADDRESS ((1ull << 48) - 1)

/* The page at which the kernel answers old system calls; it has no file. */
#define VSYSCALL     0xffffffffff600000ull
#define VSYSCALL_LEN 4096

/* One kind of code: its words, and the DWARF numbers of its registers. */
struct machine {
	uint16_t elf; /* EM_... */
	uint8_t word; /* bytes */
	uint8_t fp, sp, ip;
	uint8_t bx; /* 0: of no use */
	/*
	 * Offsets from sp in a signal handler's caller to the registers of what was interrupted:
	 * struct rt_sigframe and ucontext of the kernel's arch/{x86,arm64}. x86: from its struct
	 * sigcontext_32, which a rule tells the place of.
	 */
	uint16_t frame_fp, frame_sp, frame_ip, frame_other; /* bx, lr */
};

static const struct machine x86_64 = {EM_X86_64, 8, 6, 7, 16, 3, 120, 160, 168, 128},
			    x86 = {EM_386, 4, 5, 4, 8, 3, 24, 28, 56, 32},
			    arm64 = {EM_AARCH64, 8, 29, 31, 32, 0, 544, 560, 568, 552};

struct walk {
	const struct wp_unwind_env *env;
	const struct machine *machine;
	bool arm;
	uint64_t ip, sp, fp, lr;
	bool lr_known;
	bool fp_known;	 /* a thread that was found asleep tells ip and sp only */
	uint64_t bx;	 /* rbx, ebx */
	uint64_t params; /* bytes of arguments above sp, of the function called from here (x86) */
	bool bx_known;
	const struct wp_stack_regs *regs; /* of the innermost frame; NULL in the others */
	struct wp_image *image;		  /* that ip is in, and ... */
	uint64_t linked;		  /* ... its address there */
	bool exact;			  /* ip is where execution goes on, not behind a call */
	uint64_t low, high;		  /* the copy's addresses */
	const uint8_t *dump;
	enum wp_stack_end end; /* why the last step failed */
};

static bool end_walk(struct walk *w, enum wp_stack_end end)
{
	w->end = end;
	return false;
}

static bool read_dumped_word(struct walk *w, uint64_t addr, uint64_t *ret)
{
	uint8_t word = w->machine->word;

	if (addr % word || addr < w->low)
		return end_walk(w, WP_STACK_UNREADABLE);
	if (addr >= w->high || w->high - addr < word)
		return end_walk(w, WP_STACK_CUT);
	*ret = 0;
	memcpy(ret, w->dump + (addr - w->low), word); /* little-endian */
	return true;
}

/* Whether a word of the stack can be a return address, and of a call of what. */
static enum wp_return_site judge_return_word(struct walk *w, uint64_t word,
					     struct wp_image_mapping *ret_mapping,
					     uint64_t *ret_target)
{
	uint64_t ip = w->arm ? word & ARM_ADDRESS : word;

	if (!ip || !w->env->mapping(w->env->arg, (struct wp_va){ip - 1}, ret_mapping))
		return WP_RETURN_NONE;
	if (w->machine != &x86 || ret_mapping->image->kind != WP_IMAGE_FILE)
		return WP_RETURN_UNKNOWN;
	return wp_return_site(ret_mapping->image, ip - ret_mapping->delta, ret_target);
}

static bool is_return(struct walk *w, uint64_t word)
{
	struct wp_image_mapping mapping;
	uint64_t target;

	return judge_return_word(w, word, &mapping, &target) != WP_RETURN_NONE;
}

/* The caller's registers are known: goes there. */
static bool enter_caller(struct walk *w, uint64_t ip, uint64_t sp, uint64_t fp)
{
	if (w->arm)
		ip &= ARM_ADDRESS;
	if (!ip)
		return end_walk(w, WP_STACK_UNREADABLE);
	w->ip = ip;
	w->sp = sp;
	w->fp = fp;
	w->lr_known = w->exact = false;
	w->params = 0;
	w->regs = NULL;
	return true;
}

/* Code without rules that keeps a frame pointer: the word at fp is the caller's, then the address.
 */
static bool step_chain(struct walk *w)
{
	enum wp_stack_end end = w->end;
	uint64_t fp, ra;

	if (!w->fp_known || w->fp < w->sp || !read_dumped_word(w, w->fp + w->machine->word, &ra) ||
	    !read_dumped_word(w, w->fp, &fp) || !is_return(w, ra))
		return end_walk(w, end);
	w->bx_known = false;
	return enter_caller(w, ra, w->fp + 2ull * w->machine->word, fp);
}

static bool step_signal(struct walk *w, const struct wp_unwind_rule *rule)
{
	const struct machine *m = w->machine;
	uint64_t ip, sp, fp, other, at = w->sp + (uint64_t)(int64_t)rule->cfa_off;
	bool arm = w->arm;

	if (!read_dumped_word(w, at + m->frame_fp, &fp) ||
	    !read_dumped_word(w, at + m->frame_sp, &sp) ||
	    !read_dumped_word(w, at + m->frame_ip, &ip) ||
	    !read_dumped_word(w, at + m->frame_other, &other))
		return false;
	*(arm ? &w->lr : &w->bx) = other;
	w->bx_known = !arm;
	w->fp_known = true;
	if (!enter_caller(w, ip, sp, fp))
		return false;
	/* The handler ran on a stack of its own, and this one is below it: nothing was copied. */
	if (sp < w->low)
		w->low = w->high = sp;
	w->lr_known = arm;
	w->exact = true;
	return true;
}

/* A general register in this frame. */
static bool find_frame_reg(struct walk *w, int reg, uint64_t *ret)
{
	bool inner = w->regs && w->regs->valid & BIT(reg);

	if (inner || (reg == w->machine->bx && w->bx_known))
		*ret = inner ? w->regs->r[reg] : w->bx;
	else
		return end_walk(w, WP_STACK_NO_RULE);
	return true;
}

/* What a word of the stack is to the function that is looked for the return address of. */
enum likeness { NO_RETURN, MAY_RETURN, RETURNS };

static enum likeness liken(struct walk *w, uint64_t word, uint64_t start)
{
	struct wp_image_mapping mapping;
	uint64_t target;
	enum wp_return_site site = judge_return_word(w, word, &mapping, &target);

	if (site == WP_RETURN_NONE)
		return NO_RETURN;
	/* The function may also have been jumped to by the one that was called. */
	return site == WP_RETURN_DIRECT && mapping.image == w->image && target == start
		       ? RETURNS
		       : MAY_RETURN;
}

/* The linked address of the function at hand; 0: not known. */
static uint64_t function_start(struct walk *w)
{
	struct wp_symfile_function function;

	return wp_symfile_function(&w->image->file, w->linked, &function) ? function.start : 0;
}

/*
 * Behind the first return address at or above `at`. A call of the very function counts more than
 * one in front of it that only may have been: registers that were saved can hold such words.
 */
static bool search_cfa(struct walk *w, uint64_t at, uint64_t *ret)
{
	uint64_t word, start = function_start(w), found = 0;

	for (int i = 0, left = MAX_SEARCHED; i < left; i++, at += w->machine->word) {
		if (!read_dumped_word(w, at, &word))
			break;
		enum likeness likeness = liken(w, word, start);
		if (likeness == RETURNS || (likeness == MAY_RETURN && !found))
			found = at + w->machine->word;
		if (likeness == RETURNS)
			break;
		if (likeness == MAY_RETURN && left == MAX_SEARCHED)
			left = i + SEARCHED_FURTHER;
	}
	*ret = found;
	return found || end_walk(w, WP_STACK_UNREADABLE);
}

static bool find_frame_cfa(struct walk *w, const struct wp_unwind_rule *rule, uint64_t *ret)
{
	uint64_t word = w->machine->word, off = (uint64_t)(int64_t)rule->cfa_off * word;

	switch (rule->cfa) {
	case WP_UNWIND_SP: *ret = w->sp + off; return true;
	case WP_UNWIND_FP:
		*ret = w->fp + off;
		return w->fp_known || end_walk(w, WP_STACK_UNREADABLE);
	case WP_UNWIND_AT_FP:
		return w->fp_known ? read_dumped_word(w, w->fp + off, ret)
				   : end_walk(w, WP_STACK_UNREADABLE);
	case WP_UNWIND_AT_SP:
		if (!read_dumped_word(w, w->sp + off, ret))
			return false;
		*ret += word;
		return true;
	case WP_UNWIND_SEARCH: return search_cfa(w, w->sp + w->params + off - word, ret);
	case WP_UNWIND_PLT:
		*ret = w->sp + word + ((int64_t)(w->ip & 15) >= rule->cfa_off ? word : 0);
		return true;
	default:
		if (rule->cfa < WP_UNWIND_REG || rule->cfa >= WP_UNWIND_REG + w->machine->ip ||
		    !find_frame_reg(w, rule->cfa - WP_UNWIND_REG, ret))
			return end_walk(w, WP_STACK_NO_RULE);
		*ret += off;
		return true;
	}
}

/* Where a saved register is: so many words from the base. */
static uint64_t slot(const struct walk *w, uint64_t base, int16_t words)
{
	return base + (uint64_t)(int64_t)words * w->machine->word;
}

/*
 * Compilers do not say that fp is restored when it was popped: its place is then below sp, where
 * the copy does not reach, and fp has its old value again.
 */
static bool read_fp(struct walk *w, const struct wp_unwind_rule *rule, uint64_t cfa, uint64_t *ret)
{
	uint64_t base = rule->flags & WP_UNWIND_FP_AT_FP ? w->fp : cfa;
	uint64_t at = slot(w, base, rule->fp_off);

	if (at < w->low && w->low - at <= RED_ZONE)
		return true;
	if (rule->flags & WP_UNWIND_FP_AT_FP && !w->fp_known)
		return true; /* still not known */
	w->fp_known = read_dumped_word(w, at, ret);
	return w->fp_known;
}

/* Of use to few frames further out, so that none fails for want of it. */
static void read_bx(struct walk *w, const struct wp_unwind_rule *rule, uint64_t cfa)
{
	uint64_t at = slot(w, rule->flags & WP_UNWIND_BX_AT_FP ? w->fp : cfa, rule->ra_off);

	if (w->arm || !(rule->flags & (WP_UNWIND_BX_SAVED | WP_UNWIND_BX_LOST)))
		return;
	if (rule->flags & WP_UNWIND_BX_LOST)
		w->bx_known = false;
	else if (rule->flags & WP_UNWIND_BX_AT_FP && !w->fp_known)
		w->bx_known = false;
	else if (at >= w->low || w->low - at > RED_ZONE)
		w->bx_known = read_dumped_word(w, at, &w->bx);
}

static bool step_rule(struct walk *w, const struct wp_unwind_rule *rule)
{
	uint64_t cfa, ra = w->lr, fp = w->fp;
	bool saved = rule->flags & WP_UNWIND_RA_SAVED;

	if (rule->cfa == WP_UNWIND_END)
		return end_walk(w, WP_STACK_COMPLETE);
	if (rule->cfa == WP_UNWIND_SIGNAL)
		return step_signal(w, rule);
	/* x86-64 psABI 3.4.1, i386 psABI 2.3.1: the outermost frame is marked so. */
	if (rule->cfa == WP_UNWIND_FP && w->fp_known && !w->fp)
		return end_walk(w, WP_STACK_COMPLETE);
	if (!find_frame_cfa(w, rule, &cfa))
		return false;
	/* Only a function that has called nobody yet needs no stack. */
	if (cfa % w->machine->word || cfa < w->sp || (cfa == w->sp && !w->lr_known) ||
	    (!saved && !w->lr_known))
		return end_walk(w, WP_STACK_UNREADABLE);
	if (saved && !read_dumped_word(w, slot(w, cfa, wp_unwind_ra_off(rule)), &ra))
		return false;
	if (rule->flags & WP_UNWIND_FP_SAVED && !read_fp(w, rule, cfa, &fp))
		return false;
	read_bx(w, rule, cfa);
	uint64_t params = rule->flags & WP_UNWIND_PARAMS ? slot(w, 0, rule->ra_off) : 0;
	if (!enter_caller(w, ra, cfa, fp))
		return false;
	w->params = params;
	return true;
}

/* A struct sigcontext_32 says which segments user code has: those of either kind of kernel. */
static bool is_sigcontext(struct walk *w, uint64_t at)
{
	uint64_t cs;

	return read_dumped_word(w, at + SIGCONTEXT_CS, &cs) &&
	       ((cs & 0xffff) == 0x23 || (cs & 0xffff) == 0x73);
}

/*
 * x86's vdso when it cannot be had, because its process is gone: where execution is, it has pushed
 * three registers for a system call; a signal handler returns to it, and nobody else does.
 */
static const struct wp_unwind_rule *vdso_rule(struct walk *w)
{
	static const struct wp_unwind_rule call = {.cfa = WP_UNWIND_SP,
						   .flags = WP_UNWIND_RA_SAVED | WP_UNWIND_FP_SAVED,
						   .cfa_off = 4,
						   .ra_off = -1,
						   .fp_off = -4},
					   plain = {.cfa = WP_UNWIND_SIGNAL, .cfa_off = SIGFRAME},
					   rt = {.cfa = WP_UNWIND_SIGNAL, .cfa_off = RT_SIGFRAME};
	const struct wp_unwind_rule *rule = NULL;
	uint64_t word;

	if (w->exact && read_dumped_word(w, w->sp + 12, &word) && is_return(w, word))
		rule = &call;
	else if (!w->exact && is_sigcontext(w, w->sp + SIGFRAME))
		rule = &plain;
	else if (!w->exact && is_sigcontext(w, w->sp + RT_SIGFRAME))
		rule = &rt;
	w->end = WP_STACK_NO_RULE;
	return rule;
}

/* A process may have code of two machines (WoW64), whose rules count in different words. */
static bool is_its_code(const struct walk *w, const struct wp_image *image)
{
	return (w->machine == &x86) == (image->file.image.machine == EM_386);
}

static const struct wp_unwind_rule *find_rule_at(struct walk *w, uint64_t ip, bool *ret_anonymous)
{
	static const struct wp_unwind_rule vsyscall = {
		.cfa = WP_UNWIND_SP, .flags = WP_UNWIND_RA_SAVED, .cfa_off = 1, .ra_off = -1};
	struct wp_image_mapping mapping;

	*ret_anonymous = false;
	w->end = WP_STACK_NO_MODULE;
	if (w->machine == &x86_64 && ip - VSYSCALL < VSYSCALL_LEN)
		return &vsyscall;
	if (!w->env->mapping(w->env->arg, (struct wp_va){ip}, &mapping))
		return NULL;
	w->end = WP_STACK_NO_RULE;
	w->image = mapping.image;
	w->linked = ip - mapping.delta;
	*ret_anonymous =
		mapping.image->kind == WP_IMAGE_MEMORY || mapping.image->kind == WP_IMAGE_DUMP;
	if (*ret_anonymous)
		return w->machine == &x86 ? NULL
					  : w->env->jit_rule(w->env->arg, (struct wp_va){ip});
	const struct wp_unwind_rows *rows = w->env->rows(w->env->arg, mapping.image);
	if (!rows && w->machine == &x86 && mapping.image->kind == WP_IMAGE_VDSO)
		return vdso_rule(w);
	if (!rows || ip - mapping.delta < rows->base || !is_its_code(w, mapping.image))
		return NULL;
	return wp_unwind_rule_find(rows->rows.v, rows->rows.n, ip - mapping.delta - rows->base);
}

/* It tells nothing of ends of functions, where registers are popped again. */
static bool is_vague(const struct wp_unwind_rule *rule)
{
	return !rule || rule->cfa == WP_UNWIND_NONE || rule->cfa == WP_UNWIND_SEARCH;
}

/* To the caller; false at the end, with w->end saying why. */
static bool step_to_caller(struct walk *w)
{
	bool anonymous;
	struct wp_unwind_rule soon;
	const struct wp_unwind_rule *rule =
		find_rule_at(w, w->exact ? w->ip : w->ip - 1, &anonymous);

	if (anonymous && w->machine == &x86_64 && (!rule || rule->cfa == WP_UNWIND_NONE))
		rule = w->env->exit_rule(w->env->arg, (struct wp_va){w->ip}, w->exact);
	if (w->machine == &x86 && w->exact && is_vague(rule) && w->end != WP_STACK_NO_MODULE &&
	    !anonymous && wp_return_soon(w->image, w->linked, &soon))
		rule = &soon;
	if (rule && rule->cfa != WP_UNWIND_NONE)
		return step_rule(w, rule);
	/* x86 compilers without tables of rules keep frame pointers, most of the time. */
	return (anonymous || w->machine == &x86) && step_chain(w);
}

/* Registers and the copy of the stack, of either machine; false when ip and sp are not known. */
static bool begin_copy(struct walk *w, const struct wp_stack_raw *raw)
{
	const struct wp_stack_regs *regs = raw->regs;

	if (!regs)
		return false;
	w->arm = regs->valid & BIT(arm64.ip);
	w->machine = regs->x86 ? &x86 : w->arm ? &arm64 : &x86_64;
	const struct machine *m = w->machine;
	if (!(regs->valid & BIT(m->ip)) || !(regs->valid & BIT(m->sp)))
		return false;
	w->ip = regs->r[m->ip];
	w->sp = regs->r[m->sp];
	w->fp = regs->r[m->fp];
	w->fp_known = regs->valid & BIT(m->fp);
	w->lr = regs->r[ARM_LR];
	w->lr_known = w->arm && regs->valid & BIT(ARM_LR);
	w->bx = regs->r[m->bx];
	w->bx_known = m->bx && regs->valid & BIT(m->bx);
	w->regs = w->arm ? NULL : regs;
	w->exact = true;
	w->low = w->sp;
	w->high = w->sp + raw->dump_bytes;
	if (w->high < w->low)
		w->high = w->low;
	w->dump = raw->dump;
	return true;
}

static bool push_user_frame(struct wp_stack *stack, uint64_t ip, uint64_t sp)
{
	size_t n = stack->n_kernel + stack->n_user;

	wp_assert(n <= WP_STACK_MAX);
	if (n == WP_STACK_MAX)
		return false;
	stack->frames[n] = (struct wp_stack_frame){{ip}, sp};
	stack->n_user++;
	return true;
}

static void unwind(struct walk *w, struct wp_stack *ret)
{
	do {
		if (!push_user_frame(ret, w->ip, w->sp)) {
			ret->end = WP_STACK_TOO_DEEP;
			return;
		}
	} while (step_to_caller(w));
	ret->end = w->end;
}

static void pass_walked(const struct wp_stack_raw *raw, struct wp_stack *ret)
{
	ret->end = raw->walked_end;
	for (size_t i = 0; i < raw->n_walked; i++)
		if (!push_user_frame(ret, raw->walked[i].ip.v, raw->walked[i].sp))
			ret->end = WP_STACK_TOO_DEEP;
}

/* A chain that a frame pointer led wrong ends like any other: only its last frame can tell. */
static void push_chain(struct walk *w, const struct wp_stack_raw *raw, struct wp_stack *ret)
{
	const struct wp_unwind_rule *rule;
	bool anonymous;

	for (size_t i = 0; i < raw->n_user; i++)
		if (!push_user_frame(ret, raw->user_ips[i], 0)) {
			ret->end = WP_STACK_TOO_DEEP;
			return;
		}
	rule = find_rule_at(w, raw->user_ips[raw->n_user - 1] - (raw->n_user > 1), &anonymous);
	ret->end = rule && rule->cfa == WP_UNWIND_END ? WP_STACK_COMPLETE : WP_STACK_UNREADABLE;
}

static void user_frames(const struct wp_unwind_env *env, const struct wp_record *record,
			const struct wp_stack_raw *raw, struct wp_stack *ret)
{
	struct walk w = {.env = env, .machine = &x86_64};
	bool in_user = record->sample.mode == WP_MODE_USER;

	/* A walk that lacked a mapping brings a copy of the stack instead. */
	bool is_walked =
		raw && raw->n_walked && !(raw->walked_end == WP_STACK_NO_MODULE && raw->dump_bytes);

	if (is_walked) {
		pass_walked(raw, ret);
	} else if (raw && begin_copy(&w, raw)) {
		unwind(&w, ret);
	} else if (raw && raw->n_user) {
		push_chain(&w, raw, ret);
	} else if (in_user) {
		push_user_frame(ret, record->sample.ip.v, 0);
		ret->end = WP_STACK_LOST;
	}
	/* Where the event happened, which the registers may be a little behind of. */
	if (in_user && ret->n_user)
		ret->frames[ret->n_kernel].ip = record->sample.ip;
}

void wp_unwind(const struct wp_unwind_env *env, const struct wp_record *record,
	       struct wp_stack *ret)
{
	const struct wp_stack_raw *raw = record->sample.stack;
	bool in_user = record->sample.mode == WP_MODE_USER;

	ret->n_kernel = ret->n_user = 0;
	ret->end = WP_STACK_COMPLETE;
	for (size_t i = 0; raw && i < raw->n_kernel && i < WP_STACK_MAX; i++)
		ret->frames[ret->n_kernel++] = (struct wp_stack_frame){.ip = {raw->kernel_ips[i]}};
	if (!in_user && !ret->n_kernel)
		ret->frames[ret->n_kernel++] = (struct wp_stack_frame){.ip = record->sample.ip};
	user_frames(env, record, raw, ret);
}
