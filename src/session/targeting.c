/* SPDX-License-Identifier: BSD-3-Clause */
/* targeting: see targeting.h. */
#include "session/targeting.h"

#include "base/str.h"
#include "base/utf8.h"
#include "format/pe/pe_image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* True when a number of the list is larger than any CPU number can be. */
static bool has_huge_number(const char *list, uint64_t *ret)
{
	for (const char *at = list; *at; at += strspn(at, ",-")) {
		wp_autofree char *digits = wp_strndup(at, strcspn(at, ",-"));
		uint64_t value;

		if (!wp_str_to_u64(digits, 10, UINT64_MAX, &value))
			return false;
		if (value > WP_CPU_MAX) {
			*ret = value;
			return true;
		}
		at += strlen(digits);
	}
	return false;
}

static struct wp_err *refuse_core(uint64_t cpu, const struct wp_machine *machine)
{
	return wp_err_new(WP_ERR_USAGE, "core index %llu not allowed. Use 0-%u, see option -c <n>",
			  (unsigned long long)cpu,
			  machine->core_count ? machine->core_count - 1 : 0);
}

static struct wp_err *parse_target_cpus(const char *list, const struct wp_machine *machine,
					struct wp_cpuset *ret)
{
	uint64_t huge;

	if (has_huge_number(list, &huge))
		return refuse_core(huge, machine);
	if (!*list || !wp_cpuset_parse(ret, list))
		return wp_err_new(WP_ERR_USAGE,
				  "option -c format not supported, use comma separated list of"
				  " integers, or range of integers");
	wp_vec_each (uint32_t, cpu, &ret->cpus) {
		if (*cpu >= machine->core_count)
			return refuse_core(*cpu, machine);
		if (machine->online.cpus.n && !wp_cpuset_has(&machine->online, *cpu))
			return wp_err_new(WP_ERR_USAGE, "core %u is offline, see option -c <n>",
					  *cpu);
	}
	return NULL;
}

static struct wp_err *parse_pids(const char *list, const struct wp_setup *setup,
				 struct wp_target *ret)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *item;

	while ((item = strsep(&rest, ","))) {
		uint64_t pid;

		if (!wp_str_to_u64(item, 10, INT_MAX, &pid) || !pid)
			return wp_err_new(WP_ERR_USAGE,
					  "input: \"%s\" to argument '-p' is invalid: want process"
					  " ids separated by commas",
					  list);
		if (!setup->world->ops->process(setup->world, (pid_t)pid, NULL, NULL))
			return wp_err_new(WP_ERR_NOT_FOUND,
					  "no process %s: there is none with that id, see option"
					  " -p <pid>",
					  item);
		wp_vec_push(&ret->pids, (pid_t)pid);
	}
	return NULL;
}

/* The running processes of an image, by path or by name. */
static struct wp_err *find_target_image(const char *image, const struct wp_setup *setup,
					struct wp_target *ret)
{
	TRY(setup->world->ops->find(setup->world, image, ret));
	if (ret->pids.n)
		return NULL;
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "failed to query base address of '%s' with %d: no running process has"
			  " that image; start it first, or use `wperf record -- %s`",
			  wp_str_basename(image), ESRCH, image);
}

static struct wp_err *check_target_file(const char *kind, const char *path,
					const struct wp_setup *setup)
{
	bool (*has_file)(const char *path) = setup->world->ops->has_file;

	if (!path || !has_file || has_file(path))
		return NULL;
	return wp_err_new(WP_ERR_NOT_FOUND, "%s file '%s' doesn't exist", kind, path);
}

/* The words of a command line as one quoted text. */
static char *join_words(char *const *words)
{
	wp_autostr struct wp_str text = {0};

	wp_str_putc(&text, '\'');
	for (size_t i = 0; words[i]; i++)
		wp_str_printf(&text, "%s%s", i ? " " : "", words[i]);
	wp_str_putc(&text, '\'');
	wp_utf8_hide_controls(text.s, "");
	return wp_strdup(text.s);
}

