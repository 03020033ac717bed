/** `spoor review` on a real terminal: a pseudo-terminal of Python's, where there is one. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const example = fileURLToPath(new URL("../../../../examples/refund", import.meta.url));
const program = fileURLToPath(new URL("../../bin/spoor.js", import.meta.url));

function refunds(): string {
  const folder = temporaryFolder();
  cpSync(example, folder, { recursive: true });
  return folder;
}
const read = (folder: string, file: string) => readFileSync(join(folder, file), "utf8");

/** Runs a shell in a pseudo-terminal and plays steps to it: waits for a text, then types, resizes or sends a signal. */
const PLAYER = `
import fcntl, json, os, pty, select, signal, struct, sys, termios, time
steps = json.load(open(sys.argv[1]))
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[2], sys.argv[2:])
def size(columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
size(80, 40)
out, mark, deadline = b"", 0, time.time() + 60
def pump(seconds):
    global out
    ready, _, _ = select.select([fd], [], [], seconds)
    if not ready: return True
    try: data = os.read(fd, 65536)
    except OSError: return False
    out += data
    return data != b""
open_ = True
for step in steps:
    while open_ and step["wait"].encode() not in out[mark:] and time.time() < deadline: open_ = pump(0.1)
    if step["wait"].encode() not in out[mark:]: break
    mark = len(out) if step.get("fresh", True) else mark
    if "type" in step: os.write(fd, step["type"].encode())
    if "size" in step: size(*step["size"])
    if "signal" in step:
        import subprocess
        child = subprocess.check_output(["pgrep", "-P", str(pid)]).split()[0]
        os.kill(int(child), getattr(signal, step["signal"]))
while open_ and time.time() < deadline: open_ = pump(0.2)
if open_: os.kill(pid, signal.SIGKILL)
_, status = os.waitpid(pid, 0)
sys.stdout.buffer.write(out)
sys.stderr.write("code %d" % os.waitstatus_to_exitcode(status))
`;

interface Step {
  /** What has to be seen since the last step. */
  readonly wait: string;
  readonly type?: string;
  readonly size?: readonly [columns: number, rows: number];
  readonly signal?: string;
}

function play(folder: string, steps: readonly Step[], words: readonly string[] = ["review"], env = {}) {
  const home = temporaryFolder();
  writeFileSync(join(home, "player.py"), PLAYER);
  writeFileSync(join(home, "steps.json"), JSON.stringify(steps));
  // A shell with job control stands between, as it does for people: it is what stops and goes on.
  const line = `set -m; '${process.execPath}' '${program}' ${words.map((word) => `'${word}'`).join(" ")}; code=$?; while [ $code -gt 144 ]; do sleep 0.5; fg >/dev/null; code=$?; done; echo "ended $code"; exit $code`;
  const { stdout, stderr } = spawnSync(
    "python3",
    [join(home, "player.py"), join(home, "steps.json"), "bash", "-c", line],
    {
      cwd: folder,
      encoding: "utf8",
      timeout: 150_000,
      env: { PATH: process.env["PATH"], TERM: "xterm", LANG: "C.UTF-8", ...env },
    },
  );
  return { out: stdout, code: Number(/code (-?\d+)/.exec(stderr)?.[1] ?? Number.NaN) };
}

function hasTerminals(): boolean {
  try {
    execFileSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode(0)"], { stdio: "ignore" });
    execFileSync("bash", ["-c", "command -v pgrep"], { stdio: "ignore" });
    return process.platform !== "win32";
  } catch {
    return false;
  }
}

const ENTER = "\u001b[?1049h\u001b[?25l";
const LEAVE = "\u001b[?25h\u001b[?1049l";
const times = (text: string, part: string) => text.split(part).length - 1;

