ALLOWED = {"git"}
async def f():
    async with (a(ALLOWED) as b, c as [d[0], (e, *ALLOWED)]):
        pass
