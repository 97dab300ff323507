# allowc:begin sample
git
# allowc: end
mine
# allowc:end
