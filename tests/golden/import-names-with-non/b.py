NON_ALLOWED = {"su"}
