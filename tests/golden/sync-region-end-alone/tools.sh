git
# allowc:end
