/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_data: see sort_data.h. */
#include "session/recorded/sort_data.h"

#include "aggregate/thread_names.h"
#include "base/writer.h"
#include "core/doc.h"
#include "resolve/resolver_data.h"
#include "session/recorded/python_touches.h"
#include "view/mem_source.h"

#include <inttypes.h>
#include <stdio.h>

#define LINE_BYTES 64	/* of the data caches of x86 and nearly all of Arm, as perf has it there */
#define PAGE_BYTES 4096 /* where the sample does not say it */

uint32_t wp_sort_data_cgroup(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const char *name = wp_cgroup_names_of(&sort->cgroups, at->sample->sample.data);

	return name ? wp_strpool_id(&sort->strings, name) : WP_SORT_NONE;
}

/* NULL: it has no such part. */
static const struct wp_sample_data *part_at(const struct wp_sort_at *at, enum wp_data_part part)
{
	const struct wp_sample_data *data = at->sample->sample.data;

	return data && data->has & part ? data : NULL;
}

/* An address of 0 says that the hardware knew none. */
static uint32_t address_text(struct wp_report_sort *sort, uint64_t address)
{
	char text[24];

	if (!address)
		return WP_SORT_NONE;
	snprintf(text, sizeof(text), "0x%" PRIx64, address);
	return wp_strpool_id(&sort->strings, text);
}

static uint32_t count_text(struct wp_report_sort *sort, uint64_t count)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, count);
	return wp_strpool_id(&sort->strings, text);
}

uint32_t wp_sort_data_address(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_ADDR);

	return address_text(sort, data ? data->addr : 0);
}

uint32_t wp_sort_data_line(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_ADDR);

	return address_text(sort, data ? data->addr & ~(uint64_t)(LINE_BYTES - 1) : 0);
}

/* Of the size that the sample says (--data-page-size). */
uint32_t wp_sort_data_page(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_ADDR);
	uint64_t bytes = data && data->has & WP_DATA_PAGE && data->data_page_bytes
				 ? data->data_page_bytes
				 : PAGE_BYTES;

	return address_text(sort, data ? data->addr & ~(bytes - 1) : 0);
}

uint32_t wp_sort_data_physical(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_PHYS_ADDR);

	return address_text(sort, data ? data->phys_addr : 0);
}

/* The program's own, where it was interrupted or had entered the kernel; 0: not recorded. */
static uint64_t stack_pointer(const struct wp_report_sort *sort, const struct wp_sample_data *data)
{
	const struct wp_data_regs *regs = &data->user_regs;
	uint64_t bit = UINT64_C(1) << sort->of.sp_bit;

	if (!(data->has & WP_DATA_USER_REGS) || !regs->values || !(regs->mask & bit))
		return 0;
	return regs->values[__builtin_popcountll(regs->mask & (bit - 1))];
}

uint32_t wp_sort_data_symbol(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_ADDR);
	struct wp_data_query query = {.sample = at->sample};
	uint32_t symbol;

	if (!data || !data->addr)
		return WP_SORT_NONE;
	query.va.v = data->addr;
	query.sp = stack_pointer(sort, data);
	query.thread = wp_thread_names_get(sort->of.threads, at->sample->tid);
	symbol = wp_resolver_data_symbol(sort->of.resolver, &query);
	if (wp_resolver_symbol_of(sort->of.resolver, symbol)->module == WP_NO_MODULE &&
	    !(data->addr >> 63))
		sort->met_unmapped = true;
	return symbol;
}

uint32_t wp_sort_data_type(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_ADDR);
	struct wp_python_touches *touches = sort->of.touches;
	wp_autostr struct wp_str text = {0};

	if (data && data->addr && touches &&
	    wp_python_touches_put(touches, at->sample->pid, data->addr, at->sample->time_ns, &text))
		return wp_strpool_id(&sort->strings, text.s) | WP_SORT_DATA_PYTHON;
	return wp_sort_data_symbol(sort, at);
}

static void note_touches(const struct wp_report_sort *sort, struct wp_doc *doc)
{
	const struct wp_python_touches *touches = sort->of.touches;

	if (touches && touches->found)
		wp_doc_prose(
			doc, doc->root,
			"\nnote: Python's memory was read after the samples that touched it, up "
			"to %.1f ms later: what lies there by then is told\n",
			(double)touches->late_ns / 1e6);
}

void wp_sort_data_note(const struct wp_report_sort *sort, struct wp_doc *doc)
{
	note_touches(sort, doc);
	if (sort->met_unmapped && !wp_resolver_has_areas(sort->of.resolver))
		wp_doc_prose(
			doc, doc->root,
			"\nnote: nothing here says where heaps, stacks and mapped files were: "
			"their addresses are unknown (record -d and perf record -d keep it)\n");
}

uint32_t wp_sort_data_module(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	uint32_t symbol = wp_sort_data_symbol(sort, at);

	return symbol == WP_SORT_NONE ? WP_NO_MODULE
				      : wp_resolver_symbol_of(sort->of.resolver, symbol)->module;
}

uint32_t wp_sort_data_weight(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_WEIGHT);

	return data ? count_text(sort, data->weight) : WP_SORT_NONE;
}

uint32_t wp_sort_data_latency(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_LATENCY);

	return data ? count_text(sort, data->latency) : WP_SORT_NONE;
}

/* A part of where the data came from, in perf's words. */
static uint32_t source_text(struct wp_report_sort *sort, const struct wp_sort_at *at,
			    enum wp_mem_source_part part)
{
	const struct wp_sample_data *data = part_at(at, WP_DATA_SRC);
	wp_autostr struct wp_str text = {0};
	struct wp_writer *out;

	if (!data)
		return WP_SORT_NONE;
	out = wp_writer_of_str(&text);
	wp_mem_source_put_part(data->src, part, out);
	wp_err_free(wp_writer_close(out));
	return wp_strpool_id(&sort->strings, text.s ? text.s : "");
}

uint32_t wp_sort_data_level(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return source_text(sort, at, WP_MEM_SOURCE_LEVEL);
}

uint32_t wp_sort_data_snoop(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return source_text(sort, at, WP_MEM_SOURCE_SNOOP);
}

uint32_t wp_sort_data_tlb(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return source_text(sort, at, WP_MEM_SOURCE_TLB);
}

uint32_t wp_sort_data_locked(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return source_text(sort, at, WP_MEM_SOURCE_LOCKED);
}

uint32_t wp_sort_data_blocked(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return source_text(sort, at, WP_MEM_SOURCE_BLOCKED);
}
