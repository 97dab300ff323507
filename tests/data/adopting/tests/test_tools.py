import unittest

from harness import tools

EXPECTED = {
    "git",
    "rg",
    "jq",
    "node",
    "npm",
    "docker",
    "docker-buildx",
    "curl",
}


class Tools(unittest.TestCase):
    def test_nobody_added_one(self):
        self.assertEqual(len(tools.ALLOWED_BINARIES), len(EXPECTED))

    def test_strace_is_not_on_the_list(self):
        self.assertNotIn("strace", tools.ALLOWED_BINARIES)

    def test_strace_is_not_started(self):
        with self.assertRaises(PermissionError):
            tools.run(["strace", "true"])


if __name__ == "__main__":
    unittest.main()
