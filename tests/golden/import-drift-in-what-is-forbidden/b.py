DENIED = ["strace"]
