/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_record.c - bytes as an answer of a worker: they are refused, or give a record that packs to an equal one.
 * The bytes are tried as they are, and also after a header that fits them, which random bytes would never have. */
#include <zlib.h>

#include "fuzz/fuzz.h"
#include "record/record.h"

static void hold(const void *bytes, size_t n)
{
    struct record *r = record_unpack(bytes, n, NULL), *again;
    void *packed;
    size_t size;
    if (!r)
        return;
    BUG_IF(!record_pack(r, &packed, &size));
    again = record_unpack(packed, size, NULL);
    BUG_IF(!again || !record_equal(r, again));
    free(packed);
    record_free(again);
    record_free(r);
}

FUZZ(record)
{
    struct { uint32_t magic, checksum; uint64_t bytes; } head = { 0x32525341, 0, size };
    unsigned char *all = malloc(sizeof head + size);
    BUG_IF(!all);
    hold(data, size);
    head.checksum = (uint32_t)crc32_z(0, data, size);
    memcpy(all, &head, sizeof head);
    if (size)
        memcpy(all + sizeof head, data, size);
    hold(all, sizeof head + size);
    free(all);
    return 0;
}
