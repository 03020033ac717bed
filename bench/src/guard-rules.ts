/** Rules for the benchmark of the guard: every kind that a guard can judge, in turn, none of them broken by its calls. */
import { ruleKinds } from "@spoor/core/internal/policy/rules";

/** Tools are `tool_0` … `tool_99`; `n` is the rule's own number, so that each is about a tool of its own. */
const PARAMS: Readonly<Record<string, (n: number) => object>> = {
  must_call_before: (n) =>
    n % 2 === 0
      ? { first: `tool_${n}`, second: `never_${n}` }
      : { first: `tool_${n}`, second: `tool_${n + 1}`, same: "customer", within: { turns: 1000 } },
  must_call_once: (n) => ({ tool: `never_${n}` }),
  must_call_one_of: (n) => ({ tools: [`tool_${n}`, `tool_${n + 1}`] }),
  must_call_all: (n) => ({ tools: [`tool_${n}`, "tool_3"] }),
  no_call: (n) =>
    n % 2 === 0
      ? { tool: [`never_${n}`, `mcp:server${n}/delete_*`] }
      : { tool: `tool_${n}`, args: [{ path: "amount", op: ">", value: 100 }] },
  only_calls: () => ({ tools: ["tool_*", "mcp:github/*"] }),
  no_command: (n) => ({ tool: `tool_${n}`, commands: [{ program: "rm", options: ["-rf"] }] }),
  max_calls: (n) =>
    n % 2 === 0 ? { tool: `tool_${n}`, limit: 10_000_000 } : { tool: `tool_${n}`, limit: 10_000_000, same_args: true },
  no_parallel: (n) => ({ tools: [`tool_${n}`, `tool_${n + 1}`] }),
  no_failed_call: (n) => ({ tool: `tool_${n}` }),
  no_blind_retry: (n) => ({ tool: `tool_${n}` }),
  no_result: (n) => ({ tool: `tool_${n}`, matching: "SECRET-[0-9]+" }),
  no_flow: (n) => ({ from: `tool_${n}`, to: `tool_${n + 2}` }),
  max_turns: () => ({ limit: 10_000_000 }),
  max_total_tokens: () => ({ limit: 1_000_000_000 }),
  max_cost: () => ({ limit: 1_000_000, prices: { m: [0.000001, 0.000002] } }),
  required_stop_reason: () => ({ allowed: ["end_turn", "tool_use"] }),
  must_include_text: () => ({ text: "fine" }),
  must_include_text_each: () => ({ text: "fine" }),
  forbidden_text: () => ({ text: "SECRET" }),
  must_match_json_schema: () => ({ schema: { type: "object" } }),
  must_remain_consistent: () => ({ path: "request.metadata.customer" }),
  must_followup: (n) => ({
    trigger: [{ path: "stop_reason", op: "==", value: "never" }],
    must: { kind: "tool_call", tool_name: `tool_${n}` },
  }),
  must_be_grounded: () => ({ retrieval_path: "request.metadata.chunks", min_unigram_precision: 0.5 }),
  ltl_formula: (n) => ({
    formula: n % 2 === 0 ? `G !tool_call:never_${n}` : `G (tool_call:never_${n} -> X tool_call:tool_${n})`,
  }),
};

/** Conditions that hold for every response and session of the benchmark. */
const GATES: readonly object[] = [
  {},
  { when: [{ path: "model", op: "==", value: "m" }] },
  { scope: "session" },
  { agent: "main" },
  { when: [{ path: "principal.user", op: "==", value: "ada" }] },
];

/** The kinds that a guard can judge. */
export const guardKinds: readonly string[] = ruleKinds
  .filter((kind) => kind.needsBaseline !== true)
  .map(({ kind }) => kind);

/** All kinds in turn, or all of one. */
export function guardRules(amount: number, kinds: readonly string[] = guardKinds): readonly object[] {
  return Array.from({ length: amount }, (_, n) => {
    const kind = kinds[n % kinds.length]!;
    const params = PARAMS[kind];
    if (params === undefined) throw new Error(`The benchmark of the guard has no rule of the kind ${kind}: add one.`);
    return { id: `rule-${n}`, kind, params: params(n), ...GATES[n % GATES.length] };
  });
}
