x=1
# allowc:begin sample
git
# allowc:end
