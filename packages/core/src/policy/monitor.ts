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
import { responseParts } from "../trace/content.ts";
import { EMPTY_OBJECT, type JsonObject, member } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { allHold, type Condition } from "./conditions.ts";
import { type CallEvent, pairIndexOf, TurnEvent } from "./events.ts";
import type { Evidence, Excused, Policy, PolicyRule, Violation } from "./policy.ts";
import type { Finding, RuleKind, Seen, StepContext } from "./rule.ts";
import { summariseCall } from "./summarise-call.ts";

export interface MonitorOptions {
  /** Today as `YYYY-MM-DD`; without it no exception applies. */
  readonly today?: string;
  /** Id and names of the trace, for exceptions that name one. */
  readonly traceNames?: readonly string[];
}

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
  /** The outcome of a committed call. */
  result(call: CallEvent): readonly Violation[];
  /** Ends the trace: what only the end can decide. */
  close(): RuleOutcome[];
}

/** How one rule fared over one trace. */
export interface RuleOutcome {
  readonly rule: PolicyRule;
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  /** Why the rule could not be judged, if it could not. */
  readonly notEvaluated: readonly string[];
  /** False when no turn satisfied `when`, or no session had anything to look at. */
  readonly applied: boolean;
  readonly seen: readonly Seen[];
}

export function createMonitor(policy: Policy, options: MonitorOptions = {}): Monitor {
  const runs = policy.rules.map((rule) => new RuleRun(rule, options));
  return {
    judgeTurn: (turn, sessionIndex, calls) => combine(runs, (run) => run.turn(turn, sessionIndex, calls)),
    judgeCall: (call) => combine(runs, (run) => run.call(call)),
    result: (call) => runs.flatMap((run) => run.result(call)),
    close: () => runs.map((run) => run.close()),
  };
}

const NOTHING: readonly never[] = [];

function combine(runs: readonly RuleRun[], step: (run: RuleRun) => Step | undefined): Judgement {
  const steps: Step[] = [];
  const violations: Violation[] = [];
  const excused: Excused[] = [];
  const notEvaluated: { ruleId: string; why: string }[] = [];
  for (const run of runs) {
    const taken = step(run);
    if (taken === undefined) continue;
    steps.push(taken);
    for (const violation of taken.violations) if (!DEFERRED.has(violation)) violations.push(violation);
    excused.push(...taken.excused);
    for (const why of taken.notEvaluated) notEvaluated.push({ ruleId: run.rule.id, why });
  }
  return {
    violations,
    excused,
    notEvaluated,
    commit() {
      for (const taken of steps) taken.run.commit(taken);
    },
  };
}

/** One step of one rule, not yet taken. */
interface Step {
  readonly run: RuleRun;
  readonly lane: Lane | undefined;
  readonly sessionIndex: number;
  readonly state: unknown;
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  readonly turn?: TurnEvent;
  readonly matches?: boolean;
  /** Calls judged together with their turn. */
  readonly calls?: number;
  readonly early?: EarlyEvent;
  readonly sees: boolean;
  readonly notEvaluated: readonly string[];
}

interface EarlyEvent {
  readonly call: CallEvent;
  readonly result: boolean;
}

/** A rule's life inside one session (or the whole trace). */
interface Lane {
  state: unknown;
  turns: number;
  calls: number;
  violations: Violation[];
  excused: Excused[];
  notEvaluated: string[];
}

/** One rule on its way through one trace. */
class RuleRun {
  readonly rule: PolicyRule;
  private readonly definition: RuleKind;
  private readonly lanes = new Map<number, Lane>();
  private readonly perSession: boolean;
  private readonly gated: boolean;
  private readonly exceptions: readonly { until: string; reason: string; when: readonly Condition[] }[];
  /** Calls made before the first response, under a `when`: that response decides whether they are looked at. */
  private early: EarlyEvent[] = [];
  private latest: { session: number; matches: boolean } | undefined;
  private readonly context: Collector;

  constructor(rule: PolicyRule, options: MonitorOptions) {
    this.rule = rule;
    this.definition = rule.definition;
    this.perSession = rule.scope === "session";
    this.gated = rule.when.length > 0 || rule.agents.length > 0;
    this.context = new Collector(rule.params);
    const { today, traceNames = [] } = options;
    this.exceptions = rule.exceptions.filter(
      (exception) =>
        today !== undefined &&
        today <= exception.until &&
        (exception.trace === undefined || traceNames.includes(exception.trace)),
    );
  }

