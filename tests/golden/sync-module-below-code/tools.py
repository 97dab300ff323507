# what is run
import os
# allowc:begin sample
# allowc:end
