class Forbidden:
    TIMEOUT = 5

class Notes:
    def knots(self):
        DENIM = {"git"}
