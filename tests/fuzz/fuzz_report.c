/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_report: a whole recording through the whole program: the first byte chooses what is made of
 * it, the rest is the perf.data. Symbols come from a script, so that no other file is opened.
 */
#include "session/session.h"

#include "scratch.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct wp_err *verb(const struct wp_session_options *options, struct wp_session_io *io,
			    int *ret_exit);

/* The module and addresses of the seeds. */
static const char script[] =
	"symbol path=/bin/x rva=0 size=0x200 name=_ZN1a1bEv\n"
	"symbol path=/bin/x rva=0x200 size=0x200 name=_PyEval_EvalFrameDefault\n"
	"symbol path=/opt/prog rva=0x400000 size=0x1000 name=_PyEval_EvalFrameDefault\n"
	"line path=/bin/x rva=0x100 file=x.c line=3\n"
	"symbol path=[kernel] rva=0xffffffff81000000 size=0x1000 name=schedule\n";

static verb *choose(uint8_t choice, struct wp_session_options *options)
{
	static const char *const formats[] = {"callgrind", "chrome", "flame",	   "folded",
					      "gecko",	   "pprof",  "speedscope", "csv"};

	options->sampling.call_graph = choice & 1;
	switch (choice >> 1 & 7) {
	case 0: return wp_session_report;
	case 1: options->output.json = options->tables.annotate = true; return wp_session_report;
	case 2:
		if (choice & 16) {
			options->sampling.call_graph = false; /* which it refuses */
			return wp_session_mem;
		}
		if (choice & 32) {
			options->sampling.call_graph = false;
			options->report.bytecode = true;
			return wp_session_annotate;
		}
		options->report.sort = "pid,comm,tid,module,symbol";
		return wp_session_report;
	case 3:
		options->report.sort = "srcline,python-line,opcode,opcode-base,cpu,time";
		options->report.csv = true;
		return wp_session_report;
	case 4:
		options->report.sort = "python-function,file";
		options->report.children = true;
		return wp_session_report;
	case 5: return wp_session_script;
	default:
		options->exports.format = formats[(choice >> 4) % 8];
		options->exports.lines = choice & 1 && (choice >> 4) % 8 != 7;
		options->output.file = "-";
		return wp_session_export;
	}
}

static void write_script(char *path, size_t size)
{
	int fd;

	snprintf(path, size, "%s/script", scratch_folder());
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0)
		abort();
	scratch_fill(fd, (const uint8_t *)script, sizeof(script) - 1);
	close(fd);
	unsetenv("DEBUGINFOD_URLS");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static char script_path[64];
	struct wp_session_options options;
	wp_autostr struct wp_str text = {0};
	struct wp_writer *out = wp_writer_of_str(&text);
	struct wp_log log = {0};
	struct wp_session_io io = {.log = &log, .out = out};
	char path[64];
	int fd, status = 0;

	if (!*script_path)
		write_script(script_path, sizeof(script_path));
	if (size) {
		fd = scratch_file(data + 1, size - 1);
		snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
		wp_session_options_init(&options);
		options.report.input = path;
		options.replay = script_path;
		wp_err_free(choose(data[0], &options)(&options, &io, &status));
		close(fd);
	}
	wp_err_free(wp_writer_close(out));
	return 0;
}
