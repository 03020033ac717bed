/** One rule on its way through one trace: its sessions, what waits for the first response, and exceptions around its machine. */
import type { Json, JsonObject } from "../trace/json.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import { doubt, keepFinal, type Lane, loadLane, newLane, saveLane } from "./lane.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { PolicyRule } from "./policy.ts";
import type { EndEvent, Shown } from "./rule.ts";
import type { RuleGate } from "./rule-gate.ts";
import type { CallStep, RuleMachine } from "./rule-machine.ts";
import { outcomeOf, type RuleOutcome } from "./rule-outcome.ts";
import { NO_SITUATION, userOf } from "./situation.ts";
import { exceptionsOf, NO_REPORT, type StepReport } from "./step-report.ts";

/** One step of one rule, not yet taken. */
export interface Step extends StepReport {
  readonly run: RuleRun;
  readonly lane: Lane | undefined;
  readonly session: number;
  readonly state: unknown;
  /** What kind of step: a turn, a call, or a call that must wait for the first turn. */
  readonly event: "turn" | "call" | "early_call";
  /** Whether the rule was shown the event at all. */
  readonly seen: boolean;
  readonly call: CallEvent | undefined;
}

const NOTHING: readonly never[] = [];
const NONE_SHOWN: Shown = { turns: 0, calls: 0 };
const NO_RESPONSE_YET = "its when looks at responses, and none has been shown to the guard yet";

export class RuleRun {
  readonly rule: PolicyRule;
  private readonly machine: RuleMachine;
  private readonly gate: RuleGate;
  private readonly exceptions: PolicyRule["exceptions"];
  /** Most runs have one session: a table for it would be three more places to look in at every call. */
  private firstLane: Lane | undefined;
  private furtherLanes: Map<number, Lane> | undefined;
  /** How the rule begins, while no session has. */
  private beginning: unknown;
  /** Calls made before the first response, under a `when`: that response decides whether they are looked at. */
  private early: CallStep[] = [];
  /**
   * The same of a running agent, whose list would grow without end: the rule as if `when` held, until the first response
   * decides. A call that would then break the rule cannot be judged yet.
   */
  private assumed: Lane | undefined;
  private readonly live: boolean;
  private readonly user: string | undefined;

  constructor(rule: PolicyRule, machine: RuleMachine, gate: RuleGate, options: MonitorOptions) {
    this.rule = rule;
    this.machine = machine;
    this.gate = gate;
    const { live = true, situation = NO_SITUATION } = options;
    this.exceptions = exceptionsOf(rule, options);
    this.live = live;
    this.user = userOf(situation);
  }

