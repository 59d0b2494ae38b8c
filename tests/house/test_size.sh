#!/bin/bash
# Function and file sizes: reported, and failed over the hard limits.
exec "$TOP/tools/check_size"
