A = f"{{ {x['a}'] :>{width}} }}" + f'{x["{"]}' f""
B = rf"\{x}" + f"""{x["a"]} "{y}" {
    z}""" + "{" + F'{a!r:^10}'
ALLOWED = {"git"}
