#!/usr/bin/env python3

  # what is run
# allowc:begin sample
# allowc:end
