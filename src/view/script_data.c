/* SPDX-License-Identifier: BSD-3-Clause */
/* script_data: see script_data.h. */
#include "view/script_data.h"

#include "base/utf8.h"
#include "view/json_text.h"
#include "view/mem_source.h"

#include <inttypes.h>
#include <stdio.h>

/* enum perf_event_x86_regs, perf_event_arm_regs */
static const char *const x86_regs[] = {"AX", "BX",    "CX",  "DX",  "SI",  "DI",  "BP",	 "SP",
				       "IP", "FLAGS", "CS",  "SS",  "DS",  "ES",  "FS",	 "GS",
				       "R8", "R9",    "R10", "R11", "R12", "R13", "R14", "R15"};

/* enum perf_branch_type, perf_branch_spec_outcome */
static const char *const branch_types[16] = {
	"",	  "COND",      "UNCOND",   "IND",  "CALL", "IND_CALL", "RET",	"SYSCALL",
	"SYSRET", "COND_CALL", "COND_RET", "ERET", "IRQ",  "SERROR",   "NO_TX", "",
};
static const char *const branch_specs[4] = {"-", "SPEC_WRONG_PATH", "NON_SPEC_CORRECT_PATH",
					    "SPEC_CORRECT_PATH"};

#define REG_NAME_BYTES 16
#define PAGE_BYTES     24

static const char *reg_name(enum wp_script_machine machine, unsigned int bit,
			    char buffer[REG_NAME_BYTES])
{
	static const char *const arm64_last[] = {"x29", "lr", "sp", "pc"};
	static const char *const arm_last[] = {"fp", "ip", "sp", "lr", "pc"};
	bool is_arm = machine == WP_SCRIPT_ARM;

	if (machine == WP_SCRIPT_ARM64 && bit >= 29 && bit < 33)
		return arm64_last[bit - 29];
	if (is_arm && bit >= 11 && bit < 16)
		return arm_last[bit - 11];
	if (machine == WP_SCRIPT_X86 && bit < WP_ARRAY_LEN(x86_regs))
		return x86_regs[bit];
	if (machine == WP_SCRIPT_X86 && bit >= 32)
		snprintf(buffer, REG_NAME_BYTES, "XMM%u", (bit - 32) / 2);
	else
		snprintf(buffer, REG_NAME_BYTES, "%c%u", is_arm ? 'r' : 'x', bit);
	return buffer;
}

/* "4K"; "N/A" where nobody knows. */
static const char *page_text(uint64_t bytes, char buffer[PAGE_BYTES])
{
	static const char units[] = "BKMG";
	size_t unit = 0;

	if (!bytes)
		return "N/A";
	for (; bytes / 1024 > 1 && unit + 2 < sizeof(units); unit++)
		bytes /= 1024;
	snprintf(buffer, PAGE_BYTES, "%" PRIu64 "%c", bytes, units[unit]);
	return buffer;
}

/* The sample has it, and it is asked for. */
static bool wants_part(const struct wp_script_sample *sample, uint32_t fields,
		       enum wp_script_field field, enum wp_data_part part)
{
	return fields >> field & 1 && sample->data && sample->data->has & part;
}

/* Names of cgroups are their makers' to choose. */
static void put_cgroup(const struct wp_script_sample *sample, struct wp_writer *out)
{
	wp_writer_puts(out, " ");
	for (const char *c = sample->cgroup ? sample->cgroup : "unknown"; *c; c++)
		wp_writer_put(out, wp_utf8_control(c) ? "?" : c, 1);
}

void wp_script_data_head(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out)
{
	const struct wp_sample_data *data = sample->data;

	if (wants_part(sample, fields, WP_SCRIPT_ADDR, WP_DATA_ADDR))
		wp_writer_printf(out, " %16" PRIx64, data->addr);
	if (wants_part(sample, fields, WP_SCRIPT_DATA_SRC, WP_DATA_SRC)) {
		wp_writer_printf(out, " %16" PRIx64 " ", data->src);
		wp_mem_source_put(data->src, out);
	}
	if (wants_part(sample, fields, WP_SCRIPT_WEIGHT, WP_DATA_WEIGHT))
		wp_writer_printf(out, " %16" PRIu64, data->weight);
	if (wants_part(sample, fields, WP_SCRIPT_INS_LAT, WP_DATA_LATENCY))
		wp_writer_printf(out, " %16" PRIu16, data->latency);
	if (wants_part(sample, fields, WP_SCRIPT_CGROUP, WP_DATA_CGROUP))
		put_cgroup(sample, out);
}

static bool wants_branches(const struct wp_script_sample *sample, uint32_t fields)
{
	return wants_part(sample, fields, WP_SCRIPT_BRSTACK, WP_DATA_BRANCHES) ||
	       wants_part(sample, fields, WP_SCRIPT_BRSTACKSYM, WP_DATA_BRANCHES);
}

