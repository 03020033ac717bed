/** Both sides run now: the agent here and the one of another checkout, given the same tasks at the same time. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENT, asked, changeAgent, HASTY, scriptedProject, spoorIn } from "./scripted-agent.ts";

/** A second checkout beside the project. */
function checkout(folder: string, files: Readonly<Record<string, string>>, name = "base"): string {
  const base = join(dirname(folder), name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(base, file)), { recursive: true });
    writeFileSync(join(base, file), text);
  }
  return base;
}

const folders = (project: string) =>
  readdirSync(join(project, ".spoor/recordings")).map((name) =>
    readdirSync(join(project, ".spoor/recordings", name))
      .filter((file) => file !== ".run")
      .sort(),
  );
const project = (run: readonly string[] = ["workers: 1"]) =>
  scriptedProject({ run, config: ["cohort: { use: never }"] });

describe("spoor gate --run --base", () => {
  it("runs both sides pair by pair, and compares with the base instead of the recorded baseline", async () => {
    const folder = project();
    checkout(folder, { "agent.mjs": AGENT });
    // diff.baseline does not even exist.
    expect(await spoorIn(folder, ["gate", "--run", "--base", "../base"])).toMatchObject({ code: 0 });
    expect(folders(folder)).toEqual(Array(2).fill(["damaged.run1.agentlog", "late.run1.agentlog"]));
    changeAgent(folder);
    asked.length = 0;
    const blocked = await spoorIn(folder, ["gate", "--run", "--base", "../base", "--repeat", "2"]);
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringContaining("confirm") as string });
    expect(blocked.stderr).toContain("(run 1 of the base) recorded");
    const sides = asked.map(({ system }) => (system.includes("hasty") ? "candidate" : "base"));
    expect(sides).toEqual(["base", "candidate", "candidate", "base", "base", "candidate", "candidate", "base"]);
    for (let pair = 0; pair < asked.length; pair += 2) expect(asked[pair]!.user).toBe(asked[pair + 1]!.user);
  });

  it("starts the base as its own configuration says, in its own folder, and takes the tasks from here", async () => {
    const folder = project();
    checkout(
      folder,
      {
        "old name.mjs": AGENT,
        "spoor.config.yaml":
          "run: { command: [node, old name.mjs], scenarios: { other: Another task. }, env: { TONE: old } }\n",
      },
      "the base",
    );
    asked.length = 0;
    const { code, stderr } = await spoorIn(folder, ["gate", "--run", "--base", "../the base"]);
    expect([code, stderr]).toEqual([0, expect.stringContaining("4 of 4") as string]);
    expect(asked.map(({ user }) => user).sort()).toEqual([
      "It is late.",
      "It is late.",
      "The lamp is broken.",
      "The lamp is broken.",
    ]);
  });

  it("finds a project that stands deeper in its repository at the same place", async () => {
    const folder = scriptedProject({ inside: "repository/packages/support", config: ["cohort: { use: never }"] });
    mkdirSync(join(folder, "../../.git"));
    checkout(join(folder, "../.."), { "packages/support/agent.mjs": HASTY });
    const { code, stdout } = await spoorIn(folder, ["gate", "--run", "--base", "../../../base"]);
    expect([code, stdout]).toEqual([1, expect.stringContaining("confirm") as string]);
  });

  it("judges nothing when the base did not run, and goes on with both", async () => {
    const folder = project(["workers: 2"]);
    const base = checkout(folder, { "agent.mjs": "throw new Error('not built');" });
    const failed = await spoorIn(folder, ["gate", "--run", "--base", "../base"]);
    expect([failed.code, failed.stdout]).toEqual([3, ""]);
    const told = failed.stderr.replaceAll(/\s+/g, " ");
    expect(told).toContain("2 of 4 runs did not happen.");
    expect(told).toContain("of the base) and 1 more: it ended with exit code 1: Error: not built");
    expect(told).toContain("spoor gate --run --base ../base --resume");
    writeFileSync(join(base, "agent.mjs"), AGENT);
    expect(await spoorIn(folder, ["gate", "--run", "--resume"])).toMatchObject({ code: 2 });
    const resumed = await spoorIn(folder, ["gate", "--run", "--base", "../base", "--resume"]);
    expect(resumed.code).toBe(0);
    expect(resumed.stderr.match(/\) recorded/g)).toHaveLength(2);
  });

  it("is a lens of its own, and says when the folder is none", async () => {
    const folder = project();
    const base = checkout(folder, { "agent.mjs": HASTY });
    writeFileSync(join(folder, "spoor.config.yaml"), "run: { command: node agent.mjs, scenarios: { a: Do it. } }\n");
    expect(await spoorIn(folder, ["gate", "--run"])).toMatchObject({ code: 2 });
    expect(await spoorIn(folder, ["gate", "--run", "--base", "../base"])).toMatchObject({ code: 1 });
    rmSync(join(folder, ".spoor"), { recursive: true });
    rmSync(join(base, "agent.mjs"));
    mkdirSync(join(base, ".git"));
    writeFileSync(join(folder, "../file"), "");
    const cases = {
      "../nowhere": "does not exist",
      "../file": "is no folder",
      "../base": "is empty",
      ".": "is this project itself",
    };
    for (const [path, words] of Object.entries(cases)) {
      const { code, stderr } = await spoorIn(folder, ["gate", "--run", "--base", path]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(words) as string]);
      expect(stderr).toContain("run.no-base");
    }
    expect(await spoorIn(folder, ["gate", "--base", "../base"])).toMatchObject({ code: 2 });
    expect(readdirSync(folder)).not.toContain(".spoor");
  });
});
