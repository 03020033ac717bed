/** Ten scenarios twice: unchanged, changed, unreachable, interrupted, and stopped early. */
import { spawn } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { spoorBin } from "./run-spoor.ts";
import { AGENT, changeAgent, modelUrl, recordedIn, scriptedProject, spoorIn } from "./scripted-agent.ts";

const TEN = Array.from({ length: 10 }, (_, index) => `ticket-${index}: Refund order A-${index}.`);
const ten = () => scriptedProject({ scenarios: TEN, run: ["repeat: 2", "workers: 4"] });

/** The recordings of the newest runs, without what is not one. */
function newest(folder: string): string[] {
  const name = readdirSync(join(folder, ".spoor/recordings")).sort().at(-1)!;
  return readdirSync(join(folder, ".spoor/recordings", name)).filter((file) => file.endsWith(".agentlog"));
}

describe("ten scenarios twice", () => {
  it("pass unchanged, also with --stop-early, and block without the confirmation; --stop-early needs fewer runs", async () => {
    const folder = ten();
    expect(await spoorIn(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
    expect(recordedIn(folder)).toHaveLength(20);
    const unchanged = await spoorIn(folder, ["gate", "--run", "--stop-early"]);
    expect([unchanged.code, unchanged.stderr]).toEqual([0, expect.not.stringContaining("Stopped early") as string]);
    expect(newest(folder)).toHaveLength(20);

    changeAgent(folder);
    expect(await spoorIn(folder, ["gate", "--run"])).toMatchObject({ code: 1 });
    expect(newest(folder)).toHaveLength(20);
    const stopped = await spoorIn(folder, ["gate", "--run", "--stop-early"]);
    expect(stopped.code).toBe(1);
    expect(stopped.stderr).toMatch(/Stopped early after \d+ of 20 pairs: a change is certain\./);
    expect(stopped.stdout).toMatch(/Cohort +changed; stopped after \d+ of 20 pairs of runs/);
    expect(newest(folder).length).toBeLessThan(20);
    // Judged again, the test for a fixed number of runs is still not read.
    const again = await spoorIn(folder, ["gate", "--format", "json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({
      status: "blocked",
      reports: { earlyStop: { verdict: "changed", plannedPairs: 20 } },
    });
    expect(JSON.parse(again.stdout)).not.toHaveProperty("reports.cohort");
    // Completed, it is.
    const whole = await spoorIn(folder, ["gate", "--run", "--resume", "--format", "json"]);
    expect(newest(folder)).toHaveLength(20);
    expect(JSON.parse(whole.stdout)).toHaveProperty("reports.cohort.verdict", "changed");
    expect(JSON.parse(whole.stdout)).not.toHaveProperty("reports.earlyStop");
  });

  it("judge nothing without a model", async () => {
    const folder = ten();
    const down = await spoorIn(folder, ["gate", "--run"], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect([down.code, down.stdout]).toEqual([3, ""]);
    expect(down.stderr.replaceAll(/\s+/g, " ")).toContain("20 of 20 runs did not happen.");
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "end at %s with what is recorded and no process, and --resume makes the others",
    async (signal) => {
      const folder = ten();
      // The agent of later tickets waits for ever, deaf to being asked, with a process of its own.
      const waits = AGENT.replace(
        "const messages",
        `import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
process.on("SIGTERM", () => undefined);
const prompt = await text(process.stdin);
if (/A-[5-9]/.test(prompt)) {
  const child = spawn("sleep", ["1000"]);
  appendFileSync("pids", process.pid + "\\n" + child.pid + "\\n");
  await new Promise(() => setInterval(() => undefined, 1000));
}
const messages`,
      ).replace("await text(process.stdin) }];", "prompt }];");
      changeAgent(folder, waits);
      const child = spawn(process.execPath, [spoorBin, "gate", "--run"], {
        cwd: folder,
        env: { ...process.env, OPENAI_BASE_URL: modelUrl(), CI: "" },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let told = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        told += text;
      });
      const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
      const pids = () => {
        try {
          return readFileSync(join(folder, "pids"), "utf8").trim().split("\n").map(Number);
        } catch {
          return [];
        }
      };
      // All four workers wait: eight processes.
      await expect.poll(() => pids().length, { timeout: 60_000 }).toBe(8);
      const before = newest(folder).sort();
      child.kill(signal);
      expect(await ended).toBe(130);
      expect(told).toContain(`Interrupted: ${before.length} of 20 runs are recorded.`);
      expect(told).toContain("run.interrupted");
      expect(newest(folder).sort()).toEqual(before);
      await expect.poll(() => pids().filter(isRunning)).toEqual([]);

      changeAgent(folder, AGENT);
      await spoorIn(folder, ["record", "--baseline"]);
      // The newest are the interrupted ones: those of the baseline were moved.
      const resumed = await spoorIn(folder, ["gate", "--run", "--resume"]);
      expect(resumed.code).toBe(0);
      expect(resumed.stderr.match(/ recorded, /g)).toHaveLength(20 - before.length);
      expect(newest(folder)).toHaveLength(20);
    },
  );
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== "linux" || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
