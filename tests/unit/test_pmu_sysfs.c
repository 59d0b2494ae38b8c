/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats and events in a folder like the kernel's of a PMU, and the names of PMUs. */
#include "event_fixture.h"

#include "base/str.h"
#include "event/event_units.h"
#include "event/pmu_sysfs.h"

#include <sys/stat.h>
#include <unistd.h>

/* A PMU's folder, with formats that split a value over words and ranges. */
static char dir[] = "/tmp/test_pmu_XXXXXX";
static const char *const folders[] = {"", "/format", "/events"};
static const char *const files[][2] = {
	{"format/event", "config:0-7,32-35\n"}, {"format/umask", "config:8-15\n"},
	{"format/edge", "config:18\n"},		{"format/ldlat", "config1:0-15\n"},
	{"format/odd", "config9:0\n"},		{"events/both", "event=0x1c,umask=0x2\n"},
	{"events/open", "event=0x1,umask=?\n"}, {"events/both.scale", "2.5e-1\n"},
	{"events/both.unit", "Joules\n"},
};
static const struct wp_machine_pmu pmu = {.name = "fake", .dir = dir};

static void make_folder(void)
{
	CHECK(mkdtemp(dir) != NULL);
	for (size_t i = 1; i < WP_ARRAY_LEN(folders); i++) {
		wp_autofree char *path = wp_asprintf("%s%s", dir, folders[i]);

		CHECK_U64(mkdir(path, 0700), 0);
	}
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++) {
		wp_autofree char *path = wp_asprintf("%s/%s", dir, files[i][0]);

		write_text(path, files[i][1]);
	}
}

static void remove_folder(void)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++) {
		wp_autofree char *path = wp_asprintf("%s/%s", dir, files[i][0]);

		unlink(path);
	}
	for (size_t i = WP_ARRAY_LEN(folders); i-- > 0;) {
		wp_autofree char *path = wp_asprintf("%s%s", dir, folders[i]);

		rmdir(path);
	}
}

static void test_formats(void)
{
	struct wp_event event = {0};

	CHECK_OK(
		wp_pmu_encode(NULL, &pmu, "event=0x13c,umask=1,edge,ldlat=30", NULL, &event, NULL));
	CHECK_U64(event.config, 0x3c | 1ull << 32 | 1 << 8 | 1 << 18);
	CHECK_U64(event.config1, 30);
	event = (struct wp_event){0};
	CHECK_OK(wp_pmu_encode(NULL, &pmu, "both,umask=4", NULL, &event, NULL));
	CHECK_U64(event.config, 0x41c);
	CHECK_OK(wp_pmu_encode(NULL, &pmu, "open,umask=4", NULL, &event, NULL));
}

static void test_refused(void)
{
	static const char *const refused[][2] = {
		{"open", "'umask' of PMU fake needs"},
		{"umask=256", "does not fit in 8 bits"},
		{"nope=1", "unknown term 'nope' of PMU fake; it knows edge, event, ldlat, odd, "
			   "umask, config"},
		{"../type", "unknown term"},
		{"odd=1", "unknown kind"},
		{"umask=x", "not a number"},
	};
	struct wp_event event = {0};

	for (size_t i = 0; i < WP_ARRAY_LEN(refused); i++)
		CHECK_ERR(wp_pmu_encode(NULL, &pmu, refused[i][0], NULL, &event, NULL),
			  refused[i][1]);
}

static void test_scale(void)
{
	struct wp_arena arena = {0};
	const char *measure;
	double scale;

	wp_pmu_event_scale(&pmu, "both", &arena, &scale, &measure);
	CHECK_STR(measure, "Joules");
	CHECK(scale == 0.25);
	wp_arena_deinit(&arena);
}

/* Units alike have names that differ in the number behind the last underscore. */
static void test_units(void)
{
	static const char *const names[][2] = {
		{"arm_dsu_0", "arm_dsu"},
		{"arm_dmc620_10008c000", "arm_dmc620"},
		{"uncore_imc_free_running_12", "uncore_imc_free_running"},
		{"amd_df", "amd_df"},
		{"power", "power"},
		{"hv_24x7", "hv_24x7"},
		{"x_", "x_"},
	};
	struct wp_machine machine = {0};

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		CHECK_U64(wp_pmu_stem(names[i][0]), strlen(names[i][1]));
	CHECK(wp_pmu_same_kind("arm_dsu_0", "arm_dsu_11"));
	CHECK(!wp_pmu_same_kind("uncore_imc_0", "uncore_imc_free_running_0"));
	add_pmu(&machine, "uncore_imc_0", 20, false);
	add_pmu(&machine, "uncore_imc_1", 21, false);
	CHECK_STR(wp_pmu_like(&machine, "imc")->name, "uncore_imc_0");
	CHECK_STR(wp_pmu_like(&machine, "uncore_imc")->name, "uncore_imc_0");
	CHECK_STR(wp_pmu_like(&machine, "uncore_imc_1")->name, "uncore_imc_1");
	CHECK(!wp_pmu_like(&machine, "im"));
	wp_machine_deinit(&machine);
}

int main(void)
{
	make_folder();
	RUN(test_formats);
	RUN(test_refused);
	RUN(test_scale);
	remove_folder();
	RUN(test_units);
	return check_done();
}
