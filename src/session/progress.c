/* progress: see progress.h. */
#include "session/progress.h"

#include "base/clock.h"

#define STEP_NS (100 * WP_NS_PER_MS)

static void print_begin(struct wp_progress *progress)
{
	wp_writer_printf(progress->out, "%s ... -", progress->what);
}

void wp_progress_begin(struct wp_progress *progress, const char *what)
{
	progress->what = what;
	progress->step = 0;
	progress->stepped_ns = 0;
	if (!progress->out || progress->deferred)
		return;
	print_begin(progress);
	wp_writer_flush(progress->out);
}

void wp_progress_tick(struct wp_progress *progress, uint64_t elapsed_ns)
{
	static const char steps[] = "/|\\-";

	if (!progress->out || !progress->spins || progress->deferred ||
	    elapsed_ns < progress->stepped_ns + STEP_NS)
		return;
	progress->stepped_ns = elapsed_ns;
	wp_writer_printf(progress->out, "\b%c", steps[progress->step++ % 4]);
	wp_writer_flush(progress->out);
}

void wp_progress_done(struct wp_progress *progress, bool interrupted)
{
	if (!progress->out)
		return;
	if (progress->deferred)
		print_begin(progress);
	if (interrupted)
		wp_writer_puts(progress->out, "\bCtrl-C received, quit counting... ");
	wp_writer_puts(progress->out, "\bdone\n");
	wp_writer_flush(progress->out);
}
