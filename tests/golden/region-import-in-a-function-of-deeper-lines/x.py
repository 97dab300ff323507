from typing import Final


def tools():
    # Which they are.
    for each in ():
        print(each)

    # allowc:begin ALLOWED_BINARIES
    # allowc:end
    return ALLOWED_BINARIES