  turn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[] = NOTHING): Step | undefined {
    const { definition, context } = this;
    const session = this.perSession ? sessionIndex : 0;
    const ofAgent = this.includesAgent(turn.turn.agent);
    const matches = ofAgent && (this.rule.when.length === 0 || allHold(this.rule.when, turn.context));
    const lane = this.lanes.get(session);
    let state = lane === undefined ? definition.start(this.rule.params) : lane.state;
    context.begin(matches);
    if (matches) for (const event of this.early) state = replay(definition, state, event, context);
    const sees = matches || (ofAgent && definition.seesEveryTurn === true);
    if (sees && definition.onTurn !== undefined) state = definition.onTurn(state, turn, context);
    const own = matches ? calls.filter(({ call }) => this.includesAgent(call.agent ?? turn.turn.agent)) : NOTHING;
    for (const call of own) if (definition.onCall !== undefined) state = definition.onCall(state, call, context);
    return this.step(lane, session, state, { turn, matches, sees, calls: own.length });
  }

  call(call: CallEvent): Step | undefined {
    if (!this.includesAgent(call.call.agent ?? call.turn?.turn.agent)) return undefined;
    const { definition, latest, context } = this;
    if (latest !== undefined && !latest.matches) return undefined;
    const session = latest?.session ?? 0;
    const lane = this.lanes.get(session);
    context.begin(true);
    if (this.waits) return this.step(lane, session, undefined, { early: { call, result: false }, sees: false });
    let state = lane === undefined ? definition.start(this.rule.params) : lane.state;
    if (definition.onCall !== undefined) state = definition.onCall(state, call, context);
    return this.step(lane, session, state, { sees: true });
  }

  /** A call before the first response cannot be gated yet: what decides about it is that response. */
  private get waits(): boolean {
    return this.latest === undefined && this.rule.when.length > 0;
  }

  private step(
    lane: Lane | undefined,
    sessionIndex: number,
    state: unknown,
    rest: Pick<Step, "sees"> & Partial<Step>,
  ): Step {
    const { violations, excused } = this.sort(this.context.findings, sessionIndex);
    return { run: this, lane, sessionIndex, state, violations, excused, notEvaluated: this.context.reasons, ...rest };
  }

  commit(step: Step): void {
    if (step.early !== undefined) {
      this.early.push(step.early);
      return;
    }
    if (step.turn !== undefined) this.latest = { session: step.sessionIndex, matches: step.matches === true };
    if (step.sees) {
      const lane = step.lane ?? this.lane(step.sessionIndex);
      lane.state = this.definition.settle === undefined ? step.state : this.definition.settle(step.state);
      lane.calls += step.turn === undefined ? 1 : (step.calls ?? 0);
      if (step.turn !== undefined && step.matches) lane.turns++;
      keepFinal(lane, step);
    }
    if (step.turn !== undefined) this.early = [];
  }

  result(call: CallEvent): readonly Violation[] {
    const { definition, latest, context } = this;
    if (definition.onResult === undefined || !this.includesAgent(call.call.agent ?? call.turn?.turn.agent))
      return NOTHING;
    if (this.waits) {
      this.early.push({ call, result: true });
      return NOTHING;
    }
    if (latest !== undefined && !latest.matches) return NOTHING;
    const session = latest?.session ?? 0;
    const lane = this.lane(session);
    context.begin(true);
    lane.state = definition.onResult(lane.state, call, context);
    const sorted = this.sort(context.findings, session);
    keepFinal(lane, { ...sorted, notEvaluated: context.reasons });
    return sorted.violations;
  }

  close(): RuleOutcome {
    // A trace without anything in it is one empty session; a gate that no turn opened stays shut.
    if (this.lanes.size === 0 && !this.gated && this.latest === undefined) this.lane(0);
    const violations: Violation[] = [];
    const excused: Excused[] = [];
    const notEvaluated: string[] = [];
    const seen: Seen[] = [];
    for (const session of [...this.lanes.keys()].sort((left, right) => left - right)) {
      const lane = this.lanes.get(session)!;
      if (this.gated && lane.turns === 0 && lane.calls === 0) continue;
      this.end(lane, session);
      violations.push(...lane.violations);
      excused.push(...lane.excused);
      notEvaluated.push(...lane.notEvaluated);
      seen.push(this.definition.seen?.(lane.state, this.rule.params) ?? { amount: lane.turns, noun: "turn" });
    }
    return { rule: this.rule, violations, excused, notEvaluated, applied: seen.length > 0, seen };
  }

  private end(lane: Lane, session: number): void {
    this.context.begin(true);
    this.definition.atEnd?.(lane.state, { turns: lane.turns, calls: lane.calls }, this.context);
    keepFinal(lane, { ...this.sort(this.context.findings, session), notEvaluated: this.context.reasons });
  }

  private lane(session: number): Lane {
    let lane = this.lanes.get(session);
    if (lane === undefined) {
      lane = {
        state: this.definition.start(this.rule.params),
        turns: 0,
        calls: 0,
        violations: [],
        excused: [],
        notEvaluated: [],
      };
      this.lanes.set(session, lane);
    }
    return lane;
  }

  private includesAgent(agent: string | undefined): boolean {
    const { agents } = this.rule;
    return agents.length === 0 || agents.includes(agent ?? "main");
  }

  private sort(
    findings: readonly Finding[],
    session: number,
  ): { violations: readonly Violation[]; excused: readonly Excused[] } {
    if (findings.length === 0) return { violations: NOTHING, excused: NOTHING };
    const violations: Violation[] = [];
    const excused: Excused[] = [];
    for (const finding of findings) {
      const violation = buildViolation(this.rule, finding, this.perSession ? session : null);
      const exception = this.exceptions.find(({ when }) => when.length === 0 || allHold(when, contextOf(finding)));
      if (exception === undefined) violations.push(violation);
      else excused.push({ violation, until: exception.until, reason: exception.reason });
    }
    return { violations, excused };
  }
}

