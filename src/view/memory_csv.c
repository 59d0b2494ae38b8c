/* SPDX-License-Identifier: BSD-3-Clause */
/* memory_csv: see memory_csv.h. */
#include "view/memory_csv.h"

#include "core/data_src.h"
#include "view/csv_text.h"
#include "view/mem_source.h"
#include "view/view.h"

#include <inttypes.h>

const struct wp_export_ops wp_export_csv = {
	.name = "csv",
	.suffix = ".csv",
	.text = "loads, stores and other operations (Arm SPE, perf mem), a row each, for notebooks",
	.is_records = true,
};

#define NS_PER_S UINT64_C(1000000000)

void wp_memory_csv_head(struct wp_writer *out)
{
	wp_writer_puts(out, "time,event,pid,tid,cpu,pc,symbol,module,python_function,python_file,"
			    "python_line,python_how,operation,address,physical,latency,issue,"
			    "translation,level,snoop,tlb,source,events,period\n");
}

static void put_csv_word(struct wp_writer *out, const char *text)
{
	if (text)
		wp_csv_text_put(out, text);
	wp_writer_puts(out, ",");
}

static void put_csv_hex(struct wp_writer *out, uint64_t value, bool known)
{
	if (known)
		wp_writer_printf(out, "0x%" PRIx64, value);
	wp_writer_puts(out, ",");
}

static void put_csv_number(struct wp_writer *out, uint64_t value, bool known)
{
	if (known)
		wp_writer_printf(out, "%" PRIu64, value);
	wp_writer_puts(out, ",");
}

static const char *operation_word(const struct wp_sample_data *data)
{
	uint64_t src = data->has & WP_DATA_SRC ? data->src : 0;
	bool load = src & WP_SRC_OP(WP_OP_LOAD), store = src & WP_SRC_OP(WP_OP_STORE);

	if (load || store)
		return load && store ? "load+store" : load ? "load" : "store";
	if (!(data->has & WP_DATA_OPERATION))
		return NULL;
	return data->operation.facts & WP_OPERATION_BRANCH ? "branch" : "other";
}

static void put_source_part(struct wp_writer *out, const struct wp_sample_data *data,
			    enum wp_mem_source_part part)
{
	if (data->has & WP_DATA_SRC)
		wp_mem_source_put_part(data->src, part, out);
	wp_writer_puts(out, ",");
}

static void put_row_data(struct wp_writer *out, const struct wp_sample_data *data)
{
	uint32_t facts = data->has & WP_DATA_OPERATION ? data->operation.facts : 0;

	put_csv_word(out, operation_word(data));
	put_csv_hex(out, data->addr, data->has & WP_DATA_ADDR);
	put_csv_hex(out, data->phys_addr, data->has & WP_DATA_PHYS_ADDR);
	put_csv_number(out, data->weight, data->has & WP_DATA_WEIGHT);
	put_csv_number(out, data->operation.issue, facts & WP_OPERATION_ISSUE);
	put_csv_number(out, data->operation.translation, facts & WP_OPERATION_TRANSLATION);
	put_source_part(out, data, WP_MEM_SOURCE_LEVEL);
	put_source_part(out, data, WP_MEM_SOURCE_SNOOP);
	put_source_part(out, data, WP_MEM_SOURCE_TLB);
	put_csv_hex(out, data->src, data->has & WP_DATA_SRC);
	put_csv_hex(out, data->operation.events, data->has & WP_DATA_OPERATION);
}

void wp_memory_csv_row(const struct wp_memory_row *row, struct wp_writer *out)
{
	wp_writer_printf(out, "%" PRIu64 ".%09" PRIu64 ",", row->time_ns / NS_PER_S,
			 row->time_ns % NS_PER_S);
	put_csv_word(out, row->event);
	put_csv_number(out, row->pid, true);
	put_csv_number(out, row->tid, true);
	put_csv_number(out, row->cpu, row->cpu != UINT32_MAX);
	put_csv_hex(out, row->pc, true);
	put_csv_word(out, row->symbol);
	put_csv_word(out, row->module);
	put_csv_word(out, row->python_function);
	put_csv_word(out, row->python_file);
	put_csv_number(out, row->python_line, row->python_line);
	put_csv_word(out, row->python_how);
	put_row_data(out, row->data);
	wp_writer_printf(out, "%" PRIu64 "\n", row->period);
}
