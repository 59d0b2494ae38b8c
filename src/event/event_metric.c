/* event_metric: -m, and the metrics that -C defines; see event_parse.h. */
#include "base/file.h"
#include "base/str.h"
#include "event/event_counting.h"

#include <ctype.h>
#include <string.h>

#define FILE_MAX (1 << 20)

static struct wp_err *not_supported(const struct wp_catalogue *catalogue, const char *name)
{
	wp_autostr struct wp_str known = {0};

	wp_vec_each (struct wp_metric, metric, &catalogue->metrics)
		wp_str_printf(&known, "\n  %s", metric->name);
	return wp_err_new(WP_ERR_NOT_FOUND, "metric '%s' not supported\n%s%s", name,
			  known.s ? "supported metrics:" : "no metric registered",
			  known.s ? known.s : "");
}

struct wp_err *wp_event_parse_metrics(const struct wp_catalogue *catalogue, const char *list,
				      struct wp_event_set *ret)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *name;

	while ((name = strsep(&rest, ","))) {
		const struct wp_metric *metric = wp_catalogue_metric(catalogue, name);

		if (!metric)
			return not_supported(catalogue, name);
		TRY(wp_event_parse_list(catalogue, metric->events, metric->name, ret));
	}
	return NULL;
}

/* Cuts blanks at both ends; returns the new start. */
static char *trim(char *text)
{
	size_t len;

	text += strspn(text, " \t\r");
	len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		text[--len] = '\0';
	return text;
}

/* Whitespace has no meaning in a metric's line. */
static void squeeze(char *text)
{
	char *to = text;

	for (; *text; text++)
		if (!isspace((unsigned char)*text))
			*to++ = *text;
	*to = '\0';
}

/* One `name:{ev,ev},ev`: registered when this machine can count it or only lacks the hardware. */
static struct wp_err *add_line(struct wp_catalogue *catalogue, char *line)
{
	struct wp_event_set scratch = {0};
	char *events = strchr(line, ':');

	if (!events || events == line || !events[1])
		return wp_err_new(WP_ERR_USAGE, "unrecognized config component '%s'", line);
	*events++ = '\0';
	struct wp_err *err = wp_event_parse_list(catalogue, events, line, &scratch);
	wp_event_set_deinit(&scratch);
	if (err && err->code == WP_ERR_LIMIT) {
		wp_log(catalogue->log, WP_LOG_WARNING, "%s", err->text);
		wp_log(catalogue->log, WP_LOG_WARNING,
		       "Metric %s is unable to be used due to lack of hardware resources.", line);
		wp_err_free(err);
		return NULL;
	}
	if (err && err->code != WP_ERR_UNSUPPORTED)
		return err;
	wp_err_free(err);
	wp_catalogue_put_metric(catalogue, &(struct wp_metric){line, events, NULL});
	return NULL;
}

struct wp_err *wp_catalogue_add_metrics(struct wp_catalogue *catalogue, const char *file)
{
	char *text, *rest, *line;

	wp_autoerr struct wp_err *err = wp_file_read(file, FILE_MAX, &text, NULL);
	if (err)
		return wp_err_new(err->code, "open config file '%s' failed: %s", file, err->text);
	wp_autofree char *owned = text;
	rest = owned;
	for (int number = 1; (line = strsep(&rest, "\n")); number++) {
		line = trim(line);
		if (!*line || *line == '#')
			continue;
		squeeze(line);
		wp_autoerr struct wp_err *bad = add_line(catalogue, line);
		if (bad) {
			wp_log(catalogue->log, WP_LOG_WARNING, "%s:%d: %s", file, number,
			       bad->text);
			break;
		}
	}
	return NULL;
}
