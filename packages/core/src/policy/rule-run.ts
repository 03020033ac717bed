/** One rule on its way through one trace: sessions, gates, sub-agents and exceptions around the rule's own machine. */
import type { Json, JsonObject } from "../trace/json.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import { keepFinal, type Lane, loadLane, newLane, saveLane } from "./lane.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { PolicyRule } from "./policy.ts";
import { RuleGate } from "./rule-gate.ts";
import { type CallStep, RuleMachine } from "./rule-machine.ts";
import { outcomeOf, type RuleOutcome } from "./rule-outcome.ts";
import { NO_SITUATION, userOf } from "./situation.ts";
import { NO_REPORT, type StepReport } from "./step-report.ts";

/** One step of one rule, not yet taken. */
export interface Step extends StepReport {
  readonly run: RuleRun;
  readonly lane: Lane | undefined;
  readonly session: number;
  readonly state: unknown;
  /** What kind of step: a turn that satisfied the gate or not, a call, or a call that must wait for the first turn. */
  readonly event: "matching_turn" | "other_turn" | "call" | "early_call";
  /** Whether the rule was shown the event at all. */
  readonly seen: boolean;
  readonly calls: number;
  readonly call: CallEvent | undefined;
}

const NOTHING: readonly never[] = [];
const NO_RESPONSE_YET = "its when looks at responses, and none has been shown to the guard yet";

export class RuleRun {
  readonly rule: PolicyRule;
  private readonly machine: RuleMachine;
  private readonly lanes = new Map<number, Lane>();
  private readonly perSession: boolean;
  private readonly gate: RuleGate;
  /** Calls made before the first response, under a `when`: that response decides whether they are looked at. */
  private early: CallStep[] = [];
  /**
   * The same of a running agent, whose list would grow without end: the rule as if `when` held, until the first response
   * decides. A call that would then break the rule cannot be judged yet.
   */
  private assumed: Lane | undefined;
  private readonly live: boolean;
  private readonly user: string | undefined;
  /** The session of the latest turn; -1 before any. */
  private latestSession = -1;
  private latestMatches = false;
  /** Whether calls are looked at until the next turn. */
  private isOpen: boolean;
  /** Whether any call of the trace, this rule's or not, has ended. */
  private results = false;

  constructor(rule: PolicyRule, options: MonitorOptions) {
    this.rule = rule;
    this.perSession = rule.scope === "session";
    const { live = true, situation = NO_SITUATION } = options;
    this.gate = new RuleGate(rule, situation);
    this.isOpen = this.gate.opensEarly();
    this.machine = new RuleMachine(rule, options);
    this.live = live;
    this.user = userOf(situation);
  }

