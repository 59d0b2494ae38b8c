/* SPDX-License-Identifier: BSD-3-Clause */
/* debuginfod: see debuginfod.h. Declarations are those of elfutils' debuginfod.h. */
#include "resolve/find/debuginfod.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/library.h"
#include "base/str.h"
#include "resolve/find/download_folder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define URLS	    "DEBUGINFOD_URLS"
#define CACHE	    "DEBUGINFOD_CACHE_PATH"
#define SILENT_NS   (10 * WP_NS_PER_S) /* a server that says nothing for so long is none */
#define HEARD_BYTES 1024

typedef struct debuginfod_client debuginfod_client; /* the library's name for it */

struct functions {
	debuginfod_client *(*begin)(void);
	void (*end)(debuginfod_client *client);
	int (*find_debuginfo)(debuginfod_client *client, const unsigned char *id, int len,
			      char **path);
	int (*find_executable)(debuginfod_client *client, const unsigned char *id, int len,
			       char **path);
	void (*set_progressfn)(debuginfod_client *client,
			       int (*progress)(debuginfod_client *client, long a, long b));
	void (*set_user_data)(debuginfod_client *client, void *data);
	void *(*get_user_data)(debuginfod_client *client);
};

struct wp_debuginfod {
	const struct wp_log *log;
	const volatile sig_atomic_t *interrupted;
	struct functions call;
	debuginfod_client *client; /* NULL: not asked, or not any more */
	uint64_t heard_ns;	   /* when the last bytes came */
	long bytes;		   /* by then */
	bool silent;		   /* the last download was ended for it */
};

static struct wp_err *load_debuginfod_functions(struct functions *ret)
{
	const struct wp_library_function wanted[] = {
		{"debuginfod_begin", &ret->begin},
		{"debuginfod_end", &ret->end},
		{"debuginfod_find_debuginfo", &ret->find_debuginfo},
		{"debuginfod_find_executable", &ret->find_executable},
		{"debuginfod_set_progressfn", &ret->set_progressfn},
		{"debuginfod_set_user_data", &ret->set_user_data},
		{"debuginfod_get_user_data", &ret->get_user_data},
	};

	return wp_library_load(&(struct wp_library){
		.sonames = (const char *const[]){"libdebuginfod.so.1", NULL},
		.packages = "libdebuginfod1 (Debian, Ubuntu) or elfutils-debuginfod-client",
		.wanted = wanted,
		.n_wanted = WP_ARRAY_LEN(wanted),
	});
}

/* The library's callback has no room for ours but in the client, which only it can read. */
static void *(*get_user_data)(debuginfod_client *client);

/*
 * Called about once a second; anything but 0 ends the download. a counts calls until a server
 * answers, and from then on bytes.
 */
static int progress(debuginfod_client *client, long a, long b)
{
	struct wp_debuginfod *d = get_user_data(client);
	uint64_t now_ns = wp_clock_now_ns();

	(void)b;
	if (a - d->bytes >= HEARD_BYTES) {
		d->heard_ns = now_ns;
		d->bytes = a;
	}
	d->silent = now_ns - d->heard_ns > SILENT_NS;
	return d->silent || (d->interrupted && *d->interrupted);
}

/* What the library takes, in its order (debuginfod_find_debuginfo(3)). The caller frees. */
static char *usual_cache(void)
{
	const char *named = getenv(CACHE), *home = getenv("HOME"), *xdg = getenv("XDG_CACHE_HOME");

	if (named && *named)
		return wp_strdup(named);
	wp_autofree char *old = wp_asprintf("%s/.debuginfod_client_cache", home ? home : "");
	if (wp_file_exists(old))
		return wp_strdup(old);
	if (xdg && *xdg)
		return wp_asprintf("%s/debuginfod_client", xdg);
	return wp_asprintf("%s/.cache/debuginfod_client", home ? home : "");
}

/* The library writes, links and removes there as whoever runs us: root only in its own folders. */
static void choose_cache(const struct wp_log *log)
{
	wp_autofree char *usual = usual_cache();
	wp_autofree char *folder = wp_download_folder(log, usual, "debuginfod");

	if (strcmp(folder, usual) == 0)
		return;
	/* Without a folder of its own the library could only take the other. */
	if (!wp_download_folder_make(folder))
		wp_log(log, WP_LOG_NOTE, "Unable to write into %s: %s", folder, strerror(errno));
	setenv(CACHE, folder, 1);
}

struct wp_debuginfod *wp_debuginfod_new(const struct wp_log *log,
					const volatile sig_atomic_t *interrupted)
{
	const char *urls = getenv(URLS);
	struct wp_debuginfod *d;

	if (!urls || !*urls)
		return NULL;
	d = wp_calloc(1, sizeof(*d));
	d->log = log;
	d->interrupted = interrupted;
	choose_cache(log);
	wp_autoerr struct wp_err *err = load_debuginfod_functions(&d->call);
	if (!err && !(d->client = d->call.begin()))
		err = wp_err_new(WP_ERR_OTHER, "libdebuginfod does not start");
	if (err) {
		wp_log(log, WP_LOG_NOTE, "no server of " URLS " is asked: %s", err->text);
		return d;
	}
	get_user_data = d->call.get_user_data;
	d->call.set_user_data(d->client, d);
	d->call.set_progressfn(d->client, progress);
	return d;
}

static void end_debuginfod(struct wp_debuginfod *d)
{
	if (d->client)
		d->call.end(d->client);
	d->client = NULL;
}

void wp_debuginfod_free(struct wp_debuginfod *d)
{
	if (!d)
		return;
	end_debuginfod(d);
	free(d);
}

int wp_debuginfod_fetch(struct wp_debuginfod *d, enum wp_debuginfod_kind kind, const uint8_t *id,
			size_t len)
{
	char *path = NULL;
	int fd;

	if (!d || !d->client || !len)
		return -1;
	d->heard_ns = wp_clock_now_ns();
	d->bytes = 0;
	fd = (kind == WP_DEBUGINFOD_DEBUG ? d->call.find_debuginfo : d->call.find_executable)(
		d->client, id, (int)len, &path);
	free(path);
	if (fd >= 0 || (fd == -ENOENT && !d->silent))
		return fd < 0 ? -1 : fd;
	wp_log(d->log, WP_LOG_NOTE, "no debug files from " URLS ": %s; not asked again",
	       d->silent ? "no answer" : strerror(-fd));
	end_debuginfod(d);
	return -1;
}
