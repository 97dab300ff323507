class Deny:
	class Commands:
		NAMES = ["gdb"]
