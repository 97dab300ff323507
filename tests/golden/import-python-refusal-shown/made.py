TOOLS = {"git"}
DENIED = make({"su"})
