A = f"{x[f"}"]}"; ALLOWED = {"rm"}; B = f"{y["{"]}"
