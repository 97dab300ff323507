ALLOWED = {"git"}
(
    ALLOWED  # more
    .add("cmd")
)