/* "process 12 (python3)", "processes 1,2 on core 3". */
static char *label_pids(const struct wp_setup *setup, const struct wp_target *target)
{
	wp_autostr struct wp_str text = {0};
	bool one = target->pids.n == 1, one_cpu = target->cpus.cpus.n == 1;
	wp_autofree char *name = NULL;

	if (one)
		setup->world->ops->process(setup->world, target->pids.v[0], NULL, &name);
	wp_str_puts(&text, one ? "process " : "processes ");
	for (size_t i = 0; i < target->pids.n; i++)
		wp_str_printf(&text, "%s%d", i ? "," : "", (int)target->pids.v[i]);
	if (name)
		wp_str_printf(&text, " (%s)", name);
	if (target->cpus.cpus.n)
		wp_str_puts(&text, one_cpu ? " on core " : " on cores ");
	for (size_t i = 0; i < target->cpus.cpus.n; i++)
		wp_str_printf(&text, "%s%u", i ? "," : "", target->cpus.cpus.v[i]);
	wp_utf8_hide_controls(text.s, "");
	return wp_strdup(text.s);
}

/* A program that Wine is to run; what cannot be read is left to the system's answer. */
static bool is_windows_program(const char *path)
{
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	uint8_t head[2];

	return fd >= 0 && read(fd, head, sizeof(head)) == sizeof(head) &&
	       wp_pe_image_is(head, sizeof(head));
}

/* --pe_file as if typed with its folder, which Windows looks in by itself. */
static char **program_words(const char *file, bool on_windows)
{
	char **words = wp_calloc(3, sizeof(*words)), **word = words;

	if (!on_windows && is_windows_program(file))
		*word++ = wp_strdup("wine");
	*word = on_windows || strchr(file, '/') ? wp_strdup(file) : wp_asprintf("./%s", file);
	return words;
}

/* The command to be started: words behind --, or the program of --pe_file. */
static void take_target_command(const struct wp_session_options *options,
				const struct wp_setup *setup, struct wp_targeting *ret)
{
	if (options->target.command) {
		ret->command = options->target.command;
	} else {
		ret->own_command =
			program_words(options->target.pe_file, setup->machine->driver.counts);
		ret->command = ret->own_command;
	}
	ret->label = join_words(ret->command);
	ret->target.launched = true;
}

static const char *cgroups_of(const struct wp_session_options *options)
{
	return options->target.each_cgroup ? options->target.each_cgroup : options->target.cgroups;
}

/* Given twice is given differently: two ways to say what is watched that exclude each other. */
static struct wp_err *check_conflicts(const struct wp_session_options *options,
				      const struct wp_world_ops *world, bool command)
{
	if (options->target.pids && options->target.all)
		return wp_err_new(WP_ERR_USAGE,
				  "-a watches everything, -p some processes: give one of them");
	if (cgroups_of(options) && (options->target.pids || options->target.user))
		return wp_err_new(WP_ERR_USAGE,
				  "%s watches a cgroup, %s some processes: give one"
				  " of them",
				  options->target.each_cgroup ? "--for-each-cgroup" : "-G",
				  options->target.pids ? "-p" : "-u");
	if (options->target.user && (options->target.pids || options->target.all))
		return wp_err_new(WP_ERR_USAGE,
				  "-u watches a user's processes, %s: give one of"
				  " them",
				  options->target.pids ? "-p those it names" : "-a everything");
	if (options->target.user && command)
		return wp_err_new(WP_ERR_USAGE, "-u watches running processes and -- starts one:"
						" give one of them");
	if ((options->target.user && !world->of_user) ||
	    (cgroups_of(options) && !world->open_cgroups))
		return wp_err_new(WP_ERR_USAGE, "a script has neither users nor cgroups: leave out"
						" -u and -G");
	if (options->target.pids && command)
		return wp_err_new(WP_ERR_USAGE, "-p watches running processes and -- starts one:"
						" give one of them");
	return NULL;
}

static struct wp_err *for_command(const struct wp_session_options *options,
				  const struct wp_setup *setup, enum wp_targeting_verb verb,
				  struct wp_targeting *ret)
{
	struct wp_target *target = &ret->target;

