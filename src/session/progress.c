/* SPDX-License-Identifier: BSD-3-Clause */
/* progress: see progress.h. */
#include "session/progress.h"

#include "base/clock.h"

#include <inttypes.h>

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

void wp_progress_share_begin(struct wp_progress_share *share, struct wp_writer *out,
			     const char *what, uint64_t now_ns)
{
	*share = (struct wp_progress_share){out, what, now_ns + WP_NS_PER_S, -1};
}

static int64_t share_of(uint64_t done, uint64_t all)
{
	if (!all)
		return (int64_t)(done / 1000000);
	return done < all ? (int64_t)((double)done * 100 / (double)all) : 100;
}

void wp_progress_share_tick(struct wp_progress_share *share, uint64_t now_ns, uint64_t done,
			    uint64_t all)
{
	int64_t show = share_of(done, all);

	if (!share->out || now_ns < share->next_ns || show == share->shown)
		return;
	share->next_ns = now_ns + STEP_NS;
	share->shown = show;
	/* The rest of the line is erased (ECMA-48, EL). */
	wp_writer_printf(share->out, "\r%s ... %" PRId64 "%s\33[K", share->what, show,
			 all ? "%" : " MB");
	wp_writer_flush(share->out);
}

static void tick_bytes(void *arg, uint64_t bytes)
{
	wp_progress_share_tick(arg, wp_clock_now_ns(), bytes, 0);
}

struct wp_watch wp_progress_share_watch(struct wp_progress_share *share)
{
	return (struct wp_watch){tick_bytes, share};
}

bool wp_progress_share_end(struct wp_progress_share *share)
{
	if (!share->out || share->shown < 0)
		return false;
	wp_writer_puts(share->out, "\r\33[K");
	wp_writer_flush(share->out);
	share->shown = -1;
	return true;
}
