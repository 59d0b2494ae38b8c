/* SPDX-License-Identifier: BSD-3-Clause */
/* options: see options.h. */
#include "option_fields.h"
#include "options.h"

#include "base/clock.h"
#include "base/str.h"

#include <string.h>

const struct opt opt_json = {"--json", NULL, "print JSON instead of tables", FLAG(output.json)};

static struct wp_err *set_strict(struct wp_session_options *options, const char *value,
				 const struct wp_log *log)
{
	(void)value, (void)log;
	options->output.json = options->output.closed = true;
	return NULL;
}

const struct opt opt_json_strict = {
	"--json=strict", NULL, "JSON that follows WindowsPerf's own schemas: no null in counts",
	OPT_KIND_SET, .set = set_strict};
const struct opt opt_script_json = {
	"--json", NULL, "print a JSON object for each sample, one a line", FLAG(output.json)};
const struct opt opt_export_json = {
	"--json", NULL, "print format, file and number of samples as JSON", FLAG(output.json)};
const struct opt opt_output = {"-o, --output", "FILE", "write JSON to FILE", TEXT(output.file)};
const struct opt opt_stat_output = {"-o, --output", "FILE",
				    "write JSON to FILE (with -x, or -t and no --json: the CSV)",
				    TEXT(output.file)};
static struct wp_err *set_sample_output(struct wp_session_options *options, const char *value,
					const struct wp_log *log)
{
	(void)log;
	options->output.file = value;
	options->output.file_is_data = true;
	return NULL;
}

const struct opt opt_sample_output = {
	"-o, --output", "FILE",
	"keep the samples in FILE, as --data does; FILE.json, or with --json: write JSON",
	OPT_KIND_SET, .set = set_sample_output};
const struct opt opt_output_csv = {
	"--output-csv", "FILE",
	"name of the timeline's CSV; {timestamp} {class} {core} are filled in",
	TEXT(output.csv_file)};
const struct opt opt_output_prefix = {"--output-prefix, --cwd", "DIR",
				      "folder for the files that are written", TEXT(output.prefix)};
const struct opt opt_data = {"--data",
			     "[FILE]",
			     "keep the samples in FILE (perf.data), for report, script, export",
			     TEXT(recording.file),
			     .otherwise = "perf.data",
			     .values = "<data>"};
static struct wp_err *set_no_data(struct wp_session_options *options, const char *value,
				  const struct wp_log *log)
{
	(void)value, (void)log;
	options->recording.none = true;
	options->recording.file = NULL;
	return NULL;
}

const struct opt opt_no_data = {"--no-data", NULL, "keep no recording (perf.data)", OPT_KIND_SET,
				.set = set_no_data};
const struct opt opt_record_data = {"--data",
				    "[FILE]",
				    "keep the samples in FILE instead of perf.data, for report, "
				    "script, export",
				    TEXT(recording.file),
				    .otherwise = "perf.data",
				    .values = "<data>"};
const struct opt opt_compress = {"-z", NULL, "compress the recording (zstd), which is the default",
				 FLAG(recording.compress)};
static struct wp_err *set_level(struct wp_session_options *options, const char *value,
				const struct wp_log *log)
{
	uint64_t level;

	(void)log;
	if (!wp_str_to_u64(value, 10, WP_SESSION_LEVEL_MAX, &level))
		return wp_err_new(WP_ERR_USAGE,
				  "--compression-level %s: want 0 (none) to %d of zstd", value,
				  WP_SESSION_LEVEL_MAX);
	options->recording.leveled = true;
	options->recording.level = (unsigned int)level;
	return NULL;
}

const struct opt opt_level = {"--compression-level", "N",
			      "0: leave the recording as it is, for tools that know no zstd; to 22",
			      OPT_KIND_SET, .set = set_level};
const struct opt opt_switch = {
	"--switch-output",
	"[WHEN]",
	"a new recording at each SIGUSR2, every SIZE (10M) or every TIME (30s)",
	TEXT(recording.switch_output),
	.otherwise = "signal",
	.values = "signal 10M 1G 30s 5m"};
const struct opt opt_switch_files = {"--switch-max-files", "N",
				     "with --switch-output, --snapshot: only the last N are kept",
				     NUMBER(recording.switch_files, 1, UINT32_MAX)};