static bool put_script_regs(const struct wp_data_regs *regs, enum wp_script_machine machine,
			    struct wp_writer *out)
{
	char buffer[REG_NAME_BYTES];
	size_t at = 0;

	if (!regs->values)
		return false;
	wp_writer_printf(out, " ABI:%" PRIu64 " ", regs->abi);
	for (unsigned int bit = 0; bit < 64; bit++)
		if (regs->mask >> bit & 1)
			wp_writer_printf(out, "%5s:0x%" PRIx64 " ", reg_name(machine, bit, buffer),
					 regs->values[at++]);
	return true;
}

static char prediction_of(const struct wp_branch *branch)
{
	if (branch->flags & WP_BRANCH_PREDICTED)
		return 'P';
	return branch->flags & WP_BRANCH_MISPREDICTED ? 'M' : '-';
}

static void put_flags(const struct wp_branch *branch, struct wp_writer *out)
{
	wp_writer_printf(out, "/%c/%c/%c/%" PRIu32 "/%s/%s ", prediction_of(branch),
			 branch->flags & WP_BRANCH_IN_TX ? 'X' : '-',
			 branch->flags & WP_BRANCH_ABORT ? 'A' : '-', wp_branch_cycles(branch),
			 branch_types[wp_branch_type(branch)],
			 branch_specs[wp_branch_spec(branch)]);
}

/* Names of functions are the program's to choose. */
static void put_branch_end(const struct wp_script_end *end, struct wp_writer *out)
{
	for (const char *c = end->name ? end->name : "[unknown]"; *c; c++)
		wp_writer_put(out, wp_utf8_control(c) ? "?" : c, 1);
	if (end->name)
		wp_writer_printf(out, "+0x%" PRIx64, end->offset);
}

static void put_script_branches(const struct wp_script_sample *sample, uint32_t fields,
				struct wp_writer *out)
{
	const struct wp_sample_data *data = sample->data;
	bool plain = wants_part(sample, fields, WP_SCRIPT_BRSTACK, WP_DATA_BRANCHES);
	bool named = wants_part(sample, fields, WP_SCRIPT_BRSTACKSYM, WP_DATA_BRANCHES);

	for (size_t i = 0; plain && i < data->n_branches; i++) {
		wp_writer_printf(out, " 0x%" PRIx64 "/0x%" PRIx64, data->branches[i].from,
				 data->branches[i].to);
		put_flags(&data->branches[i], out);
	}
	for (size_t i = 0; named && sample->ends && i < data->n_branches; i++) {
		wp_writer_puts(out, " ");
		put_branch_end(&sample->ends[2 * i], out);
		wp_writer_puts(out, "/");
		put_branch_end(&sample->ends[2 * i + 1], out);
		put_flags(&data->branches[i], out);
	}
}

bool wp_script_data_tail(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out)
{
	const struct wp_sample_data *data = sample->data;
	char page[PAGE_BYTES];
	bool any = false;

	if (wants_part(sample, fields, WP_SCRIPT_IREGS, WP_DATA_INTR_REGS))
		any |= put_script_regs(&data->intr_regs, sample->machine, out);
	if (wants_part(sample, fields, WP_SCRIPT_UREGS, WP_DATA_USER_REGS))
		any |= put_script_regs(&data->user_regs, sample->machine, out);
	if (wants_branches(sample, fields)) {
		any |= data->n_branches > 0;
		put_script_branches(sample, fields, out);
	}
	if (wants_part(sample, fields, WP_SCRIPT_PHYS_ADDR, WP_DATA_PHYS_ADDR)) {
		wp_writer_printf(out, " %16" PRIx64, data->phys_addr);
		any = true;
	}
	if (wants_part(sample, fields, WP_SCRIPT_DATA_PAGE_SIZE, WP_DATA_PAGE)) {
		wp_writer_printf(out, " %s", page_text(data->data_page_bytes, page));
		any = true;
	}
	if (wants_part(sample, fields, WP_SCRIPT_CODE_PAGE_SIZE, WP_DATA_CODE_PAGE)) {
		wp_writer_printf(out, " %s", page_text(data->code_page_bytes, page));
		any = true;
	}
	return any;
}

static void json_key(struct wp_writer *out, const char *key, bool *any)
{
	wp_json_comma(out, any);
	wp_json_string(out, key);
	wp_writer_puts(out, ":");
}

static void json_number(struct wp_writer *out, const char *key, uint64_t number, bool *any)
{
	json_key(out, key, any);
	wp_json_u64(out, number);
}

static void json_address(struct wp_writer *out, const char *key, uint64_t address, bool *any)
{
	json_key(out, key, any);
	wp_writer_printf(out, "\"0x%" PRIx64 "\"", address);
}

