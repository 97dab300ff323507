X = """never
ended
