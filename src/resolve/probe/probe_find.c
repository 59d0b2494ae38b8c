/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_find: see probe_find.h. */
#include "resolve/probe/probe_find.h"

#include "base/str.h"
#include "resolve/probe/probe_image.h"
#include "resolve/probe/probe_kernel.h"
#include "resolve/probe/probe_operands.h"

#include <inttypes.h>
#include <string.h>

#define WINDOWS_PAGE 4096

/* Of an address, a function or a marker; a line's are found by other means. */
static struct wp_err *find_addresses(struct wp_probe_image *image, struct wp_line_asker *asker,
				     const struct wp_probe *probe)
{
	struct wp_probe_address function;

	if (!probe->symbol) {
		wp_vec_push(&image->found, (struct wp_probe_address){.at = probe->offset});
		return NULL;
	}
	if (probe->kind == WP_PROBE_MARKER) {
		wp_probe_image_markers(image, probe->provider, probe->symbol);
		return NULL;
	}
	wp_probe_image_functions(image, probe->symbol);
	if (!probe->line)
		return NULL;
	if (image->found.n > 1)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s': there are %zu functions of that name: say FILE:LINE",
				  image->event, image->found.n);
	if (!image->found.n)
		return wp_probe_image_lines(image, asker, probe->symbol, NULL, probe->line);
	function = image->found.v[0];
	image->found.n = 0;
	return wp_probe_image_lines(image, asker, probe->symbol, &function, probe->line);
}

static struct wp_err *nothing_found(const struct wp_probe_image *image,
				    const struct wp_probe *probe)
{
	bool marker = probe->kind == WP_PROBE_MARKER;
	bool stripped = !marker && !image->symbols.image.has_symtab && image->symbols.lacks_lines;

	return wp_err_new(WP_ERR_NOT_FOUND, "event '%s': %s has no %s %s%s%s%s%s", image->event,
			  image->file->path, marker ? "marker" : "function", probe->symbol,
			  image->nearest.name ? ", did you mean " : "",
			  image->nearest.name ? image->nearest.name : "",
			  image->nearest.name ? "?" : "",
			  stripped ? " (it is stripped: an address, 0x..., can be probed)" : "");
}

/* The place of an address, in the set's arena. */
static struct wp_err *make_place(struct wp_probe_image *image, const struct wp_probe *probe,
				 const struct wp_probe_address *address, struct wp_probe_place *ret)
{
	uint64_t at = address->at + (probe->symbol ? probe->offset : 0);

	if (probe->symbol && probe->offset && address->size && probe->offset >= address->size)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s': %s has %" PRIu64 " bytes, and 0x%" PRIx64
				  " is behind them",
				  image->event, probe->symbol, address->size, probe->offset);
	if (!wp_probe_image_offset(image, at, true, &ret->offset))
		return wp_err_new(WP_ERR_NOT_FOUND, "event '%s': %s has no code at 0x%" PRIx64,
				  image->event, image->file->path, at);
	if (image->elf.view && (ret->offset ^ at) % WINDOWS_PAGE)
		return wp_err_new(
			WP_ERR_UNSUPPORTED,
			"event '%s': Wine copies the code of %s, whose sections do not lie "
			"at pages of the file, and the kernel probes mapped files only. "
			"fix: link it with --file-alignment 4096 (/FILEALIGN:4096)",
			image->event, image->file->path);
	if (address->semaphore &&
	    (!wp_probe_image_offset(image, address->semaphore, false, &ret->semaphore) ||
	     ret->semaphore > UINT32_MAX))
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': the semaphore of the marker is not in %s",
				  image->event, image->file->path);
	return probe->kind == WP_PROBE_MARKER ? NULL : wp_probe_image_check(image, at);
}

static struct wp_err *make_probe_places(struct wp_probe_image *image, struct wp_line_asker *asker,
					struct wp_event_set *set, struct wp_probe *probe)
{
	struct wp_probe_place *places;

	if (!image->found.n)
		return nothing_found(image, probe);
	if (image->found.n > WP_PROBE_PLACES)
		return wp_err_new(WP_ERR_LIMIT, "event '%s': more than %d places are meant",
				  image->event, WP_PROBE_PLACES);
	places = wp_arena_alloc(&set->arena, image->found.n * sizeof(*places));
	for (size_t i = 0; i < image->found.n; i++) {
		TRY(make_place(image, probe, &image->found.v[i], &places[i]));
		TRY(wp_probe_operands(image, asker, probe, &image->found.v[i], &set->arena,
				      &places[i].operands));
	}
	probe->places = places;
	probe->n_places = image->found.n;
	return NULL;
}

