/* SPDX-License-Identifier: BSD-3-Clause */
/* python_build: see python_build.h. */
#include "runtime/python_build.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"
#include "runtime/python_asyncio.h"
#include "runtime/python_frame_state.h"
#include "runtime/python_debug_offsets.h"
#include "runtime/python_elf.h"
#include "runtime/python_eval.h"
#include "runtime/python_layout.h"
#include "runtime/python_operands.h"
#include "runtime/python_prologue.h"
#include "runtime/python_version.h"

#include <string.h>

#define MAX_HEAD_CODE 64  /* of PyInterpreterState_Head */
#define MAX_PROLOGUE  512 /* of the evaluation loop */

enum symbol {
	RUNTIME,
	VERSION,
	GET_VERSION,
	CODE_TYPE,
	CURRENT,
	HEAD,
	HEAD_CODE,
	KEY,
	CODE_COUNT,
	SYMBOLS,
};

/* What a file has, before it is known what that means. */
struct found {
	struct wp_python_elf elf;
	const char *path;
	struct wp_python_symbol symbols[SYMBOLS];
	uint64_t runtime; /* _PyRuntime, or 0 */
};

static const char *const names[SYMBOLS] = {
	[RUNTIME] = "_PyRuntime", /* 3.7 and newer */
	[VERSION] = "Py_Version", /* 3.11 and newer */
	[GET_VERSION] = "Py_GetVersion",
	[CODE_TYPE] = "PyCode_Type",
	[CURRENT] = "_PyThreadState_Current", /* 2.7, 3.6 */
	[HEAD] = "interp_head",		      /* 2.7, 3.6: local */
	[HEAD_CODE] = "PyInterpreterState_Head",
	[KEY] = "autoTLSkey",			/* 3.6: local */
	[CODE_COUNT] = "_Py_next_func_version", /* 3.12 */
};

/* The symbol, or the section that has it for itself from 3.10 on. */
static uint64_t find_runtime(const struct found *found)
{
	GElf_Shdr header;

	if (found->symbols[RUNTIME].addr)
		return found->symbols[RUNTIME].addr;
	return wp_elf_section(found->elf.elf, ".PyRuntime", &header) ? header.sh_addr : 0;
}

static bool find_symbols(struct found *found)
{
	for (size_t i = 0; i < SYMBOLS; i++)
		found->symbols[i] = (struct wp_python_symbol){.name = names[i]};
	wp_python_elf_find(&found->elf, found->symbols, SYMBOLS);
	found->runtime = find_runtime(found);
	return found->runtime || (found->symbols[CURRENT].addr && found->symbols[GET_VERSION].addr);
}

static struct wp_err *unsupported(uint32_t version, const char *why)
{
	char name[WP_PYTHON_VERSION_MAX];

	return wp_err_new(WP_ERR_UNSUPPORTED, "CPython %s %s",
			  wp_python_version_print(version, name), why);
}

/*
 * Objects begin with two pointers more when they are traced. PyCode_Type says so itself: its
 * tp_basicsize, a number that no relocation touches, stands where the head ends and counts it.
 */
static struct wp_err *read_object_head(const struct found *found,
				       const struct wp_python_layout *layout,
				       struct wp_python_build *build)
{
	uint64_t type = found->symbols[CODE_TYPE].addr, size;

	for (uint64_t longer = 0; type && longer <= 16; longer += 16) {
		/* PyVarObject, tp_name, tp_basicsize */
		if (!wp_python_elf_u64(&found->elf, type + 32 + longer, &size) ||
		    size != layout->code_basic + longer)
			continue;
		build->debug = longer != 0;
		if (build->debug)
			wp_python_layout_trace_refs(&build->layout);
		if (build->code_code)
			build->code_code += (uint16_t)longer;
		return NULL;
	}
	return unsupported(build->version, "has code objects of an unknown shape");
}

struct loaded {
	uint64_t addr;
	size_t n;
};

static void take_loaded(void *arg, uint64_t target)
{
	struct loaded *loaded = arg;

	loaded->addr = target;
	loaded->n++;
}

/* interp_head: its symbol, or what PyInterpreterState_Head() returns. */
static uint64_t interp_head(const struct found *found)
{
	const struct wp_python_symbol *head = &found->symbols[HEAD_CODE];
	struct loaded loaded = {0};
	uint8_t bytes[MAX_HEAD_CODE];

	if (found->symbols[HEAD].addr || !head->addr)
		return found->symbols[HEAD].addr;
	size_t n = head->size && head->size < sizeof(bytes) ? head->size : sizeof(bytes);
	struct wp_python_code_bytes code = {
		found->elf.image.machine, bytes,
		wp_python_elf_read_some(&found->elf, head->addr, bytes, n), head->addr};
	wp_python_operands(&code, WP_PYTHON_OPERAND_LOAD, take_loaded, &loaded);
	return loaded.n == 1 ? loaded.addr : 0;
}

/* 2.7 keeps thread states in a list of its own (Python/thread.c), 3.6 under a pthread key. */
static struct wp_err *place_globals(const struct found *found, struct wp_python_build *build)
{
	struct wp_python_plan *layout = &build->layout;

	layout->current = found->symbols[CURRENT].addr;
	layout->interpreters = interp_head(found);
	if (build->version >= 0x03000000)
		layout->tss_key = found->symbols[KEY].addr;
	if (!layout->current || !layout->interpreters)
		return unsupported(build->version, "is stripped of what leads to its threads");
	return NULL;
}

static struct wp_err *place_runtime(const struct found *found,
				    const struct wp_python_layout *layout,
				    struct wp_python_build *build)
{
	uint64_t shift = found->elf.image.machine == EM_AARCH64 ? layout->aarch64_shift : 0;
	uint64_t size = found->symbols[RUNTIME].size;