  /** What a turn (with the calls it makes) would add. */
  turn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[] = NOTHING): Step {
    const session = this.perSession ? sessionIndex : 0;
    const matches = this.gate.matches(turn);
    const lane = this.lanes.get(session);
    const why = matches ? undefined : this.gate.unclear(turn);
    if (why !== undefined) {
      this.machine.begin(false);
      this.machine.notEvaluated(why);
      return this.step("other_turn", lane, session, this.stateOf(lane), true, 0, undefined);
    }
    const seen = matches || this.gate.showsAnyway(turn);
    const own = matches ? this.gate.ownCalls(turn, calls) : NOTHING;
    const before = matches && this.assumed !== undefined ? this.assumed.state : this.stateOf(lane);
    const state = seen ? this.machine.turn(before, turn, own, matches, this.early) : undefined;
    const event = matches ? "matching_turn" : "other_turn";
    return this.step(event, lane, session, state, seen, own.length, undefined);
  }

  /** The same, done at once. */
  takeTurn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[]): void {
    const session = this.perSession ? sessionIndex : 0;
    const matches = this.gate.matches(turn);
    const why = matches ? undefined : this.gate.unclear(turn);
    if (why !== undefined) this.lane(session).notEvaluated.push(why);
    else if (matches || this.gate.showsAnyway(turn)) {
      const lane = this.lane(session);
      const own = matches ? this.gate.ownCalls(turn, calls) : NOTHING;
      this.keep(lane, this.machine.turn(lane.state, turn, own, matches, this.early), session);
      lane.calls += own.length;
      if (matches) {
        lane.turns++;
        for (const { result } of this.early) if (!result) lane.calls++;
      }
    }
    this.arrive(session, matches);
  }

  /** What a call recorded on its own would add. */
  call(call: CallEvent): Step | undefined {
    if (!this.concerns(call)) return undefined;
    const session = Math.max(0, this.latestSession);
    const lane = this.lanes.get(session);
    this.machine.begin(true);
    if (this.waits) return this.live ? this.assume(call) : this.earlyStep(call);
    const state = this.machine.call(this.stateOf(lane), call);
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
    this.machine.begin(true);
    this.keep(lane, this.machine.call(lane.state, call), session);
    lane.calls++;
  }

  /** A call was made that the rule need not be shown (see `watches`): it only counts. */
  passBy(call: CallEvent): void {
    if (!this.concerns(call)) return;
    if (!this.waits) this.lane(Math.max(0, this.latestSession)).calls++;
    else if (!this.live) this.early.push({ call, result: false });
    else {
      this.assumed ??= newLane(this.rule);
      this.assumed.calls++;
    }
  }

  commit(step: Step): void {
    if (step.event === "early_call") {
      if (!this.live) this.early.push({ call: step.call!, result: false });
      else {
        this.assumed ??= newLane(this.rule);
        this.assumed.state = this.machine.settled(step.state);
        this.assumed.calls++;
      }
      return;
    }
    if (step.seen) {
      const lane = step.lane ?? this.lane(step.session);
      lane.state = this.machine.settled(step.state);
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
  result(call: CallEvent): StepReport["violations"] {
    if (this.rule.definition.onResult === undefined || !this.concerns(call)) return NOTHING;
    if (this.waits) {
      if (this.live) this.assumeResult(call);
      else this.early.push({ call, result: true });
      return NOTHING;
    }
    const session = Math.max(0, this.latestSession);
    const lane = this.lane(session);
    this.machine.begin(true);
    lane.state = this.machine.settled(this.machine.result(lane.state, call));
    const collected = this.collected(session);
    keepFinal(lane, collected, this.live);
    return collected.violations;
  }

  /** Whether its state is one for all sessions of a user. */
  get isShared(): boolean {
    return this.rule.definition.perUser?.(this.rule.params) === true;
  }

  /** That state, to be kept by whoever runs the sessions of the user, and put back before the next step. */
  get shared(): unknown {
    return this.lane(0).state;
  }

  set shared(state: unknown) {
    this.lane(0).state = state;
  }

  /** `peers`: the same rule in all recordings of the user, as `shared` has it. */
  close(peers?: readonly unknown[]): RuleOutcome {
    if (this.rule.definition.needsBaseline) return outcomeOf(this.rule, []);
    if (this.early.length > 0 && this.rule.when.length === 0) this.takeEarly();
    // A trace without anything in it is one empty session; a gate that no turn opened stays shut.
    if (this.lanes.size === 0 && !this.gate.isGated && this.latestSession < 0) this.lane(0);
    const lanes = [...this.lanes]
      .sort(([left], [right]) => left - right)
      .filter(([, lane]) => !this.gate.isGated || lane.turns > 0 || lane.calls > 0 || lane.notEvaluated.length > 0);
    for (const [session, lane] of lanes) {
      // Of a session in which it was unclear whether anything matched, the end has nothing to say.
      if (!this.gate.isGated || lane.turns > 0 || lane.calls > 0) this.end(lane, session, peers);
    }
    return outcomeOf(
      this.rule,
      lanes.map(([, lane]) => lane),
    );
  }

  /** No response ever came: the calls that waited for one are a session of their own. */
  private takeEarly(): void {
    const lane = this.lane(0);
    this.machine.begin(true);
    let state = lane.state;
    for (const event of this.early) {
      state = this.machine.replay(state, event);
      if (!event.result) lane.calls++;
    }
    this.early = [];
    this.keep(lane, state, 0);
  }

  /** Everything the run has to remember, as JSON; the rule itself is not part of it. */
  save(): Json {
    const { rule, latestSession, latestMatches, results } = this;
    const lanes = [...this.lanes].map(([session, lane]): Json => [session, saveLane(lane, rule)]);
    const assumed = this.assumed === undefined ? null : saveLane(this.assumed, rule);
    return { rule: rule.id, latestSession, latestMatches, results, lanes, assumed };
  }

  restore(saved: JsonObject): void {
    this.latestSession = saved["latestSession"] as number;
    this.latestMatches = saved["latestMatches"] as boolean;
    this.isOpen = this.latestSession < 0 ? this.gate.opensEarly() : this.latestMatches;
    this.results = saved["results"] as boolean;
    this.lanes.clear();
    for (const [session, lane] of saved["lanes"] as readonly [number, Json][])
      this.lanes.set(session, loadLane(lane, this.rule));
    this.assumed = saved["assumed"] === null ? undefined : loadLane(saved["assumed"]!, this.rule);
  }

  private end(lane: Lane, session: number, peers: readonly unknown[] | undefined): void {
    const { turns, calls } = lane;
    this.machine.end(lane.state, { turns, calls, results: this.results, user: this.user, peers });
    keepFinal(lane, this.collected(session), this.live);
  }

  /** A call that only the first response can gate, shown to the rule as if it did. */
  private assume(call: CallEvent): Step {
    const state = this.machine.call(this.stateOf(this.assumed), call);
    const breaks = !this.machine.reportedNothing;
    const step = this.step("early_call", undefined, 0, state, false, 0, call);
    return breaks ? { ...step, notEvaluated: [NO_RESPONSE_YET] } : step;
  }

  private assumeResult(call: CallEvent): void {
    this.assumed ??= newLane(this.rule);
    this.machine.begin(true);
    this.assumed.state = this.machine.result(this.assumed.state, call);
  }

  private earlyStep(call: CallEvent): Step {
    return this.step("early_call", undefined, 0, undefined, false, 0, call);
  }

  /** A call belongs to the latest turn, and is looked at when that one is. */
  private concerns(call: CallEvent): boolean {
    return this.isOpen && this.gate.isOfAgent(call);
  }

  /**
   * A call before the first response cannot be gated yet, nor put into a session: what decides about it is that response. A
   * running agent has but one session then, and must not wait.
   */
  private get waits(): boolean {
    return this.latestSession < 0 && (this.gate.looksAtTurns || (this.perSession && !this.live));
  }

  private arrive(session: number, matches: boolean): void {
    this.latestSession = session;
    this.latestMatches = matches;
    this.isOpen = matches;
    this.assumed = undefined;
    if (this.early.length > 0) this.early = [];
  }

  private keep(lane: Lane, state: unknown, session: number): void {
    lane.state = this.machine.settled(state);
    if (this.machine.reportedNothing) return;
    keepFinal(lane, this.collected(session), this.live);
  }

  private stateOf(lane: Lane | undefined): unknown {
    return lane === undefined ? this.rule.definition.start(this.rule.params) : lane.state;
  }

  private lane(session: number): Lane {
    let lane = this.lanes.get(session);
    if (lane === undefined) {
      lane = newLane(this.rule);
      this.lanes.set(session, lane);
    }
    return lane;
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

  private collected(session: number): StepReport {
    return this.machine.report(this.perSession ? session : null);
  }
}
