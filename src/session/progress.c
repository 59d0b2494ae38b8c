/* progress: see progress.h. */
#include "session/progress.h"

#include "base/clock.h"

#define STEP_NS (100 * WP_NS_PER_MS)

static bool spins(const struct wp_progress *progress)
{
	return progress->out && progress->on_terminal && !progress->deferred;
}

void wp_progress_begin(struct wp_progress *progress, const char *what)
{
	progress->what = what;
	progress->step = 0;
	progress->stepped_ns = 0;
	if (!progress->out || progress->deferred)
		return;
	wp_writer_printf(progress->out, "%s ... %s", what, spins(progress) ? "-" : "");
	wp_writer_flush(progress->out);
}

void wp_progress_tick(struct wp_progress *progress, uint64_t elapsed_ns)
{
	static const char steps[] = "/|\\-";

	if (!spins(progress) || elapsed_ns < progress->stepped_ns + STEP_NS)
		return;
	progress->stepped_ns = elapsed_ns;
	wp_writer_printf(progress->out, "\b%c", steps[progress->step++ % 4]);
	wp_writer_flush(progress->out);
}

void wp_progress_done(struct wp_progress *progress, bool interrupted)
{
	bool anew = interrupted && progress->on_terminal;

	if (!progress->out)
		return;
	if (anew || progress->deferred)
		wp_writer_printf(progress->out, "%s%s ... ", anew ? "\n" : "", progress->what);
	else if (spins(progress))
		wp_writer_puts(progress->out, "\b");
	wp_writer_printf(progress->out, "%sdone\n",
			 interrupted ? "Ctrl-C received, quit counting... " : "");
	wp_writer_flush(progress->out);
}
