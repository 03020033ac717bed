/** Files → what a policy says about their traces, read and checked in as many threads as pay. */
import type { Trace } from "@spoor/core";
import { type CheckPart, checkTrace, joinChecks } from "@spoor/core/internal/policy/check-part";
import { nameTraces } from "@spoor/core/internal/trace/trace-name";
import { type LoadedPolicies, policyOfSources } from "./load-policy.ts";
import { type ReduceOptions, reduceTraces } from "./threads/reduce-traces.ts";
import { defineReduction } from "./threads/reduction.ts";

interface CheckSettings {
  readonly sources: LoadedPolicies["sources"];
  readonly today: string;
}

/** Rules are code and cannot be sent: a thread makes them of the same texts. */
export const checkReduction = defineReduction<CheckSettings, CheckPart>({
  name: "check",
  start({ sources, today }) {
    const policy = policyOfSources(sources);
    return (trace) => checkTrace(trace, policy, { today });
  },
  join: joinChecks,
});

/** The policy must judge apart (`judgesApart`). */
export async function checkFiles(
  paths: readonly string[],
  { policy, sources }: LoadedPolicies,
  today: string,
  options: ReduceOptions,
): Promise<CheckPart> {
  const parts: CheckPart[] = [];
  const reduce = (trace: Trace) => checkTrace(trace, policy, { today });
  for await (const part of reduceTraces(paths, checkReduction, { sources, today }, options, reduce)) parts.push(part);
  const whole = joinChecks(parts);
  const names = nameTraces(whole.traces.map(({ identity }) => identity));
  return { ...whole, traces: whole.traces.map((trace, index) => ({ ...trace, identity: names[index]! })) };
}
