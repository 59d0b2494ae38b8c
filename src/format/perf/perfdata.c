/* SPDX-License-Identifier: BSD-3-Clause */
/* perfdata: see perfdata.h. Comments show the file's layouts. */
#include "format/perf/perfdata.h"

#include <string.h>

#define SECTION_BYTES	   16
#define RECORD_HEAD_BYTES  8
#define ATTR_BYTES_MIN	   64 /* PERF_ATTR_SIZE_VER0 */
#define ATTR_BYTES_MAX	   4096
#define BUILD_ID_BYTES	   24 /* room for one, with a byte that may say its length */
#define MISC_BUILD_ID_SIZE (1u << 15)
#define SAMPLE		   9
#define NAME_MAX_BYTES	   4096
#define UPDATE_NAME	   2 /* PERF_EVENT_UPDATE__NAME */
#define DESC_MAX	   65536

/* Bits behind read_format in struct perf_event_attr. */
#define ATTR_EXCLUDE_USER   (1u << 4)
#define ATTR_EXCLUDE_KERNEL (1u << 5)
#define ATTR_INHERIT	    (1u << 1)
#define ATTR_FREQ	    (1u << 10)
#define ATTR_SAMPLE_ID_ALL  (1u << 18)

static struct wp_err *check_magic(const uint8_t *magic)
{
	if (memcmp(magic, "PERFILE2", 8) == 0)
		return NULL;
	if (memcmp(magic, "2ELIFREP", 8) == 0)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "it was recorded on a big-endian machine, which is not read");
	if (memcmp(magic, "PERFFILE", 8) == 0)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "it is of the old format of perf before Linux 3.0, which is not "
				  "read");
	return wp_err_new(WP_ERR_FORMAT, "it is not a perf.data file");
}

struct wp_perfdata_section wp_perfdata_section_read(struct wp_bytes *b)
{
	struct wp_perfdata_section ret = {.offset = wp_bytes_u64(b)};

	ret.size = wp_bytes_u64(b);
	return ret;
}

/* magic size attr_size attrs data event_types features[4], or magic size */
struct wp_err *wp_perfdata_header_read(const void *bytes, size_t size,
				       struct wp_perfdata_header *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	struct wp_perfdata_header header = {0};
	const uint8_t *magic = wp_bytes_take(&b, 8);
	uint64_t own_size = wp_bytes_u64(&b);

	if (b.failed)
		return wp_err_new(WP_ERR_FORMAT, "it is too short for a perf.data file");
	TRY(check_magic(magic));
	header.piped = own_size == WP_PERFDATA_PIPED_BYTES;
	if (!header.piped && own_size != WP_PERFDATA_HEADER_BYTES)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "its header has %llu bytes, only %d and %d are known",
				  (unsigned long long)own_size, WP_PERFDATA_HEADER_BYTES,
				  WP_PERFDATA_PIPED_BYTES);
	if (!header.piped) {
		header.attr_size = wp_bytes_u64(&b);
		header.attrs = wp_perfdata_section_read(&b);
		header.data = wp_perfdata_section_read(&b);
		wp_bytes_skip(&b, SECTION_BYTES);
		for (size_t i = 0; i < WP_ARRAY_LEN(header.features); i++)
			header.features[i] = wp_bytes_u64(&b);
		if (b.failed)
			return wp_err_new(WP_ERR_FORMAT, "it ends within its header");
		if (header.attr_size < ATTR_BYTES_MIN + SECTION_BYTES ||
		    header.attr_size > ATTR_BYTES_MAX)
			return wp_err_new(WP_ERR_UNSUPPORTED,
					  "its attributes have %llu bytes, which is no known size",
					  (unsigned long long)header.attr_size);
	}
	*ret = header;
	return NULL;
}

bool wp_perfdata_has(const struct wp_perfdata_header *header, enum wp_perfdata_feature feature)
{
	return header->features[feature / 64] >> feature % 64 & 1;
}

