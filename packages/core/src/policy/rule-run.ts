/** One rule on its way through one trace: sessions, gates, sub-agents and exceptions around the rule's own machine. */
import type { Json, JsonObject } from "../trace/json.ts";
import { buildViolation, contextOfFinding, isProvisional } from "./build-violation.ts";
import { type Condition, ORDERS } from "./condition.ts";
import { allHold, unclear } from "./conditions.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";
import type { Finding, RuleKind, Seen, StepContext } from "./rule.ts";
import { looksAtTurns, NO_SITUATION, type Situation } from "./situation.ts";
import { decodeState, encodeState } from "./state-codec.ts";

export interface MonitorOptions {
  /** Today as `YYYY-MM-DD`; without it no exception applies. */
  readonly today?: string;
  /** Id and names of the trace, for exceptions that name one. */
  readonly traceNames?: readonly string[];
  /** False for a finished trace: what the end will say again need not be said before. True unless told otherwise. */
  readonly live?: boolean;
  /** What is known of the whole trace before its first turn. */
  readonly situation?: Situation;
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
  /** Whether it was put to the test: something that it is about was there to look at. */
  readonly saw: boolean;
}

/** One step of one rule, not yet taken. */
export interface Step {
  readonly run: RuleRun;
  readonly lane: Lane | undefined;
  readonly session: number;
  readonly state: unknown;
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  readonly notEvaluated: readonly string[];
  /** What kind of step: a turn that satisfied the gate or not, a call, or a call that must wait for the first turn. */
  readonly event: "matching_turn" | "other_turn" | "call" | "early_call";
  /** Whether the rule was shown the event at all. */
  readonly seen: boolean;
  readonly calls: number;
  readonly call: CallEvent | undefined;
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
  readonly violations: Violation[];
  readonly excused: Excused[];
  readonly notEvaluated: string[];
}

const NOTHING: readonly never[] = [];
const NO_RESPONSE_YET = "its when looks at responses, and none has been shown to the guard yet";

type Report = Pick<Step, "violations" | "excused" | "notEvaluated">;
const NO_REPORT: Report = { violations: NOTHING, excused: NOTHING, notEvaluated: NOTHING };

export class RuleRun {
  readonly rule: PolicyRule;
  private readonly definition: RuleKind;
  private readonly lanes = new Map<number, Lane>();
  private readonly perSession: boolean;
  private readonly gated: boolean;
  /** Whether `when` orders texts: only then can it be unclear whether a turn matches. */
  private readonly ordersTexts: boolean;
  private readonly exceptions: readonly { until: string; reason: string; when: readonly Condition[] }[];
  /** Calls made before the first response, under a `when`: that response decides whether they are looked at. */
  private early: EarlyEvent[] = [];
  /**
   * The same of a running agent, whose list would grow without end: the rule as if `when` held, until the first response
   * decides. A call that would then break the rule cannot be judged yet.
   */
  private assumed: Lane | undefined;
  private readonly situation: Situation;
  private readonly live: boolean;
  private readonly whenLooksAtTurns: boolean;
  /** The session of the latest turn; -1 before any. */
  private latestSession = -1;
  private latestMatches = false;
  private readonly context: Collector;
  /** Whether any call of the trace, this rule's or not, has ended. */
  private results = false;
  /** Whether the rule is about certain tools: then a call without a name may be one of them. */
  private readonly namesTools: boolean;

  constructor(rule: PolicyRule, options: MonitorOptions) {
    this.rule = rule;
    this.definition = rule.definition;
    this.perSession = rule.scope === "session";
    this.gated = rule.when.length > 0 || rule.agents.length > 0;
    this.ordersTexts = rule.when.some(({ op, value }) => typeof value === "string" && ORDERS.has(op));
    this.whenLooksAtTurns = rule.when.some(looksAtTurns);
    const { today, traceNames = [], live = true, situation = NO_SITUATION } = options;
    this.situation = situation;
    this.context = new Collector(rule.params, live);
    this.live = live;
    const tools = rule.definition.tools?.(rule.params) ?? [];
    this.namesTools = tools.length > 0 && !tools.includes("");
    this.exceptions = rule.exceptions.filter(
      (exception) =>
        today !== undefined &&
        today <= exception.until &&
        (exception.trace === undefined || traceNames.includes(exception.trace)),
    );
  }