const struct opt opt_snapshot = {
	"--snapshot",
	"[TIME,SIZE]",
	"hold the last TIME (30s) in memory (64M); write FILE.TIMESTAMP at SIGUSR2 and at the end",
	TEXT(recording.snapshot),
	.otherwise = "30s",
	.values = "30s 5m 64M 30s,256M"};
const struct opt opt_quiet = {"-q, --quiet", NULL, "print no text, only JSON; no notes",
			      FLAG(output.quiet)};

const struct opt opt_color = {"--color",
			      "WHEN",
			      "colours for what is hot: auto (on a terminal), always, never",
			      OPT_KIND_WORD,
			      AT(output.color),
			      .values = "auto always never"};
const struct opt opt_no_pager = {"--no-pager", NULL,
				 "long text straight to the terminal, not through less",
				 FLAG(output.no_pager)};
const struct opt opt_stdio = {"--stdio", NULL, "text, on a terminal too: no screens",
			      FLAG(output.stdio)};
const struct opt opt_wide = {"--wide", NULL,
			     "tables as wide as they are, also where the terminal is narrower",
			     FLAG(output.wide)};
const struct opt opt_width = {"--width", "N",
			      "tables at most so wide, instead of as wide as the terminal",
			      NUMBER(output.width, 20, UINT16_MAX)};
const struct opt opt_verbose = {"-v, --verbose", NULL, "print more", FLAG(output.verbose)};

const struct opt opt_events = {
	"-e", "LIST", "events: names, raw numbers, {groups}, @FILE of such; see wperf list",
	LIST(events.list), .list = wp_session_list_events};
static struct wp_err *set_event_filter(struct wp_session_options *options, const char *value,
				       const struct wp_log *log)
{
	(void)log;
	if (!options->events.list)
		return wp_err_new(WP_ERR_USAGE,
				  "--filter %s goes behind its event: -e GROUP:NAME --filter %s",
				  value, value);
	if (options->events.n_filters == WP_SESSION_FILTERS)
		return wp_err_new(WP_ERR_USAGE, "--filter: at most %d", WP_SESSION_FILTERS);
	options->events.filters[options->events.n_filters++] =
		(struct wp_session_filter){value, strlen(options->events.list)};
	return NULL;
}

const struct opt opt_filter = {"--filter", "EXPR",
			       "of the tracepoint before it, only hits like 'fd == 1 && count > 9'",
			       OPT_KIND_SET, .set = set_event_filter};

const struct opt opt_metrics = {"-m", "LIST", "metrics and groups of metrics; see wperf list",
				LIST(events.metrics), .list = wp_session_list_metrics};
const struct opt opt_extra_events = {"-E", "FILE|LIST", "define events: name:hex,name:hex ...",
				     TEXT(events.extra)};
const struct opt opt_metric_file = {
	"-C", "FILE", "define metrics: lines of name:{event,event},event[;formula[;unit]]",
	TEXT(events.metric_file)};
const struct opt opt_topdown = {"--topdown", NULL, "where the CPU's issue slots went, as a tree",
				FLAG(events.topdown)};
const struct opt opt_event_data = {"--event-data", "DIR",
				   "what Arm publishes of CPUs: its telemetry JSON, as downloaded",
				   TEXT(events.data)};

/* The one setting there is, and the two that can only be read (wperf test shows them). */
static struct wp_err *set_config(struct wp_session_options *options, const char *value,
				 const struct wp_log *log)
{
	static const char name[] = "count.period=";
	uint64_t ms;

	(void)log;
	if (!wp_str_has_prefix(value, name) || !wp_str_to_u64(value + strlen(name), 10, 100, &ms) ||
	    ms < 10)
		return wp_err_new(WP_ERR_USAGE,
				  "can't set '%s' config: only count.period=10 ... 100 (ms)",
				  value);
	options->events.count_period_ms = ms;
	return NULL;
}

const struct opt opt_config = {"--config",   "NAME=VALUE",	"set count.period (10 to 100 ms)",
			       OPT_KIND_SET, .set = set_config, .values = "count.period="};

const struct opt opt_stat_cpu = {"-c, --cpu", "LIST",
				 "CPUs that are counted: 0,2-4; a command is kept on its one",
				 TEXT(target.cpus)};
