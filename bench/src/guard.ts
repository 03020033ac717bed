/** The runtime guard: a judged call with 100 rules and a history of 10,000 calls. */
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { createGuard } from "@spoor/record";
import type { Benchmark } from "./benchmark.ts";

const RULES = 100;
const HISTORY = 10_000;
const MEASURED = 5_000;

export const guardBenchmark: Benchmark = {
  name: "guard",
  promise: "a guarded call costs p99 below 0.1 ms with 100 rules and a history of 10,000 calls",
  run() {
    const session = createGuard(parsePolicy(JSON.stringify(rules()), { file: "bench.json" })).session("bench");
    const tools = session.wrapTools(
      Object.fromEntries(Array.from({ length: RULES }, (_, index) => [`tool_${index}`, () => "ok"])),
    );
    const call = (index: number) => tools[`tool_${index % RULES}`]!();
    for (let index = 0; index < HISTORY; index++) call(index);
    const times: number[] = [];
    for (let index = 0; index < MEASURED; index++) {
      const before = process.hrtime.bigint();
      call(index);
      times.push(Number(process.hrtime.bigint() - before) / 1e6);
    }
    times.sort((left, right) => left - right);
    const median = times[Math.floor(MEASURED * 0.5)]!;
    const p99 = times[Math.floor(MEASURED * 0.99)]!;
    return [
      {
        what: "a guarded call, 99th percentile",
        measured: `${(p99 * 1000).toFixed(0)} µs`,
        against: "100 µs",
        kept: p99 < 0.1,
      },
      { what: "a guarded call, median", measured: `${(median * 1000).toFixed(0)} µs`, against: "the same run" },
    ];
  },
};

/** Kinds in turn, none of which is ever violated. */
function rules(): unknown[] {
  return Array.from({ length: RULES }, (_, index) => {
    const kinds = [
      { kind: "must_call_before", params: { first: `tool_${index}`, second: `never_${index}` } },
      { kind: "max_calls", params: { tool: `tool_${index}`, limit: 1_000_000 } },
      { kind: "no_call", params: { tool: `never_${index}` } },
      { kind: "ltl_formula", params: { formula: `G !tool_call:never_${index}` } },
      { kind: "no_call", params: { tool: `tool_${index}`, args: [{ path: "amount", op: ">", value: 100 }] } },
    ];
    return { id: `rule-${index}`, ...kinds[index % kinds.length]! };
  });
}
