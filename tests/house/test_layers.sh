#!/bin/bash
# The include rules of the house.
: "${TOP:?}" "${WORK:?}" "${WPERF:?}"
exec "$TOP/tools/check_layers"
