x=1
# allowc:begin sample
# allowc:end