static void json_regs(struct wp_writer *out, const char *key, const struct wp_data_regs *regs,
		      enum wp_script_machine machine, bool *any)
{
	char buffer[REG_NAME_BYTES];
	bool inner = false;
	size_t at = 0;

	if (!regs->values)
		return;
	json_key(out, key, any);
	wp_writer_puts(out, "{");
	for (unsigned int bit = 0; bit < 64; bit++)
		if (regs->mask >> bit & 1)
			json_address(out, reg_name(machine, bit, buffer), regs->values[at++],
				     &inner);
	wp_writer_puts(out, "}");
}

static void json_end(struct wp_writer *out, const char *key, const struct wp_script_end *end,
		     bool *member)
{
	if (!end->name)
		return;
	json_key(out, key, member);
	wp_json_string(out, end->name);
}

static void json_branches(struct wp_writer *out, const struct wp_script_sample *sample, bool *any)
{
	const struct wp_sample_data *data = sample->data;
	bool inner = false;

	json_key(out, "branches", any);
	wp_writer_puts(out, "[");
	for (size_t i = 0; i < data->n_branches; i++) {
		const struct wp_branch *branch = &data->branches[i];
		bool member = false;

		wp_json_comma(out, &inner);
		wp_writer_puts(out, "{");
		json_address(out, "from", branch->from, &member);
		json_address(out, "to", branch->to, &member);
		if (sample->ends) {
			json_end(out, "from_sym", &sample->ends[2 * i], &member);
			json_end(out, "to_sym", &sample->ends[2 * i + 1], &member);
		}
		if (prediction_of(branch) != '-') {
			json_key(out, "mispredicted", &member);
			wp_writer_puts(out, prediction_of(branch) == 'M' ? "true" : "false");
		}
		if (wp_branch_cycles(branch))
			json_number(out, "cycles", wp_branch_cycles(branch), &member);
		if (*branch_types[wp_branch_type(branch)]) {
			json_key(out, "type", &member);
			wp_json_string(out, branch_types[wp_branch_type(branch)]);
		}
		wp_writer_puts(out, "}");
	}
	wp_writer_puts(out, "]");
}

static void json_access(const struct wp_script_sample *sample, uint32_t fields,
			struct wp_writer *out, bool *any)
{
	const struct wp_sample_data *data = sample->data;

	if (wants_part(sample, fields, WP_SCRIPT_ADDR, WP_DATA_ADDR))
		json_address(out, "addr", data->addr, any);
	if (wants_part(sample, fields, WP_SCRIPT_DATA_SRC, WP_DATA_SRC)) {
		json_address(out, "data_src", data->src, any);
		json_key(out, "data_src_text", any);
		wp_writer_puts(out, "\"");
		wp_mem_source_put(data->src, out);
		wp_writer_puts(out, "\"");
	}
	if (wants_part(sample, fields, WP_SCRIPT_WEIGHT, WP_DATA_WEIGHT))
		json_number(out, "weight", data->weight, any);
	if (wants_part(sample, fields, WP_SCRIPT_INS_LAT, WP_DATA_LATENCY))
		json_number(out, "ins_lat", data->latency, any);
	if (wants_part(sample, fields, WP_SCRIPT_PHYS_ADDR, WP_DATA_PHYS_ADDR))
		json_address(out, "phys_addr", data->phys_addr, any);
	if (wants_part(sample, fields, WP_SCRIPT_DATA_PAGE_SIZE, WP_DATA_PAGE))
		json_number(out, "data_page_size", data->data_page_bytes, any);
	if (wants_part(sample, fields, WP_SCRIPT_CODE_PAGE_SIZE, WP_DATA_CODE_PAGE))
		json_number(out, "code_page_size", data->code_page_bytes, any);
}

void wp_script_data_json(const struct wp_script_sample *sample, uint32_t fields,
			 struct wp_writer *out, bool *any)
{
	const struct wp_sample_data *data = sample->data;

	json_access(sample, fields, out, any);
	if (wants_part(sample, fields, WP_SCRIPT_CGROUP, WP_DATA_CGROUP)) {
		json_number(out, "cgroup_id", data->cgroup, any);
		if (sample->cgroup) {
			json_key(out, "cgroup", any);
			wp_json_string(out, sample->cgroup);
		}
	}
	if (wants_branches(sample, fields))
		json_branches(out, sample, any);
	if (wants_part(sample, fields, WP_SCRIPT_IREGS, WP_DATA_INTR_REGS))
		json_regs(out, "iregs", &data->intr_regs, sample->machine, any);
	if (wants_part(sample, fields, WP_SCRIPT_UREGS, WP_DATA_USER_REGS))
		json_regs(out, "uregs", &data->user_regs, sample->machine, any);
}
