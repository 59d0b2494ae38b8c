/*
 * embed: a program that is no Python but has one in it, or several.
 *
 * embed LIBPYTHON SCRIPT [LIBPYTHON SCRIPT]... -- ARGUMENT...: loads each libpython so that it sees
 * only itself, and runs its script in a thread of its own. The scripts may import modules that are
 * built in only: others look for the interpreter among the global symbols.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct one {
	const char *library, *script;
	pthread_t thread;
	void *handle;
};

static char arguments[1024];
/* Initializing reads the environment: one after the other. */
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* PYTHONHOME is the folder above the library's: PREFIX/lib/libpython3.so. */
static void set_home(const char *library)
{
	char home[1024];
	char *slash;

	snprintf(home, sizeof(home), "%s", library);
	for (int i = 0; i < 2; i++)
		if ((slash = strrchr(home, '/')))
			*slash = 0;
	if (!getenv("EMBED_HOME"))
		setenv("PYTHONHOME", home, 1);
}

static void *function(const struct one *one, const char *name)
{
	void *ret = dlsym(one->handle, name);

	if (!ret) {
		fprintf(stderr, "embed: %s: no %s\n", one->library, name);
		exit(1);
	}
	return ret;
}

static int run(const struct one *one)
{
	int (*run_string)(const char *, void *) = function(one, "PyRun_SimpleStringFlags");
	char text[4096];

	snprintf(text, sizeof(text),
		 "import sys, os\n"
		 "name = '%s'\n"
		 "sys.path.insert(0, os.path.dirname(name))\n"
		 "sys.argv = [name] + '''%s'''.split()\n"
		 "exec(compile(open(name).read(), name, 'exec'), "
		 "{'__name__': '__main__', '__file__': name})\n",
		 one->script, arguments);
	return run_string(text, NULL);
}

static void *live(void *arg)
{
	struct one *one = arg;
	void (*initialize)(int);
	void *bad;

	pthread_mutex_lock(&starting);
	set_home(one->library);
	one->handle = dlopen(one->library, RTLD_NOW | RTLD_LOCAL);
	if (!one->handle) {
		fprintf(stderr, "embed: %s\n", dlerror());
		exit(1);
	}
	initialize = function(one, "Py_InitializeEx");
	initialize(0);
	pthread_mutex_unlock(&starting);
	bad = run(one) ? one : NULL;
	fflush(NULL);
	return bad;
}

int main(int argc, char **argv)
{
	struct one all[4];
	int n = 0, i = 1, bad = 0;

	for (; i + 1 < argc && n < 4 && strcmp(argv[i], "--"); i += 2)
		all[n++] = (struct one){.library = argv[i], .script = argv[i + 1]};
	for (i++; i < argc; i++) {
		strncat(arguments, argv[i], sizeof(arguments) - strlen(arguments) - 2);
		strcat(arguments, " ");
	}
	for (i = 0; i < n; i++)
		if (pthread_create(&all[i].thread, NULL, live, &all[i]))
			return 1;
	for (i = 0; i < n; i++) {
		void *failed;

		pthread_join(all[i].thread, &failed);
		bad |= failed != NULL;
	}
	return bad || !n;
}