const struct opt opt_sample_cpu = {"-c, --cpu", "LIST", "what runs on these CPUs: 0,2-4",
				   TEXT(target.cpus)};
const struct opt opt_record_cpu = {"-c, --cpu", "N", "keep the command on this CPU",
				   TEXT(target.cpus)};
const struct opt opt_pid = {"-p, --pid", "LIST", "processes that already run, by id",
			    TEXT(target.pids), .values = "<pid>"};
const struct opt opt_all = {"-a, --all-cpus", NULL, "everything on all CPUs", FLAG(target.all)};
const struct opt opt_cgroup = {"-G, --cgroup", "NAME",
			       "what runs in the cgroup (or in several: NAME,NAME), on all CPUs",
			       LIST(target.cgroups), .list = wp_session_list_cgroups};
const struct opt opt_each_cgroup = {
	"--for-each-cgroup", "NAME,NAME",
	"each event in each of these cgroups, counted for itself, on all CPUs",
	LIST(target.each_cgroup), .list = wp_session_list_cgroups};
const struct opt opt_user = {"-u, --uid", "USER",
			     "the processes that run as that user now, and their children",
			     TEXT(target.user), .list = wp_session_list_users};
const struct opt opt_kernel = {"-k", NULL, "count and sample inside the kernel too",
			       FLAG(target.kernel)};
const struct opt opt_image_name = {"--image_name", "NAME",
				   "a running process, by its program's name",
				   TEXT(target.image_name), .list = wp_session_list_programs};
const struct opt opt_record_image = {"--image_name", "NAME",
				     "the name of the image that --pdb_file is for",
				     TEXT(target.image_name)};
const struct opt opt_pe_file = {"--pe_file", "PATH", "a running process, by its program's path",
				TEXT(target.pe_file), .values = "<file>"};
const struct opt opt_start_pe_file = {"--pe_file", "PATH",
				      "the program that is started, as if it stood behind --",
				      TEXT(target.pe_file), .values = "<file>"};
const struct opt opt_pdb_file = {"--pdb_file", "PATH", "the program's separate symbol file",
				 TEXT(target.pdb_file)};
const struct opt opt_spawn_delay = {"--record_spawn_delay", "MS",
				    "accepted for compatibility: events begin at the exec",
				    NUMBER(target.spawn_delay_ms, 0, 3600000)};
const struct opt opt_as_user = {"--as-user", NULL, "run the command as who called sudo",
				FLAG(target.as_user)};
const struct opt opt_dmc = {"--dmc", "N", "only that memory controller (DMC-620), from 0",
			    NUMBER(target.dmc, 0, 255)};

const struct opt opt_force_lock = {
	"--force-lock", NULL, "take the driver of Windows from whoever has it (Linux: no lock)",
	FLAG(force_lock)};

const struct opt opt_timeout = {"--timeout, sleep", "TIME",
				"how long: 1.5s, 200ms, 2m, 1h (0: until Ctrl-C or the end)",
				DURATION(timeout_ns)};
const struct opt opt_stat_timeout = {
	"--timeout, sleep", "TIME",
	"how long, with -t each count: 1.5s, 200ms, 2m (0: until Ctrl-C or the end)",
	DURATION(timeout_ns)};
const struct opt opt_timeline = {"-t", NULL, "count again and again (timeline)",
				 FLAG(counting.timeline)};

static struct wp_err *set_interval(struct wp_session_options *options, const char *value,
				   const struct wp_log *log)
{
	(void)log;
	options->counting.interval_given = true;
	return opt_duration(value, "-i", &options->counting.interval_ns);
}

const struct opt opt_interval = {"-i", "TIME", "timeline: pause between two counts (60s)",
				 OPT_KIND_SET, .set = set_interval};
const struct opt opt_count = {"-n", "N", "timeline: how many counts (0: until Ctrl-C)",
			      NUMBER(counting.timeline_count, 0, UINT32_MAX)};

const struct opt opt_repeat = {"-r, --repeat", "N",
			       "run the command N times: mean and deviation (0: until Ctrl-C)",
			       NUMBER(counting.repeat, 0, UINT32_MAX)};
const struct opt opt_table = {"--table", NULL, "-r: how long each run took", FLAG(counting.table)};
#define INTERVAL_MAX_MS (365ull * 24 * 3600 * 1000)

