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
import type { JsonObject } from "../trace/json.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import { gatesOf } from "./gates-of.ts";
import { Judged, type Judgement } from "./judged.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import { OpenCalls } from "./open-calls.ts";
import type { Policy, Violation } from "./policy.ts";
import { machinesOf } from "./rule-machine.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import { RuleRun } from "./rule-run.ts";
import { watchersOf } from "./watched-calls.ts";

export interface Monitor {
  /** A response, together with the calls it makes when they are given: one judgement for all of it. */
  judgeTurn(turn: TurnEvent, sessionIndex: number, calls?: readonly CallEvent[]): Judgement;
  /** Calls belong to the turn that was committed last; under `when`, calls before any turn wait for the first one. */
  judgeCall(call: CallEvent): Judgement;
  /** A judgement committed at once, without making it: the batch check has no use for one. */
  takeTurn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[]): void;
  takeCall(call: CallEvent): void;
  /** What the result of a committed call would add, before anyone reads it: nothing is kept, and nothing to commit. */
  judgeResult(call: CallEvent): Pick<Judgement, "violations" | "notEvaluated">;
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
  const gates = gatesOf(policy, options);
  const machines = machinesOf(policy, options.live ?? true);
  const runs = policy.rules.map((rule, at) => new RuleRun(rule, machines[at]!, gates.ofRule[at]!, options));
  const watchers = watchersOf(policy);
  const sharing = runs.filter((run) => run.isShared);
  const listens = runs.some((run) => run.rule.definition.onResult !== undefined);
  const open = options.live === false || !listens ? undefined : new OpenCalls();
  let hasResults = false;
  return {
    judgeTurn(turn, sessionIndex, calls = []) {
      const judged = new Judged(() => {
        for (const gate of gates.all) gate.arrive(turn, sessionIndex, calls);
        for (const call of calls) open?.add(call);
      });
      // What nobody could stop the model from reading, it has answered to.
      for (const ended of open?.endedBy(turn) ?? []) {
        hearResult(judged, ended);
        result(ended);
      }
      for (const run of runs) judged.take(run.turn(turn, sessionIndex, calls));
      return judged;
    },
    judgeCall(call) {
      const judged = new Judged(() => {
        for (const gate of gates.all) gate.count(call);
        open?.add(call);
      });
      for (const position of watchers(call.call.name).calls) judged.take(runs[position]!.call(call));
      return judged;
    },
    takeTurn(turn, sessionIndex, calls) {
      for (const run of runs) run.takeTurn(turn, sessionIndex, calls);
      for (const gate of gates.all) gate.arrive(turn, sessionIndex, calls);
    },
    takeCall(call) {
      for (const position of watchers(call.call.name).calls) runs[position]!.takeCall(call);
      for (const gate of gates.all) gate.count(call);
    },
    judgeResult: (call) => {
      const judged = new Judged(() => undefined);
      hearResult(judged, call);
      return judged;
    },
    result,
    close: (peers) =>
      runs.map((run, position) =>
        run.close(gates.ofRule[position]!.close(), { results: hasResults, peers: peers?.get(run.rule.id) }),
      ),
    shared: () => new Map(sharing.map((run) => [run.rule.id, run.shared])),
    adopt(shared) {
      for (const run of sharing) if (shared.has(run.rule.id)) run.shared = shared.get(run.rule.id);
    },
    save: () => ({
      rules: runs.map((run) => run.save()),
      gates: gates.all.map((gate) => gate.save()),
      open: open?.save() ?? null,
      hasResults,
    }),
    restore(saved) {
      for (const [index, run] of runs.entries()) run.restore((saved["rules"] as readonly JsonObject[])[index]!);
      for (const [index, gate] of gates.all.entries()) gate.restore((saved["gates"] as readonly JsonObject[])[index]!);
      open?.restore(saved["open"]!);
      hasResults = saved["hasResults"] as boolean;
    },
  };

  function hearResult(judged: Judged, call: CallEvent): void {
    for (const position of watchers(call.call.name).judges) {
      const run = runs[position]!;
      judged.hear(run.rule, run.judgeResult(call));
    }
  }

  function result(call: CallEvent): readonly Violation[] {
    hasResults = true;
    open?.end(call);
    const violations: Violation[] = [];
    for (const position of watchers(call.call.name).results)
      for (const violation of runs[position]!.result(call)) violations.push(violation);
    return violations;
  }
}
