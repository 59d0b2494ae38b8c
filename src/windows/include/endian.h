/* SPDX-License-Identifier: BSD-3-Clause */
/* endian.h for Windows, which is little-endian on every processor that it has. */
#ifndef WP_WINDOWS_ENDIAN_H
#define WP_WINDOWS_ENDIAN_H

#define le16toh(value) (value)
#define le32toh(value) (value)
#define le64toh(value) (value)
#define htole16(value) (value)
#define htole32(value) (value)
#define htole64(value) (value)
#define be16toh(value) __builtin_bswap16(value)
#define be32toh(value) __builtin_bswap32(value)
#define be64toh(value) __builtin_bswap64(value)
#define htobe16(value) __builtin_bswap16(value)
#define htobe32(value) __builtin_bswap32(value)
#define htobe64(value) __builtin_bswap64(value)

#endif
