class Tools:
    ALLOWED = {"git"}

    @classmethod
    def more(cls):
        cls.ALLOWED.add("cmd")
