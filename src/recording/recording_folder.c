/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_folder: see recording_folder.h. */
#include "recording/recording_folder.h"

#include "base/dir.h"

#include <string.h>
#include <sys/stat.h>

#define MAIN	  "data"
#define PARTS_MAX 4096u

static bool is_recording_folder(const char *path)
{
	struct stat st;

	return strcmp(path, WP_RECORDING_STDIN) != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

struct wp_err *wp_recording_folder_find(const char *path, char **ret)
{
	wp_autofree char *data = wp_asprintf("%s/" MAIN, path);
	struct stat st;

	if (!is_recording_folder(path)) {
		*ret = wp_strdup(path);
		return NULL;
	}
	if (stat(data, &st) != 0 || !S_ISREG(st.st_mode))
		return wp_err_new(WP_ERR_FORMAT,
				  "%s is a folder without a file \"" MAIN
				  "\": no recording of perf record --threads or --kcore",
				  path);
	if (!st.st_size)
		return wp_err_new(
			WP_ERR_FORMAT,
			"%s/" MAIN " is empty: perf record failed before it wrote anything", path);
	*ret = data;
	data = NULL;
	return NULL;
}

/* "data.12" */
static bool is_data_part(const char *name)
{
	size_t n = strlen(MAIN ".");
	size_t digits;

	if (strncmp(name, MAIN ".", n) != 0)
		return false;
	digits = strspn(name + n, "0123456789");
	return digits && !name[n + digits];
}

struct wp_err *wp_recording_folder_open(const char *path, bool any_owner,
					struct wp_recording_folder *ret)
{
	wp_autodir struct wp_dir dir = {0};

	if (!is_recording_folder(path))
		return NULL;
	wp_dir_list(path, &dir);
	for (size_t i = 0; i < dir.names.n; i++) {
		wp_autofree char *part = wp_asprintf("%s/%s", path, dir.names.v[i]);
		struct wp_recording_part entry = {0};

		if (!is_data_part(dir.names.v[i]))
			continue;
		if (ret->parts.n >= PARTS_MAX)
			return wp_err_new(WP_ERR_LIMIT, "%s has more than %u files of records",
					  path, PARTS_MAX);
		TRY(wp_recording_file_open(part, any_owner, NULL, &entry.file));
		wp_vec_push(&ret->parts, entry);
	}
	return NULL;
}

void wp_recording_folder_rewind(struct wp_recording_folder *folder)
{
	wp_vec_each (struct wp_recording_part, part, &folder->parts) {
		wp_recording_file_rewind(&part->file);
		part->at = part->youngest_ns = 0;
		part->at_end = false;
	}
}

uint64_t wp_recording_folder_bytes(const struct wp_recording_folder *folder)
{
	uint64_t bytes = 0;

	wp_vec_each (const struct wp_recording_part, part, &folder->parts)
		bytes += part->file.size;
	return bytes;
}

struct wp_recording_part *wp_recording_folder_next(struct wp_recording_folder *folder)
{
	struct wp_recording_part *ret = NULL;

	wp_vec_each (struct wp_recording_part, part, &folder->parts)
		if (!part->at_end && (!ret || part->youngest_ns < ret->youngest_ns))
			ret = part;
	return ret;
}

uint64_t wp_recording_folder_horizon_ns(const struct wp_recording_folder *folder)
{
	uint64_t horizon_ns = UINT64_MAX;

	wp_vec_each (const struct wp_recording_part, part, &folder->parts)
		if (!part->at_end && part->youngest_ns < horizon_ns)
			horizon_ns = part->youngest_ns;
	return horizon_ns;
}

void wp_recording_folder_deinit(struct wp_recording_folder *folder)
{
	wp_vec_each (struct wp_recording_part, part, &folder->parts)
		wp_recording_file_deinit(&part->file);
	wp_vec_deinit(&folder->parts);
}
