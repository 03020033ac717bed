/** A call that a hook, a rule or a person refused stands in an agent's own file with a failed result; it never ran all the same. */
import type { JsonObject } from "@spoor/core";
import { checkPolicy } from "@spoor/core/internal/policy/check-policy";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { describe, expect, it } from "vitest";
import { readTrace } from "../load/read-trace.ts";

const policy = parsePolicy(
  `rules:
  - { id: once, kind: max_calls, params: { tool: Write, limit: 1 } }
  - { id: formula, kind: ltl_formula, params: { formula: "G !tool_call:Deploy" } }
  - { id: sound, kind: no_failed_call }
  - { id: order, kind: must_call_before, params: { first: Ask, second: Write } }`,
  { file: "policy.yaml" },
);

let line = 0;
const at = () => ({
  sessionId: "s",
  uuid: `u${line}`,
  timestamp: new Date(Date.UTC(2026, 0, 1) + line++ * 1000).toISOString(),
});
const asks = (id: string, name: string): JsonObject => ({
  ...at(),
  type: "assistant",
  message: {
    id: `m-${id}`,
    role: "assistant",
    model: "claude",
    content: [{ type: "tool_use", id, name, input: {} }],
    stop_reason: "tool_use",
  },
});
const result = (id: string, rest: JsonObject = {}, isError = false): JsonObject => ({
  ...at(),
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "x", is_error: isError }] },
  ...rest,
});
const said: JsonObject = { ...at(), type: "user", message: { role: "user", content: "Do it" } };

async function broken(...lines: readonly JsonObject[]): Promise<string[]> {
  const trace = await readTrace([said, ...lines].map((one) => JSON.stringify(one)).join("\n"));
  return [...new Set(checkPolicy(trace, policy).violations.map(({ ruleId }) => ruleId))];
}

const ran = [asks("a", "Ask"), result("a"), asks("b", "Write"), result("b")];

describe("in a transcript of Claude Code", () => {
  it.each<[string, JsonObject]>([
    ["a hook", { permissionDecision: { decision: "reject", source: "hook", reasonType: "hook" } }],
    ["a rule of the settings", { toolDenialKind: "permission-rule" }],
    ["a person", { permissionDecision: { decision: "reject", source: "user" }, toolDenialKind: "user-rejected" }],
  ])("what %s refused breaks no rule", async (_who, told) => {
    expect(await broken(...ran, asks("c", "Write"), result("c", told, true))).toEqual([]);
    expect(await broken(...ran, asks("c", "Deploy"), result("c", told, true))).toEqual([]);
  });

  it("nor does it keep one: a question that was refused was not asked", async () => {
    const told = { permissionDecision: { decision: "reject", source: "hook" } };
    expect(await broken(asks("a", "Ask"), result("a", told, true), asks("b", "Write"), result("b"))).toEqual(["order"]);
  });

  it("what ran and failed did run", async () => {
    const told = { permissionDecision: { decision: "accept", source: "config" } };
    expect(await broken(...ran, asks("c", "Write"), result("c", told, true))).toEqual(["once", "sound"]);
    expect(await broken(...ran, asks("c", "Deploy"), result("c", told, true))).toEqual(["formula", "sound"]);
  });
});

it("a stream says at its end what was not permitted", async () => {
  const end = { type: "result", subtype: "success", is_error: false, session_id: "s", result: "done" };
  const refused = [...ran, asks("c", "Write"), result("c", {}, true)];
  const denials = [{ tool_name: "Write", tool_use_id: "c", tool_input: {} }];
  expect(await broken(...refused, end)).toEqual(["once", "sound"]);
  expect(await broken(...refused, { ...end, permission_denials: denials })).toEqual([]);
});

describe("in a rollout of Codex", () => {
  const deploy = parsePolicy(
    "rules: [{ id: no-deploy, kind: no_command, params: { commands: [{ program: deploy }] } }]",
    {
      file: "policy.yaml",
    },
  );
  const item = (payload: JsonObject): JsonObject => ({ timestamp: at().timestamp, type: "response_item", payload });
  const rollout = (output: string, cmd = "deploy now", events: readonly JsonObject[] = []) => [
    { timestamp: at().timestamp, type: "session_meta", payload: { id: "s", originator: "codex_exec" } },
    item({ type: "message", role: "user", content: [{ type: "input_text", text: "Do it" }] }),
    item({ type: "function_call", name: "exec_command", arguments: JSON.stringify({ cmd }), call_id: "c1" }),
    ...events,
    item({ type: "function_call_output", call_id: "c1", output }),
  ];
  const check = async (lines: readonly JsonObject[]) => {
    const trace = await readTrace(lines.map((one) => JSON.stringify(one)).join("\n"));
    return checkPolicy(trace, deploy).violations.length;
  };
  const no = "Command blocked by PreToolUse hook: no-deploy: It runs deploy.. Command: deploy now";

  it("what a hook refused breaks no rule", async () => {
    expect(await check(rollout(no))).toBe(0);
  });

  it.each([
    ["what ran", rollout("Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 0\nOutput:\n")],
    ["what ran and printed such words", rollout(`Chunk ID: 1\nProcess exited with code 0\nOutput:\n${no}`)],
    ["what was refused in the name of another command", rollout(no, "deploy later")],
    [
      "what has an outcome of its own",
      rollout(no, "deploy now", [
        {
          timestamp: at().timestamp,
          type: "event_msg",
          payload: { type: "item_completed", item: { type: "CommandExecution", id: "c1", exit_code: 0 } },
        },
      ]),
    ],
  ])("%s does", async (_name, lines) => {
    expect(await check(lines)).toBe(1);
  });
});
