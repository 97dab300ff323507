ALLOWED = ["git"]
getattr(ALLOWED, "append")("su")
