# café
# allowc:begin sample
# allowc:end
