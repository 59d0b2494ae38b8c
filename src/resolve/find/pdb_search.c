/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_search: see pdb_search.h. */
#include "resolve/find/pdb_search.h"

#include "base/dir.h"
#include "base/file.h"
#include "base/str.h"
#include "resolve/find/download_folder.h"
#include "resolve/find/symbol_server.h"
#include "resolve/find/windows_path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_NAME   255
#define MAX_STORES 16

/* One search. */
struct hunt {
	const struct wp_pdb_search *search;
	const char *name;   /* "x.pdb" */
	char id[WP_PDB_ID]; /* GUID and age, as stores write them */
	char *cache;	    /* where downloads go unless the entry says; NULL: the default */
	struct wp_err *why; /* of the first file that was there but not the one */
	struct wp_pdb_file *found;
};

/* The first four parts of a GUID are numbers, the rest bytes. */
void wp_pdb_id_write(const uint8_t *g, uint32_t age, char ret[WP_PDB_ID])
{
	const size_t size = WP_PDB_ID;
	int n = snprintf(ret, size, "%02X%02X%02X%02X%02X%02X%02X%02X", g[3], g[2], g[1], g[0],
			 g[5], g[4], g[7], g[6]);

	for (int i = 8; i < 16; i++)
		n += snprintf(ret + n, size - (size_t)n, "%02X", g[i]);
	snprintf(ret + n, size - (size_t)n, "%x", age);
}

static void keep_why(struct hunt *hunt, struct wp_err *why)
{
	if (hunt->why)
		wp_err_free(why);
	else
		hunt->why = why;
}

static struct wp_err *other_build(const struct wp_pdb_file *file, const char *want)
{
	const struct wp_pdb_id *id = wp_pdb_id(file->pdb);
	char have[WP_PDB_ID];

	wp_pdb_id_write(id->guid, id->age, have);
	return wp_err_new(WP_ERR_FORMAT, "%s is of another build (%s, the image wants %s)",
			  file->path, have, want);
}

/*
 * Opens a file, as the process sees it or we do, as what is searched for; false, and perhaps a
 * reason, when it is not that.
 */
static bool try_file_of(struct hunt *hunt, uint32_t pid, const char *path)
{
	struct wp_pdb_file *file;

	wp_log(hunt->search->log, WP_LOG_VERBOSE, "looking for symbols in %s", path);
	struct wp_err *err = wp_pdb_file_open(pid, path, hunt->search->budget, &file);
	if (!err && !wp_pdb_matches(file->pdb, hunt->search->guid, hunt->search->age)) {
		err = other_build(file, hunt->id);
		wp_pdb_file_close(file);
	}
	if (err && err->code == WP_ERR_OS && err->os_errno == ENOENT)
		wp_err_free(err); /* no reason: most places do not have it */
	else if (err)
		keep_why(hunt, err);
	else
		hunt->found = file;
	return hunt->found;
}

static bool try_file(struct hunt *hunt, const char *path)
{
	return try_file_of(hunt, 0, path);
}

static bool try_folder(struct hunt *hunt, const char *folder)
{
	wp_autofree char *path = wp_windows_path_in(folder, hunt->name);

	return path && try_file(hunt, path);
}

/* A compressed copy is worth a word. */
static void note_compressed(struct hunt *hunt, const char *folder)
{
	wp_autofree char *name = wp_strdup(hunt->name);

	name[strlen(name) - 1] = '_';
	wp_autofree char *path = wp_windows_path_in(folder, name);
	if (path)
		keep_why(hunt, wp_err_new(WP_ERR_UNSUPPORTED,
					  "%s is compressed; unpack it with cabextract", path));
}

/* The folder of a file in a store; what is there may have names in another case. */
static char *store_folder(const struct hunt *hunt, const char *store)
{
	wp_autofree char *index = wp_asprintf("%s/index2.txt", store);
	wp_autofree char *shelf = wp_file_exists(index) ? wp_asprintf("%s/%.2s", store, hunt->name)
							: wp_strdup(store);
	wp_autofree char *files = wp_windows_path_in(shelf, hunt->name);

	return files ? wp_windows_path_in(files, hunt->id) : NULL;
}

static bool try_store(struct hunt *hunt, const char *store)
{
	wp_autofree char *folder = store_folder(hunt, store);

	if (!folder)
		return false;
	if (try_folder(hunt, folder))
		return true;
	note_compressed(hunt, folder);
	return false;
}

static bool is_url(const char *word)
{
	return wp_str_has_prefix(word, "http://") || wp_str_has_prefix(word, "https://");
}

static char *default_cache(void)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (cache && *cache)
		return wp_asprintf("%s/wperf/symbols", cache);
	return home ? wp_asprintf("%s/.cache/wperf/symbols", home) : NULL;
}

/* Gives what was downloaded its name when it is the right file; nobody sees half of one. */
static bool take_download(struct hunt *hunt, const char *temporary, const char *path)
{
	if (!try_file(hunt, temporary) || rename(temporary, path) != 0)
		return hunt->found;
	free(hunt->found->path);
	hunt->found->path = wp_strdup(path);
	return true;
}

static bool download(struct hunt *hunt, const char *url, const char *folder)
{
	wp_autofree char *path = wp_asprintf("%s/%s", folder, hunt->name);
	wp_autofree char *temporary = wp_asprintf("%s.XXXXXX", path);
	wp_autoclose int fd = wp_download_folder_make(folder) ? mkstemp(temporary) : -1;
	bool there = false;

	if (fd < 0) {
		keep_why(hunt, wp_err_os(errno, "Unable to write into %s", folder));
		return false;
	}
	wp_log(hunt->search->log, WP_LOG_NOTE, "fetching symbols: %s/%s/%s/%s", url, hunt->name,
	       hunt->id, hunt->name);
	struct wp_err *err = wp_symbol_server_get(
		&(struct wp_symbol_request){
			url, {hunt->name, hunt->id, hunt->name}, hunt->search->interrupted},
		fd, &there);
	if (err)
		keep_why(hunt, err);
	bool found = !err && there && take_download(hunt, temporary, path);
	unlink(temporary);
	return found;
}

