/** Programs as they come: deaf, talkative, stubborn, and with children. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { runProcess } from "./run-process.ts";

const forever = () => new AbortController().signal;
const node = (script: string) => [process.execPath, "-e", script];

describe("runProcess", () => {
  it("does not mind a program that reads none of a long input", async () => {
    const input = "x".repeat(4_000_000);
    const result = await runProcess(node("process.stdin.destroy(); console.log('done')"), { ...here(), input });
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
  });

  it("keeps the end of an output of any size when only that is wanted, and refuses it otherwise", async () => {
    const script = "const line = 'x'.repeat(1023) + '\\n'; for (let i = 0; i < 3000; i++) process.stdout.write(line);";
    const talkative = node(`${script} process.stdout.write('the end');`);
    const result = await runProcess(talkative, { ...here(), keep: "end", maxBytes: 1024 });
    expect(result.exitCode).toBe(0);
    expect(result.stdout.endsWith("the end")).toBe(true);
    expect(result.stdout.length).toBeLessThan(100_000);
    await expect(runProcess(talkative, { ...here(), maxBytes: 1024 })).rejects.toThrow("larger than");
  });

  it("ends a program that does not listen to being asked", async () => {
    const stop = new AbortController();
    const script =
      "process.on('SIGTERM', () => undefined); setInterval(() => undefined, 1000); console.log(process.pid);";
    let pid = 0;
    const running = runProcess(node(script), {
      ...here(),
      signal: stop.signal,
      onLine(line) {
        pid = Number(line);
        stop.abort();
      },
    });
    await expect(running).rejects.toThrow("aborted");
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it.each([
    { name: "holds the output open", redirect: "" },
    { name: "has closed the output", redirect: ">/dev/null 2>&1 </dev/null" },
  ])("ends what a program leaves running when it $name", async ({ redirect }) => {
    const { cwd } = here();
    const result = await runProcess(`sleep 1000 ${redirect} & echo $! > pid; echo done`, {
      cwd,
      env,
      signal: forever(),
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it.runIf(process.platform === "linux").each([
    ["in a session of its own", "setsid sh -c 'echo $$ > pid; exec sleep 1000' >/dev/null 2>&1 &"],
    ["adopted by another", "(setsid sh -c 'echo $$ > pid; exec sleep 1000' >/dev/null 2>&1 &)"],
    [
      "that ignores hangups",
      "nohup setsid sh -c 'trap \"\" HUP TERM; echo $$ > pid; sleep 1000; true' >/dev/null 2>&1 &",
    ],
  ])("ends what a program leaves running %s", async (_name, start) => {
    const { cwd } = here();
    const wait = "while [ ! -s pid ]; do sleep 0.02; done; echo done";
    const result = await runProcess(`${start}\n${wait}`, { cwd, env, signal: forever() });
    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
    const pid = Number(readFileSync(join(cwd, "pid"), "utf8"));
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  it("hands over what was printed until it was stopped, where that is wanted", async () => {
    const stop = new AbortController();
    const script = "console.log('one'); setInterval(() => undefined, 1000);";
    const onLine = () => stop.abort();
    const result = await runProcess(node(script), { ...here(), signal: stop.signal, onLine, partial: true });
    expect(result).toMatchObject({ stdout: "one\n", stopped: true });
  });

  it("runs in a folder whose name has spaces and quotes", async () => {
    const cwd = join(temporaryFolder(), "it's a folder");
    mkdirSync(cwd);
    writeFileSync(join(cwd, "agent.mjs"), "console.log('here')");
    expect(await runProcess("node agent.mjs", { cwd, env, signal: forever() })).toMatchObject({ stdout: "here\n" });
  });
});

const env = process.env;

function here() {
  return { cwd: temporaryFolder(), env, signal: forever() };
}

/** A process that has ended but was not asked about yet does not count. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const stat = process.platform === "linux" ? readFileSync(`/proc/${pid}/stat`, "utf8") : "";
    return !/^\d+ \(.*\) Z/.test(stat);
  } catch {
    return false;
  }
}
