/** A person edits, the agent is run again: real files, real processes, a real key. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { spoorBin } from "./run-spoor.ts";
import { AGENT, changeAgent, HASTY, modelUrl, scriptedProject, spoorIn } from "./scripted-agent.ts";

const FIVE = Array.from({ length: 5 }, (_, index) => `ticket-${index}: Refund order A-${index}.`);

/** The agent with its prompt in a file, and what it writes beside it. */
const PROMPTED = AGENT.replace(
  '"You are a careful agent."',
  '(await import("node:fs")).readFileSync("prompt.md", "utf8")',
).concat('\n(await import("node:fs")).appendFileSync("agent.log", "done\\n");\n');

async function project(): Promise<string> {
  const folder = scriptedProject({ scenarios: FIVE, agent: PROMPTED });
  writeFileSync(join(folder, "prompt.md"), "You are a careful agent.");
  expect(await spoorIn(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
  return folder;
}

function watching(folder: string, words: readonly string[] = []) {
  const child = spawn(process.execPath, [spoorBin, "watch", ...words], {
    cwd: folder,
    env: { ...process.env, OPENAI_BASE_URL: modelUrl(), CI: "", LC_ALL: "C.UTF-8" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const told: string[] = [];
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => told.push(text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const waits = () => err.split("Waiting for a change.").length - 1;
  return {
    child,
    ended,
    told,
    err: () => err,
    /** Until it has waited so many times. */
    until: (times: number) => expect.poll(waits, { timeout: 90_000 }).toBe(times),
  };
}

describe("spoor watch", () => {
  it("says what an edit changes, says when it is undone, and quits", async () => {
    const folder = await project();
    const watch = watching(folder);
    await watch.until(1);
    // Three first, then all five.
    expect(watch.told).toHaveLength(2);
    expect(watch.told[0]).toContain("Running 2 other scenarios …");
    expect(watch.told[1]).not.toContain("other scenario");
    for (const text of watch.told) expect(text).toContain("✓");

    writeFileSync(join(folder, "prompt.md"), "You are a hasty agent.");
    await watch.until(2);
    expect(watch.err()).toContain("prompt.md changed. Running …");
    expect(watch.told).toHaveLength(3);
    expect(watch.told[2]).toContain("✗ Blocked");
    expect(watch.told[2]).toContain("confirm");
    expect(watch.told[2]).toContain("ticket-0 turn 1");
    expect(watch.told[2]).toContain("Not run: 2 other scenarios.");

    // Enter runs all, whatever the first few say.
    watch.child.stdin.write("\n");
    await watch.until(3);
    expect(watch.told[3]).toContain("✗ Blocked");
    expect(watch.told[3]).not.toContain("Not run");

    writeFileSync(join(folder, "prompt.md"), "You are a careful agent.");
    await watch.until(4);
    expect(watch.told.at(-1)).toContain("✓");
    watch.child.stdin.write("q");
    expect(await watch.ended).toBe(0);
    // Nothing of it is anybody's newest run.
    expect(readdirSync(join(folder, ".spoor/recordings"))).toEqual([]);
  });

  it("gives up what is under way when a newer change comes, and goes on after a mistake", async () => {
    const folder = await project();
    const watch = watching(folder, ["--first", "5"]);
    await watch.until(1);
    // This agent would never end.
    const stuck = `import { appendFileSync } from "node:fs";\nappendFileSync("pids.log", process.pid + "\\n");\nsetInterval(() => undefined, 1000);`;
    changeAgent(folder, stuck);
    const pids = () => {
      try {
        return readFileSync(join(folder, "pids.log"), "utf8").trim().split("\n").map(Number);
      } catch {
        return [];
      }
    };
    await expect.poll(() => pids().length, { timeout: 60_000 }).toBeGreaterThan(0);
    changeAgent(folder, HASTY);
    await watch.until(2);
    expect(watch.told.at(-1)).toContain("✗ Blocked");
    await expect.poll(() => pids().filter(isRunning)).toEqual([]);

    changeAgent(folder, "throw new TypeError('half typed');");
    await watch.until(3);
    expect(watch.err().replaceAll(/\s+/g, " ")).toContain("5 of 5 runs did not happen.");
    expect(watch.err()).toContain("TypeError: half typed");
    // What tools write is no change.
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "node_modules/x.js"), "1");
    writeFileSync(join(folder, "recordings/new.txt"), "1");
    writeFileSync(join(folder, "agent.mjs"), "throw new TypeError('half typed');");
    mkdirSync(join(folder, "prompts"));
    writeFileSync(join(folder, "prompts/new.md"), "Be kind.");
    await watch.until(4);
    expect(watch.err()).toContain("prompts/new.md changed.");
    watch.child.kill("SIGINT");
    expect(await watch.ended).toBe(130);
  });

  it("is not kept busy by what the agent itself writes", async () => {
    const folder = await project();
    changeAgent(folder, PROMPTED.replace("agent.log", "answers.txt"));
    const watch = watching(folder, ["--first", "5"]);
    await watch.until(1);
    expect(watch.err()).toContain("answers.txt changes whenever the agent runs: it is taken for its output.");
    expect(watch.told.at(-1)).toContain("✓");
    writeFileSync(join(folder, "prompt.md"), "You are a hasty agent.");
    await watch.until(2);
    expect(watch.told.at(-1)).toContain("✗ Blocked");
    watch.child.stdin.write("q");
    expect(await watch.ended).toBe(0);
  });

  it("runs once for scripts, with the gate's exit code, and looks only at what run.watch names", async () => {
    const folder = await project();
    const good = await spoorIn(folder, ["watch", "--once", "--first", "1"]);
    expect([good.code, good.stderr]).toEqual([0, ""]);
    writeFileSync(join(folder, "prompt.md"), "You are a hasty agent.");
    expect(await spoorIn(folder, ["watch", "--once"])).toMatchObject({ code: 1 });
    const down = await spoorIn(folder, ["watch", "--once"], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(down.code).toBe(3);
    const config = join(folder, "spoor.config.yaml");
    writeFileSync(config, readFileSync(config, "utf8").replace("workers: 2", "workers: 2\n  watch: prompt*.md"));
    const watch = watching(folder, ["--first", "1"]);
    await watch.until(1);
    writeFileSync(join(folder, "notes.md"), "not looked at");
    writeFileSync(join(folder, "prompt.md"), "You are a careful agent.");
    await watch.until(2);
    expect(watch.err()).not.toContain("notes.md");
    expect(watch.told.at(-1)).toContain("✓");
    watch.child.stdin.write("q\n");
    expect(await watch.ended).toBe(0);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
