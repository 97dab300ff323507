# allowc:begin sample
# allowc:end
