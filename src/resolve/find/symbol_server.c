/* SPDX-License-Identifier: BSD-3-Clause */
/* symbol_server: see symbol_server.h. Declarations and numbers are those of libcurl's curl.h. */
#include "resolve/find/symbol_server.h"

#include "base/clock.h"
#include "base/library.h"
#include "base/mem.h"
#include "base/str.h"

#include <time.h>
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

#define WAIT_MS	    50
#define PATIENCE_NS (WP_NS_PER_S / 2) /* for a silent server, once we are to end */

typedef void CURL;
typedef void CURLM;

/* CURLMsg, of which only the end of a download is told (CURLMSG_DONE). */
struct message {
	int kind;
	CURL *curl;
	union {
		void *whatever;
		int code; /* an enum code */
	} data;
};

enum code {
	CURLE_OK = 0,
	CURLE_HTTP_RETURNED_ERROR = 22,
	CURLE_WRITE_ERROR = 23,
	CURLE_ABORTED_BY_CALLBACK = 42,
};

#define MESSAGE_DONE 1

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
	enum code (*getinfo)(CURL *curl, enum info info, ...);
	void (*cleanup)(CURL *curl);
	char *(*escape)(CURL *curl, const char *string, int len);
	void (*free)(void *escaped);
	const char *(*strerror)(enum code code);
	CURLM *(*multi_init)(void);
	int (*multi_add)(CURLM *multi, CURL *curl);
	int (*multi_remove)(CURLM *multi, CURL *curl);
	int (*multi_perform)(CURLM *multi, int *running);
	int (*multi_wait)(CURLM *multi, void *fds, unsigned int n, int timeout_ms, int *ready);
	struct message *(*multi_read)(CURLM *multi, int *left);
	int (*multi_cleanup)(CURLM *multi);
};

struct download {
	int fd;
	long long bytes;
	const volatile sig_atomic_t *interrupted;
	uint64_t heard_ns; /* when bytes came, or that we are to end was seen */
	bool hurried, left;
};

/* Versions built with OpenSSL, GnuTLS and NSS; the newest of the functions is of 2012 (7.28). */
static struct wp_err *load_curl_functions(struct functions *ret)
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
		{"curl_easy_getinfo", &ret->getinfo},
		{"curl_easy_cleanup", &ret->cleanup},
		{"curl_easy_escape", &ret->escape},
		{"curl_free", &ret->free},
		{"curl_easy_strerror", &ret->strerror},
		{"curl_multi_init", &ret->multi_init},
		{"curl_multi_add_handle", &ret->multi_add},
		{"curl_multi_remove_handle", &ret->multi_remove},
		{"curl_multi_perform", &ret->multi_perform},
		{"curl_multi_wait", &ret->multi_wait},
		{"curl_multi_info_read", &ret->multi_read},
		{"curl_multi_cleanup", &ret->multi_cleanup},
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
	download->heard_ns = wp_clock_now_ns();
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

/* True when we are to end and the server has been silent for long enough. */
static bool is_enough(struct download *download)
{
	uint64_t now_ns = wp_clock_now_ns();

	if (!download->interrupted || !*download->interrupted)
		return false;
	if (!download->hurried)
		download->heard_ns = now_ns;
	download->hurried = true;
	return now_ns - download->heard_ns > PATIENCE_NS;
}

/* As curl_easy_perform(), which looks up only once a second: whoever presses Ctrl-C waits less. */
static enum code perform(const struct functions *call, CURL *curl, struct download *download)
{
	const struct timespec pause = {.tv_nsec = 10000000};
	CURLM *multi = call->multi_init();
	enum code code = CURLE_ABORTED_BY_CALLBACK;
	int running = 1, left, ready = 0;

	if (!multi || call->multi_add(multi, curl) != 0)
		running = 0;
	while (running && call->multi_perform(multi, &running) == 0 && running) {
		if ((download->left = is_enough(download)) ||
		    call->multi_wait(multi, NULL, 0, WAIT_MS, &ready) != 0)
			break;
		if (!ready) /* without a connection it does not wait at all */
			nanosleep(&pause, NULL);
	}
	for (struct message *m; multi && (m = call->multi_read(multi, &left));)
		if (m->kind == MESSAGE_DONE)
			code = (enum code)m->data.code;
	if (multi) {
		call->multi_remove(multi, curl);
		call->multi_cleanup(multi);
	}
	return code;
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
	return perform(call, curl, download);
}

/* What the end of a download means. */
static struct wp_err *judge_download(const struct download *download, enum code code, long status,
				     const char *url, const char *why)
{
	bool none =
		status == SERVER_HAS_NONE || status == SERVER_HAD_ONE || status == SERVER_KEEPS_IT;

	if (download->left)
		return wp_err_new(WP_ERR_OTHER, "%s: no answer yet when wperf was to end", url);
	if (code == CURLE_WRITE_ERROR && download->bytes > MAX_BYTES)
		return wp_err_new(WP_ERR_LIMIT, "%s: larger than 4 GB", url);
	if (code != CURLE_OK && !(code == CURLE_HTTP_RETURNED_ERROR && none))
		return wp_err_new(WP_ERR_OTHER, "%s: %s", url, why);
	return NULL;
}

struct wp_err *wp_symbol_server_get(const struct wp_symbol_request *request, int fd,
				    bool *ret_found)
{
	struct download download = {.fd = fd, .interrupted = request->interrupted};
	struct functions call;
	char error[ERROR_BYTES] = "";
	CURL *curl;
	long status = 0;

	TRY(wp_err_prefix(load_curl_functions(&call), "%s", request->root));
	curl = call.init();
	if (!curl)
		return wp_err_new(WP_ERR_OTHER, "libcurl does not start");
	wp_autostr struct wp_str url = {0};
	make_url(&call, curl, request->root, request->parts, &url);
	enum code code = run_download(&call, curl, url.s, &download, error);
	call.getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	call.cleanup(curl);
	TRY(judge_download(&download, code, status, url.s, *error ? error : call.strerror(code)));
	*ret_found = code == CURLE_OK;
	return NULL;
}
