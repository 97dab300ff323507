#!/usr/bin/env python3
"""Profiles made at random: what an engine does by the profile, the filter of the imported policy does too.

What an engine does is told here by the OCI runtime specification and what libseccomp adds to it, from the profile
alone; the filter is run as the kernel would. Neither knows how import works.
"""

import dataclasses
import json
import random
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import suite  # noqa: E402
import tap  # noqa: E402
from tap import allowc, equal, passes, test  # noqa: E402

PROFILES = 60
SEED = 20261130

# ---- system calls ----


@dataclasses.dataclass
class Abi:
    token: int
    base: int
    numbers: dict


def numbers_of(column):
    """Name to number, of one column of the table."""
    lines = (suite.ROOT / "compiler/data/syscalls.tsv").read_text(encoding="utf-8").splitlines()
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    at = head.index(column)
    return {row[0]: int(row[at]) for row in rows if row[at] != "-"}


ABIS = {
    "SCMP_ARCH_X86_64": Abi(0xC000003E, 0, numbers_of("x86_64")),
    "SCMP_ARCH_X86": Abi(0x40000003, 0, numbers_of("x86")),
    "SCMP_ARCH_X32": Abi(0xC000003E, 0x40000000, numbers_of("x32")),
    "SCMP_ARCH_AARCH64": Abi(0xC00000B7, 0, numbers_of("aarch64")),
    "SCMP_ARCH_ARM": Abi(0x40000028, 0, numbers_of("arm")),
}

# linux/net.h and linux/ipc.h: what stands for what, by the first argument.
PARTS = {
    "socketcall": dict(zip(
        "socket bind connect listen accept getsockname getpeername socketpair send recv sendto recvfrom shutdown "
        "setsockopt getsockopt sendmsg recvmsg accept4 recvmmsg sendmmsg".split(), range(1, 21))),
    "ipc": {"semop": 1, "semget": 2, "semctl": 3, "semtimedop": 4, "msgsnd": 11, "msgrcv": 12, "msgget": 13,
            "msgctl": 14, "shmat": 21, "shmdt": 22, "shmget": 23, "shmctl": 24},
}  # fmt: skip

# ---- what an engine does ----

RETURNS = {"SCMP_ACT_ALLOW": 0x7FFF0000, "SCMP_ACT_LOG": 0x7FFC0000, "SCMP_ACT_KILL_PROCESS": 0x80000000}
COMPARISONS = {
    "SCMP_CMP_EQ": lambda register, item: register == item["value"],
    "SCMP_CMP_NE": lambda register, item: register != item["value"],
    "SCMP_CMP_LT": lambda register, item: register < item["value"],
    "SCMP_CMP_LE": lambda register, item: register <= item["value"],
    "SCMP_CMP_GT": lambda register, item: register > item["value"],
    "SCMP_CMP_GE": lambda register, item: register >= item["value"],
    "SCMP_CMP_MASKED_EQ": lambda register, item: register & item["value"] == item["valueTwo"],
}


def answer(action, errno):
    return RETURNS[action] if action in RETURNS else 0x50000 | (errno or 1)


def rules_of(profile):
    """(name, answer, comparisons) of each rule that says another thing than the default, and the default's answer."""
    default = answer(profile["defaultAction"], profile.get("defaultErrnoRet"))
    rules = [
        (name, answer(rule["action"], rule.get("errnoRet")), rule.get("args", []))
        for rule in profile["syscalls"]
        for name in rule["names"]
    ]
    return [rule for rule in rules if rule[1] != default], default


def engine_answer(rules, default, name, arguments):
    own = [rule for rule in rules if rule[0] == name]
    for _, given, comparisons in own:
        if not comparisons:
            return given
    parts = PARTS.get(name, {})
    for part, given, comparisons in rules:
        if part in parts:
            number = {"index": 0, "op": "SCMP_CMP_EQ", "value": parts[part]}
            own.append((name, given, [number, *(item for item in comparisons if item["index"] > 0)]))
    for _, given, comparisons in own:
        if all(COMPARISONS[item["op"]](arguments[item["index"]], item) for item in comparisons):
            return given
    return default


# ---- what the filter does ----


def filter_answer(program, number, token, arguments):
    """Runs the few instructions that a filter of allowc is made of (linux/filter.h)."""
    data = struct.pack("<IIQ6Q", number, token, 0, *arguments)
    accumulator = at = 0
    while True:
        code, yes, no, constant = program[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, constant)
        elif code == 0x54:
            accumulator &= constant
        elif code == 0x06:
            return constant
        elif code == 0x05:
            at += constant
        else:
            holds = {0x15: accumulator == constant, 0x25: accumulator > constant, 0x35: accumulator >= constant,
                     0x45: accumulator & constant != 0}[code]  # fmt: skip
            at += yes if holds else no


# ---- profiles ----

