/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exports of a profile made by hand; what the golden files say was read with the tools themselves
 * (tests/live/test_export_consumers.sh does that with real profiles).
 */
#include "export_check.h"
#include "golden.h"
#include "profile_fixture.h"

#include "view/export/export_funcs.h"
#include "view/export/export_tracks.h"
#include "view/json_text.h"

#include <limits.h>

/* The bytes of a golden file: of pprof's the fields of its messages. */
static void render_golden(const char *format, struct wp_str *ret)
{
	wp_autostr struct wp_str bytes = {0};
	bool is_pprof = strcmp(format, "pprof") == 0;
	struct wp_profile profile;

	fixture_init(&profile);
	render(format, &profile, is_pprof ? &bytes : ret);
	if (is_pprof)
		CHECK(pprof_text(&bytes, ret));
	fixture_deinit(&profile);
}

static const char *const formats[] = {"speedscope", "gecko", "pprof", "chrome"};

static void test_golden(void)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(formats); i++)
		golden_check(formats[i], render_golden);
}

/* Nothing in it, or samples without stacks, functions, names. */
static void test_empty(void)
{
	struct wp_profile none = {.command = "", .host = "", .arch = ""}, bare;

	fixture_bare(&bare);
	for (size_t i = 0; i < WP_ARRAY_LEN(formats); i++) {
		wp_autostr struct wp_str of_none = {0}, of_bare = {0}, text = {0};
		bool is_pprof = strcmp(formats[i], "pprof") == 0;

		render(formats[i], &none, &of_none);
		render(formats[i], &bare, &of_bare);
		CHECK(is_pprof ? pprof_text(&of_none, &text) : json_is_valid(&of_none));
		CHECK(is_pprof ? pprof_text(&of_bare, &text) : json_is_valid(&of_bare));
	}
	fixture_deinit(&bare);
}

static void test_funcs(void)
{
	struct wp_profile profile;
	struct wp_export_funcs funcs;

	fixture_init(&profile);
	profile.frames.v[FRAME_X80].rva.v = 0x40; /* the same place, named once */
	wp_export_funcs_init(&funcs, &profile);
	CHECK_U64(funcs.funcs.n, 7);
	CHECK_STR(funcs.funcs.v[funcs.of_frame[FRAME_X80]].name, "libx.so+0x40");
	CHECK_U64(funcs.of_frame[FRAME_X80], funcs.of_frame[FRAME_X40]);
	CHECK_U64(funcs.libs.n, 2);
	CHECK_U64(funcs.lib_of[FIXTURE_SOURCE], WP_NO_MODULE);
	wp_export_funcs_deinit(&funcs);
	fixture_deinit(&profile);
}

/* Symbol servers want the PDB's id as it is, and its name. */
static void test_windows_image(void)
{
	static const char id[] = "131211101514171618191A1B1C1D1E1F2";
	wp_autostr struct wp_str gecko = {0}, pprof = {0}, text = {0};
	struct wp_profile profile;

	fixture_init(&profile);
	profile.modules.v[FIXTURE_APP].build_id = id;
	profile.modules.v[FIXTURE_APP].pdb_name = "app.pdb";
	profile.modules.v[FIXTURE_APP].pdb_path = "d:\\build\\app.pdb";
	render("gecko", &profile, &gecko);
	CHECK(json_is_valid(&gecko));
	CHECK(strstr(gecko.s, "{\"breakpadId\":\"131211101514171618191A1B1C1D1E1F2\","));
	CHECK(strstr(gecko.s, "\"debugName\":\"app.pdb\",\"debugPath\":\"d:\\\\build\\\\app.pdb\","
			      "\"codeId\":null}"));
	render("pprof", &profile, &pprof);
	CHECK(pprof_text(&pprof, &text) && strstr(text.s, id));
	fixture_deinit(&profile);
}