/* perf's milliseconds, or WindowsPerf 5's time with its unit. */
static struct wp_err *set_interval_print(struct wp_session_options *options, const char *value,
					 const struct wp_log *log)
{
	uint64_t ms, ns;

	(void)log;
	if (!wp_str_to_u64(value, 10, INTERVAL_MAX_MS, &ms)) {
		TRY(opt_duration(value, "-I", &ns));
		ms = ns / WP_NS_PER_MS;
	}
	if (ms < 1 || ms > INTERVAL_MAX_MS)
		return wp_err_new(WP_ERR_USAGE,
				  "input: \"%s\" to argument '-I' is invalid: want 1ms to 365d",
				  value);
	options->counting.interval_print_ms = ms;
	return NULL;
}

const struct opt opt_interval_print = {
	"-I, --interval-print", "TIME",
	"print what was counted every TIME: milliseconds, or 1.5s, 2m, 1h", OPT_KIND_SET,
	.set = set_interval_print};
const struct opt opt_interval_count = {"--interval-count", "N", "-I: how many times",
				       NUMBER(counting.interval_count, 1, UINT32_MAX)};
const struct opt opt_separator = {
	"-x, --field-separator", "SEP",
	"print CSV with perf's fields, SEP between them (with -o: into FILE)",
	TEXT(counting.separator), .values = ", :"};
const struct opt opt_append = {"--append", NULL, "-x, -I: add to the file of -o",
			       FLAG(counting.append)};
/* Of several the last one holds, as with perf. */
const struct opt opt_per_thread = {"--per-thread", NULL,
				   "of -p, -u or all: the counts of each thread",
				   CHOICE(counting.split, WP_SPLIT_THREAD)};
const struct opt opt_per_cpu = {"-A, --no-aggr", NULL, "each CPU's counts, event by event",
				CHOICE(counting.split, WP_SPLIT_CPU)};
const struct opt opt_per_core = {"--per-core", NULL, "of whole CPUs: the counts of each core",
				 CHOICE(counting.split, WP_SPLIT_CORE)};
const struct opt opt_per_die = {"--per-die", NULL, "of whole CPUs: the counts of each die",
				CHOICE(counting.split, WP_SPLIT_DIE)};
const struct opt opt_per_socket = {"--per-socket", NULL, "of whole CPUs: the counts of each socket",
				   CHOICE(counting.split, WP_SPLIT_SOCKET)};
const struct opt opt_per_node = {"--per-node", NULL,
				 "of whole CPUs: the counts of each node of memory",
				 CHOICE(counting.split, WP_SPLIT_NODE)};
const struct opt opt_delay = {"-D, --delay", "MS",
			      "begin to count that many milliseconds after the command began",
			      NUMBER(counting.delay_ms, 0, UINT32_MAX)};
const struct opt opt_no_inherit = {"--no-inherit", NULL,
				   "without the threads and processes that are started from now on",
				   FLAG(counting.no_inherit)};

static struct wp_err *set_freq(struct wp_session_options *options, const char *value,
			       const struct wp_log *log)
{
	(void)log;
	if (strcmp(value, "max") == 0)
		options->sampling.freq_hz = WP_SESSION_FREQ_MAX;
	else if (!wp_str_to_u64(value, 10, UINT32_MAX, &options->sampling.freq_hz) ||
		 !options->sampling.freq_hz)
		return wp_err_new(WP_ERR_USAGE,
				  "-F %s: want how many samples a second, from 1, or max", value);
	return NULL;
}

const struct opt opt_freq = {"-F, --freq", "HZ|max",	    "samples a second, instead of a period",
			     OPT_KIND_SET, .set = set_freq, .values = "max"};
static struct wp_err *set_display_rows(struct wp_session_options *options, const char *value,
				       const struct wp_log *log)
{
	(void)log;
	if (!wp_str_to_u64(value, 10, UINT32_MAX, &options->tables.rows))
		return wp_err_new(WP_ERR_USAGE,
				  "input: \"%s\" to argument '--sample-display-row' is invalid: "
				  "want a number from 0 to %u",
				  value, UINT32_MAX);
	options->tables.rows_given = true;
	return NULL;
}

