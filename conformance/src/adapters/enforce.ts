/** Recorded turns and pre-dispatch probes in the three modes of the runtime guard. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { Violation } from "@spoor/core/internal/policy/policy";
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  stringifyJson,
  stringMember,
} from "@spoor/core/internal/trace/json";
import { createGuard, type GuardMode, PolicyViolationError } from "@spoor/record";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";
import { pairIndexOf } from "./policy.ts";

export const enforceAdapter: Adapter = {
  name: "enforce",
  matches: (testCase) => typeof member(testCase, "mode") === "string" && Array.isArray(member(testCase, "steps")),
  run(testCase) {
    const policy = parsePolicy(stringifyJson(member(testCase, "policy") ?? []), { file: "policy.json" });
    const kinds: string[] = ["metadata"];
    const guard = createGuard(policy, {
      turns: true,
      mode: stringMember(testCase, "mode") as GuardMode,
      onRecord: (record) => kinds.push(record.kind),
    });
    const steps = (member(testCase, "steps") as Json[]).map((step) => runStep(guard, step as JsonObject));
    const expected = member(testCase, "expected");
    const wanted = ((member(expected, "steps") ?? []) as Json[]).map(comparable);
    return compare(
      { steps: wanted, record_kinds: member(expected, "record_kinds") ?? [] },
      { steps: steps.map(comparable), record_kinds: kinds },
    );
  },
};

function runStep(guard: ReturnType<typeof createGuard>, step: JsonObject): Json {
  switch (stringMember(step, "op")) {
    case "chat":
      return chat(guard, step);
    case "record_tool_call":
      guard.session("default").judgeCall(stringMember(step, "name")!, {});
      return { outcome: "recorded" };
    default:
      return tool(guard, step);
  }
}

function chat(guard: ReturnType<typeof createGuard>, step: JsonObject): Json {
  const response = member(step, "response") as JsonObject;
  try {
    const verdict = guard.turn((member(step, "request") ?? {}) as JsonObject, response);
    return {
      outcome: verdict.response === response ? "recorded" : "replaced",
      stop_reason: member(verdict.response, "stop_reason") ?? null,
    };
  } catch (error) {
    return raised(error);
  }
}

function tool(guard: ReturnType<typeof createGuard>, step: JsonObject): Json {
  const name = stringMember(step, "name")!;
  let ran = false;
  const tools = guard.wrapTools({
    [name]: (_input: Json) => {
      ran = true;
      return "RAN";
    },
  });
  try {
    tools[name]!(member(step, "kwargs") ?? {});
    return { outcome: ran ? "ran" : "blocked", ran };
  } catch (error) {
    return { ...(raised(error) as JsonObject), ran };
  }
}

function raised(error: unknown): Json {
  if (!(error instanceof PolicyViolationError)) throw error;
  const violations = error.violations.map((violation: Violation) => [violation.ruleId, pairIndexOf(violation)]);
  return { outcome: "raised", violations };
}

/** Outcome, stop reason, whether it ran, violations; texts of replacements are ours. */
function comparable(step: Json): Json {
  if (!isObject(step)) return step;
  const outcome = member(step, "outcome") ?? null;
  const ran = member(step, "ran") ?? (outcome === "ran" ? true : outcome === "blocked" ? false : null);
  return {
    outcome,
    stop_reason: member(step, "stop_reason") ?? null,
    ran: outcome === "raised" && ran === null ? false : ran,
    violations: member(step, "violations") ?? null,
  };
}
