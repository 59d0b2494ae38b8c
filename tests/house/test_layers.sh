#!/bin/bash
# The include rules of the house.
exec "$TOP/tools/check_layers"
