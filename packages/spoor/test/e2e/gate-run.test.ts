/** The whole flow of a team with real processes: baseline, unchanged, changed, unreachable, interrupted, accepted and green again. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  AGENT,
  asked,
  changeAgent,
  recordedIn as recorded,
  scriptedProject,
  spoorIn as spoor,
} from "./scripted-agent.ts";

const project = () => scriptedProject({ config: ["cohort: { use: never }"] });

describe("a team's flow", () => {
  it("goes from a baseline to green, blocked, accepted and green again", async () => {
    const folder = project();
    expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
    expect(recorded(folder)).toEqual(["damaged.run1.agentlog", "late.run1.agentlog"]);
    expect(await spoor(folder, ["gate", "--run"])).toMatchObject({ code: 0 });
    changeAgent(folder);
    const blocked = await spoor(folder, ["gate", "--run"]);
    expect(blocked).toMatchObject({ code: 1, stdout: expect.stringContaining("confirm") as string });
    // Without --run the newest runs are judged again.
    expect(await spoor(folder, ["gate"])).toMatchObject({ code: 1 });
    const accept = ["accept", "--all", "--by", "Ada", "--reason", "no confirmation is needed"];
    expect(await spoor(folder, accept)).toMatchObject({ code: 0 });
    expect(await spoor(folder, ["gate", "--run"])).toMatchObject({ code: 0 });
    expect(readFileSync(join(folder, "spoor.decisions.jsonl"), "utf8")).toContain("no confirmation is needed");
  });

  it("judges nothing when runs did not happen, and goes on with those that are missing", async () => {
    const folder = project();
    await spoor(folder, ["record", "--baseline"]);
    const down = await spoor(folder, ["gate", "--run"], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(down.code).toBe(3);
    expect(down.stdout).toBe("");
    expect(down.stderr.replaceAll(/\s+/g, " ")).toContain("2 of 2 runs did not happen.");
    expect(down.stderr).toContain("--resume");
    const resumed = await spoor(folder, ["gate", "--run", "--resume"]);
    expect(resumed).toMatchObject({ code: 0 });
    expect(recorded(folder, ".spoor/recordings")).toHaveLength(1);
    // What is there is not made again.
    const again = await spoor(folder, ["gate", "--run", "--resume"], { OPENAI_BASE_URL: "http://127.0.0.1:9/v1" });
    expect(again).toMatchObject({ code: 0 });
  });

  it("replaces the baseline scenario by scenario, repeats as often as asked, and never in CI", async () => {
    const folder = project();
    await spoor(folder, ["record", "--baseline", "--repeat", "2"]);
    expect(recorded(folder)).toHaveLength(4);
    writeFileSync(
      join(folder, "recordings/other.run1.agentlog"),
      readFileSync(join(folder, "recordings/late.run1.agentlog")),
    );
    writeFileSync(
      join(folder, "recordings/late.runner.run1.agentlog"),
      readFileSync(join(folder, "recordings/late.run1.agentlog")),
    );
    await spoor(folder, ["record", "--baseline"]);
    expect(recorded(folder)).toEqual([
      "damaged.run1.agentlog",
      "late.run1.agentlog",
      "late.runner.run1.agentlog",
      "other.run1.agentlog",
    ]);
    const ci = await spoor(folder, ["record", "--baseline"], { CI: "true" });
    expect([ci.code, ci.stderr]).toEqual([2, expect.stringContaining("not written in CI")]);
  });

  it("leaves a failed baseline as it was", async () => {
    const folder = project();
    await spoor(folder, ["record", "--baseline"]);
    const before = recorded(folder).map((file) => readFileSync(join(folder, "recordings", file), "utf8"));
    writeFileSync(join(folder, "agent.mjs"), "throw new TypeError('broken');");
    const { code, stderr } = await spoor(folder, ["record", "--baseline"]);
    expect([code, stderr]).toEqual([3, expect.stringContaining("TypeError: broken")]);
    expect(recorded(folder).map((file) => readFileSync(join(folder, "recordings", file), "utf8"))).toEqual(before);
  });

  it.each(["{PROMPT}", '"{PROMPT}"', "'{PROMPT}'", "[--say, {PROMPT}]"])(
    "hands what the user says on as it is, never as code: %s",
    async (place) => {
      const said = 'It\'s "late"; $(touch pwned) `touch pwned`\n\tSecond line & more';
      const folder = project();
      changeAgent(folder, AGENT.replace("await text(process.stdin)", "process.argv.at(-1)"));
      const command = place.startsWith("[") ? ["node", "agent.mjs", "--say", "{PROMPT}"] : `node agent.mjs ${place}`;
      const config = { run: { command, scenarios: { late: said } }, diff: { baseline: "recordings" } };
      writeFileSync(join(folder, "spoor.config.yaml"), JSON.stringify(config));
      asked.length = 0;
      expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({ code: 0 });
      expect(asked.map(({ user }) => user)).toEqual([said]);
      expect(existsSync(join(folder, "pwned"))).toBe(false);
    },
  );

  it("says what the configuration lacks", async () => {
    const folder = project();
    writeFileSync(join(folder, "spoor.config.yaml"), "traces: runs\ndiff: { baseline: recordings }\n");
    expect(await spoor(folder, ["gate", "--run"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run.no-scenarios") as string,
    });
    expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("run.no-scenarios") as string,
    });
    expect(await spoor(folder, ["gate", "--resume"])).toMatchObject({ code: 2 });
    writeFileSync(
      join(folder, "spoor.config.yaml"),
      "run: { command: node agent.mjs, scenarios: { a: b } }\ndiff: { baseline: 'runs/*.json' }\n",
    );
    expect(await spoor(folder, ["record", "--baseline"])).toMatchObject({ code: 2 });
    expect(existsSync(join(folder, ".spoor"))).toBe(false);
  });
});
