import os; TIMEOUT = 5

async def test_blocked(): pass; commands = ("nc",)
def other():
    return None
