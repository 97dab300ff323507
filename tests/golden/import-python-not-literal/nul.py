ALLOWED = {"g\0it"}