	if (target->cpus.cpus.n > 1 && verb == WP_TARGETING_STAT)
		return wp_err_new(WP_ERR_USAGE, "you can specify only one core for process spawn");
	take_target_command(options, setup, ret);
	/* A core that is named is counted as a whole; sampling wants the command. */
	if (options->target.all || cgroups_of(options) ||
	    (verb == WP_TARGETING_STAT && options->target.cpus))
		target->kind = WP_TARGET_CPUS;
	else
		target->kind = WP_TARGET_PROCESSES;
	if (target->kind == WP_TARGET_CPUS) {
		free(ret->label);
		ret->label = NULL;
	}
	return NULL;
}

/* What a user runs now. */
static struct wp_err *for_user(const struct wp_session_options *options,
			       const struct wp_setup *setup, struct wp_targeting *ret)
{
	size_t n;
	uint32_t uid;

	ret->target.kind = WP_TARGET_PROCESSES;
	TRY(setup->world->ops->of_user(options->target.user, &ret->target, &uid));
	n = ret->target.pids.n;
	ret->label = wp_asprintf("%zu process%s of user %s (%u)", n, n == 1 ? "" : "es",
				 options->target.user, uid);
	if (!options->output.quiet)
		wp_log(setup->log, WP_LOG_NOTE,
		       "%s, and what they start; processes that user %s starts otherwise from now "
		       "on are not seen",
		       ret->label, options->target.user);
	return NULL;
}

/* What runs now, in which threads are told apart. */
static struct wp_err *for_everybody(const struct wp_setup *setup, struct wp_targeting *ret)
{
	if (!setup->world->ops->everybody)
		return wp_err_new(WP_ERR_USAGE,
				  "a script does not know all threads: name processes with -p");
	ret->target.kind = WP_TARGET_PROCESSES;
	setup->world->ops->everybody(&ret->target);
	ret->label = wp_strdup("all threads");
	return NULL;
}

/* As perf: of a command nobody knows the threads yet, and a thread's counts are of every CPU. */
static struct wp_err *check_per_thread(const struct wp_session_options *options, bool command)
{
	if (options->counting.split != WP_SPLIT_THREAD)
		return NULL;
	if (command)
		return wp_err_new(
			WP_ERR_USAGE,
			"--per-thread counts threads that run already: name processes with -p "
			"or -u, or none; a command's are told apart by wperf record "
			"--threads");
	if (options->target.cpus || cgroups_of(options))
		return wp_err_new(WP_ERR_USAGE,
				  "--per-thread counts threads wherever they run: leave out %s",
				  options->target.cpus		? "-c"
				  : options->target.each_cgroup ? "--for-each-cgroup"
								: "-G");
	return NULL;
}

static struct wp_err *for_stat(const struct wp_session_options *options,
			       const struct wp_setup *setup, struct wp_targeting *ret)
{
	if (options->target.user)
		return for_user(options, setup, ret);
	if (!options->target.pids && options->counting.split == WP_SPLIT_THREAD)
		return for_everybody(setup, ret);
	if (!options->target.pids) {
		ret->target.kind = WP_TARGET_CPUS;
		return NULL;
	}
	ret->target.kind = WP_TARGET_PROCESSES;
	TRY(parse_pids(options->target.pids, setup, &ret->target));
	ret->label = label_pids(setup, &ret->target);
	return NULL;
}

static struct wp_err *for_sample(const struct wp_session_options *options,
				 const struct wp_setup *setup, struct wp_targeting *ret)
{
	const char *image =
		options->target.image_name ? options->target.image_name : options->target.pe_file;

	if (options->target.user)
		return for_user(options, setup, ret);
	ret->target.kind = WP_TARGET_PROCESSES;
	if (options->target.pids)
		TRY(parse_pids(options->target.pids, setup, &ret->target));
	else if (options->target.all || cgroups_of(options) || (options->target.cpus && !image))
		ret->target.kind = WP_TARGET_CPUS;
	else if (image)
		TRY(find_target_image(image, setup, &ret->target));
	else
		return wp_err_new(WP_ERR_USAGE,
				  "nothing to sample: name a process (-p PID, --image_name NAME),"
				  " CPUs (-c) or everything (-a)");
	if (ret->target.kind == WP_TARGET_PROCESSES)
		ret->label = label_pids(setup, &ret->target);
	return NULL;
}