  /** What a turn (with the calls it makes) would add. */
  turn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[] = NOTHING): Step {
    const session = this.perSession ? sessionIndex : 0;
    const matches = this.matches(turn);
    const lane = this.lanes.get(session);
    const why = matches ? undefined : this.unclear(turn);
    if (why !== undefined) {
      this.context.begin(false);
      this.context.notEvaluated(why);
      return this.step("other_turn", lane, session, this.stateOf(lane), true, 0, undefined);
    }
    const seen = matches || this.seesAnyway(turn);
    const own = matches ? this.ownCalls(turn, calls) : NOTHING;
    const before = matches && this.assumed !== undefined ? this.assumed.state : this.stateOf(lane);
    const state = seen ? this.afterTurn(before, turn, own, matches) : undefined;
    const event = matches ? "matching_turn" : "other_turn";
    return this.step(event, lane, session, state, seen, own.length, undefined);
  }

  /** The same, done at once. */
  takeTurn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[]): void {
    const session = this.perSession ? sessionIndex : 0;
    const matches = this.matches(turn);
    const why = matches ? undefined : this.unclear(turn);
    if (why !== undefined) this.lane(session).notEvaluated.push(why);
    else if (matches || this.seesAnyway(turn)) {
      const lane = this.lane(session);
      const own = matches ? this.ownCalls(turn, calls) : NOTHING;
      this.keep(lane, this.afterTurn(lane.state, turn, own, matches), session);
      lane.calls += own.length;
      if (matches) lane.turns++;
    }
    this.arrive(session, matches);
  }

  /** What a call recorded on its own would add. */
  call(call: CallEvent): Step | undefined {
    if (!this.concerns(call)) return undefined;
    const session = Math.max(0, this.latestSession);
    const lane = this.lanes.get(session);
    this.context.begin(true);
    if (this.waits) return this.live ? this.assume(call) : this.earlyStep(call);
    const state = this.afterCall(this.stateOf(lane), call);
    return this.step("call", lane, session, state, true, 1, undefined);
  }

  /** The same, done at once. */
  takeCall(call: CallEvent): void {
    if (!this.concerns(call)) return;
    if (this.waits) {
      this.early.push({ call, result: false });
      return;
    }
    const session = Math.max(0, this.latestSession);
    const lane = this.lane(session);
    this.context.begin(true);
    this.keep(lane, this.afterCall(lane.state, call), session);
    lane.calls++;
  }

  commit(step: Step): void {
    if (step.event === "early_call") {
      if (!this.live) this.early.push({ call: step.call!, result: false });
      else {
        this.assumed ??= this.newLane();
        this.assumed.state = this.settled(step.state);
        this.assumed.calls++;
      }
      return;
    }
    if (step.seen) {
      const lane = step.lane ?? this.lane(step.session);
      lane.state = this.settled(step.state);
      lane.calls += step.calls;
      if (step.event === "matching_turn") {
        lane.turns++;
        lane.calls += this.assumed?.calls ?? 0;
      }
      keepFinal(lane, step, this.live);
    }
    if (step.event !== "call") this.arrive(step.session, step.event === "matching_turn");
  }

  /** A call of the trace has ended, so results are recorded. */
  seeResult(): void {
    this.results = true;
  }

  /** What a committed call returned: a fact, so it is taken at once. */
  result(call: CallEvent): readonly Violation[] {
    const { definition, context } = this;
    if (definition.onResult === undefined || !this.concerns(call)) return NOTHING;
    if (this.waits) {
      if (this.live) this.assumeResult(call);
      else this.early.push({ call, result: true });
      return NOTHING;
    }
    const session = Math.max(0, this.latestSession);
    const lane = this.lane(session);
    context.begin(true);
    lane.state = this.settled(definition.onResult(lane.state, call, context));
    const collected = this.collected(session);
    keepFinal(lane, collected, this.live);
    return collected.violations;
  }

  close(): RuleOutcome {
    if (this.definition.needsBaseline) {
      return { rule: this.rule, violations: [], excused: [], notEvaluated: [], applied: false, seen: [], saw: false };
    }
    if (this.early.length > 0 && this.rule.when.length === 0) this.takeEarly();
    // A trace without anything in it is one empty session; a gate that no turn opened stays shut.
    if (this.lanes.size === 0 && !this.gated && this.latestSession < 0) this.lane(0);
    const lanes = [...this.lanes]
      .sort(([left], [right]) => left - right)
      .filter(([, lane]) => !this.gated || lane.turns > 0 || lane.calls > 0 || lane.notEvaluated.length > 0);
    for (const [session, lane] of lanes) {
      // Of a session in which it was unclear whether anything matched, the end has nothing to say.
      if (!this.gated || lane.turns > 0 || lane.calls > 0) this.end(lane, session);
    }
    const seen = lanes.map(
      ([, { state, turns }]): Seen =>
        this.definition.seen?.(state, this.rule.params) ?? { amount: turns, noun: "turn" },
    );
    return {
      rule: this.rule,
      violations: lanes.flatMap(([, lane]) => lane.violations),
      excused: lanes.flatMap(([, lane]) => lane.excused),
      notEvaluated: lanes.flatMap(([, lane]) => lane.notEvaluated),
      applied: lanes.length > 0,
      seen,
      saw: seen.some(({ amount }) => amount > 0),
    };
  }

  /** No response ever came: the calls that waited for one are a session of their own. */
  private takeEarly(): void {
    const lane = this.lane(0);
    this.context.begin(true);
    let state = lane.state;
    for (const event of this.early) {
      state = this.replay(state, event);
      if (!event.result) lane.calls++;
    }
    this.early = [];
    this.keep(lane, state, 0);
  }

  /** Everything the run has to remember, as JSON; the rule itself is not part of it. */
  save(): Json {
    const { rule, latestSession, latestMatches, results } = this;
    const lanes = [...this.lanes].map(([session, lane]): Json => [session, this.saveLane(lane)]);
    const assumed = this.assumed === undefined ? null : this.saveLane(this.assumed);
    return { rule: rule.id, latestSession, latestMatches, results, lanes, assumed };
  }

  restore(saved: JsonObject): void {
    this.latestSession = saved["latestSession"] as number;
    this.latestMatches = saved["latestMatches"] as boolean;
    this.results = saved["results"] as boolean;
    this.lanes.clear();
    for (const [session, lane] of saved["lanes"] as readonly [number, Json][])
      this.lanes.set(session, this.loadLane(lane));
    this.assumed = saved["assumed"] === null ? undefined : this.loadLane(saved["assumed"]!);
  }

  private saveLane(lane: Lane): Json {
    const { definition, rule } = this;
    const state = definition.save === undefined ? lane.state : definition.save(lane.state, rule.params);
    return encodeState({ ...lane, state });
  }

  private loadLane(saved: Json): Lane {
    const lane = decodeState(saved) as Lane;
    const { definition, rule } = this;
    if (definition.restore !== undefined) lane.state = definition.restore(lane.state, rule.params);
    return lane;
  }

  private end(lane: Lane, session: number): void {
    this.context.begin(true);
    this.definition.atEnd?.(lane.state, { turns: lane.turns, calls: lane.calls, results: this.results }, this.context);
    keepFinal(lane, this.collected(session), this.live);
  }

  private matches(turn: TurnEvent): boolean {
    if (!this.gated) return true;
    if (!this.includesAgent(turn.turn.agent)) return false;
    return this.rule.when.length === 0 || allHold(this.rule.when, turn.context);
  }

  /** Why nobody can tell whether a turn that does not match might. */
  private unclear(turn: TurnEvent): string | undefined {
    if (!this.ordersTexts || !this.includesAgent(turn.turn.agent)) return undefined;
    return unclear(this.rule.when, turn.context);
  }

  private seesAnyway(turn: TurnEvent): boolean {
    return this.definition.seesEveryTurn === true && this.includesAgent(turn.turn.agent);
  }

  private ownCalls(turn: TurnEvent, calls: readonly CallEvent[]): readonly CallEvent[] {
    if (this.rule.agents.length === 0) return calls;
    return calls.filter(({ call }) => this.includesAgent(call.agent ?? turn.turn.agent));
  }

  /** A call that only the first response can gate, shown to the rule as if it did. */
  private assume(call: CallEvent): Step {
    const state = this.afterCall(this.stateOf(this.assumed), call);
    const breaks = !this.context.isEmpty;
    const step = this.step("early_call", undefined, 0, state, false, 0, call);
    return breaks ? { ...step, notEvaluated: [NO_RESPONSE_YET] } : step;
  }

  private assumeResult(call: CallEvent): void {
    this.assumed ??= this.newLane();
    this.context.begin(true);
    this.assumed.state = this.definition.onResult!(this.assumed.state, call, this.context);
  }

  private earlyStep(call: CallEvent): Step {
    return this.step("early_call", undefined, 0, undefined, false, 0, call);
  }

  /** A call belongs to the latest turn, and is looked at when that one is. */
  private concerns(call: CallEvent): boolean {
    if (this.latestSession >= 0 && !this.latestMatches) return false;
    if (this.latestSession < 0 && !this.whenLooksAtTurns && !allHold(this.rule.when, this.situation)) return false;
    return this.rule.agents.length === 0 || this.includesAgent(call.call.agent ?? call.turn?.turn.agent);
  }

  /**
   * A call before the first response cannot be gated yet, nor put into a session: what decides about it is that response. A
   * running agent has but one session then, and must not wait.
   */
  private get waits(): boolean {
    return this.latestSession < 0 && (this.whenLooksAtTurns || (this.perSession && !this.live));
  }

  private afterTurn(before: unknown, turn: TurnEvent, calls: readonly CallEvent[], matches: boolean): unknown {
    const { definition, context } = this;
    let state = before;
    context.begin(matches);
    if (matches) {
      for (const event of this.early) state = this.replay(state, event);
      if (!turn.isUnderstood)
        context.notEvaluated(`the response of turn ${turn.index + 1} has a shape that is not understood`);
    }
    if (definition.onTurn !== undefined) state = definition.onTurn(state, turn, context);
    for (const call of calls) state = this.afterCall(state, call);
    return state;
  }

  private afterCall(state: unknown, call: CallEvent): unknown {
    if (call.call.name === "" && this.namesTools)
      this.context.notEvaluated("a call was recorded without the name of its tool");
    return this.definition.onCall === undefined ? state : this.definition.onCall(state, call, this.context);
  }

  private replay(state: unknown, { call, result }: EarlyEvent): unknown {
    if (!result) return this.afterCall(state, call);
    return this.definition.onResult === undefined ? state : this.definition.onResult(state, call, this.context);
  }

  private arrive(session: number, matches: boolean): void {
    this.latestSession = session;
    this.latestMatches = matches;
    this.assumed = undefined;
    if (this.early.length > 0) this.early = [];
  }

  private keep(lane: Lane, state: unknown, session: number): void {
    lane.state = this.settled(state);
    if (this.context.isEmpty) return;
    keepFinal(lane, this.collected(session), this.live);
  }

  private settled(state: unknown): unknown {
    return this.definition.settle === undefined ? state : this.definition.settle(state);
  }

  private stateOf(lane: Lane | undefined): unknown {
    return lane === undefined ? this.definition.start(this.rule.params) : lane.state;
  }

  private lane(session: number): Lane {
    let lane = this.lanes.get(session);
    if (lane === undefined) {
      lane = this.newLane();
      this.lanes.set(session, lane);
    }
    return lane;
  }

  private newLane(): Lane {
    return { state: this.stateOf(undefined), turns: 0, calls: 0, violations: [], excused: [], notEvaluated: [] };
  }

  private includesAgent(agent: string | undefined): boolean {
    const { agents } = this.rule;
    return agents.length === 0 || agents.includes(agent ?? "main");
  }

  /** One literal of one shape: this is made for every rule at every guarded call, and a spread costs ten times as much. */
  private step(
    event: Step["event"],
    lane: Lane | undefined,
    session: number,
    state: unknown,
    seen: boolean,
    calls: number,
    call: CallEvent | undefined,
  ): Step {
    const { violations, excused, notEvaluated } = seen ? this.collected(session) : NO_REPORT;
    return { run: this, lane, session, state, violations, excused, notEvaluated, event, seen, calls, call };
  }

  /** What the last step reported, with exceptions taken out. */
  private collected(session: number): Report {
    const { findings, reasons } = this.context;
    if (this.context.isEmpty) return NO_REPORT;
    const violations: Violation[] = [];
    const excused: Excused[] = [];
    for (const finding of findings) {
      const violation = buildViolation(this.rule, finding, this.perSession ? session : null);
      const exception = this.exceptions.find(
        ({ when }) => when.length === 0 || allHold(when, contextOfFinding(finding)),
      );
      if (exception === undefined) violations.push(violation);
      else excused.push({ violation, until: exception.until, reason: exception.reason });
    }
    return { violations, excused, notEvaluated: reasons };
  }
}

