import { existsSync, mkdtempSync, readFileSync, renameSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import { beforeEach, describe, expect, it } from "vitest";
import { createGuard, type GuardOptions, PolicyViolationError } from "../index.ts";
import { createDecisionLog } from "./decision-log.ts";

const policy = parsePolicy(
  JSON.stringify([
    { id: "once", kind: "max_calls", params: { tool: "pay", limit: 1 } },
    { id: "never", kind: "no_call", params: { tool: "drop" } },
  ]),
  { file: "policy.json" },
);
const now = () => new Date("2026-11-15T12:00:00Z");

let file = "";
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), "spoor-decisions-")), "log", "decisions.jsonl");
});
const linesOf = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as JsonObject);

function calls(options: GuardOptions) {
  const ran: string[] = [];
  const tools = createGuard(policy, { now, ...options })
    .session("ticket", { agent: "main" })
    .wrapTools({
      pay: ({ amount }: { amount: number }) => {
        ran.push(`pay ${amount}`);
        if (amount < 0) throw new Error("no");
        return "PAID";
      },
      drop: () => ran.push("drop"),
    });
  return { ran, tools };
}

describe("a guard with a decision log", () => {
  it("writes what it decided before the call runs, and how it ended", () => {
    const { tools } = calls({ onDecision: createDecisionLog(file) });
    tools.pay({ amount: 5 });
    tools.pay({ amount: 6 });
    tools.drop();
    const lines = linesOf(file);
    expect(
      lines.map((line) => [line["spoor"], line["tool"], line["decision"] ?? line["status"], line["rule"] ?? null]),
    ).toEqual([
      ["decision", "pay", "allow", null],
      ["outcome", "pay", "ok", null],
      ["decision", "pay", "deny", "once"],
      ["decision", "drop", "deny", "never"],
    ]);
    expect(lines[2]).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      time: "2026-11-15T12:00:00.000Z",
      door: "guard",
      session: "ticket",
      agent: "main",
      reason: expect.stringContaining("allowed are 1"),
      policy: { name: "policy.json", digest: expect.stringMatching(/^sha256:/) },
      arguments: { amount: 6 },
      arguments_digest: expect.stringMatching(/^sha256:/),
    });
    // Arguments stand in it: it is nobody else's to read.
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it.each<[string, GuardOptions, string[]]>([
    ["mode raise", { mode: "raise" }, ["allow", "ok", "deny"]],
    ["mode warn", { mode: "warn" }, ["allow", "ok", "allow", "ok"]],
  ])("%s", (_name, options, expected) => {
    const { tools } = calls({ ...options, onDecision: createDecisionLog(file) });
    tools.pay({ amount: 5 });
    try {
      tools.pay({ amount: 6 });
    } catch (error) {
      expect(error).toBeInstanceOf(PolicyViolationError);
    }
    expect(linesOf(file).map((line) => line["decision"] ?? line["status"])).toEqual(expected);
  });

  it("a call that fails is one that ran and failed", () => {
    const { tools } = calls({ onDecision: createDecisionLog(file) });
    expect(() => tools.pay({ amount: -1 })).toThrow("no");
    expect(linesOf(file).map((line) => line["decision"] ?? line["status"])).toEqual(["allow", "error"]);
  });

  it("a guard that fails itself says so", () => {
    const store = {
      update: () => {
        throw new Error("no disk");
      },
    };
    const { tools, ran } = calls({ onDecision: createDecisionLog(file), store });
    tools.pay({ amount: 1 });
    expect(ran).toEqual([]);
    expect(linesOf(file)).toMatchObject([
      { decision: "deny", rule: "spoor.guard", reason: expect.stringContaining("no disk") },
    ]);
  });

  it.each([
    ["yes", true, ["ask", "allow", "ok"]],
    ["no", false, ["ask", "deny"]],
  ])("a person who is asked and says %s", (_answer, yes, expected) => {
    const asking = parsePolicy("rules: [{ id: large, kind: no_call, then: ask, params: { tool: pay } }]", {
      file: "policy.yaml",
    });
    const guard = createGuard(asking, { now, onDecision: createDecisionLog(file), onAsk: () => yes });
    const { pay } = guard.session("s").wrapTools({ pay: (_input: object, _context: object) => "PAID" });
    pay({}, { toolCallId: "c1" });
    const lines = linesOf(file);
    expect(lines.map((line) => line["decision"] ?? line["status"])).toEqual(expected);
    if (yes) expect(lines[1]).toMatchObject({ call: "c1", approved: ["large"] });
    else expect(lines[1]).toMatchObject({ call: "c1", rule: "large" });
  });

  it("goes on in a new file when the old one is moved away", () => {
    const { tools } = calls({ onDecision: createDecisionLog(file) });
    tools.pay({ amount: 1 });
    renameSync(file, `${file}.1`);
    tools.drop();
    expect(linesOf(file)).toMatchObject([{ tool: "drop" }]);
  });
});

// Only Linux has a disk that is always full.
describe.runIf(existsSync("/dev/full"))("a log that cannot be written", () => {
  it("is told, and changes nothing", () => {
    const errors: unknown[] = [];
    const { tools, ran } = calls({
      onDecision: createDecisionLog("/dev/full"),
      onError: (error) => errors.push(error),
    });
    expect(tools.pay({ amount: 1 })).toBe("PAID");
    expect(ran).toEqual(["pay 1"]);
    expect(errors[0]).toMatchObject({ code: "output.unwritable", message: expect.stringContaining("/dev/full") });
  });

  it.each(["replace", "raise"] as const)("refuses the call where decisions must be logged, in mode %s", (mode) => {
    const errors: unknown[] = [];
    const { tools, ran } = calls({
      mode,
      onDecision: createDecisionLog("/dev/full"),
      decisions: { required: true },
      onError: (error) => errors.push(error),
    });
    const refused = () => {
      const answer = tools.pay({ amount: 1 });
      if (answer !== "PAID") throw new Error(answer);
    };
    expect(refused).toThrow(/decision log \/dev\/full cannot be written/);
    expect(refused).toThrow(/decision log \/dev\/full cannot be written/);
    expect(ran).toEqual([]);
    expect(errors.length).toBeGreaterThan(0);
  });

  it("and what was refused for that has not been counted", () => {
    let full = true;
    const log = createDecisionLog(file);
    const { tools, ran } = calls({
      decisions: { required: true },
      onDecision: (line) => {
        if (full) throw new Error("full");
        log(line);
      },
    });
    tools.pay({ amount: 1 });
    full = false;
    expect(tools.pay({ amount: 2 })).toBe("PAID");
    expect(ran).toEqual(["pay 2"]);
  });
});

it.each<GuardOptions>([
  { decisions: { required: true } },
  { decisions: { required: true }, failOpen: true, onDecision: () => undefined },
])("decisions that must be logged need a log, and no way around it: %j", (options) => {
  expect(() => createGuard(policy, options)).toThrow(/decisions.required/);
});