const struct opt opt_rows = {"--sample-display-row, --rows", "N",
			     "rows of each table (50; beside tables of Python 10)", OPT_KIND_SET,
			     .set = set_display_rows};

const struct opt opt_sort_by = {"--sort-by",
				"WHAT",
				"order of functions and lines: total (with what they call), self",
				OPT_KIND_WORD,
				AT(tables.sort_by),
				.values = "total self"};
const struct opt opt_native_first = {"--native-first", NULL,
				     "native functions before the tables of Python",
				     FLAG(tables.native_first)};
const struct opt opt_long = {"--sample-display-long", NULL, "symbols as the linker knows them",
			     FLAG(tables.long_names)};
const struct opt opt_symbol = {"-s, --symbol", "PATTERN",
			       "show only such functions: name, ^prefix, suffix$, ^whole$",
			       TEXT(tables.symbol_filter)};
const struct opt opt_ratio = {"--ratio", "A/B",
			      "one event divided by another, by function and Python line",
			      TEXT(tables.ratio)};
const struct opt opt_annotate = {"--annotate", NULL, "source lines of the hot functions",
				 FLAG(tables.annotate)};
const struct opt opt_disassemble = {"--disassemble", NULL, "and their instructions",
				    FLAG(tables.disassemble)};
const struct opt opt_disassembler_style = {"-M, --disassembler-style",
					   "STYLE",
					   "x86 instructions as att or intel writes them",
					   OPT_KIND_WORD,
					   AT(tables.style),
					   .values = "att intel"};
const struct opt opt_call_graph = {"-g", NULL, "call graph: who called the hot functions",
				   FLAG(sampling.call_graph)};
const struct opt opt_stacks = {"--call-graph", "MODE",
			       "-g with stacks taken by: auto, bpf, dwarf[,BYTES], fp",
			       TEXT(sampling.stacks), .values = "auto bpf dwarf fp"};

const struct opt opt_python = {"--python", "MODE", "Python frames read by: auto, bpf, pinned, off",
			       TEXT(sampling.python), .values = "auto bpf pinned off"};
const struct opt opt_interpreter_frames = {"--interpreter-frames", NULL,
					   "call graph: the interpreter's evaluation loop too",
					   FLAG(tables.interpreter_frames)};
const struct opt opt_threads = {"--threads", NULL, "Python tables: a row for each thread",
				FLAG(tables.threads)};
const struct opt opt_gil = {"--gil", NULL, "Python tables: only samples of who holds the GIL",
			    FLAG(sampling.gil)};
const struct opt opt_async = {
	"--async", NULL, "Python stacks: the tasks that await what runs, the greenlets that wait",
	FLAG(sampling.async)};

const struct opt opt_wall = {"--wall", NULL,
			     "what threads compute and what they wait, together, in nanoseconds",
			     FLAG(sampling.wall)};
const struct opt opt_report_wall = {
	"--wall", NULL, "a clock and the waits (record --wall) together, in nanoseconds",
	FLAG(sampling.wall)};

const struct opt opt_waits = {"--waits", NULL,
			      "what threads wait for: locks, descriptors, time, children",
			      FLAG(sampling.waits)};

const struct opt opt_wakers = {"--wakers", NULL, "who ended whose waits, by their stacks (-g)",
			       FLAG(sampling.wakers)};

const struct opt opt_idle = {"--idle", NULL,
			     "waits of idle threads, too: event loops, workers of pools, listeners",
			     FLAG(sampling.idle)};

const struct opt opt_addr = {
	"-d, --addr", NULL,
	"the address of the data that an event is about: of a page fault, a breakpoint",
	BITS(sampling.carried, WP_DATA_ADDR | WP_DATA_SRC)};
const struct opt opt_phys_data = {"--phys-data", NULL, "its physical address, too",
				  BITS(sampling.carried, WP_DATA_PHYS_ADDR)};
const struct opt opt_weight = {"-W, --weight", NULL, "what an access cost, where the event says it",
			       BITS(sampling.carried, WP_DATA_WEIGHT)};
const struct opt opt_data_page = {"--data-page-size", NULL,
				  "the size of the page that the data is in",
				  BITS(sampling.carried, WP_DATA_PAGE)};
const struct opt opt_code_page = {"--code-page-size", NULL,
				  "the size of the page that the code is in",
				  BITS(sampling.carried, WP_DATA_CODE_PAGE)};