/** The one context object of a run: steps report into it, and it is emptied before the next step. */
class Collector implements StepContext<unknown> {
  readonly params: unknown;
  readonly live: boolean;
  matches = true;
  findings: Finding[] = [];
  reasons: string[] = [];

  constructor(params: unknown, live: boolean) {
    this.params = params;
    this.live = live;
  }

  begin(matches: boolean): void {
    this.matches = matches;
    if (this.findings.length > 0) this.findings = [];
    if (this.reasons.length > 0) this.reasons = [];
  }

  get isEmpty(): boolean {
    return this.findings.length === 0 && this.reasons.length === 0;
  }

  // Arrows, because rules take these two out of the context by name.
  readonly found = (finding: Finding): void => {
    if (finding.provisional && (!this.live || this.findings.some((other) => isSameProvisional(other, finding)))) return;
    this.findings.push(finding);
  };

  readonly notEvaluated = (why: string): void => {
    this.reasons.push(why);
  };
}

/** What a response breaks, the calls it makes break as well: once is enough. */
function isSameProvisional(one: Finding, other: Finding): boolean {
  return one.provisional === true && one.code === other.code && one.message === other.message;
}

/** Of a running agent, which was told each as it happened, the end repeats only so many. */
const MAX_KEPT = 1000;

function keepFinal(lane: Lane, step: Report, live: boolean): void {
  const max = live ? MAX_KEPT : Number.POSITIVE_INFINITY;
  for (const violation of step.violations)
    if (lane.violations.length < max && !isProvisional(violation)) lane.violations.push(violation);
  for (const excused of step.excused)
    if (lane.excused.length < max && !isProvisional(excused.violation)) lane.excused.push(excused);
  for (const reason of step.notEvaluated) if (lane.notEvaluated.length < max) lane.notEvaluated.push(reason);
}
