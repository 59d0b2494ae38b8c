/* SPDX-License-Identifier: BSD-3-Clause */
/* image_load: see image_load.h. */
#include "resolve/symbols/image_load.h"

#include "resolve/unwind/unwind_tables.h"

#include <unistd.h>

static void run_load(struct wp_job *job)
{
	struct wp_image_load *load = (struct wp_image_load *)job;
	const struct wp_image_load_order *order = &load->order;

	if (order->symbols) {
		load->err = wp_symfile_load(&order->source, order->file);
		__atomic_store_n(&load->has_symbols, true, __ATOMIC_RELEASE);
	}
	if (order->rules && !load->err)
		wp_unwind_tables_load(&order->source, order->file, &load->rows);
}

struct wp_image_load *wp_image_load_start(struct wp_worker *worker,
					  const struct wp_image_load_order *order)
{
	struct wp_image_load *load = wp_calloc(1, sizeof(*load));

	load->job.run = run_load;
	load->order = *order;
	load->order.source.log = wp_log_keep(&load->log);
	wp_worker_add(worker, &load->job);
	return load;
}

bool wp_image_load_has_symbols(const struct wp_image_load *load)
{
	return __atomic_load_n(&load->has_symbols, __ATOMIC_ACQUIRE);
}

void wp_image_load_end(struct wp_worker *worker, struct wp_image_load *load)
{
	wp_worker_cancel(worker, &load->job);
	close(load->order.source.fd);
	wp_log_tell(&load->log, NULL);
	wp_err_free(load->err);
	wp_unwind_rows_deinit(&load->rows);
	free(load);
}