/* Through our own descriptor, so that the kernel probes what was looked at, whatever happens to
 * its name. */
static void keep_file(struct wp_event_set *set, struct wp_probe *probe, struct wp_probe_file *file)
{
	probe->file = wp_arena_printf(&set->arena, "/proc/self/fd/%d", file->fd);
	wp_vec_push(&set->files, file->fd);
	file->fd = -1;
}

/* What a probe is looked for with. */
struct probe_search {
	struct wp_event_set *set;
	const struct wp_target *target;
	const struct wp_log *log;
	struct wp_line_asker *asker;
};

/* A thread that was left has the image, and the file that it came from. */
static void leave_probe_image(struct wp_probe_file *file)
{
	*file = (struct wp_probe_file){.fd = -1};
}

/* Wine maps code as data first, and the kernel looks at what is code when it is mapped. */
static struct wp_err *check_windows_target(const struct probe_search *search,
					   const struct wp_probe_image *image)
{
	if (!image->elf.view || !search->target->launched)
		return NULL;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "event '%s': the kernel probes a Windows program only when it runs "
			  "already: start it, and attach with -p PID",
			  image->event);
}

/* A left thread reads the image until the program ends, so neither it nor its file is freed. */
static struct wp_err *find_probe_in_file(const struct probe_search *search,
					 const struct wp_event *event, struct wp_probe_file *file)
{
	struct wp_probe_image *image = wp_calloc(1, sizeof(*image));
	struct wp_probe_file *own = wp_calloc(1, sizeof(*own));
	struct wp_err *err;

	*own = *file;
	err = wp_probe_image_open(event->name, event->probe, own, search->log, image);
	if (!err) {
		err = check_windows_target(search, image);
		if (!err)
			err = find_addresses(image, search->asker, event->probe);
		if (!err)
			err = make_probe_places(image, search->asker, search->set, event->probe);
		if (image->is_left) {
			leave_probe_image(file);
			return err;
		}
		wp_probe_image_close(image);
	}
	free(image);
	free(own);
	if (!err)
		keep_file(search->set, event->probe, file);
	return err;
}

static struct wp_err *find_user_probe(const struct probe_search *search,
				      const struct wp_event *event)
{
	struct wp_probe_files files = {0};
	struct wp_err *err =
		wp_probe_files_find(event->name, event->probe->binary, search->target, &files);

	for (size_t i = 0; !event->probe->file && i < files.v.n; i++) {
		struct wp_err *other = find_probe_in_file(search, event, &files.v.v[i]);

		if (err) /* what the first file lacks is what is told */
			wp_err_free(other);
		else
			err = other;
		if (event->probe->file) {
			wp_err_free(err);
			err = NULL;
		}
	}
	wp_probe_files_deinit(&files);
	return err;
}

static struct wp_err *find_kernel(struct wp_event_set *set, const struct wp_event *event)
{
	struct wp_probe_place *place = wp_arena_alloc(&set->arena, sizeof(*place));
	struct wp_probe *probe = event->probe;
	wp_autofree char *module = NULL;

	TRY(wp_probe_kernel_check(event->name, probe->symbol, &module));
	place->offset = probe->offset;
	TRY(wp_probe_operands_kernel(event->name, module, probe, &set->arena, &place->operands));
	probe->file = probe->symbol;
	probe->places = place;
	probe->n_places = 1;
	return NULL;
}

static struct wp_err *find_all_probes(const struct probe_search *search)
{
	uint16_t format_id = WP_PROBE_FORMAT_ID;

	wp_vec_each (struct wp_event, event, &search->set->events) {
		if (!event->probe || event->probe->file)
			continue;
		if (event->probe->n_args)
			event->probe->format_id = format_id--;
		if (event->probe->kind == WP_PROBE_KERNEL)
			TRY(find_kernel(search->set, event));
		else
			TRY(find_user_probe(search, event));
	}
	return NULL;
}

struct wp_err *wp_probes_find(struct wp_event_set *set, const struct wp_target *target,
			      const volatile sig_atomic_t *interrupted, const struct wp_log *log)
{
	struct wp_patience patience = {.interrupted = interrupted};
	struct wp_line_asker asker = {.patience = &patience, .log = log};
	const struct probe_search search = {set, target, log, &asker};
	struct wp_err *err = find_all_probes(&search);

	wp_line_asker_deinit(&asker);
	return err;
}
