"""Container engines, each with a way to run probe.c under a profile. A module of test_engines.py."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import suite

SOURCE = Path(__file__).resolve().parent / "probe.c"
LIMIT = ["timeout", "--kill-after=5", "60"]
DOCKER_CAPABILITIES = [
    "CAP_" + name for name in (
        "AUDIT_WRITE", "CHOWN", "DAC_OVERRIDE", "FOWNER", "FSETID", "KILL", "MKNOD", "NET_BIND_SERVICE", "NET_RAW",
        "SETFCAP", "SETGID", "SETPCAP", "SETUID", "SYS_CHROOT",
    )
]  # fmt: skip

Call = tuple[str, int]
Answers = dict[Call, str]


def first_lines(result: subprocess.CompletedProcess[str]) -> str:
    text = (result.stderr.strip() or result.stdout.strip()).splitlines()
    return f"{text[-1][:300] if text else ''} (exit status {result.returncode})"


class Bundle:
    """An OCI bundle whose root has the probe alone."""

    def __init__(self, folder: Path, probe: Path):
        self.folder, self.count = folder, 0
        for name in ("proc", "dev", "sys", "etc", "tmp", "run", "usr"):
            (folder / "rootfs" / name).mkdir(parents=True)
        (folder / "rootfs" / "etc" / "os-release").touch()
        shutil.copy(probe, folder / "rootfs" / "probe")

    def write(self, profile: Path | None, *arguments: str) -> str:
        """The configuration; answers a new name for the container."""
        capabilities = {kind: DOCKER_CAPABILITIES for kind in ("bounding", "effective", "permitted")}
        namespaces = ("pid", "ipc", "uts", "mount", "cgroup", "network")
        linux: dict[str, object] = {"namespaces": [{"type": kind} for kind in namespaces]}
        if profile:
            linux["seccomp"] = json.loads(profile.read_text(encoding="utf-8"))
        config = {
            "ociVersion": "1.0.0",
            "process": {
                "terminal": False, "user": {"uid": 0, "gid": 0}, "args": ["/probe", *arguments], "env": ["PATH=/"],
                "cwd": "/", "capabilities": capabilities, "noNewPrivileges": False,
            },
            "root": {"path": "rootfs", "readonly": True},
            "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"}],
            "linux": linux,
        }  # fmt: skip
        (self.folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
        self.count += 1
        return f"allowc-{os.getpid()}-{self.count}"


class Engine:
    """`run` starts the probe under a profile, or with the engine's own for None; `plain` without any."""

    def __init__(self, name: str, tools: tuple[str, ...], takes_default_errno: bool = True):
        self.name, self.tools, self.takes_default_errno = name, tools, takes_default_errno
        self.reason: suite.Skip | None = None
        self.tried = False
        self.i386 = False  # whether the last probe could ask about it

    def plain(self) -> subprocess.CompletedProcess[str]:
        raise NotImplementedError

    def run(self, profile: Path | None) -> subprocess.CompletedProcess[str]:
        raise NotImplementedError

    def need(self) -> None:
        if os.geteuid() != 0:
            raise suite.Skip("not root")
        suite.need(*self.tools)
        if not self.tried:
            self.tried = True
            result = self.plain()
            if (result.returncode, result.stdout) != (0, "runs\n"):
                self.reason = suite.Impossible(f"{self.name} runs no container: {first_lines(result)}")
        if self.reason:
            raise self.reason

    def answers(self, profile: Path | None) -> Answers:
        """Also "getpriority" and "getppid", the calls in earnest, as ABI "call"."""
        result = self.run(profile)
        lines = result.stdout.splitlines()
        if lines[-1:] == ["no listener"]:
            raise suite.Impossible("the kernel has no user notification of seccomp")
        if result.returncode != 0 or lines[-1:] != ["end"]:
            suite.fail(f"the probe did not end: {first_lines(result)}\n{result.stdout[-300:]}")
        self.i386 = lines[0] == "int 0x80 passes"
        found: Answers = {}
        for line in lines[1:-3]:
            abi, number, answer = line.split(" ", 2)
            found[abi, int(number)] = answer
        for line in lines[-3:-1]:
            name, answer = line.split(" ", 1)
            found[name, 0] = answer
        return found


class Runc(Engine):
    def __init__(self, bundle: Bundle, name: str = "runc", before: tuple[str, ...] = ()):
        super().__init__(name, (name, *before[:1]))
        self.bundle, self.before = bundle, before

    def start(self, profile: Path | None, *arguments: str) -> subprocess.CompletedProcess[str]:
        container = self.bundle.write(profile, *arguments)
        state = self.bundle.folder / f"state-{self.name}"
        engine = [*self.before, self.name, "--root", state]
        try:
            return suite.run([*LIMIT, *engine, "run", "--bundle", self.bundle.folder, container], expect=None)
        finally:
            suite.run([*LIMIT, *engine, "delete", "--force", container], expect=None)

    def plain(self) -> subprocess.CompletedProcess[str]:
        return self.start(None, "--plain")

    def run(self, profile: Path | None) -> subprocess.CompletedProcess[str]:
        return self.start(profile)