NAMES = """read write clone clone3 socket bind semget shmget socketcall ipc personality ptrace kcmp mount reboot openat
ioctl execve seccomp acct time set_tls arch_prctl""".split()
ACTIONS = [("SCMP_ACT_ALLOW", None), ("SCMP_ACT_LOG", None), ("SCMP_ACT_KILL_PROCESS", None),
           ("SCMP_ACT_ERRNO", None), ("SCMP_ACT_ERRNO", 38), ("SCMP_ACT_ERRNO", 13)]  # fmt: skip
# Arguments that have 32 bits or fewer on all ABIs: whole registers of 64 are not what x32 compares.
NARROW = {"personality": [0], "socket": [0, 1, 2], "clone": [0], "bind": [0], "openat": [0, 2], "reboot": [0]}
VALUES = [0, 1, 2, 8, 38, 0x10000000, 0x7E020000, 0xFFFFFFFF]
REGISTERS = [*VALUES, 3, 7, 9, 11, 21, 23, 0x10000001]


def action(keys, chosen):
    name, errno = chosen
    return {keys[0]: name, **({keys[1]: errno} if errno else {})}


def comparison(rng, index):
    operator, value = rng.choice(list(COMPARISONS)), rng.choice(VALUES)
    second = rng.choice([0, value]) if operator == "SCMP_CMP_MASKED_EQ" else 0
    return {"index": index, "value": value, "valueTwo": second, "op": operator}


def rule(rng, actions):
    made = {"names": rng.sample(NAMES, rng.randint(1, 5)), **action(("action", "errnoRet"), rng.choice(actions))}
    if rng.random() < 0.4:
        name = rng.choice(list(NARROW))
        indices = rng.sample(NARROW[name], rng.randint(1, min(2, len(NARROW[name]))))
        made.update(names=[name], args=[comparison(rng, index) for index in indices])
    return made


def profile_made(rng):
    actions = rng.sample(ACTIONS, 2)
    rules = [rule(rng, actions) for _ in range(rng.randint(1, 6))]
    if rng.random() < 0.3:  # so that most known calls get another answer than unknown numbers
        said = {name for made in rules for name in made["names"]}
        rest = [name for name in ABIS["SCMP_ARCH_X86_64"].numbers if name not in said]
        rules.append({"names": rest[:300], "action": "SCMP_ACT_ERRNO", "errnoRet": 1})
    return {**action(("defaultAction", "defaultErrnoRet"), rng.choice(ACTIONS)),
            "architectures": rng.sample(list(ABIS), rng.randint(1, 3)), "syscalls": rules}  # fmt: skip


# ---- the comparison ----


def compared(rng, profile):
    """The filter of the imported policy and the engine, for each known call of each ABI, with some arguments."""
    program = list(struct.iter_unpack("<HBBI", Path("out/p.bpf").read_bytes()))
    rules, default = rules_of(profile)
    for architecture in profile["architectures"]:
        abi = ABIS[architecture]
        for name, number in abi.numbers.items():
            for _ in range(8 if name in NAMES else 1):
                arguments = [rng.choice(REGISTERS) for _ in range(6)]
                got = filter_answer(program, number + abi.base, abi.token, arguments)
                wanted = engine_answer(rules, default, name, arguments)
                equal(hex(got), hex(wanted), f"{architecture} {name} {arguments} of {json.dumps(profile)}")


def policy_of(profile):
    """None where no policy says it: two answers for one call, or clone3 beside clone's flags."""
    Path("p.json").write_text(json.dumps(profile), encoding="utf-8")
    done = allowc("import", "p.json")
    if done.returncode == 0:
        return re.sub(r"  adr \?", '  adr 0001  because "decided"', done.stdout)
    equal((done.returncode, done.stdout), (1, ""), done.stderr)
    equal(set(re.findall(r" error: .*\[(.*)\]$", done.stderr, re.MULTILINE)), {"import-profile"}, done.stderr)
    return None


@test
def random_profiles_decide_as_their_policies():
    rng = random.Random(SEED)
    taken = 0
    for _ in range(PROFILES):
        profile = profile_made(rng)
        policy = policy_of(profile)
        if policy is None:
            continue
        taken += 1
        Path("p.allow").write_text(policy, encoding="utf-8")
        done = allowc("-q", "-Wno-adr-unchecked", "--emit", "bpf", "-o", "out", "p.allow")
        equal(done.returncode, 0, f"{done.stderr}{policy}")
        compared(rng, profile)
    equal(taken > PROFILES / 2, True, f"{taken} of {PROFILES} were taken")


@test
def phase7_decides_as_its_profile():
    """The profile of the sample, and the sample's own filter."""
    sample = suite.ROOT / "policies" / "phase7.allow"
    passes("-q", "-Wno-oci-replaces-default", "--emit", "oci-seccomp,bpf", "-o", "old", str(sample))
    profile = json.loads(Path("old/phase7.seccomp.json").read_text(encoding="utf-8"))
    Path("out").mkdir()
    Path("out/p.bpf").write_bytes(Path("old/phase7.bpf").read_bytes())
    compared(random.Random(SEED), profile)


if __name__ == "__main__":
    tap.main()
