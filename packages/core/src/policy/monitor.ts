/**
 * Drives the rules of a policy over the events of one trace: the batch check and the runtime guard both go through here.
 *
 * For the guard:
 *
 *     const monitor = createMonitor(policy, { today: "2026-11-15" });
 *     const judged = monitor.judgeCall(event);   // what would this call add? Nothing has happened yet
 *     if (judged.violations.length === 0) judged.commit();
 *     monitor.result(event);                     // what it returned: a fact, so it commits at once
 *     monitor.close();                           // obligations that are still open
 *
 * A judgement may be thrown away (nothing is remembered), committed, or replaced by the judgement of another event (the
 * response that stands in for a blocked one). Only the latest judgement may be committed. `provisional` violations are
 * among `violations` of a judgement; `close` reports them in their final form, with the same `subject`.
 *
 * Cost: per event one step of each rule, O(1) amortised in the length of the history.
 */
import type { Json, JsonObject } from "../trace/json.ts";
import { requestResults } from "../trace/request-results.ts";
import { isDeferred } from "./build-violation.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { Excused, Policy, Violation } from "./policy.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import { RuleRun, type Step } from "./rule-run.ts";
import { decodeState, encodeState } from "./state-codec.ts";
import { watchersOf } from "./watched-calls.ts";

/** What an event would add, and the way to make it so. */
export interface Judgement {
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  /** Rules that could not be judged on this event, and why. The guard blocks on these: what is unknown is not allowed. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly why: string }[];
  commit(): void;
}

export interface Monitor {
  /** A response, together with the calls it makes when they are given: one judgement for all of it. */
  judgeTurn(turn: TurnEvent, sessionIndex: number, calls?: readonly CallEvent[]): Judgement;
  /** Calls belong to the turn that was committed last; under `when`, calls before any turn wait for the first one. */
  judgeCall(call: CallEvent): Judgement;
  /** A judgement committed at once, without making it: the batch check has no use for one. */
  takeTurn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[]): void;
  takeCall(call: CallEvent): void;
  /** The outcome of a committed call. */
  result(call: CallEvent): readonly Violation[];
  /** Ends the trace: what only the end can decide. `peers`: by rule, how it stands in all recordings of the same user. */
  close(peers?: SharedPeers): readonly RuleOutcome[];
  /** What rules count over all sessions of a user, by rule: whoever runs the sessions keeps it and puts it back. */
  shared(): ReadonlyMap<string, unknown>;
  adopt(shared: ReadonlyMap<string, unknown>): void;
  /** What is remembered, as JSON, and back: a session goes on in another process, with the same policy. */
  save(): JsonObject;
  restore(saved: JsonObject): void;
}

export type SharedPeers = ReadonlyMap<string, readonly unknown[]>;

export function createMonitor(policy: Policy, options: MonitorOptions = {}): Monitor {
  const runs = policy.rules.map((rule) => new RuleRun(rule, options));
  const sharing = runs.filter((run) => run.isShared);
  const listens = runs.some((run) => run.rule.definition.onResult !== undefined);
  const open = options.live === false || !listens ? undefined : new OpenCalls();
  let hasResults = false;
  return {
    judgeTurn(turn, sessionIndex, calls = []) {
      for (const ended of open?.endedBy(turn) ?? []) result(ended);
      return combine(
        runs,
        (run) => run.turn(turn, sessionIndex, calls),
        () => open?.add(calls),
      );
    },
    judgeCall(call) {
      const { asked, others } = watchersOf(policy, call.call.name);
      return combine(
        asked.map((position) => runs[position]!),
        (run) => run.call(call),
        () => {
          for (const position of others) runs[position]!.passBy(call);
          open?.add([call]);
        },
      );
    },
    takeTurn(turn, sessionIndex, calls) {
      for (const run of runs) run.takeTurn(turn, sessionIndex, calls);
    },
    takeCall(call) {
      const { asked, others } = watchersOf(policy, call.call.name);
      for (const position of asked) runs[position]!.takeCall(call);
      for (const position of others) runs[position]!.passBy(call);
    },
    result,
    close: (peers) => runs.map((run) => run.close(peers?.get(run.rule.id))),
    shared: () => new Map(sharing.map((run) => [run.rule.id, run.shared])),
    adopt(shared) {
      for (const run of sharing) if (shared.has(run.rule.id)) run.shared = shared.get(run.rule.id);
    },
    save: () => ({ rules: runs.map((run) => run.save()), open: open?.save() ?? null, hasResults }),
    restore(saved) {
      for (const [index, run] of runs.entries()) run.restore((saved["rules"] as readonly JsonObject[])[index]!);
      open?.restore(saved["open"]!);
      hasResults = saved["hasResults"] as boolean;
    },
  };

  function result(call: CallEvent): readonly Violation[] {
    if (!hasResults) for (const run of runs) run.seeResult();
    hasResults = true;
    open?.end(call);
    const violations: Violation[] = [];
    for (const position of watchersOf(policy, call.call.name).asked) violations.push(...runs[position]!.result(call));
    return violations;
  }
}

/** Calls of a running agent that nobody has reported as ended: the next request may tell what they returned. */
class OpenCalls {
  private calls = new Map<string, CallEvent>();

  add(calls: readonly CallEvent[]): void {
    for (const event of calls) {
      if (event.call.id === undefined) continue;
      this.calls.set(event.call.id, event);
      // Where no request ever tells, the oldest are past waiting for.
      if (this.calls.size > MAX_OPEN) this.calls.delete(this.calls.keys().next().value!);
    }
  }

  end({ call }: CallEvent): void {
    if (call.id !== undefined) this.calls.delete(call.id);
  }

  save(): Json {
    return encodeState(this.calls);
  }

  restore(saved: Json): void {
    this.calls = decodeState(saved) as Map<string, CallEvent>;
  }

  endedBy(turn: TurnEvent): CallEvent[] {
    if (this.calls.size === 0) return [];
    return requestResults(turn.request).flatMap(({ id, failed, output }) => {
      const known = id === undefined ? undefined : this.calls.get(id);
      if (known === undefined) return [];
      const status = failed ? "error" : "ok";
      return [{ ...known, call: { ...known.call, status, ...(output === undefined ? {} : { output }) } }];
    });
  }
}

const MAX_OPEN = 1000;

function combine(runs: readonly RuleRun[], step: (run: RuleRun) => Step | undefined, onCommit: () => void): Judgement {
  const steps: Step[] = [];
  const violations: Violation[] = [];
  const excused: Excused[] = [];
  const notEvaluated: { ruleId: string; why: string }[] = [];
  for (const run of runs) {
    const taken = step(run);
    if (taken === undefined) continue;
    steps.push(taken);
    for (const violation of taken.violations) if (!isDeferred(violation)) violations.push(violation);
    excused.push(...taken.excused);
    for (const why of taken.notEvaluated) notEvaluated.push({ ruleId: run.rule.id, why });
  }
  return {
    violations,
    excused,
    notEvaluated,
    commit() {
      for (const taken of steps) taken.run.commit(taken);
      onCommit();
    },
  };
}
