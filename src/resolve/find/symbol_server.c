/* SPDX-License-Identifier: BSD-3-Clause */
/* symbol_server: see symbol_server.h. Declarations and numbers are those of libcurl's curl.h. */
#include "resolve/find/symbol_server.h"

#include "base/library.h"
#include "base/mem.h"
#include "base/str.h"

#include <unistd.h>

#define MAX_BYTES	 (4ll << 30)
#define CONNECT_SECONDS	 10L
#define STALLED_SECONDS	 20L
#define STALLED_BYTES	 1024L /* a second */
#define WHOLE_SECONDS	 900L
#define MAX_REDIRECTIONS 5L
#define SERVER_HAS_NONE	 404
#define SERVER_HAD_ONE	 410
#define SERVER_KEEPS_IT	 403 /* what stores in the cloud say of files that they do not have */

#define ERROR_BYTES 256

typedef void CURL;

enum code {
	CURLE_OK = 0,
	CURLE_HTTP_RETURNED_ERROR = 22,
	CURLE_WRITE_ERROR = 23,
};

enum option {
	CURLOPT_TIMEOUT = 13,
	CURLOPT_LOW_SPEED_LIMIT = 19,
	CURLOPT_LOW_SPEED_TIME = 20,
	CURLOPT_FAILONERROR = 45,
	CURLOPT_FOLLOWLOCATION = 52,
	CURLOPT_MAXREDIRS = 68,
	CURLOPT_CONNECTTIMEOUT = 78,
	CURLOPT_NOSIGNAL = 99,
	CURLOPT_REDIR_PROTOCOLS = 182,
	CURLOPT_WRITEDATA = 10001,
	CURLOPT_URL = 10002,
	CURLOPT_ERRORBUFFER = 10010,
	CURLOPT_USERAGENT = 10018,
	CURLOPT_WRITEFUNCTION = 20011,
};

enum info {
	CURLINFO_RESPONSE_CODE = 0x200002,
};

/* Where a redirection may lead: from TLS never to what has none. CURLPROTO_HTTP and _HTTPS. */
#define HTTPS	 2L
#define HTTP_ANY (1L | HTTPS)

struct functions {
	CURL *(*init)(void);
	enum code (*setopt)(CURL *curl, enum option option, ...);
	enum code (*perform)(CURL *curl);
	enum code (*getinfo)(CURL *curl, enum info info, ...);
	void (*cleanup)(CURL *curl);
	char *(*escape)(CURL *curl, const char *string, int len);
	void (*free)(void *escaped);
	const char *(*strerror)(enum code code);
};

struct download {
	int fd;
	long long bytes;
};

/* Versions built with OpenSSL, GnuTLS and NSS; the functions have been the same since 2006. */
static struct wp_err *load_functions(struct functions *ret)
{
	static const char *const sonames[] = {
		"libcurl.so.4",
		"libcurl-gnutls.so.4",
		"libcurl-nss.so.4",
		NULL,
	};
	const struct wp_library_function wanted[] = {
		{"curl_easy_init", &ret->init},
		{"curl_easy_setopt", &ret->setopt},
		{"curl_easy_perform", &ret->perform},
		{"curl_easy_getinfo", &ret->getinfo},
		{"curl_easy_cleanup", &ret->cleanup},
		{"curl_easy_escape", &ret->escape},
		{"curl_free", &ret->free},
		{"curl_easy_strerror", &ret->strerror},
	};

	return wp_library_load(&(struct wp_library){
		.sonames = sonames,
		.packages = "libcurl4 (Debian, Ubuntu) or libcurl",
		.wanted = wanted,
		.n_wanted = WP_ARRAY_LEN(wanted),
	});
}

/* What is not taken in whole ends the download. */
static size_t take_bytes(char *data, size_t size, size_t n, void *arg)
{
	struct download *download = arg;
	size_t len = size * n, done = 0;

	download->bytes += (long long)len;
	if (download->bytes > MAX_BYTES)
		return 0;
	while (done < len) {
		ssize_t wrote = write(download->fd, data + done, len - done);

		if (wrote <= 0)
			return 0;
		done += (size_t)wrote;
	}
	return len;
}

static void make_url(const struct functions *call, CURL *curl, const char *root,
		     const char *const parts[3], struct wp_str *ret)
{
	wp_str_puts(ret, root);
	for (int i = 0; i < 3; i++) {
		char *escaped = call->escape(curl, parts[i], 0);

		if (ret->s[ret->len - 1] != '/')
			wp_str_putc(ret, '/');
		wp_str_puts(ret, escaped ? escaped : "");
		call->free(escaped);
	}
}

static enum code run_download(const struct functions *call, CURL *curl, const char *url,
			      struct download *download, char *error)
{
	call->setopt(curl, CURLOPT_URL, url);
	call->setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	call->setopt(curl, CURLOPT_MAXREDIRS, MAX_REDIRECTIONS);
	call->setopt(curl, CURLOPT_REDIR_PROTOCOLS,
		     wp_str_has_prefix(url, "http:") ? HTTP_ANY : HTTPS);
	call->setopt(curl, CURLOPT_NOSIGNAL, 1L);
	call->setopt(curl, CURLOPT_FAILONERROR, 1L);
	call->setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	call->setopt(curl, CURLOPT_LOW_SPEED_LIMIT, STALLED_BYTES);
	call->setopt(curl, CURLOPT_LOW_SPEED_TIME, STALLED_SECONDS);
	call->setopt(curl, CURLOPT_TIMEOUT, WHOLE_SECONDS);
	call->setopt(curl, CURLOPT_USERAGENT, "wperf");
	call->setopt(curl, CURLOPT_ERRORBUFFER, error);
	call->setopt(curl, CURLOPT_WRITEFUNCTION, take_bytes);
	call->setopt(curl, CURLOPT_WRITEDATA, download);
	return call->perform(curl);
}

struct wp_err *wp_symbol_server_get(const char *root, const char *const parts[3], int fd,
				    bool *ret_found)
{
	struct download download = {.fd = fd};
	struct functions call;
	char error[ERROR_BYTES] = "";
	CURL *curl;
	long status = 0;

	TRY(wp_err_prefix(load_functions(&call), "%s", root));
	curl = call.init();
	if (!curl)
		return wp_err_new(WP_ERR_OTHER, "libcurl does not start");
	wp_autostr struct wp_str url = {0};
	make_url(&call, curl, root, parts, &url);
	enum code code = run_download(&call, curl, url.s, &download, error);
	call.getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	call.cleanup(curl);
	bool none =
		status == SERVER_HAS_NONE || status == SERVER_HAD_ONE || status == SERVER_KEEPS_IT;
	if (code == CURLE_WRITE_ERROR && download.bytes > MAX_BYTES)
		return wp_err_new(WP_ERR_LIMIT, "%s: larger than 4 GB", url.s);
	if (code != CURLE_OK && !(code == CURLE_HTTP_RETURNED_ERROR && none))
		return wp_err_new(WP_ERR_OTHER, "%s: %s", url.s,
				  *error ? error : call.strerror(code));
	*ret_found = code == CURLE_OK;
	return NULL;
}