static struct wp_err *set_branches(struct wp_session_options *options, const char *value,
				   const struct wp_log *log)
{
	(void)value, (void)log;
	options->sampling.branches = "any";
	return NULL;
}

const struct opt opt_any_branches = {"-b, --branch-any", NULL, "the branches before each sample",
				     OPT_KIND_SET, .set = set_branches};
const struct opt opt_branch_filter = {
	"-j, --branch-filter", "LIST",
	"some of them: any, any_call, any_ret, ind_call, ind_jmp, call, cond, u, k ...",
	TEXT(sampling.branches),
	.values = "any any_call any_ret ind_call ind_jmp call cond abort_tx in_tx no_tx stack "
		  "no_flags "
		  "no_cycles save_type priv u k hv"};
const struct opt opt_all_cgroups = {"--all-cgroups", NULL, "the cgroup that it ran in",
				    BITS(sampling.carried, WP_DATA_CGROUP)};
const struct opt opt_user_regs = {"--user-regs", NULL, "the registers of user space",
				  BITS(sampling.carried, WP_DATA_USER_REGS)};
const struct opt opt_intr_regs = {"--intr-regs", NULL, "the registers where the event happened",
				  BITS(sampling.carried, WP_DATA_INTR_REGS)};

const struct opt opt_input = {"-i, --input", "FILE",
			      "the recording (perf.data); - is standard input", TEXT(report.input),
			      .values = "<data>"};
const struct opt opt_force = {"-f, --force", NULL,
			      "read a recording that is neither ours nor root's",
			      FLAG(report.force)};
const struct opt opt_symfs = {"--symfs", "DIR", "the recording's paths begin in this folder",
			      TEXT(report.symfs)};
const struct opt opt_max_memory = {
	"--max-memory", "MB",
	"what files and processes may make wperf keep (a quarter of the memory, at most 1024)",
	NUMBER(max_memory_mb, 1, 1 << 20)};
const struct opt opt_only_cpu = {"-c, --cpu", "LIST", "only samples of these CPUs: 0,2-4",
				 TEXT(target.cpus)};
const struct opt opt_tid = {"--tid", "LIST", "only samples of these threads", TEXT(report.tids)};
const struct opt opt_time = {"--time", "FROM,TO",
			     "only samples of this time since the first one: 1.5s,2s",
			     TEXT(report.time_range)};
const struct opt opt_sort = {"--sort", "KEYS",
			     "samples by these keys instead of hot functions; see below",
			     TEXT(report.sort), .list = wp_session_report_keys};
const struct opt opt_children = {"--children", NULL,
				 "--sort (symbol): also what a function's callees cost",
				 FLAG(report.children)};
const struct opt opt_branches = {
	"-b, --branch, --branch-stack", NULL,
	"the branches before each sample instead: from where to where (or by --sort)",
	FLAG(report.branches)};
const struct opt opt_memory = {"--mem", NULL,
			       "loads, stores and what they cost, as wperf mem shows them",
			       FLAG(report.memory)};
const struct opt opt_mem_sort = {"--sort", "KEYS",
				 "one table by these keys of report --sort instead",
				 TEXT(report.sort), .list = wp_session_report_keys};
const struct opt opt_mem_sort_by = {"--sort-by", "COLUMN",
				    "order of rows: by this column (cost, then overhead)",
				    TEXT(tables.sort_by), .list = wp_session_mem_columns};
const struct opt opt_mem_rows = {"--sample-display-row, --rows", "N",
				 "rows of each table (10; with --sort 50)", OPT_KIND_SET,
				 .set = set_display_rows};
const struct opt opt_annotate_rows = {
	"--sample-display-row, --rows", "N",
	"without FUNCTION: the N hottest Python and native functions (3)", OPT_KIND_SET,
	.set = set_display_rows};
const struct opt opt_hottest = {"--hottest", NULL,
				"lines by falling samples, not as they are written",
				FLAG(report.hottest)};
const struct opt opt_source_prefix = {"--source-prefix", "OLD=NEW",
				      "source paths that begin with OLD begin with NEW here",
				      TEXT(report.source_prefix)};
const struct opt opt_time_slice = {"--time-slice", "TIME", "--sort time: how long each is (100ms)",
				   DURATION(report.time_slice_ns)};