  /** What a turn (with the calls it makes) would add; undefined when that is nothing at all. */
  turn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[] = NOTHING): Step | undefined {
    const session = this.gate.sessionOf(sessionIndex);
    const matches = this.gate.matches(turn);
    const lane = this.laneOf(session);
    const why = matches ? undefined : this.gate.unclear(turn);
    if (why !== undefined) {
      this.machine.begin(false);
      this.machine.notEvaluated(why);
      return this.step("turn", lane, session, this.stateOf(lane), true, undefined);
    }
    const seen = matches || this.seesAnyway(turn);
    const own = matches ? this.gate.ownCalls(turn, calls) : NOTHING;
    const before = matches && this.assumed !== undefined ? this.assumed.state : this.stateOf(lane);
    const state = seen ? this.machine.turn(before, turn, own, matches, this.early) : undefined;
    const isSame = !seen || (state === before && this.machine.reportedNothing);
    if (isSame && this.assumed === undefined && this.early.length === 0) return undefined;
    return this.step("turn", lane, session, state, seen, undefined);
  }

  /** The same, done at once. */
  takeTurn(turn: TurnEvent, sessionIndex: number, calls: readonly CallEvent[]): void {
    const session = this.gate.sessionOf(sessionIndex);
    const matches = this.gate.matches(turn);
    const why = matches ? undefined : this.gate.unclear(turn);
    if (why !== undefined) doubt(this.lane(session), why);
    else if (matches || this.seesAnyway(turn)) {
      const lane = this.lane(session);
      const own = matches ? this.gate.ownCalls(turn, calls) : NOTHING;
      this.keep(lane, this.machine.turn(lane.state, turn, own, matches, this.early), session);
    }
    this.arrive();
  }

  /** What a call recorded on its own would add; undefined when that is nothing at all. */
  call(call: CallEvent): Step | undefined {
    const why = this.gate.doubtOf(call);
    if (why !== undefined) return this.doubtful(why);
    if (!this.gate.shows(call)) return undefined;
    this.machine.begin(true);
    if (this.gate.waits) return this.live ? this.assume(call) : this.earlyStep(call);
    const { session } = this.gate;
    const lane = this.laneOf(session);
    const before = this.stateOf(lane);
    const state = this.machine.call(before, call);
    if (state === before && this.machine.reportedNothing) return undefined;
    return this.step("call", lane, session, state, true, undefined);
  }

  /** The same, done at once. */
  takeCall(call: CallEvent): void {
    const why = this.gate.doubtOf(call);
    if (why !== undefined) doubt(this.lane(this.gate.session), why);
    if (!this.gate.shows(call)) return;
    if (this.gate.waits) {
      this.early.push({ call, result: false });
      return;
    }
    const { session } = this.gate;
    const lane = this.lane(session);
    this.machine.begin(true);
    this.keep(lane, this.machine.call(lane.state, call), session);
  }

  commit(step: Step): void {
    this.beginning = undefined;
    if (step.event === "early_call") {
      if (!this.live) this.early.push({ call: step.call!, result: false });
      else {
        this.assumed ??= newLane(this.rule);
        this.assumed.state = this.machine.settled(step.state);
      }
      return;
    }
    if (step.seen) {
      const lane = step.lane ?? this.lane(step.session);
      lane.state = this.machine.settled(step.state);
      keepFinal(lane, step, this.live);
    }
    if (step.event === "turn") this.arrive();
  }

  /** What a committed call returned: a fact, so it is taken at once. */
  result(call: CallEvent): StepReport["violations"] {
    if (this.rule.definition.onResult === undefined || !this.gate.shows(call)) return NOTHING;
    if (this.gate.waits) {
      if (this.live) this.assumeResult(call);
      else this.early.push({ call, result: true });
      return NOTHING;
    }
    const { session } = this.gate;
    const lane = this.lane(session);
    this.machine.begin(true);
    lane.state = this.machine.settled(this.machine.result(lane.state, call));
    if (this.machine.reportedNothing) return NOTHING;
    const collected = this.collected(session);
    keepFinal(lane, collected, this.live);
    return collected.violations;
  }

  /** What a result would add, for a kind that judges results before they are read: nothing is kept. */
  judgeResult(call: CallEvent): StepReport {
    if (this.rule.definition.judgesResults !== true || !this.gate.shows(call)) return NO_REPORT;
    this.machine.begin(true);
    this.machine.result(this.stateOf(this.gate.waits ? this.assumed : this.laneOf(this.gate.session)), call);
    const report = this.collected(this.gate.session);
    if (!this.gate.waits || report.violations.length === 0) return report;
    return { ...report, notEvaluated: [...report.notEvaluated, NO_RESPONSE_YET] };
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

  /** `shown`: what there was, by session. `peers`: the same rule in all recordings of the user, as `shared` has it. */
  close(shown: ReadonlyMap<number, Shown>, end: Pick<EndEvent, "results" | "peers">): RuleOutcome {
    if (this.rule.definition.needsBaseline) return outcomeOf(this.rule, [], []);
    if (this.early.length > 0 && this.rule.when.length === 0) this.takeEarly();
    for (const session of shown.keys()) this.lane(session);
    const { isGated } = this.gate;
    // A trace without anything in it is one empty session; a gate that no turn opened stays shut.
    if (this.firstLane === undefined && this.furtherLanes === undefined && !isGated) this.lane(0);
    const lanes = [...this.allLanes()]
      .sort(([left], [right]) => left - right)
      .filter(([session, lane]) => !isGated || shown.has(session) || lane.notEvaluated.length > 0);
    for (const [session, lane] of lanes) {
      // Of a session in which it was unclear whether anything matched, the end has nothing to say.
      if (isGated && !shown.has(session)) continue;
      this.machine.end(lane.state, { ...(shown.get(session) ?? NONE_SHOWN), ...end, user: this.user });
      keepFinal(lane, this.collected(session), this.live);
    }
    return outcomeOf(
      this.rule,
      lanes.map(([, lane]) => lane),
      lanes.map(([session]) => shown.get(session) ?? NONE_SHOWN),
    );
  }

  /** Everything the run has to remember, as JSON; the rule itself is not part of it. */
  save(): Json {
    const lanes = [...this.allLanes()].map(([session, lane]): Json => [session, saveLane(lane, this.rule)]);
    const assumed = this.assumed === undefined ? null : saveLane(this.assumed, this.rule);
    return { rule: this.rule.id, lanes, assumed };
  }

  restore(saved: JsonObject): void {
    this.firstLane = undefined;
    this.furtherLanes = undefined;
    for (const [session, lane] of saved["lanes"] as readonly [number, Json][])
      this.setLane(session, loadLane(lane, this.rule));
    this.assumed = saved["assumed"] === null ? undefined : loadLane(saved["assumed"]!, this.rule);
  }

  /** No response ever came: the calls that waited for one are a session of their own. */
  private takeEarly(): void {
    const lane = this.lane(0);
    this.machine.begin(true);
    let state = lane.state;
    for (const event of this.early) state = this.machine.replay(state, event);
    this.early = [];
    this.keep(lane, state, 0);
  }

  /** A call that only the first response can gate, shown to the rule as if it did. */
  private assume(call: CallEvent): Step | undefined {
    const before = this.stateOf(this.assumed);
    const state = this.machine.call(before, call);
    const breaks = !this.machine.reportedNothing;
    if (state === before && !breaks) return undefined;
    const step = this.step("early_call", undefined, 0, state, false, call);
    return breaks ? { ...step, notEvaluated: [NO_RESPONSE_YET] } : step;
  }

  private assumeResult(call: CallEvent): void {
    this.assumed ??= newLane(this.rule);
    this.machine.begin(true);
    this.assumed.state = this.machine.settled(this.machine.result(this.assumed.state, call));
  }

  /** A call of which nobody can tell whether the rule is about it. */
  private doubtful(why: string): Step {
    const { session } = this.gate;
    const lane = this.laneOf(session);
    this.machine.begin(false);
    this.machine.notEvaluated(why);
    return this.step("call", lane, session, this.stateOf(lane), true, undefined);
  }

  private earlyStep(call: CallEvent): Step {
    return this.step("early_call", undefined, 0, undefined, false, call);
  }

  /** Whether the rule is shown a turn that does not match. */
  private seesAnyway(turn: TurnEvent): boolean {
    return this.rule.definition.seesEveryTurn === true && this.gate.includesAgent(turn.turn.agent);
  }

  private arrive(): void {
    this.assumed = undefined;
    if (this.early.length > 0) this.early = [];
  }

  private keep(lane: Lane, state: unknown, session: number): void {
    lane.state = this.machine.settled(state);
    if (this.machine.reportedNothing) return;
    keepFinal(lane, this.collected(session), this.live);
  }

  private stateOf(lane: Lane | undefined): unknown {
    if (lane !== undefined) return lane.state;
    this.beginning ??= this.rule.definition.start(this.rule.params);
    return this.beginning;
  }

  private lane(session: number): Lane {
    const known = this.laneOf(session);
    if (known !== undefined) return known;
    const lane = newLane(this.rule);
    this.setLane(session, lane);
    return lane;
  }

  private laneOf(session: number): Lane | undefined {
    return session === 0 ? this.firstLane : this.furtherLanes?.get(session);
  }

  private setLane(session: number, lane: Lane): void {
    if (session === 0) this.firstLane = lane;
    else {
      this.furtherLanes ??= new Map();
      this.furtherLanes.set(session, lane);
    }
  }

  private *allLanes(): Generator<readonly [number, Lane]> {
    if (this.firstLane !== undefined) yield [0, this.firstLane];
    if (this.furtherLanes !== undefined) yield* this.furtherLanes;
  }

  /** One literal of one shape: this is made for every rule at every guarded call, and a spread costs ten times as much. */
  private step(
    event: Step["event"],
    lane: Lane | undefined,
    session: number,
    state: unknown,
    seen: boolean,
    call: CallEvent | undefined,
  ): Step {
    const { violations, excused, notEvaluated } = seen ? this.collected(session) : NO_REPORT;
    return { run: this, lane, session, state, violations, excused, notEvaluated, event, seen, call };
  }

  private collected(session: number): StepReport {
    return this.machine.report(this.gate.perSession ? session : null, this.exceptions);
  }
}
