ALLOWED = {"git"}  # xALLOWED |= {"rm"}
