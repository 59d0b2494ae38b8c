/* log: see log.h. */
#include "base/log.h"

#include "base/str.h"

void wp_log(const struct wp_log *log, enum wp_log_level level, const char *fmt, ...)
{
	wp_autostr struct wp_str line = {0};
	va_list ap;

	if (!log || !log->sink)
		return;
	va_start(ap, fmt);
	wp_str_vprintf(&line, fmt, ap);
	va_end(ap);
	log->sink(log->arg, level, line.s ? line.s : "");
}
