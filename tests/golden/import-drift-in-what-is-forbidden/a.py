FORBIDDEN = {"strace": "the host traces", "su": "root"}
