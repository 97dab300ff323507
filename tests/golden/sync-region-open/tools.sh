# allowc:begin sample
git