	if (!found->runtime)
		return unsupported(build->version, "has no _PyRuntime");
	if (size && size < layout->runtime_key + shift + 4)
		return unsupported(build->version, "has a _PyRuntime of an unknown shape");
	build->layout.interpreters = found->runtime + layout->runtime_interpreters;
	build->layout.tss_key = found->runtime + layout->runtime_key + shift;
	if (layout->runtime_current)
		build->layout.current = found->runtime + layout->runtime_current + shift;
	return NULL;
}

static struct wp_err *read_by_table(const struct found *found, struct wp_python_build *build)
{
	const struct wp_python_layout *layout;

	build->version = wp_python_version_of(&found->elf, &found->symbols[VERSION],
					      &found->symbols[GET_VERSION], found->path);
	if (!build->version)
		return wp_err_new(WP_ERR_UNSUPPORTED, "a CPython that does not tell its version");
	if (found->elf.file.view)
		return unsupported(build->version,
				   "for Windows does not tell its layout (3.13 and newer do)");
	layout = wp_python_layout_of(build->version);
	if (!layout)
		return unsupported(build->version, "is not known to this program");
	build->lines = layout->lines;
	build->code_code = layout->code_code;
	build->layout = layout->plan;
	build->dicts = layout->dicts;
	build->layout.eval_prologue = layout->eval_prologue;
	if (layout->runtime_interpreters)
		TRY(place_runtime(found, layout, build));
	else
		TRY(place_globals(found, build));
	return read_object_head(found, layout, build);
}

/* True when _PyRuntime begins with the offsets. */
static bool describes_itself(const struct found *found, uint8_t *bytes, size_t *n)
{
	uint32_t version;

	if (!found->runtime)
		return false;
	*n = wp_python_elf_read_some(&found->elf, found->runtime, bytes, *n);
	return wp_python_debug_offsets_is(bytes, *n, &version);
}

static struct wp_err *read_by_offsets(const struct found *found, const uint8_t *bytes, size_t n,
				      struct wp_python_build *build)
{
	struct wp_python_debug_offsets offsets;

	TRY(wp_python_debug_offsets_read(bytes, n, &offsets));
	build->version = offsets.version;
	build->free_threaded = offsets.free_threaded;
	build->lines = WP_PYTHON_LOCATIONS;
	build->layout = offsets.plan;
	build->dicts = offsets.dicts;
	build->layout.interpreters = found->runtime + offsets.runtime_interpreters;
	if (found->elf.file.view) {
		offsets.runtime_key = offsets.runtime_windows_key;
		build->layout.flags |= WP_PYTHON_WINDOWS;
	}
	if (offsets.runtime_key)
		build->layout.tss_key = found->runtime + offsets.runtime_key;
	build->cookie = found->runtime;
	return NULL;
}

/* What the table says is a bound; the code tells exactly. */
static void read_prologue(const struct found *found, struct wp_python_plan *layout)
{
	uint8_t bytes[MAX_PROLOGUE];
	struct wp_python_code_bytes code = {
		found->elf.image.machine, bytes,
		wp_python_elf_read_some(&found->elf, layout->eval_start, bytes, sizeof(bytes)),
		layout->eval_start};

	(void)wp_python_prologue(&code, layout);
}

static struct wp_err *read_build(const struct found *found, struct wp_python_build *build)
{
	uint8_t bytes[WP_PYTHON_DEBUG_OFFSETS_MAX];
	size_t n = sizeof(bytes);

	if (describes_itself(found, bytes, &n))
		TRY(read_by_offsets(found, bytes, n, build));
	else
		TRY(read_by_table(found, build));
	wp_python_asyncio_layout(build->version, &build->layout);
	build->layout.gen_executing = wp_python_frame_states(build->version).executing;
	wp_python_locals_layout(build->version, &build->layout, &build->locals);
	build->layout.code_type = found->symbols[CODE_TYPE].addr;
	build->layout.code_count = found->symbols[CODE_COUNT].addr;
	if (!build->layout.code_type)
		return unsupported(build->version, "is stripped of PyCode_Type");
	if (!wp_python_eval_read(&found->elf, build->version, &build->eval))
		return unsupported(build->version, "is stripped of its evaluation loop's name");
	build->layout.eval_start = build->eval.start;
	if (build->layout.flags & WP_PYTHON_CFRAME)
		read_prologue(found, &build->layout);
	return NULL;
}

struct wp_err *wp_python_build_read(int fd, const char *path, struct wp_python_build **ret)
{
	struct found found = {.path = path};
	struct wp_python_build *build = NULL;
	struct wp_err *err = NULL;

	if (!wp_python_elf_open(fd, &found.elf)) {
		*ret = NULL;
		return NULL;
	}
	if (find_symbols(&found)) {
		build = wp_calloc(1, sizeof(*build));
		err = read_build(&found, build);
	}
	wp_python_elf_close(&found.elf);
	if (err) {
		wp_python_build_free(build);
		return err;
	}
	*ret = build;
	return NULL;
}

void wp_python_build_free(struct wp_python_build *build)
{
	if (!build)
		return;
	wp_python_eval_deinit(&build->eval);
	free(build);
}

bool wp_python_build_runs_in(const struct wp_python_build *build, uint64_t start, uint64_t bytes)
{
	return build->layout.eval_start - start < bytes;
}

char *wp_python_build_name(const struct wp_python_build *build)
{
	char version[WP_PYTHON_VERSION_MAX];

	return wp_asprintf("%s%s%s", wp_python_version_print(build->version, version),
			   build->free_threaded ? " free-threaded" : "",
			   build->debug ? " debug" : "");
}
