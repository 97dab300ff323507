__all__ = ["ALLOWED"]
LIMIT = 3
ALLOWED = {"git"}
TIMEOUTS: dict[str, int] = {"git": 5}
ORDER = ["git"]


def main():
    local = {"x"}