static void test_tracks(void)
{
	struct wp_profile profile;
	struct wp_export_tracks tracks;

	fixture_init(&profile);
	wp_export_tracks_init(&tracks, &profile);
	CHECK_U64(tracks.tracks.n, 4);
	CHECK_U64(tracks.tracks.v[0].n, 5);
	CHECK_U64(tracks.tracks.v[0].weight, 5000000);
	CHECK_U64(tracks.tracks.v[3].event, 1);
	CHECK_U64(tracks.samples[tracks.tracks.v[3].first], 4);
	CHECK_U64(wp_export_tracks_main(&tracks), 0);
	wp_export_tracks_deinit(&tracks);
	fixture_deinit(&profile);
}

static void check_number(uint64_t ns, unsigned int digits, const char *want)
{
	wp_autostr struct wp_str got = {0};
	struct wp_writer *out = wp_writer_of_str(&got);

	wp_json_ns(out, ns, digits);
	CHECK_OK(wp_writer_close(out));
	CHECK_STR(got.s, want);
}

static void test_numbers(void)
{
	check_number(0, 0, "0");
	check_number(0, 6, "0");
	check_number(1, 6, "0.000001");
	check_number(1500, 3, "1.5");
	check_number(1000000, 6, "1");
	check_number(10, 0, "10");
	check_number(UINT64_MAX, 9, "18446744073.709551615");
}

/* The begin and end of the nth slice, in microseconds. */
static void check_slices(struct wp_profile *profile, const char *const times[], size_t n)
{
	wp_autostr struct wp_str got = {0};
	const char *at;

	render("chrome", profile, &got);
	CHECK(json_is_valid(&got));
	at = got.s;
	for (size_t i = 0; i < n; i++) {
		wp_autofree char *want = wp_asprintf("\"ts\":%s", times[i]);

		at = strstr(at, "\"ts\":");
		CHECK(at && strncmp(at, want, strlen(want)) == 0 && !isdigit(at[strlen(want)]));
		if (!at)
			break;
		at++;
	}
	CHECK(at && !strstr(at, "\"ts\":"));
	fixture_deinit(profile);
}

static void one_thread(struct wp_profile *p, bool is_time)
{
	*p = (struct wp_profile){.command = "", .host = "", .arch = ""};
	wp_vec_push(&p->events, (struct wp_profile_event){"e", is_time});
	wp_vec_push(&p->threads, (struct wp_profile_thread){1, 1, "a", "a", 0, 0});
	fixture_frame(p, "f", WP_SYMBOL_NATIVE, WP_NO_MODULE, 0);
	fixture_stack(p, WP_NO_STACK, 0);
}

/* A clock that is a little late does not end a slice; a thread that slept does. */
static void test_slices_of_time(void)
{
	struct wp_profile p;

	one_thread(&p, true);
	fixture_sample(&p, 0, 1000000, 0, 0, 0);
	fixture_sample(&p, 1000900, 1000000, 0, 0, 0);
	fixture_sample(&p, 2001700, 1000000, 0, 0, 0);
	fixture_sample(&p, 9000000, 1000000, 0, 0, 0);
	check_slices(&p, (const char *[]){"0", "3000", "9000", "10000"}, 4);
}

/* The idle task runs on all CPUs at once: what does not fit is left out. */
static void test_slices_at_once(void)
{
	struct wp_profile p;

	one_thread(&p, true);
	for (uint64_t i = 0; i < 6; i++)
		fixture_sample(&p, i * 10, 1000000, 0, 0, 0);
	check_slices(&p, (const char *[]){"0", "2000.05"}, 2);
}

/* Others last as long as is usual, or until the next one. */
static void test_slices_of_events(void)
{
	struct wp_profile p;

	one_thread(&p, false);
	fixture_sample(&p, 0, 5, 0, 0, 0);
	fixture_sample(&p, 1000, 5, 0, 0, 0);
	fixture_sample(&p, 2000, 5, 0, 0, 0);
	fixture_sample(&p, 90000, 5, 0, 0, 0);
	check_slices(&p, (const char *[]){"0", "3.024", "90", "91.024"}, 4);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return golden_print(argv[1], render_golden);
	RUN(test_golden);
	RUN(test_empty);
	RUN(test_funcs);
	RUN(test_windows_image);
	RUN(test_tracks);
	RUN(test_numbers);
	RUN(test_slices_of_time);
	RUN(test_slices_at_once);
	RUN(test_slices_of_events);
	return check_done();
}
