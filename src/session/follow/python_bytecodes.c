/* SPDX-License-Identifier: BSD-3-Clause */
/* python_bytecodes: see python_bytecodes.h. */
#include "session/follow/python_bytecodes.h"

#include "base/clock.h"
#include "source/proc/process_memory.h"

#include <string.h>

#define FIRST_WAIT_NS (WP_NS_PER_S / 20)
#define LAST_WAIT_NS  (WP_NS_PER_S * 8 / 5)
#define PAUSE_NS      (WP_NS_PER_S / 100)
#define ROUND_MOST    256 /* code objects: some milliseconds */
#define SHARE	      50  /* a fiftieth of the time, at most, goes into reading */

/* Of a table that was cut, the end is not known: then no instruction has a line. */
static void keep_lines(struct wp_python_bytecodes *bytecodes, struct wp_python_bytecode_kept *kept,
		       const struct wp_python_code *code)
{
	size_t n = code->lines_cut ? 0 : code->lines.n;

	kept->lines = (struct wp_python_lines){.form = WP_PYTHON_LOCATIONS};
	if (code->lines_cut || n > WP_PYTHON_BYTECODE_MAX ||
	    !wp_budget_take(bytecodes->budget, WP_BUDGET_PYTHON, n))
		return;
	if (n)
		wp_str_append(&kept->table, (const char *)code->lines.bytes, n);
	kept->lines.form = code->lines.form;
	kept->lines.first_line = code->lines.first_line;
}

static uint32_t keep_new_code(struct wp_python_bytecodes *bytecodes,
			      const struct wp_python_process *process, uint32_t plan,
			      uint32_t version, const struct wp_python_code *code)
{
	struct wp_python_bytecode_kept add = {
		.pid = process->pid,
		.life = process->life,
		.plan = plan,
		.version = version,
		.addr = code->addr,
		.id = code->id,
	};

	if (bytecodes->all.n >= WP_PYTHON_CODES_MAX ||
	    !wp_budget_take(bytecodes->budget, WP_BUDGET_PYTHON, sizeof(add)))
		return 0;
	wp_vec_push(&bytecodes->all, add);
	keep_lines(bytecodes, &bytecodes->all.v[bytecodes->all.n - 1], code);
	return (uint32_t)bytecodes->all.n;
}

uint32_t wp_python_bytecodes_meet(struct wp_python_bytecodes *bytecodes,
				  const struct wp_python_process *process, uint32_t plan,
				  uint32_t version, struct wp_python_code *code,
				  uint64_t sampled_ns)
{
	struct wp_python_bytecode_kept *kept;

	if (!bytecodes->on || code->addr & WP_PYTHON_TASK_BIT)
		return 0;
	if (!code->number)
		code->number = keep_new_code(bytecodes, process, plan, version, code);
	if (!code->number)
		return 0;
	kept = &bytecodes->all.v[code->number - 1];
	kept->sampled_ns = sampled_ns;
	if (!kept->asked && sampled_ns >= kept->due_ns) {
		kept->asked = true;
		wp_vec_push(&bytecodes->asked, code->number - 1);
	}
	return code->number;
}

void wp_python_bytecodes_see(struct wp_python_bytecodes *bytecodes,
			     const struct wp_python_process *process, uint32_t number,
			     uint32_t symbol, uint64_t sampled_ns)
{
	struct wp_python_bytecode_kept *kept;

	if (!number || number > bytecodes->all.n)
		return;
	kept = &bytecodes->all.v[number - 1];
	if (kept->pid != process->pid || kept->life != process->life)
		return; /* a child of it has its own memory */
	kept->symbol = symbol;
	if (!kept->first_ns)
		kept->first_ns = sampled_ns;
	if (kept->last_ns < sampled_ns)
		kept->last_ns = sampled_ns;
}

void wp_python_bytecodes_tell(struct wp_python_bytecodes *bytecodes, uint32_t number,
			      const struct wp_record_code *told)
{
	struct wp_python_bytecode_kept *kept;

	if (!number || number > bytecodes->all.n)
		return;
	kept = &bytecodes->all.v[number - 1];
	kept->code.len = 0;
	wp_str_append(&kept->code, (const char *)told->bytecode, told->bytecode_bytes);
	kept->at = told->bytecode_at;
}

/* What is read now stands instead of what was read before; what can't be read leaves that. */
static void read_kept_code(struct wp_python_bytecodes *bytecodes,
			   const struct wp_python_interpreter *python,
			   struct wp_python_bytecode_kept *kept)
{
	struct wp_memory memory = wp_process_memory(kept->pid);
	uint64_t now_ns = wp_clock_now_ns(), at;
	struct wp_str code = {0};

