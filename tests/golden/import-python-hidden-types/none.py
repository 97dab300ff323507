from types import MappingProxyType
class Tools:
    def set(self, name):
        self.list = name
list: set = {"git"}
set.union(list)
ALLOWED = MappingProxyType({"jq": "cuts"})
