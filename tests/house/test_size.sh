#!/bin/bash
# Function and file sizes: reported, and failed over the hard limits.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
exec "$TOP/tools/check_size"
