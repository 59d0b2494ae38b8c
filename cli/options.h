/* SPDX-License-Identifier: BSD-3-Clause */
/* options: every option there is, each defined once; a verb's table (cmd_*.c) points at those it
 * takes. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "opt.h"

/* output */
extern const struct opt opt_data, opt_record_data, opt_no_data, opt_compress, opt_switch,
	opt_switch_files, opt_snapshot, opt_level;
extern const struct opt opt_json, opt_json_strict, opt_script_json, opt_export_json, opt_output,
	opt_stat_output, opt_sample_output, opt_output_csv, opt_output_prefix, opt_quiet, opt_color,
	opt_no_pager, opt_stdio, opt_wide, opt_width, opt_verbose;
/* what */
extern const struct opt opt_events, opt_filter, opt_metrics, opt_extra_events, opt_metric_file,
	opt_topdown, opt_event_data, opt_config;
/* where */
extern const struct opt opt_stat_cpu, opt_sample_cpu, opt_record_cpu, opt_pid, opt_all, opt_cgroup,
	opt_each_cgroup, opt_user, opt_kernel, opt_image_name, opt_record_image, opt_pe_file,
	opt_start_pe_file, opt_pdb_file, opt_spawn_delay, opt_as_user, opt_dmc, opt_force_lock;
/* how long */
extern const struct opt opt_timeout, opt_stat_timeout, opt_timeline, opt_interval, opt_count;
/* counting as perf does it */
extern const struct opt opt_repeat, opt_table, opt_interval_print, opt_interval_count,
	opt_separator, opt_append, opt_delay, opt_no_inherit, opt_per_cpu, opt_per_core,
	opt_per_die, opt_per_socket, opt_per_node, opt_per_thread;
/* sampling */
extern const struct opt opt_wall, opt_waits, opt_wakers, opt_idle, opt_report_wall, opt_freq,
	opt_sort_by, opt_native_first, opt_ratio, opt_rows, opt_long, opt_symbol, opt_annotate,
	opt_disassemble, opt_disassembler_style, opt_call_graph, opt_stacks;
/* Python code */
extern const struct opt opt_python, opt_interpreter_frames, opt_threads, opt_gil, opt_async;
/* what else samples carry */
extern const struct opt opt_addr, opt_phys_data, opt_weight, opt_data_page, opt_code_page,
	opt_any_branches, opt_branch_filter, opt_all_cgroups, opt_user_regs, opt_intr_regs;
#define OPTIONS_CARRIED                                                                            \
	&opt_addr, &opt_phys_data, &opt_weight, &opt_data_page, &opt_code_page, &opt_any_branches, \
		&opt_branch_filter, &opt_all_cgroups, &opt_user_regs, &opt_intr_regs
/* reports of recordings */
extern const struct opt opt_input, opt_force, opt_symfs, opt_max_memory, opt_only_pid, opt_only_cpu,
	opt_annotate_rows, opt_hottest, opt_source_prefix, opt_tid, opt_time, opt_module, opt_sort,
	opt_children, opt_branches, opt_time_slice, opt_csv, opt_memory, opt_mem_sort,
	opt_mem_sort_by, opt_mem_rows;
/* exports of recordings */
extern const struct opt opt_format, opt_frames, opt_lines, opt_open, opt_export_output, opt_event,
	opt_fields, opt_export_symbol, opt_export_gil, opt_export_prefix, opt_export_quiet;
/* of what runs now */
extern const struct opt opt_top_cpu, opt_top_delay, opt_top_count, opt_top_rows;
extern const struct opt opt_dump_all, opt_dump_tid, opt_dump_children, opt_dump_frames,
	opt_dump_kernel, opt_dump_locals, opt_dump_async, opt_dump_core;
/* tests */
extern const struct opt opt_replay, opt_replay_symbols;

/* WindowsPerf's own, accepted by its verbs also where they mean nothing; ended by NULL. */
extern const struct opt *const options_windowsperf[];

#define OPTIONS_OUTPUT_TO(output) \
	&opt_json, &opt_json_strict, &(output), &opt_output_prefix, &opt_quiet, &opt_verbose
#define OPTIONS_OUTPUT	OPTIONS_OUTPUT_TO(opt_output)
#define OPTIONS_SCREEN	&opt_color, &opt_wide, &opt_width, &opt_no_pager
#define OPTIONS_EVENTS	&opt_events, &opt_extra_events, &opt_event_data
#define OPTIONS_SAMPLED OPTIONS_EVENTS, &opt_wall, &opt_waits, &opt_wakers, &opt_idle
#define OPTIONS_PYTHON	&opt_python, &opt_threads, &opt_gil, &opt_interpreter_frames, &opt_async
#define OPTIONS_FILTERS                                                                      \
	&opt_event, &opt_export_symbol, &opt_module, &opt_only_pid, &opt_tid, &opt_only_cpu, \
		&opt_time, &opt_export_gil
#define OPTIONS_COMMON &opt_force_lock, &opt_replay, NULL

extern const struct verb verb_stat, verb_sample, verb_record, verb_report, verb_annotate, verb_mem,
	verb_export, verb_script, verb_top, verb_dump, verb_list, verb_man, verb_test, verb_detect,
	verb_cpuinfo, verb_cmnlist, verb_cmninfo, verb_version;

#endif
