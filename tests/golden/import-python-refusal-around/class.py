class Limits:
    class ForbiddenTools:
        """What nobody may run."""

        COMMANDS = {"strace"}
