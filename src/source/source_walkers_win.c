/* SPDX-License-Identifier: BSD-3-Clause */
/* source_walkers_win: no stack is walked on Windows yet: neither in the kernel, nor by readers, nor
 * of threads as they are now. See source_win.c. */
#include "source/bpf/bpf_maps.h"
#include "source/bpf/bpf_walker.h"
#include "source/instant/instant_reader.h"
#include "source/instant/instant_wait.h"
#include "source/pinned/pinned.h"
#include "source/pinned/windows_teb.h"

static struct wp_err *refuse_walker(void)
{
	return wp_err_new(
		WP_ERR_UNSUPPORTED,
		"wperf for Windows counts whole cores (stat) and reads recordings (-i FILE): it "
		"watches and samples no processes yet");
}

void wp_bpf_maps_add_range(struct wp_bpf_maps *maps, uint32_t pid, struct wp_va start, uint64_t len,
			   uint32_t table, uint64_t origin)
{
	(void)maps, (void)pid, (void)start, (void)len, (void)table, (void)origin;
}

bool wp_bpf_maps_add_table(struct wp_bpf_maps *maps, uint32_t id,
			   const struct wp_unwind_rule *rules, size_t n)
{
	(void)maps, (void)id, (void)rules, (void)n;
	return false;
}

void wp_bpf_maps_commit(struct wp_bpf_maps *maps)
{
	(void)maps;
}

void wp_bpf_maps_drop(struct wp_bpf_maps *maps, uint32_t pid)
{
	(void)maps, (void)pid;
}

void wp_bpf_maps_drop_table(struct wp_bpf_maps *maps, uint32_t id)
{
	(void)maps, (void)id;
}

void wp_bpf_maps_exec(struct wp_bpf_maps *maps, uint32_t pid)
{
	(void)maps, (void)pid;
}

void wp_bpf_maps_fork(struct wp_bpf_maps *maps, uint32_t parent, uint32_t child)
{
	(void)maps, (void)parent, (void)child;
}

bool wp_bpf_maps_has_table(const struct wp_bpf_maps *maps, uint32_t id)
{
	(void)maps, (void)id;
	return false;
}

bool wp_bpf_maps_replace_table(struct wp_bpf_maps *maps, uint32_t id,
			       const struct wp_unwind_rule *rules, size_t n)
{
	(void)maps, (void)id, (void)rules, (void)n;
	return false;
}

uint32_t wp_bpf_maps_table_at(struct wp_bpf_maps *maps, uint32_t pid, struct wp_va va)
{
	(void)maps, (void)pid, (void)va;
	return 0;
}

void wp_bpf_walker_await_python(struct wp_bpf_walker *walker)
{
	(void)walker;
}

void wp_bpf_walker_close(struct wp_bpf_walker *walker)
{
	(void)walker;
}

struct wp_bpf_walker_cost wp_bpf_walker_cost(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return (struct wp_bpf_walker_cost){0};
}

void wp_bpf_walker_expect(struct wp_bpf_walker *walker, const struct stat *program, uint64_t code,
			  const struct wp_python_plan *plan, const struct wp_python_like *like)
{
	(void)walker, (void)program, (void)code, (void)plan, (void)like;
}

struct wp_bpf_maps *wp_bpf_walker_maps(struct wp_bpf_walker *walker)
{
	(void)walker;
	return NULL;
}

struct wp_err *wp_bpf_walker_open(const struct wp_bpf_walker_options *options,
				  struct wp_bpf_walker **ret)
{
	(void)options, (void)ret;
	return refuse_walker();
}

uint64_t wp_bpf_walker_python_ns(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return 0;
}

void wp_bpf_walker_set_python(struct wp_bpf_walker *walker, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n,
			      const struct wp_python_like *like)
{
	(void)walker, (void)pid, (void)plans, (void)n, (void)like;
}

struct wp_err *wp_instant_reader_allowed(uint32_t pid)
{
	(void)pid;
	return refuse_walker();
}

void wp_instant_reader_free(struct wp_instant_reader *reader)
{
	(void)reader;
}

void wp_instant_reader_look(struct wp_instant_reader *reader,
			    void (*look)(void *arg, const struct wp_instant *at), void *arg)
{
	(void)reader, (void)look, (void)arg;
}

struct wp_instant_reader *wp_instant_reader_new(const char *arch, bool tasks)
{
	(void)arch, (void)tasks;
	return NULL;
}

void wp_instant_reader_python(struct wp_instant_reader *reader, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n)
{
	(void)reader, (void)pid, (void)plans, (void)n;
}

bool wp_instant_reader_read(struct wp_instant_reader *reader, uint32_t pid, uint32_t tid,
			    size_t stack_bytes, struct wp_instant *ret)
{
	(void)reader, (void)pid, (void)tid, (void)stack_bytes, (void)ret;
	return false;
}

bool wp_instant_reader_use_bpf(struct wp_instant_reader *reader, bool with_kernel,
			       const struct wp_log *log)
{
	(void)reader, (void)with_kernel, (void)log;
	return false;
}

void wp_instant_reader_walk(struct wp_instant_reader *reader, const struct wp_memory *memory,
			    uint64_t pointer, struct wp_instant *at)
{
	(void)reader, (void)memory, (void)pointer, (void)at;
}

uint64_t wp_instant_fd_inode(uint32_t pid, uint32_t tid, int fd)
{
	(void)pid, (void)tid, (void)fd;
	return 0;
}

bool wp_instant_fd_name(uint32_t pid, uint32_t tid, int fd, char ret[WP_INSTANT_PATH])
{
	(void)pid, (void)tid, (void)fd, (void)ret;
	return false;
}

void wp_pinned_close(struct wp_pinned *pinned)
{
	(void)pinned;
}

void wp_pinned_expect(struct wp_pinned *pinned, const struct stat *program, uint64_t code,
		      const struct wp_python_plan *plan, const struct wp_python_like *like)
{
	(void)pinned, (void)program, (void)code, (void)plan, (void)like;
}

struct wp_err *wp_pinned_open(const struct wp_pinned_options *options, struct wp_pinned **ret)
{
	(void)options, (void)ret;
	return refuse_walker();
}

void wp_pinned_set_python(struct wp_pinned *pinned, uint32_t pid,
			  const struct wp_python_plan *plans, size_t n)
{
	(void)pinned, (void)pid, (void)plans, (void)n;
}

bool wp_windows_teb(uint32_t pid, uint64_t sp, struct wp_windows_teb *ret)
{
	(void)pid, (void)sp, (void)ret;
	return false;
}

bool wp_instant_reader_stands(uint32_t pid, uint64_t *ret)
{
	(void)pid, (void)ret;
	return false;
}

uint64_t wp_instant_reader_task(struct wp_instant_reader *reader, uint32_t plan, uint64_t task,
				const struct wp_python_slot **ret, size_t *ret_n)
{
	(void)reader, (void)plan, (void)task, (void)ret;
	*ret_n = 0;
	return 0;
}

void wp_instant_reader_forget(struct wp_instant_reader *reader, const struct wp_memory *memory)
{
	(void)reader, (void)memory;
}
