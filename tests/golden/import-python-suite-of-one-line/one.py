try: ALLOWED = {"git"}; MORE = 1
except OSError: pass
