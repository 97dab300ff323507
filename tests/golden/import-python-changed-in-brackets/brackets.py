ALLOWED = {"git", "su"}
(ALLOWED).remove("su")
