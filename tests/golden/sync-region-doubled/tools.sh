# allowc:begin sample
# allowc:end

# allowc:begin sample
# allowc:end
