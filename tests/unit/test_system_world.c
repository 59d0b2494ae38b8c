/* SPDX-License-Identifier: BSD-3-Clause */
/* The world of the system: what it says of processes, and a command that it launches. */
#include "check.h"

#include "machine/system_world.h"
#include "source/proc/launch.h"

#include <unistd.h>

static void test_processes(void)
{
	struct wp_world *world = wp_system_world_new(false, false);
	struct wp_target target = {.kind = WP_TARGET_PROCESSES};
	wp_autofree char *exe = NULL, *comm = NULL;
	struct wp_records records = {0};

	CHECK(!world->offline && !world->machine->core_count);
	CHECK(world->ops->process(world, getpid(), &exe, &comm));
	CHECK(exe && strstr(exe, "test_system_world"));
	CHECK_STR(comm, "test_system_wor");
	CHECK(!world->ops->process(world, 0x7ffffff0, NULL, NULL));
	wp_vec_push(&target.pids, getpid());
	CHECK_OK(world->ops->snapshot(world, &target, &records));
	CHECK(records.records.n > 1);
	CHECK_U64(records.records.v[0].pid, (uint32_t)getpid());
	wp_records_deinit(&records);
	wp_target_deinit(&target);
	world->ops->close(world);
}

static void test_launch(void)
{
	struct wp_world *world = wp_system_world_new(true, false);
	struct wp_target target = {.kind = WP_TARGET_PROCESSES};
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)"exit 3", NULL};
	struct wp_launch launch = {0};
	struct wp_world_end end;

	CHECK(world->machine->core_count > 0);
	CHECK_OK(world->ops->launch(world, argv, NULL, &target, &launch));
	CHECK(target.pids.n == 1 && target.pids.v[0] == launch.pid);
	CHECK(world->ops->process(world, launch.pid, NULL, NULL));
	end = world->ops->end(world, &launch);
	CHECK(!end.status && !end.timed);
	CHECK_OK(wp_launch_go(&launch));
	while (!wp_launch_ended(&launch))
		usleep(1000);
	end = world->ops->end(world, &launch);
	CHECK(end.status == 3 && end.timed && end.user_ns + end.system_ns > 0);
	wp_launch_finish(&launch);
	wp_target_deinit(&target);
	world->ops->close(world);
}

int main(void)
{
	RUN(test_processes);
	RUN(test_launch);
	return check_done();
}
