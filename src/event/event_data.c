/* SPDX-License-Identifier: BSD-3-Clause */
/* event_data: --event-data, Arm's telemetry data as downloaded; see event_parse.h. */
#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"
#include "event/catalogue.h"
#include "event/telemetry.h"

#include <string.h>

/* The largest file that Arm publishes has 1.2 MB; a download has some dozens, three folders deep.
 */
#define FILE_MAX  (4 << 20)
#define FILES_MAX 512
#define DEPTH_MAX 4

/* One --event-data. */
struct load {
	struct wp_catalogue *catalogue;
	unsigned int files, found;
};

/* What the built-in table of the same product says and the file does not. */
static void complete_cpu(struct wp_arena *arena, struct wp_cpu *cpu)
{
	const struct wp_cpu *known = wp_cpu_find(cpu->name);

	if (!known)
		return;
	cpu->counters = known->counters;
	if (*known->aliases)
		cpu->aliases = wp_arena_printf(arena, "%s,%s", cpu->aliases, known->aliases);
}

static struct wp_err *load_event_file(struct load *load, const char *path)
{
	struct wp_catalogue *catalogue = load->catalogue;
	struct wp_cpu *cpu = wp_arena_alloc(&catalogue->arena, sizeof(*cpu));
	struct wp_telemetry_skipped skipped;
	char *text;
	size_t len;

	TRY(wp_file_read(path, FILE_MAX, &text, &len));
	wp_autofree char *owned = text;
	TRY(wp_telemetry_parse(&catalogue->arena, owned, len, cpu, &skipped));
	if (skipped.n)
		wp_log(catalogue->log, WP_LOG_WARNING,
		       "%s: %u entries make no sense and are left out, the first is '%s'", path,
		       skipped.n, skipped.first);
	complete_cpu(&catalogue->arena, cpu);
	wp_vec_push(&catalogue->loaded, cpu);
	load->found++;
	return NULL;
}

static void load_one(struct load *load, const char *path)
{
	if (load->files++ == FILES_MAX)
		wp_log(load->catalogue->log, WP_LOG_WARNING,
		       "--event-data: only the first %d files are read", FILES_MAX);
	if (load->files > FILES_MAX)
		return;
	wp_autoerr struct wp_err *err = load_event_file(load, path);
	if (err)
		wp_log(load->catalogue->log,
		       err->code == WP_ERR_UNSUPPORTED ? WP_LOG_VERBOSE : WP_LOG_WARNING,
		       "%s is passed over: %s", path, err->text);
}

static void load_folder(struct load *load, const char *path, int depth)
{
	wp_autodir struct wp_dir dir = {0};

	wp_dir_list(path, &dir);
	wp_vec_each (const char *, name, &dir.names) {
		wp_autofree char *below = wp_asprintf("%s/%s", path, *name);

		if (wp_str_has_suffix(*name, ".json"))
			load_one(load, below);
		else if (depth < DEPTH_MAX)
			load_folder(load, below, depth + 1);
	}
}

/* Of the files about this machine's CPU the one of its revision, else the last. */
static const struct wp_cpu *own_cpu(const struct wp_catalogue *catalogue)
{
	const struct wp_cpu *own = NULL;
	uint64_t midr = catalogue->machine->midr;

	wp_vec_each (const struct wp_cpu *, cpu, &catalogue->loaded) {
		wp_autofree char *revision =
			wp_asprintf("%s-r%up%u", (*cpu)->name, (unsigned int)(midr >> 20 & 0xf),
				    (unsigned int)(midr & 0xf));

		if (!wp_cpu_is_machine(*cpu, catalogue->machine))
			continue;
		own = *cpu;
		if (wp_cpu_is_named(own, revision))
			break;
	}
	return own;
}

struct wp_err *wp_catalogue_add_data(struct wp_catalogue *catalogue, const char *file_or_folder)
{
	struct load load = {.catalogue = catalogue};
	const struct wp_cpu *own;

	if (!wp_file_exists(file_or_folder))
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "--event-data %s: there is no such file or folder",
				  file_or_folder);
	if (wp_str_has_suffix(file_or_folder, ".json"))
		TRY(wp_err_prefix(load_event_file(&load, file_or_folder), "%s", file_or_folder));
	else
		load_folder(&load, file_or_folder, 0);
	if (!load.found)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "--event-data %s: no file there describes a CPU's PMU: want the "
				  "telemetry JSON that Arm publishes",
				  file_or_folder);
	own = own_cpu(catalogue);
	if (own)
		wp_catalogue_use_cpu(catalogue, own);
	return NULL;
}
