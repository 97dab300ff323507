#!/bin/sh
# é allowc:begin sample
# é allowc:begin other
# allowc:end
# allowc:end
