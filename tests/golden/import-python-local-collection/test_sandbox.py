class TestList:
    def test_list(self):
        expected = {"git", "rg"}
        assert ALLOWED == expected
