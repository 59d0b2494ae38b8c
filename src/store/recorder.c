/* recorder: see recorder.h. */
#include "store/recorder.h"

#include "base/clock.h"
#include "format/perfdata_write.h"
#include "store/recorder_python.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <zstd.h>

#define FLUSH_BYTES ((size_t)1 << 20)
#define PIECE_BYTES (60u << 10) /* of compressed data in one record */

struct wp_recorder {
	struct wp_recorder_options options;
	struct wp_perfdata_style style;
	int fd;
	struct wp_perfdata_header header;
	struct wp_str pending; /* records that are not written yet */
	ZSTD_CCtx *zstd;       /* NULL: not compressed */
	struct wp_recorder_python python;
	struct wp_recorder_figures figures;
	uint64_t first_ns, last_ns; /* of samples */
	struct wp_err *err;	    /* the first one; nothing is written after it */
};

static void write_at(struct wp_recorder *r, const void *bytes, size_t n, uint64_t at)
{
	const char *from = bytes;

	while (n && !r->err) {
		ssize_t done = pwrite(r->fd, from, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			r->err = wp_err_os(done < 0 ? errno : ENOSPC,
					   "%s: cannot be written; it holds %" PRIu64
					   " bytes of records",
					   r->options.path, r->header.data.size);
			return;
		}
		from += done;
		at += (uint64_t)done;
		n -= (size_t)done;
	}
}

static uint64_t data_end(const struct wp_recorder *r)
{
	return r->header.data.offset + r->header.data.size;
}

static void write_header(struct wp_recorder *r)
{
	wp_autostr struct wp_str bytes = {0};

	wp_perfdata_put_header(&bytes, &r->header);
	write_at(r, bytes.s, bytes.len, 0);
}

/* Header, then for each event its id; then the attributes; then the data. */
static void write_front(struct wp_recorder *r)
{
	const struct wp_event_set *events = r->options.events;
	wp_autostr struct wp_str bytes = {0};
	uint64_t ids = WP_PERFDATA_HEADER_BYTES;
	uint64_t n = events->events.n;

	r->header.attr_size = WP_PERFDATA_ATTR_BYTES + 16;
	r->header.attrs.offset = ids + 8 * n;
	r->header.attrs.size = n * r->header.attr_size;
	r->header.data.offset = r->header.attrs.offset + r->header.attrs.size;
	for (uint32_t i = 0; i < n; i++)
		wp_perfdata_put_u64(&bytes, wp_perfdata_event_id(i));
	for (uint32_t i = 0; i < n; i++) {
		wp_perfdata_put_attr(&bytes, &events->events.v[i], &r->style);
		wp_perfdata_put_section(&bytes, (struct wp_perfdata_section){ids + 8 * i, 8});
	}
	write_header(r);
	write_at(r, bytes.s, bytes.len, ids);
}

struct wp_err *wp_recorder_open(const struct wp_recorder_options *options, struct wp_recorder **ret)
{
	struct wp_recorder *r = wp_calloc(1, sizeof(*r));
	struct wp_err *err;

	r->options = *options;
	r->style = (struct wp_perfdata_style){options->stacks, options->kernel};
	r->fd = open(options->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (r->fd < 0) {
		err = wp_err_os(errno, "%s: cannot be created", options->path);
		free(r);
		return err;
	}
	if (options->level) {
		r->zstd = ZSTD_createCCtx();
		ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_compressionLevel, options->level);
	}
	wp_recorder_python_init(&r->python, options->path);
	write_front(r);
	if (r->err)
		return wp_recorder_close(r);
	*ret = r;
	return NULL;
}

/* One frame per flush, so that each can be read without the others; cut into records. */
static void pack(struct wp_recorder *r, struct wp_str *ret)
{
	wp_autostr struct wp_str packed = {0};
	size_t bound = ZSTD_compressBound(r->pending.len), n;

	wp_str_pad(&packed, '\0', bound);
	n = ZSTD_compress2(r->zstd, packed.s, bound, r->pending.s, r->pending.len);
	if (ZSTD_isError(n)) {
		if (!r->err)
			r->err = wp_err_new(WP_ERR_OTHER, "%s: zstd: %s", r->options.path,
					    ZSTD_getErrorName(n));
		return;
	}
	for (size_t at = 0; at < n; at += PIECE_BYTES)
		wp_perfdata_put_compressed(ret, packed.s + at,
					   n - at < PIECE_BYTES ? n - at : PIECE_BYTES);
}

