/** The real program as an agent starts it; what it decides is tested in src/hook. */
import { spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runSpoor, spoorBin, temporaryFolder } from "./run-spoor.ts";

const POLICY = `
rules:
  - id: one-push
    kind: max_calls
    params: { tool: Push, limit: 1 }
  - id: no-rm
    kind: no_call
    params: { tool: Bash, args: [{ path: command, op: contains, value: "rm -rf /" }] }
  - id: no-secrets
    kind: forbidden_text
    params: { text: secret }
`;

function project(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "policy.yaml"), POLICY);
  return folder;
}

const event = (tool: string, input: object = {}, extra: object = {}) =>
  JSON.stringify({ session_id: "s/1", hook_event_name: "PreToolUse", tool_name: tool, tool_input: input, ...extra });

async function hook(folder: string, stdin: string, ...args: string[]) {
  const env = { XDG_STATE_HOME: join(folder, "state"), CLAUDE_PROJECT_DIR: "" };
  const run = await runSpoor(["hook", "--policy", "policy.yaml", ...args], { cwd: folder, stdin, env });
  const decision = run.stdout === "" ? undefined : JSON.parse(run.stdout).hookSpecificOutput;
  return { ...run, decision: decision?.permissionDecision, reason: decision?.permissionDecisionReason };
}

describe("spoor hook", () => {
  it("refuses with the reason, remembers the session, says what it does not judge, and logs", async () => {
    const folder = project();
    const first = await hook(folder, event("Push", {}, { tool_use_id: "t1" }), "--log", "log.jsonl");
    expect(first).toMatchObject({ code: 0, decision: undefined });
    expect(JSON.parse(first.stdout)).toEqual({ systemMessage: expect.stringContaining("does not judge no-secrets") });
    const post = { hook_event_name: "PostToolUse", tool_use_id: "t1", tool_response: { ok: true } };
    expect(await hook(folder, event("Push", {}, post), "--log", "log.jsonl")).toMatchObject({ code: 0, stdout: "" });
    expect(await hook(folder, event("Push", {}, { tool_use_id: "t2" }), "--log", "log.jsonl")).toMatchObject({
      code: 0,
      decision: "deny",
      reason: expect.stringContaining("one-push"),
      stderr: "",
    });
    expect(await hook(folder, event("Read"), "--grant", "--log", "log.jsonl")).toMatchObject({ decision: "allow" });

    const lines = readFileSync(join(folder, "log.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ spoor, decision, status, rule }) => [spoor, decision ?? status, rule])).toEqual([
      ["decision", "none", null],
      ["outcome", "ok", undefined],
      ["decision", "deny", "one-push"],
      ["decision", "allow", null],
    ]);
    expect(lines[2]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      door: "hook",
      session: "s/1",
      agent: "main",
      tool: "Push",
      call: "t2",
      policy: { name: "policy.yaml", digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) },
      // The hash of "{}", by any tool.
      arguments_digest: "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",
    });
    // What was refused never happened: the log is a trace that keeps the rules.
    const checked = await runSpoor(["check", "log.jsonl", "--policy", "policy.yaml", "--fail-on", "minor"], {
      cwd: folder,
    });
    expect(checked).toMatchObject({ code: 0 });
    const shown = await runSpoor(["show", "log.jsonl"], { cwd: folder });
    expect(shown.stdout).toContain("Push");
  });

  it("lets exactly one of many parallel calls through", async () => {
    const folder = project();
    const runs = await Promise.all(
      Array.from({ length: 8 }, (_, index) => hook(folder, event("Push", {}, { tool_use_id: `t${index}` }))),
    );
    expect(runs.map((run) => run.code)).toEqual(runs.map(() => 0));
    expect(runs.filter((run) => run.decision === undefined)).toHaveLength(1);
  });

  it("exits with 2 for what it cannot judge", async () => {
    const folder = project();
    expect(await hook(folder, "hello")).toMatchObject({ code: 2, stdout: "" });
    expect(await hook(folder, event("Read"), "--skip", "nothing")).toMatchObject({ code: 2, stdout: "" });
    expect((await runSpoor(["hook"], { cwd: folder, stdin: event("Edit") })).code).toBe(2);
    writeFileSync(join(folder, "policy.yaml"), "rules: [{kind: no_cal}]");
    expect(await hook(folder, event("Edit"))).toMatchObject({ code: 2, stdout: "" });
  });

  it("refuses in time when its event never ends, and when another hook hangs", async () => {
    const folder = project();
    const env = { ...process.env, XDG_STATE_HOME: join(folder, "state") };
    const child = spawn(process.execPath, [spoorBin, "hook", "--policy", "policy.yaml", "--timeout", "0.2"], {
      cwd: folder,
      env,
      stdio: ["pipe", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdin.write('{"hook_event_name":');
    expect(await new Promise((resolve) => child.on("close", resolve))).toBe(2);
    expect(stderr).toContain("hook.failed");
    child.stdin.destroy();

    await hook(folder, event("Read"));
    const histories = join(folder, "state/spoor/hooks");
    const owner = JSON.stringify({ pid: process.pid, host: (await import("node:os")).hostname(), token: "t" });
    writeFileSync(join(histories, `${readdirSync(histories)[0]}.lock`), owner);
    expect(await hook(folder, event("Read"), "--timeout", "0.5")).toMatchObject({ code: 2, stdout: "" });
  });
});
