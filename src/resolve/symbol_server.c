/* symbol_server: see symbol_server.h. */
#include "resolve/symbol_server.h"

#include "base/str.h"

#include <curl/curl.h>
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

struct download {
	int fd;
	long long bytes;
};

/* What is not taken in whole ends the download. */
static size_t take(char *data, size_t size, size_t n, void *arg)
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

static void make_url(CURL *curl, const char *root, const char *const parts[3], struct wp_str *ret)
{
	wp_str_puts(ret, root);
	for (int i = 0; i < 3; i++) {
		char *escaped = curl_easy_escape(curl, parts[i], 0);

		if (ret->s[ret->len - 1] != '/')
			wp_str_putc(ret, '/');
		wp_str_puts(ret, escaped ? escaped : "");
		curl_free(escaped);
	}
}

static CURLcode run(CURL *curl, const char *url, struct download *download, char *error)
{
	curl_easy_setopt(curl, CURLOPT_URL, url);
	curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
	curl_easy_setopt(curl, CURLOPT_MAXREDIRS, MAX_REDIRECTIONS);
	curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(curl, CURLOPT_FAILONERROR, 1L);
	curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, CONNECT_SECONDS);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, STALLED_BYTES);
	curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, STALLED_SECONDS);
	curl_easy_setopt(curl, CURLOPT_TIMEOUT, WHOLE_SECONDS);
	curl_easy_setopt(curl, CURLOPT_USERAGENT, "wperf");
	curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, error);
	curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take);
	curl_easy_setopt(curl, CURLOPT_WRITEDATA, download);
	return curl_easy_perform(curl);
}

struct wp_err *wp_symbol_server_get(const char *root, const char *const parts[3], int fd,
				    bool *ret_found)
{
	struct download download = {.fd = fd};
	char error[CURL_ERROR_SIZE] = "";
	CURL *curl = curl_easy_init();
	long status = 0;

	if (!curl)
		return wp_err_new(WP_ERR_OTHER, "libcurl does not start");
	wp_autostr struct wp_str url = {0};
	make_url(curl, root, parts, &url);
	CURLcode code = run(curl, url.s, &download, error);
	curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
	curl_easy_cleanup(curl);
	bool none =
		status == SERVER_HAS_NONE || status == SERVER_HAD_ONE || status == SERVER_KEEPS_IT;
	if (code == CURLE_WRITE_ERROR && download.bytes > MAX_BYTES)
		return wp_err_new(WP_ERR_LIMIT, "%s: larger than 4 GB", url.s);
	if (code != CURLE_OK && !(code == CURLE_HTTP_RETURNED_ERROR && none))
		return wp_err_new(WP_ERR_OTHER, "%s: %s", url.s,
				  *error ? error : curl_easy_strerror(code));
	*ret_found = code == CURLE_OK;
	return NULL;
}