	if (!wp_python_code_read_bytecode(&memory, &python->plan, python->build->code_code,
					  kept->addr, kept->id, &code, &at) ||
	    (!kept->code.len && !wp_budget_take(bytecodes->budget, WP_BUDGET_PYTHON, code.len))) {
		wp_str_deinit(&code);
		return;
	}
	wp_str_deinit(&kept->code);
	kept->code = code;
	kept->at = at;
	if (kept->first_ns && kept->last_ns < now_ns)
		kept->last_ns = now_ns;
}

/* At growing intervals: forms change most while the code is young. */
static void postpone_reading(struct wp_python_bytecode_kept *kept)
{
	kept->asked = false;
	kept->read_ns = kept->sampled_ns;
	kept->wait_ns = kept->wait_ns ? kept->wait_ns * 2 : FIRST_WAIT_NS;
	if (kept->wait_ns > LAST_WAIT_NS)
		kept->wait_ns = LAST_WAIT_NS;
	kept->due_ns = kept->sampled_ns + kept->wait_ns;
}

static void read_if_there(struct wp_python_bytecodes *bytecodes,
			  struct wp_python_processes *processes,
			  struct wp_python_bytecode_kept *kept)
{
	const struct wp_python_process *process = wp_python_processes_find(processes, kept->pid);

	postpone_reading(kept);
	if (process && process->life == kept->life && !process->ended_ns &&
	    kept->plan < process->pythons.n && process->pythons.v[kept->plan].build)
		read_kept_code(bytecodes, &process->pythons.v[kept->plan], kept);
}

/* What has had samples since it was read. */
static void read_since(struct wp_python_bytecodes *bytecodes, struct wp_python_processes *processes)
{
	wp_vec_each (struct wp_python_bytecode_kept, kept, &bytecodes->all)
		if (kept->sampled_ns != kept->read_ns)
			read_if_there(bytecodes, processes, kept);
	bytecodes->asked.n = 0;
}

/* The first ones that asked; the rest next time, so that samples need not wait for long. */
static void read_asked(struct wp_python_bytecodes *bytecodes, struct wp_python_processes *processes)
{
	size_t n = bytecodes->asked.n < ROUND_MOST ? bytecodes->asked.n : ROUND_MOST;

	for (size_t i = 0; i < n; i++)
		read_if_there(bytecodes, processes, &bytecodes->all.v[bytecodes->asked.v[i]]);
	bytecodes->asked.n -= n;
	memmove(bytecodes->asked.v, bytecodes->asked.v + n,
		bytecodes->asked.n * sizeof(*bytecodes->asked.v));
}

void wp_python_bytecodes_read(struct wp_python_bytecodes *bytecodes,
			      struct wp_python_processes *processes, bool all)
{
	uint64_t now_ns, took_ns;

	if (!bytecodes->on)
		return;
	if (all) {
		read_since(bytecodes, processes);
		return;
	}
	now_ns = wp_clock_now_ns();
	if (!bytecodes->asked.n || now_ns < bytecodes->due_ns)
		return;
	read_asked(bytecodes, processes);
	took_ns = wp_clock_now_ns() - now_ns;
	bytecodes->due_ns = now_ns + (took_ns * SHARE > PAUSE_NS ? took_ns * SHARE : PAUSE_NS);
}

bool wp_python_bytecodes_get(const struct wp_python_bytecodes *bytecodes, uint32_t number,
			     struct wp_python_bytecode *ret)
{
	const struct wp_python_bytecode_kept *kept;

	if (!number || number > bytecodes->all.n || !bytecodes->all.v[number - 1].code.len)
		return false;
	kept = &bytecodes->all.v[number - 1];
	*ret = (struct wp_python_bytecode){
		.version = kept->version,
		.code = (const uint8_t *)kept->code.s,
		.n = kept->code.len,
		.lines = kept->lines,
	};
	ret->lines.bytes = (const uint8_t *)kept->table.s;
	ret->lines.n = kept->table.len;
	return true;
}

void wp_python_bytecodes_deinit(struct wp_python_bytecodes *bytecodes)
{
	wp_vec_each (struct wp_python_bytecode_kept, kept, &bytecodes->all) {
		wp_str_deinit(&kept->code);
		wp_str_deinit(&kept->table);
	}
	wp_vec_deinit(&bytecodes->all);
	wp_vec_deinit(&bytecodes->asked);
	*bytecodes = (struct wp_python_bytecodes){0};
}
