ALLOWED = {"git"}
with x as (y, ALLOWED):
    pass