# crun wants a hierarchy of one kind; a mount namespace of its own has one.
CGROUP2 = ("unshare", "--mount", "sh", "-c", 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh")


class Nspawn(Engine):
    """It has a list of its own where it is given a folder, and takes a bundle's profile in place of it."""

    def __init__(self, bundle: Bundle):
        super().__init__("systemd-nspawn", ("systemd-nspawn",), takes_default_errno=False)
        self.bundle = bundle

    def start(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        machine = f"allowc-{os.getpid()}-{self.bundle.count}"
        options = ["--register=no", "--keep-unit", "--resolv-conf=off", "--timezone=off", f"--machine={machine}"]
        environment = suite.ENVIRONMENT | {"SYSTEMD_LOG_LEVEL": "warning"}
        try:
            return suite.run([*LIMIT, "systemd-nspawn", "--quiet", *options, *words], expect=None,
                             environment=environment)  # fmt: skip
        finally:
            shutil.rmtree(f"/run/systemd/nspawn/propagate/{machine}", ignore_errors=True)

    def plain(self) -> subprocess.CompletedProcess[str]:
        self.bundle.write(None, "--plain")
        return self.start(f"--oci-bundle={self.bundle.folder}")

    def run(self, profile: Path | None) -> subprocess.CompletedProcess[str]:
        self.bundle.write(profile)
        if profile is None:
            return self.start("--read-only", "-D", self.bundle.folder / "rootfs", "/probe")
        return self.start(f"--oci-bundle={self.bundle.folder}")


class Docker(Engine):
    """A daemon of its own, started at the first container; sockets want a short path."""

    def __init__(self, bundle: Bundle):
        super().__init__("docker", ("dockerd", "docker", "tar"))
        self.bundle = bundle
        self.daemon: subprocess.Popen[bytes] | None = None
        self.folder = Path()
        self.group = f"allowc-{os.getpid()}"

    def client(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        environment = suite.ENVIRONMENT | {"DOCKER_CONFIG": str(self.folder)}
        return suite.run([*LIMIT, "docker", "--host", f"unix://{self.folder}/s", *words], expect=None,
                         environment=environment)  # fmt: skip

    def is_there(self) -> bool:
        for _ in range(120):
            if not self.daemon or self.daemon.poll() is not None:
                return False
            if self.client("version").returncode == 0:
                return True
            time.sleep(0.25)
        return False

    def log(self) -> str:
        lines = (self.folder / "log").read_text(encoding="utf-8", errors="replace").splitlines()
        return lines[-1][:300] if lines else ""

    def begin(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ad-", dir="/tmp"))
        with open(self.folder / "log", "wb") as log:
            self.daemon = subprocess.Popen(
                ["dockerd", "--host", f"unix://{self.folder}/s", "--data-root", self.folder / "data", "--exec-root",
                 self.folder / "exec", "--pidfile", self.folder / "pid", "--bridge=none", "--iptables=false",
                 "--ip6tables=false", "--storage-driver=vfs", f"--cgroup-parent=/{self.group}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip
        if not self.is_there():
            raise suite.Impossible(f"dockerd does not start: {self.log()}")
        image = self.folder / "probe.tar"
        suite.run(["tar", "--create", "--file", image, "--directory", self.bundle.folder / "rootfs", "probe"])
        imported = self.client("import", image, "probe")
        if imported.returncode != 0:
            raise suite.Impossible(f"docker imports no image: {first_lines(imported)}")

    def container(self, *words: str | Path) -> subprocess.CompletedProcess[str]:
        return self.client("run", "--rm", "--network=none", "--read-only", *words)

    def plain(self) -> subprocess.CompletedProcess[str]:
        try:
            self.begin()
        except suite.Impossible as reason:
            return subprocess.CompletedProcess([], 1, "", str(reason.args[0]))
        return self.container("--security-opt", "seccomp=unconfined", "probe", "/probe", "--plain")

    def run(self, profile: Path | None) -> subprocess.CompletedProcess[str]:
        options = ["--security-opt", f"seccomp={profile}"] if profile else []
        return self.container(*options, "probe", "/probe")

    def stop(self) -> None:
        """By its pid file; what stays after its time is killed."""
        if not self.daemon:
            return
        with contextlib.suppress(OSError, ValueError):
            os.kill(int((self.folder / "pid").read_text()), signal.SIGTERM)
        try:
            self.daemon.wait(30)
        except subprocess.TimeoutExpired:
            self.daemon.kill()
            self.daemon.wait()
        self.daemon = None

    def mounts(self) -> list[str]:
        """Below its folder, the deepest first."""
        points = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
        return sorted((point for point in points if point.startswith(f"{self.folder}/")), reverse=True)

    def end(self) -> None:
        self.stop()
        if self.folder == Path():
            return
        for point in self.mounts():
            suite.run(["umount", "--lazy", point], expect=None)
        for group in [*Path("/sys/fs/cgroup").glob(self.group), *Path("/sys/fs/cgroup").glob(f"*/{self.group}")]:
            with contextlib.suppress(OSError):
                group.rmdir()
        shutil.rmtree(self.folder, ignore_errors=True)


def build_probe(folder: Path) -> Path:
    probe = folder / "probe"
    suite.run([*shlex.split(os.environ.get("CC", "cc")), "-std=gnu11", "-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra",
               "-Werror", "-static", SOURCE, "-o", probe])  # fmt: skip
    return probe
