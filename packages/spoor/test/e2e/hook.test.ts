import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const POLICY = `
rules:
  - id: read-before-edit
    kind: must_call_before
    params: { first: Read, second: Edit }
  - id: one-push
    kind: max_calls
    params: { tool: Push, limit: 1 }
  - id: no-rm
    kind: no_call
    params: { tool: Bash, args: [{ path: command, op: contains, value: "rm -rf" }] }
`;

function project(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "policy.yaml"), POLICY);
  return folder;
}

const event = (tool: string, input: object = {}, extra: object = {}) =>
  JSON.stringify({ session_id: "s/1", hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, ...extra });

async function hook(folder: string, stdin: string, ...args: string[]) {
  const run = await runSpoor(["hook", "--policy", "policy.yaml", ...args], { cwd: folder, stdin });
  const decision = run.stdout === "" ? undefined : JSON.parse(run.stdout).hookSpecificOutput;
  return { ...run, decision: decision?.permissionDecision, reason: decision?.permissionDecisionReason };
}

describe("spoor hook", () => {
  it("refuses with the reason, remembers the session, and leaves the rest to the agent's own permissions", async () => {
    const folder = project();
    expect(await hook(folder, event("Edit"))).toMatchObject({
      code: 0,
      decision: "deny",
      reason: expect.stringContaining("read-before-edit"),
    });
    expect(await hook(folder, event("Read"))).toMatchObject({ code: 0, stdout: "" });
    expect(await hook(folder, event("Edit"))).toMatchObject({ code: 0, stdout: "" });
    expect(await hook(folder, event("Edit", {}, { session_id: "other" }))).toMatchObject({ decision: "deny" });
    expect(await hook(folder, event("Read"), "--grant")).toMatchObject({ decision: "allow" });
  });

  it("judges arguments", async () => {
    const folder = project();
    expect(await hook(folder, event("Bash", { command: "rm -rf /" }))).toMatchObject({ decision: "deny" });
    expect(await hook(folder, event("Bash", { command: "ls" }))).toMatchObject({ stdout: "" });
  });

  it("takes results", async () => {
    const folder = project();
    await hook(folder, event("Read", {}, { tool_use_id: "t1" }));
    const post = event(
      "Read",
      {},
      { tool_use_id: "t1", hook_event_name: "PostToolUse", tool_response: "x".repeat(200_000) },
    );
    expect(await hook(folder, post)).toMatchObject({ code: 0, stdout: "" });
    const [file] = readdirSync(join(folder, ".spoor/hooks"));
    expect(readFileSync(join(folder, ".spoor/hooks", file!), "utf8").length).toBeLessThan(70_000);
  });

  it("lets exactly one of many parallel calls through", async () => {
    const folder = project();
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, index) => hook(folder, event("Push", {}, { tool_use_id: `t${index}` }))),
    );
    expect(runs.map((run) => run.code)).toEqual(runs.map(() => 0));
    expect(runs.filter((run) => run.decision === undefined)).toHaveLength(1);
    expect(runs.filter((run) => run.decision === "deny")).toHaveLength(11);
  });

  it.each([
    { name: "no JSON", stdin: "hello" },
    { name: "nothing", stdin: "" },
    { name: "another event", stdin: JSON.stringify({ hook_event_name: "Stop", session_id: "s" }) },
    { name: "no session", stdin: JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Read" }) },
  ])("refuses (exit 2) what it cannot judge: $name", async ({ stdin }) => {
    expect(await hook(project(), stdin)).toMatchObject({ code: 2, stdout: "" });
  });

  it("refuses when the policy or the history cannot be read", async () => {
    const folder = project();
    await hook(folder, event("Read"));
    const [file] = readdirSync(join(folder, ".spoor/hooks"));
    writeFileSync(join(folder, ".spoor/hooks", file!), "rubbish\n");
    expect((await hook(folder, event("Edit"))).code).toBe(2);
    writeFileSync(join(folder, "policy.yaml"), "rules: [{kind: no_cal}]");
    expect((await hook(folder, event("Edit"))).code).toBe(2);
    expect((await runSpoor(["hook"], { cwd: folder, stdin: event("Edit") })).code).toBe(2);
  });
});