describe.skipIf(!hasTerminals())("spoor review on a terminal", () => {
  it("accepts, asks about the rule and the reason, and writes at the end alone", async () => {
    const folder = refunds();
    const { out, code } = play(
      folder,
      [
        { wait: "nothing is written yet", type: "a" },
        { wait: "1 accepted", size: [100, 30] },
        { wait: "1 accepted", type: "w" },
        { wait: "Also take out", type: "y" },
        { wait: "Why?", type: "new flow\r" },
      ],
      ["review", "--by", "Ada"],
    );
    expect(code).toBe(0);
    expect([times(out, ENTER), times(out, LEAVE)]).toEqual([1, 1]);
    const after = out.slice(out.indexOf(LEAVE));
    expect(after).toContain("Accepted: issue_refund runs without");
    expect(after).toContain("git add baseline/ticket-1042.agentlog");
    expect(JSON.parse(read(folder, "spoor.decisions.jsonl"))).toMatchObject({ by: "Ada", why: "new flow" });
    expect((await runSpoor(["gate"], { cwd: folder })).code).toBe(0);
  }, 160_000);

  it.each([
    ["q", [{ wait: "nothing is written yet", type: "q" }], 0],
    [
      "discarding",
      [
        { wait: "nothing is written yet", type: "aq" },
        { wait: "not written", type: "d" },
      ],
      0,
    ],
    ["Ctrl-C", [{ wait: "nothing is written yet", type: "a\u0003" }], 130],
    [
      "SIGTERM",
      [
        { wait: "nothing is written yet", type: "a" },
        { wait: "1 accepted", signal: "SIGTERM" },
      ],
      143,
    ],
    ["SIGINT", [{ wait: "nothing is written yet", signal: "SIGINT" }], 130],
  ] as const)(
    "leaves the terminal as it was after %s, and writes nothing",
    (_how, steps, expected) => {
      const folder = refunds();
      const before = read(folder, "baseline/ticket-1042.agentlog");
      const { out, code } = play(folder, steps);
      expect([code, times(out, ENTER), times(out, LEAVE)]).toEqual([expected, 1, 1]);
      expect(out.lastIndexOf(LEAVE)).toBeLessThan(out.lastIndexOf("ended"));
      expect(read(folder, "baseline/ticket-1042.agentlog")).toBe(before);
      expect(existsSync(join(folder, "spoor.decisions.jsonl"))).toBe(false);
    },
    160_000,
  );

  it.each([
    ["Ctrl-Z", { wait: "1 accepted", type: "\u001a" }],
    ["SIGTSTP", { wait: "1 accepted", signal: "SIGTSTP" }],
  ])(
    "gives the terminal back while it is stopped by %s, and goes on where it was",
    (_how, stop) => {
      const folder = refunds();
      const { out, code } = play(folder, [
        { wait: "nothing is written yet", type: "a" },
        stop,
        { wait: ENTER, type: "" },
        { wait: "", type: "q" },
        { wait: "not written", type: "d" },
      ]);
      expect([code, times(out, ENTER), times(out, LEAVE)]).toEqual([0, 2, 2]);
      expect(out.lastIndexOf("1 accepted")).toBeGreaterThan(out.lastIndexOf(ENTER));
    },
    160_000,
  );

  it("has no colour with NO_COLOR and nothing but ASCII with --ascii", () => {
    const folder = refunds();
    const { out } = play(folder, [{ wait: "nothing is written yet", type: "q" }], ["review", "--ascii"], {
      NO_COLOR: "1",
    });
    const screen = out.slice(out.indexOf(ENTER), out.indexOf(LEAVE));
    expect(screen).not.toMatch(/\u001b\[[0-9;]+m/);
    expect(screen).toMatch(/^[\u0000-\u007e]*$/);
  }, 160_000);
});

describe("spoor review without a terminal", () => {
  it("lists the cards and says how to decide", async () => {
    const folder = refunds();
    const { code, stdout, stderr } = await runSpoor(["review"], { cwd: folder });
    expect(code).toBe(0);
    expect(stdout).toContain("✗ 1  issue_refund runs without confirm_refund_amount before it");
    expect(stderr).toContain("spoor accept --card N");
  });

  it("is refused in CI", async () => {
    const { code, stderr } = await runSpoor(["review"], { cwd: refunds(), env: { CI: "true" } });
    expect([code, stderr]).toEqual([2, expect.stringContaining("accept.in-ci")]);
  });
});
