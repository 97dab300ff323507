ALLOWED: Denied = ["su"]