const struct opt opt_csv = {"--csv", NULL, "print CSV instead of tables", FLAG(report.csv)};
const struct opt opt_module = {"--module", "NAME", "only samples in this file",
			       TEXT(report.module_filter)};

const struct opt opt_format = {"--format", "NAME", "what is written (flame); see below",
			       TEXT(exports.format), .list = wp_session_export_formats};
const struct opt opt_frames = {
	"--frames", "WHICH",
	"python, native or all frames (flame: all but the interpreter's start-up)",
	TEXT(exports.frames), .values = "all native python"};
const struct opt opt_lines = {"--lines", NULL, "tell the lines of a function apart",
			      FLAG(exports.lines)};
const struct opt opt_open = {"--open", NULL, "show the file (xdg-open)", FLAG(exports.open)};
const struct opt opt_export_output = {
	"-o, --output", "FILE", "the file that is written (-: standard output)", TEXT(output.file)};
const struct opt opt_event = {"--event", "NAME", "only samples of this event", TEXT(report.event),
			      .list = wp_session_list_events};
const struct opt opt_fields = {"-F, --fields", "LIST",
			       "what is printed: comm, thread, pid, tid, cpu, time, period, "
			       "event, ip, sym, symoff, dso, srcline; +NAME, -NAME: also, not",
			       TEXT(exports.fields), .list = wp_session_script_fields};
const struct opt opt_only_pid = {"-p, --pid", "LIST", "only samples of these processes",
				 TEXT(target.pids)};
const struct opt opt_export_symbol = {
	"-s, --symbol", "PATTERN",
	"only samples with such a function on the stack: name, ^prefix, suffix$, ^whole$",
	TEXT(tables.symbol_filter)};
const struct opt opt_export_gil = {"--gil", NULL, "only samples of Python code that holds the GIL",
				   FLAG(sampling.gil)};
const struct opt opt_export_prefix = {"--output-prefix, --cwd", "DIR", "folder for the file",
				      TEXT(output.prefix)};
const struct opt opt_export_quiet = {"-q, --quiet", NULL, "no notes: do not say what was written",
				     FLAG(output.quiet)};

const struct opt opt_top_cpu = {"-c, -C, --cpu", "LIST", "what runs on these CPUs: 0,2-4",
				TEXT(target.cpus)};
const struct opt opt_top_delay = {"-d, --delay", "TIME", "how long an interval is (2s)",
				  DURATION(top.delay_ns)};
const struct opt opt_top_count = {"--count", "N", "how many intervals",
				  NUMBER(top.count, 1, UINT32_MAX)};
const struct opt opt_top_rows = {"-n, --rows, --sample-display-row", "N",
				 "rows of each table (10, on a terminal what fits; JSON 50)",
				 OPT_KIND_SET, .set = set_display_rows};

const struct opt opt_replay = {"--replay", "SCRIPT",
			       "take machine and events from a script (docs/replay.md)",
			       TEXT(replay)};
const struct opt opt_replay_symbols = {
	"--replay", "SCRIPT", "take symbols from the script that was recorded (docs/replay.md)",
	TEXT(replay)};

static const struct opt opt_export_perf_data = {
	"--export_perf_data", NULL, "accepted for compatibility: --data keeps the samples",
	OPT_KIND_FLAG};
static const struct opt opt_dpc_overflow = {"--enable-dpc-overflow", NULL, "", OPT_KIND_FLAG};

const struct opt *const options_windowsperf[] = {
	&opt_events,
	&opt_metrics,
	&opt_stat_cpu,
	&opt_kernel,
	&opt_timeout,
	&opt_timeline,
	&opt_interval,
	&opt_count,
	&opt_dmc,
	&opt_metric_file,
	&opt_extra_events,
	&opt_json,
	&opt_output,
	&opt_output_csv,
	&opt_output_prefix,
	&opt_config,
	&opt_quiet,
	&opt_verbose,
	&opt_annotate,
	&opt_disassemble,
	&opt_image_name,
	&opt_pe_file,
	&opt_pdb_file,
	&opt_long,
	&opt_rows,
	&opt_symbol,
	&opt_spawn_delay,
	&opt_force_lock,
	&opt_export_perf_data,
	&opt_dpc_overflow,
	NULL,
};