static void flush(struct wp_recorder *r)
{
	wp_autostr struct wp_str packed = {0};
	const struct wp_str *bytes = &r->pending;

	if (!r->pending.len)
		return;
	r->figures.unpacked_bytes += r->pending.len;
	if (r->zstd) {
		pack(r, &packed);
		bytes = &packed;
	}
	write_at(r, bytes->s, bytes->len, data_end(r));
	if (!r->err) {
		r->header.data.size += bytes->len;
		write_header(r);
	}
	r->pending.len = 0;
}

void wp_recorder_add(struct wp_recorder *r, const struct wp_record *record)
{
	wp_recorder_python_record(&r->python, record);
	wp_perfdata_put_record(&r->pending, record);
	r->figures.records++;
}

uint64_t wp_recorder_python_frame(struct wp_recorder *r, const struct wp_symbol_set *set,
				  uint32_t symbol, uint32_t line)
{
	return wp_recorder_python_address(&r->python, set, symbol, line, &r->pending);
}

void wp_recorder_add_sample(struct wp_recorder *r, const struct wp_record *sample,
			    const struct wp_recorder_stack *stack)
{
	if (stack->python)
		wp_recorder_python_map(&r->python, sample, &r->pending);
	if (stack->note && r->style.stacks) {
		wp_perfdata_put_frames(&r->pending, stack->note->frames, stack->note->n_frames);
		wp_perfdata_put_rest(&r->pending, stack->note->rest, stack->note->n_rest);
		wp_perfdata_put_sample_note(&r->pending, stack->note);
	}
	wp_perfdata_put_sample(&r->pending, sample, &r->style, stack->frames, stack->n_kernel,
			       stack->n);
	r->figures.records++;
	r->figures.samples++;
	if (!r->first_ns)
		r->first_ns = sample->time_ns;
	r->last_ns = sample->time_ns;
	if (r->pending.len >= FLUSH_BYTES)
		flush(r);
}

void wp_recorder_run(struct wp_recorder *r, const struct wp_perfdata_run *run)
{
	wp_perfdata_put_run(&r->pending, run);
}

struct wp_err *wp_recorder_round(struct wp_recorder *r)
{
	struct wp_err *err = r->err;

	if (r->pending.len)
		wp_perfdata_put_mark(&r->pending, WP_PERFDATA_FINISHED_ROUND);
	flush(r);
	if (!err)
		err = r->err;
	r->err = NULL;
	return err;
}

struct wp_recorder_figures wp_recorder_figures(const struct wp_recorder *r)
{
	struct wp_recorder_figures figures = r->figures;

	figures.bytes = data_end(r);
	return figures;
}

static void put_cpus(struct wp_str *out, const struct wp_machine *machine)
{
	wp_perfdata_put_u32(out, machine->core_count);
	wp_perfdata_put_u32(out, (uint32_t)machine->online.cpus.n);
}

static void put_memory(struct wp_str *out)
{
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);

	wp_perfdata_put_u64(out, pages > 0 ? (uint64_t)pages * (uint64_t)bytes / 1024 : 0);
}

static void put_command(struct wp_str *out, char *const *argv)
{
	uint32_t n = 0;

	while (argv[n])
		n++;
	wp_perfdata_put_strings(out, argv, n);
}

/* version, type (1: zstd), level, ratio, how long a mapped piece is at most. */
static void put_packing(struct wp_str *out, const struct wp_recorder *r)
{
	uint64_t packed = r->header.data.size ? r->header.data.size : 1;

	wp_perfdata_put_u32(out, 1);
	wp_perfdata_put_u32(out, 1);
	wp_perfdata_put_u32(out, (uint32_t)r->options.level);
	wp_perfdata_put_u32(out, (uint32_t)(r->figures.unpacked_bytes / packed));
	wp_perfdata_put_u32(out, (uint32_t)FLUSH_BYTES * 4);
}

