/* symbol_server: for builds without libcurl; see symbol_server.h. */
#include "resolve/symbol_server.h"

struct wp_err *wp_symbol_server_get(const char *root, const char *const parts[3], int fd,
				    bool *ret_found)
{
	(void)parts, (void)fd, (void)ret_found;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "%s: this wperf was built without libcurl; install libcurl4-openssl-dev "
			  "and build again",
			  root);
}
