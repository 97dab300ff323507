# allowc:begin sample # allowc:begin other
# allowc:end
