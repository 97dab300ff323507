def allowed_commands():
    def inner():
        DENIED = {"strace"}
