def test_list():
    expected = ["git", "ripgrep", "docker-buildx", "jq"]
    assert sorted(ALLOWED_BINARIES) == sorted(expected)
