/* Exports of profiles made by hand, byte for byte; tests/live/test_export_consumers.sh has theirs.
 */
#include "check.h"
#include "profile_fixture.h"

#include "view/view.h"

int main(int argc, char **argv)
{
	struct wp_profile p;
	struct wp_err *err;
	(void)argc;

	fixture_init(&p);
	struct wp_writer *w = wp_writer_of_fd(1, "stdout");
	wp_export_find(argv[1])->render(&p, w);
	err = wp_writer_close(w);
	fixture_deinit(&p);
	return err != NULL;
}