unsigned int wp_perfdata_feature_index(const struct wp_perfdata_header *header,
				       enum wp_perfdata_feature feature)
{
	unsigned int n = 0;

	for (unsigned int i = 0; i < (unsigned int)feature; i++)
		n += wp_perfdata_has(header, i);
	return n;
}

unsigned int wp_perfdata_feature_count(const struct wp_perfdata_header *header)
{
	return wp_perfdata_feature_index(header, WP_PERFDATA_FEATURES);
}

/* The fields that PERF_ATTR_SIZE_VER0 does not have yet; they read as 0 where the bytes end. */
static void read_later_fields(struct wp_bytes *b, struct wp_perfdata_attr *attr)
{
	attr->config2 = wp_bytes_u64(b);
	attr->branch_sample_type = wp_bytes_u64(b);
	attr->regs_user = wp_bytes_u64(b);
	wp_bytes_skip(b, 8); /* sample_stack_user clockid */
	attr->regs_intr = wp_bytes_u64(b);
}

/* type size config period sample_type read_format bits wakeup bp_type config1 [config2
 * branch_sample_type sample_regs_user sample_stack_user clockid sample_regs_intr ...] */
struct wp_err *wp_perfdata_attr_read(const void *bytes, size_t size, struct wp_perfdata_attr *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	struct wp_perfdata_attr attr = {.type = wp_bytes_u32(&b)};
	uint64_t bits;

	attr.size = wp_bytes_u32(&b);
	if (b.failed || attr.size < ATTR_BYTES_MIN || attr.size > size || attr.size % 8)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "an attribute has %u bytes, which is no known size", attr.size);
	b = wp_bytes_of(bytes, attr.size);
	wp_bytes_skip(&b, 8);
	attr.config = wp_bytes_u64(&b);
	attr.period = wp_bytes_u64(&b);
	attr.sample_type = wp_bytes_u64(&b);
	attr.read_format = wp_bytes_u64(&b);
	bits = wp_bytes_u64(&b);
	attr.inherit = bits & ATTR_INHERIT;
	attr.freq = bits & ATTR_FREQ;
	attr.exclude_user = bits & ATTR_EXCLUDE_USER;
	attr.exclude_kernel = bits & ATTR_EXCLUDE_KERNEL;
	attr.sample_id_all = bits & ATTR_SAMPLE_ID_ALL;
	wp_bytes_skip(&b, 8);
	attr.config1 = wp_bytes_u64(&b);
	read_later_fields(&b, &attr);
	*ret = attr;
	return NULL;
}

struct wp_bytes wp_perfdata_body(const void *bytes, const struct wp_perfdata_record *record)
{
	return wp_bytes_of((const uint8_t *)bytes + RECORD_HEAD_BYTES,
			   record->size - RECORD_HEAD_BYTES);
}

/* AUXTRACE: u64 size; TRACING_DATA: u32 size, padded to 8. False when the body is too short. */
static bool find_trailing(const void *bytes, struct wp_perfdata_record *record)
{
	struct wp_bytes body = wp_perfdata_body(bytes, record);

	if (record->type < WP_PERFDATA_USER_TYPES)
		return true;
	if (record->type == WP_PERFDATA_AUXTRACE)
		record->trailing = wp_bytes_u64(&body);
	else if (record->type == WP_PERFDATA_TRACING_DATA)
		record->trailing = ((uint64_t)wp_bytes_u32(&body) + 7) & ~(uint64_t)7;
	return !body.failed;
}

/* type misc size ... */
enum wp_perfdata_found wp_perfdata_record_read(const void *bytes, size_t size,
					       struct wp_perfdata_record *ret)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);

	ret->type = wp_bytes_u32(&b);
	ret->misc = wp_bytes_u16(&b);
	ret->size = wp_bytes_u16(&b);
	ret->trailing = 0;
	if (b.failed)
		return WP_PERFDATA_CUT;
	if (ret->size < RECORD_HEAD_BYTES)
		return WP_PERFDATA_BROKEN;
	if (ret->size > size)
		return WP_PERFDATA_CUT;
	return find_trailing(bytes, ret) ? WP_PERFDATA_WHOLE : WP_PERFDATA_BROKEN;
}