/* version, clock of the records, the time by the wall and by that clock. */
static void put_clock(struct wp_str *out)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	wp_perfdata_put_u32(out, 1);
	wp_perfdata_put_u32(out, CLOCK_MONOTONIC);
	wp_perfdata_put_u64(out, (uint64_t)now.tv_sec * WP_NS_PER_S + (uint64_t)now.tv_nsec);
	wp_perfdata_put_u64(out, wp_clock_now_ns());
}

/* The body of a feature; false when there is nothing to say. */
static bool put_feature(struct wp_str *out, const struct wp_recorder *r, int feature)
{
	const struct wp_machine *machine = r->options.machine;
	struct utsname name;

	switch (feature) {
	case WP_PERFDATA_HOSTNAME:
		if (uname(&name) < 0)
			return false;
		wp_perfdata_put_string(out, name.nodename);
		return true;
	case WP_PERFDATA_OSRELEASE: wp_perfdata_put_string(out, machine->kernel); return true;
	case WP_PERFDATA_VERSION: wp_perfdata_put_string(out, "wperf"); return true;
	case WP_PERFDATA_ARCH: wp_perfdata_put_string(out, machine->arch); return true;
	case WP_PERFDATA_NRCPUS: put_cpus(out, machine); return true;
	case WP_PERFDATA_CPUDESC: wp_perfdata_put_string(out, machine->product); return true;
	case WP_PERFDATA_TOTAL_MEM: put_memory(out); return true;
	case WP_PERFDATA_CMDLINE:
		if (!r->options.argv)
			return false;
		put_command(out, r->options.argv);
		return true;
	case WP_PERFDATA_EVENT_DESC:
		wp_perfdata_put_desc(out, r->options.events, &r->style);
		return true;
	case WP_PERFDATA_SAMPLE_TIME:
		wp_perfdata_put_u64(out, r->first_ns);
		wp_perfdata_put_u64(out, r->last_ns);
		return true;
	case WP_PERFDATA_COMPRESSED:
		if (r->zstd)
			put_packing(out, r);
		return r->zstd != NULL;
	case WP_PERFDATA_CLOCK_DATA: put_clock(out); return true;
	default: return false;
	}
}

/* Behind the data: a table of sections in the order of the features, then their bodies. */
static void write_features(struct wp_recorder *r)
{
	struct wp_perfdata_section sections[WP_PERFDATA_CLOCK_DATA + 1];
	wp_autostr struct wp_str bodies = {0}, table = {0};
	uint64_t at = data_end(r);
	size_t n = 0;

	for (int feature = 0; feature <= WP_PERFDATA_CLOCK_DATA; feature++) {
		size_t begin = bodies.len;

		if (!put_feature(&bodies, r, feature))
			continue;
		r->header.features[feature / 64] |= UINT64_C(1) << feature % 64;
		sections[n++] = (struct wp_perfdata_section){begin, bodies.len - begin};
	}
	for (size_t i = 0; i < n; i++) {
		sections[i].offset += at + 16 * n;
		wp_perfdata_put_section(&table, sections[i]);
	}
	write_at(r, table.s, table.len, at);
	write_at(r, bodies.s, bodies.len, at + table.len);
	write_header(r);
}

struct wp_err *wp_recorder_close(struct wp_recorder *r)
{
	struct wp_err *err;

	flush(r);
	if (!r->err)
		write_features(r);
	if (!r->err)
		r->err = wp_recorder_python_close(&r->python,
						  strcmp(r->options.machine->arch, "aarch64") == 0);
	err = r->err;
	if (close(r->fd) < 0 && !err)
		err = wp_err_os(errno, "%s: cannot be written", r->options.path);
	wp_recorder_python_deinit(&r->python);
	ZSTD_freeCCtx(r->zstd);
	wp_str_deinit(&r->pending);
	free(r);
	return err;
}