static struct wp_err *for_dump(const struct wp_session_options *options,
			       const struct wp_setup *setup, struct wp_targeting *ret)
{
	if (options->target.all)
		return for_everybody(setup, ret);
	ret->target.kind = WP_TARGET_PROCESSES;
	if (options->target.core)
		return NULL;
	return parse_pids(options->target.pids, setup, &ret->target);
}

bool wp_targeting_pairs_cgroups(const struct wp_session_options *options)
{
	const struct wp_options_counting *counting = &options->counting;

	return options->target.cgroups &&
	       (strchr(options->target.cgroups, ',') || counting->separator ||
		counting->interval_print_ms || counting->repeat != 1);
}

/* The names of a list that are not empty. The caller frees. */
static char *list_names(const char *list)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *name;
	struct wp_str names = {0};

	wp_str_puts(&names, "");
	while ((name = strsep(&rest, ",")))
		if (*name)
			wp_str_printf(&names, "%s%s", names.len ? "," : "", name);
	return names.s;
}

/* Not a set of processes, but what the kernel tells of each as it runs. */
static struct wp_err *narrow(const struct wp_session_options *options, const struct wp_setup *setup,
			     enum wp_targeting_verb verb, struct wp_targeting *ret)
{
	const char *cgroups = cgroups_of(options);
	wp_autofree char *names = NULL;

	if (!cgroups)
		return NULL;
	ret->target.pairs = verb == WP_TARGETING_STAT && wp_targeting_pairs_cgroups(options);
	if (ret->target.pairs)
		cgroups = names = list_names(cgroups);
	ret->label = wp_asprintf("cgroup%s %s", strchr(cgroups, ',') ? "s" : "", cgroups);
	wp_utf8_hide_controls(ret->label, "");
	return setup->world->ops->open_cgroups(cgroups, &ret->target);
}

static struct wp_err *check_core_count(const struct wp_cpuset *cpus, enum wp_targeting_verb verb)
{
	if (cpus->cpus.n <= 1 || verb != WP_TARGETING_RECORD)
		return NULL;
	return wp_err_new(WP_ERR_USAGE, "you can specify only one core for sampling");
}

struct wp_err *wp_targeting_init(const struct wp_session_options *options,
				 const struct wp_setup *setup, enum wp_targeting_verb verb,
				 struct wp_targeting *ret)
{
	bool command =
		options->target.command ||
		(options->target.pe_file && verb != WP_TARGETING_SAMPLE && !options->target.pids);

	*ret = (struct wp_targeting){
		.target.kernel = options->target.kernel,
		.target.data = (options->sampling.carried & WP_DATA_ADDR) != 0,
	};
	if (options->target.cpus)
		TRY(parse_target_cpus(options->target.cpus, setup->machine, &ret->target.cpus));
	TRY(check_core_count(&ret->target.cpus, verb));
	TRY(check_target_file("PE", options->target.pe_file, setup));
	TRY(check_target_file("PDB", options->target.pdb_file, setup));
	TRY(check_conflicts(options, setup->world->ops, options->target.command));
	TRY(check_per_thread(options, command));
	if (command)
		TRY(for_command(options, setup, verb, ret));
	else if (verb == WP_TARGETING_RECORD)
		return wp_err_new(WP_ERR_USAGE, "no command to record: put one behind --, or name"
						" a program with --pe_file");
	else if (verb == WP_TARGETING_SAMPLE)
		TRY(for_sample(options, setup, ret));
	else if (verb == WP_TARGETING_DUMP)
		TRY(for_dump(options, setup, ret));
	else
		TRY(for_stat(options, setup, ret));
	return narrow(options, setup, verb, ret);
}

void wp_targeting_deinit(struct wp_targeting *targeting)
{
	wp_target_deinit(&targeting->target);
	free(targeting->label);
	for (char **word = targeting->own_command; word && *word; word++)
		free(*word);
	free(targeting->own_command);
}