static bool try_server(struct hunt *hunt, const char *url, const char *cache)
{
	wp_autofree char *usual = default_cache();
	const char *wanted = cache ? cache : hunt->cache ? hunt->cache : usual;
	wp_autofree char *into = wp_download_folder(hunt->search->log, wanted, "symbols");

	if (!into) {
		keep_why(hunt, wp_err_new(WP_ERR_USAGE,
					  "no folder for downloads: write srv*FOLDER*%s", url));
		return false;
	}
	if (try_store(hunt, into))
		return true;
	wp_autofree char *folder = wp_asprintf("%s/%s/%s", into, hunt->name, hunt->id);
	return download(hunt, url, folder);
}

/* "*A*B*URL": stores from the nearest to the farthest; downloads go into the first. */
static bool try_stores(struct hunt *hunt, char *words)
{
	wp_autofree char *cache = NULL;
	int n = 0;

	for (char *word; (word = strsep(&words, "*")) && n < MAX_STORES; n++) {
		if (!*word)
			continue;
		if (is_url(word)) {
			if (try_server(hunt, word, cache))
				return true;
			continue;
		}
		wp_autofree char *store = wp_windows_path_here(word);
		if (store && try_store(hunt, store))
			return true;
		if (!cache && store)
			cache = wp_strdup(store);
	}
	return false;
}

/* cache*FOLDER: a store, and where later entries put what they download. */
static bool try_cache_folder(struct hunt *hunt, const char *word)
{
	free(hunt->cache);
	hunt->cache = *word ? wp_windows_path_here(word) : NULL;
	return hunt->cache && try_store(hunt, hunt->cache);
}

static bool try_entry(struct hunt *hunt, char *entry)
{
	char *rest = strchr(entry, '*');

	if (is_url(entry))
		return try_server(hunt, entry, NULL);
	if (!rest) {
		wp_autofree char *folder = wp_windows_path_here(entry);

		return folder && (try_folder(hunt, folder) || try_store(hunt, folder));
	}
	*rest++ = '\0';
	if (wp_str_eq_nocase(entry, "cache"))
		return try_cache_folder(hunt, rest);
	/* symsrv*symsrv.dll*A*B is how srv*A*B was written once. */
	if (wp_str_eq_nocase(entry, "symsrv"))
		rest += strcspn(rest, "*");
	else if (!wp_str_eq_nocase(entry, "srv"))
		return false;
	return try_stores(hunt, rest);
}

static bool try_symbol_path(struct hunt *hunt)
{
	const char *path = hunt->search->symbol_path;

	if (!path)
		path = getenv("_NT_SYMBOL_PATH");
	wp_autofree char *copy = wp_strdup(path ? path : "");
	char *rest = copy;
	for (char *entry; (entry = strsep(&rest, ";"));)
		if (*entry && try_entry(hunt, entry))
			return true;
	return false;
}

static bool try_beside_image(struct hunt *hunt)
{
	const char *path = hunt->search->image_path;

	if (!path)
		return false;
	size_t len = (size_t)(wp_str_basename(path) - path);
	wp_autofree char *folder = wp_strndup(path, len > 1 ? len - 1 : len);
	return try_folder(hunt, len ? folder : ".");
}

static bool try_linkers_path(struct hunt *hunt)
{
	wp_autofree char *path = wp_windows_path_here(hunt->search->rsds_path);

	if (!path || path[0] != '/')
		return false;
	return (hunt->search->pid && try_file_of(hunt, hunt->search->pid, path)) ||
	       try_file(hunt, path);
}

/* The name comes from the image: it must stay a name when it becomes part of a path. */
static bool is_safe_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > MAX_NAME || name[0] == '.')
		return false;
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == '/' || *name == '*')
			return false;
	return true;
}

static struct wp_err *not_found(struct hunt *hunt)
{
	struct wp_err *why = hunt->why;

	hunt->why = NULL;
	if (why && hunt->search->named)
		return why;
	if (!why)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "no %s with the id %s; put it beside the image, name it with "
				  "--pdb_file, or say in _NT_SYMBOL_PATH where it is",
				  hunt->name, hunt->id);
	struct wp_err *err = wp_err_new(why->code,
					"%s; put the right one beside the image, or say "
					"in _NT_SYMBOL_PATH where it is",
					why->text);
	wp_err_free(why);
	return err;
}

struct wp_err *wp_pdb_search(const struct wp_pdb_search *search, struct wp_pdb_file **ret)
{
	struct hunt hunt = {.search = search, .name = wp_windows_path_name(search->rsds_path)};
	struct wp_err *err = NULL;

	wp_pdb_id_write(search->guid, search->age, hunt.id);
	if (search->named) {
		hunt.name = search->named;
		try_file(&hunt, search->named);
	} else if (!is_safe_name(hunt.name)) {
		return wp_err_new(WP_ERR_FORMAT, "the image names no PDB");
	} else if (!try_beside_image(&hunt) && !try_linkers_path(&hunt)) {
		try_symbol_path(&hunt);
	}
	if (hunt.found)
		*ret = hunt.found;
	else
		err = not_found(&hunt);
	wp_err_free(hunt.why);
	free(hunt.cache);
	return err;
}
