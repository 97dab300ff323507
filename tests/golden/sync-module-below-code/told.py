"""What is run."""
# allowc:begin sample
# allowc:end