uint64_t wp_perfdata_identifier(const void *bytes, const struct wp_perfdata_record *record)
{
	struct wp_bytes body = wp_perfdata_body(bytes, record);

	if (record->type != SAMPLE && body.size >= 8)
		wp_bytes_seek(&body, body.size - 8);
	return wp_bytes_u64(&body);
}

static bool is_zero(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i])
			return false;
	return true;
}

/* pid build_id[20] size reserved[3] path; perf before 5.10 has no size, the id being 20 bytes */
bool wp_perfdata_build_id_read(struct wp_bytes body, uint16_t misc,
			       struct wp_perfdata_build_id *ret)
{
	struct wp_perfdata_build_id id = {.len = WP_BUILD_ID_MAX};
	const uint8_t *bytes;

	wp_bytes_skip(&body, 4);
	bytes = wp_bytes_take(&body, BUILD_ID_BYTES);
	id.path = wp_bytes_str(&body, NAME_MAX_BYTES);
	if (!bytes || !id.path)
		return false;
	memcpy(id.id, bytes, WP_BUILD_ID_MAX);
	if (misc & MISC_BUILD_ID_SIZE && bytes[WP_BUILD_ID_MAX] <= WP_BUILD_ID_MAX)
		id.len = bytes[WP_BUILD_ID_MAX];
	if (is_zero(id.id, id.len))
		id.len = 0;
	*ret = id;
	return true;
}

/* kind id name */
bool wp_perfdata_update_read(struct wp_bytes body, uint64_t *ret_id, const char **ret_name)
{
	uint64_t kind = wp_bytes_u64(&body);

	*ret_id = wp_bytes_u64(&body);
	*ret_name = wp_bytes_str(&body, NAME_MAX_BYTES);
	return kind == UPDATE_NAME && *ret_name && **ret_name;
}

const char *wp_perfdata_string(struct wp_bytes *b)
{
	uint32_t len = wp_bytes_u32(b);
	struct wp_bytes text = wp_bytes_sub(b, len);

	if (text.failed)
		return NULL;
	return wp_bytes_str(&text, NAME_MAX_BYTES);
}

/* version (1), number of the records' clock, the two times */
void wp_perfdata_clock_read(struct wp_bytes b, struct wp_perfdata_clock *ret)
{
	uint32_t version = wp_bytes_u32(&b);
	struct wp_perfdata_clock clock;

	wp_bytes_skip(&b, 4);
	clock.unix_ns = wp_bytes_u64(&b);
	clock.record_ns = wp_bytes_u64(&b);
	if (version == 1 && !b.failed)
		*ret = clock;
}

bool wp_perfdata_desc_begin(struct wp_bytes *b, uint32_t *ret_n, uint32_t *ret_attr_size)
{
	uint32_t n = wp_bytes_u32(b), attr_size = wp_bytes_u32(b);

	if (b->failed || n > DESC_MAX || attr_size < ATTR_BYTES_MIN || attr_size > ATTR_BYTES_MAX)
		return false;
	*ret_n = n;
	*ret_attr_size = attr_size;
	return true;
}

/* attr nr_ids name ids[nr_ids] */
bool wp_perfdata_desc_next(struct wp_bytes *b, uint32_t attr_size, struct wp_perfdata_desc *ret)
{
	struct wp_bytes attr = wp_bytes_sub(b, attr_size);
	struct wp_perfdata_desc desc = {.type = wp_bytes_u32(&attr)};
	uint32_t n_ids = wp_bytes_u32(b);

	wp_bytes_skip(&attr, 4);
	desc.config = wp_bytes_u64(&attr);
	desc.name = wp_perfdata_string(b);
	wp_bytes_skip(b, 8 * (uint64_t)n_ids);
	if (b->failed || attr.failed || !desc.name)
		return false;
	*ret = desc;
	return true;
}
