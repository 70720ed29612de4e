"""The Containerfile builds a server that answers. Its instructions are carried out in a bare Debian, by chroot.

This needs no Docker, which cannot run everywhere: mmdebstrap makes the root, and `unshare` gives each command mounts
and processes of its own. The test builds with this machine's settings of apt, pip and npm.
"""

import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from server.guests import Guest, wait_until

ROOT = Path(__file__).parents[1]
SETTINGS = (
    *("/etc/apt/apt.conf", "/etc/apt/apt.conf.d", "/etc/pip.conf", "/root/.npmrc", "/root/.config/pip"),
    *("/etc/ssl/certs", "/usr/local/share/ca-certificates", "/etc/hosts", "/etc/resolv.conf"),
)
"""The files of this machine by which its apt, pip and npm reach their registries."""
WAYS = ("PIP_", "NPM_", "NODE_EXTRA_CA_CERTS", "SSL_CERT", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY")
"""Beginnings of the environment's variables that say the same."""
KNOWN = {*["FROM", "RUN", "WORKDIR", "ENV", "COPY", "VOLUME", "USER", "EXPOSE", "HEALTHCHECK", "CMD"]}
MOUNTED = "mount -t proc proc $0/proc && mount -t tmpfs tmpfs $0/dev/shm && exec chroot"
NEEDED = ("mmdebstrap", "unshare", "chroot")


class Instruction(NamedTuple):
    """An instruction of a Containerfile, and what follows it."""

    name: str
    rest: str


def instructions() -> list[Instruction]:
    """Return the instructions of the Containerfile in order."""
    lines = (ROOT / "Containerfile").read_text(encoding="utf-8").splitlines()
    joined = "\n".join(line for line in lines if not line.startswith("#")).replace("\\\n", "")
    return [Instruction(*line.split(maxsplit=1)) for line in joined.splitlines() if line]


def given(name: str) -> str:
    """Return what follows the one instruction of a name."""
    (found,) = [each.rest for each in instructions() if each.name == name]
    return found


class Container:
    """A folder with a Debian in which the instructions have been carried out."""

    def __init__(self, folder: Path):
        self.root, self.workdir, self.user = folder / "root", "/", "root"
        self.variables = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root"}
        for each in instructions():
            assert each.name in KNOWN, f"this test cannot carry {each.name} out"
            if carry_out := getattr(self, f"_{each.name.lower()}", None):
                carry_out(each.rest)

    def command(self, words: list[str]) -> list[str]:
        """Return the command that runs these words in the container, in mounts and processes of its own."""
        inside = ["env", "-i", "-C", self.workdir, *(f"{name}={value}" for name, value in self.variables.items())]
        chroot = [str(self.root), f"--userspec={self.user}", str(self.root), *inside, *words]
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", f'{MOUNTED} "$@"', *chroot]

    def run(self, words: list[str]) -> None:
        """Run words in the container, and fail with what they print if they fail."""
        ran = subprocess.run(self.command(words), capture_output=True, text=True, check=False)
        assert ran.returncode == 0, f"{shlex.join(words)}:\n{ran.stdout[-2000:]}\n{ran.stderr[-4000:]}"

    def _from(self, image: str) -> None:
        name, _, kind = image.partition(":")
        assert (name, kind) == ("debian", "stable-slim")
        subprocess.run(["mmdebstrap", "--quiet", "--variant=minbase", "stable", self.root, debian()], check=True)
        for path in map(Path, SETTINGS):
            if path.exists():
                copy(path.resolve() if path.is_file() else path, self.root / path.relative_to("/"))
        self.variables |= {name: value for name, value in os.environ.items() if name.upper().startswith(WAYS)}

    def _run(self, words: str) -> None:
        self.run(["sh", "-c", words])

    def _workdir(self, folder: str) -> None:
        self.workdir = folder
        (self.root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)

    def _env(self, setting: str) -> None:
        name, _, value = setting.partition("=")
        self.variables[name] = value.replace("$PATH", self.variables["PATH"])

    def _copy(self, names: str) -> None:
        *sources, target = names.split()
        to = self.root / self.workdir.lstrip("/") / target
        for source in sources:
            listed = [*ROOT.glob(source)]
            assert listed, f"there is no {source}: run `make dist` first"
            for file in listed:
                copy(file, to / file.name)

    def _user(self, user: str) -> None:
        self.user, self.variables["HOME"] = user, "/data"


def debian() -> str:
    """Return the address of Debian's packages that this machine uses."""
    listed = ["apt-get", "indextargets", "--format", "$(REPO_URI)", "Origin: Debian", "Label: Debian"]
    return subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split()[0]


def copy(source: Path, target: Path) -> None:
    """Copy a file or folder, and make the folders above it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, symlinks=True)
    else:
        shutil.copy(source, target)


@pytest.fixture(scope="module")
def container() -> Iterator[Container]:
    if os.geteuid() or not all(map(shutil.which, NEEDED)):
        pytest.skip("only root can build, and with mmdebstrap (Debian: mmdebstrap)")
    if not [*ROOT.glob("dist/quintain-*.whl")]:
        subprocess.run(["make", "dist"], cwd=ROOT, check=True)
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # apt fetches as a user of its own
        yield Container(Path(folder))


def is_healthy(container: Container) -> bool:
    """Tell whether the command of HEALTHCHECK succeeds."""
    words = json.loads(given("HEALTHCHECK").partition("CMD ")[2])
    return subprocess.run(container.command(words), capture_output=True, check=False).returncode == 0


@pytest.mark.long
def test_the_container_serves_the_lobby_as_another_user_and_stops_cleanly(container: Container):
    assert not is_healthy(container), "port 8000 is taken on this machine"
    words = json.loads(given("CMD"))
    with subprocess.Popen(container.command(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as unshared:
        try:
            url = f"http://127.0.0.1:{given('EXPOSE')}"
            wait_until(lambda: is_healthy(container) or unshared.poll() is not None)
            assert httpx.get(f"{url}/health").json() == {"status": "ok"}
            ann = Guest(url, "Ann")
            assert "King&#x27;s Court" in ann.get("/", headers={"accept": "text/html"}).text
            assert ann.make("kings-court", "me", "page")
            ann.http.close()
            (served,) = Path(f"/proc/{unshared.pid}/task/{unshared.pid}/children").read_text().split()
            assert Path(f"/proc/{served}").stat().st_uid != 0, "the server does not run as root"
            os.kill(int(served), signal.SIGTERM)
            assert unshared.wait(30) == 0
        finally:
            unshared.kill()
    database = container.root / given("VOLUME").lstrip("/") / "data" / "server.sqlite"
    assert database.exists()