/** The one context object of a run: steps report into it, and it is emptied before the next step. */
class Collector implements StepContext<unknown> {
  readonly params: unknown;
  matches = true;
  findings: Finding[] = [];
  reasons: string[] = [];

  constructor(params: unknown) {
    this.params = params;
  }

  begin(matches: boolean): void {
    this.matches = matches;
    if (this.findings.length > 0) this.findings = [];
    if (this.reasons.length > 0) this.reasons = [];
  }

  // Arrows, because rules take these two out of the context by name.
  readonly found = (finding: Finding): void => {
    this.findings.push(finding);
  };

  readonly notEvaluated = (why: string): void => {
    this.reasons.push(why);
  };
}

function replay(definition: RuleKind, state: unknown, event: EarlyEvent, context: StepContext<unknown>): unknown {
  const step = event.result ? definition.onResult : definition.onCall;
  return step === undefined ? state : step.call(definition, state, event.call, context);
}

function keepFinal(lane: Lane, step: Pick<Step, "violations" | "excused" | "notEvaluated">): void {
  for (const violation of step.violations) if (!PROVISIONAL.has(violation)) lane.violations.push(violation);
  for (const excused of step.excused) if (!PROVISIONAL.has(excused.violation)) lane.excused.push(excused);
  for (const reason of step.notEvaluated) lane.notEvaluated.push(reason);
}

/** Violations that the end will report again in their final form; not part of their data, which goes into reports. */
const PROVISIONAL = new WeakSet<Violation>();

/** Violations that are not the event's to answer for yet: kept for the end, not part of a judgement. */
const DEFERRED = new WeakSet<Violation>();

/** Whether `close` will report this violation again, with the same rule and subject. */
export function isProvisional(violation: Violation): boolean {
  return PROVISIONAL.has(violation);
}

function contextOf(finding: Finding): JsonObject {
  const turn = finding.turn ?? finding.call?.turn;
  return turn instanceof TurnEvent ? turn.context : EMPTY_OBJECT;
}

function buildViolation(rule: PolicyRule, finding: Finding, sessionIndex: number | null): Violation {
  const { turn, call } = finding;
  const turnIndex = turn?.index ?? (call === undefined ? null : Math.max(0, call.call.turnIndex));
  const pairIndex = turn?.index ?? (call === undefined ? null : pairIndexOf(call.call));
  const violation: Violation = {
    ruleId: rule.id,
    kind: rule.kind,
    severity: rule.severity,
    turnIndex,
    pairIndex,
    sessionIndex,
    code: finding.code,
    message: finding.message,
    ...(finding.note === undefined ? {} : { note: finding.note }),
    facts: finding.facts ?? EMPTY_OBJECT,
    subject: finding.subject ?? "",
    ...(finding.measure === undefined ? {} : { measure: finding.measure }),
    ...(finding.restates === undefined ? {} : { restates: true as const }),
    evidence: buildEvidence(finding),
  };
  if (finding.provisional) PROVISIONAL.add(violation);
  if (finding.deferred) DEFERRED.add(violation);
  return violation;
}

function buildEvidence({ turn, call, span, path }: Finding): Evidence {
  const owner = turn ?? call?.turn;
  const recordId = owner?.recordId;
  const blockIndex = call === undefined ? undefined : blockIndexOf(call);
  return {
    ...(recordId === undefined ? {} : { recordId }),
    ...(blockIndex === undefined ? {} : { blockIndex }),
    ...(call?.call.id === undefined ? {} : { callId: call.call.id }),
    ...(call === undefined ? {} : { tool: call.call.name, call: summariseCall(call.call) }),
    ...(span === undefined || !(turn instanceof TurnEvent)
      ? {}
      : { span: { ...span, text: turn.text.slice(span.start, span.end) } }),
    ...(path === undefined ? {} : { path }),
  };
}

/** Which block of the response makes the call: the n-th `tool_use` for its n-th block call. */
function blockIndexOf({ call, turn }: CallEvent): number | undefined {
  if (turn === undefined || call.standalone) return undefined;
  let nth = turn.blockCalls.indexOf(call as ToolCall);
  const parts = responseParts(turn.response);
  for (let index = 0; index < parts.length; index++) {
    if (member(parts[index], "type") === "tool_use" && nth-- === 0) return index;
  }
  return undefined;
}
