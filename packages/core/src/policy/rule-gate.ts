/**
 * What of a trace the rules behind one gate are shown: the turns that satisfy `when`, the agents they are about, the calls of
 * either; and how much of it there was, session by session. Most rules of a policy stand behind the same gate (none), so a gate
 * is kept once for all of them.
 */
import type { Json, JsonObject } from "../trace/json.ts";
import { type Condition, ORDERS } from "./condition.ts";
import { allHold, unclear } from "./conditions.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { PolicyRule } from "./policy.ts";
import type { Shown } from "./rule.ts";
import { looksAtTurns, NO_SITUATION } from "./situation.ts";

type Counts = { -readonly [K in keyof Shown]: Shown[K] };

export class RuleGate {
  /** Whether there is a gate at all: a rule behind one that nothing opened did not apply. */
  readonly isGated: boolean;
  readonly perSession: boolean;
  private readonly when: readonly Condition[];
  private readonly agents: readonly string[];
  private readonly live: boolean;
  /** Whether only a response can tell if a call is looked at. */
  private readonly looksAtTurns: boolean;
  /** Whether `when` orders texts: only then can it be unclear whether a turn matches. */
  private readonly ordersTexts: boolean;
  /** Whether calls before the first response may be looked at: the situation alone may already say no. */
  private readonly opensEarly: boolean;
  private readonly counts = new Map<number, Counts>();
  /** Those of the session that calls now belong to, once there was one. */
  private current: Counts | undefined;
  /** Calls that wait for the first response. */
  private earlyCalls = 0;
  /** The session of the latest turn; -1 before any. */
  private latestSession = -1;
  /** Whether calls are looked at until the next turn. */
  private isOpen: boolean;
  /** Why nobody can tell whether they should be, where the gate is shut. */
  private doubt: string | undefined;
  /** The turn that was asked about last: every rule asks. */
  private asked: TurnEvent | undefined;
  private askedMatches = false;

  constructor({ when, agents, scope }: PolicyRule, { live = true, situation = NO_SITUATION }: MonitorOptions) {
    this.when = when;
    this.agents = agents;
    this.live = live;
    this.perSession = scope === "session";
    this.isGated = when.length > 0 || agents.length > 0;
    this.looksAtTurns = when.some(looksAtTurns);
    this.ordersTexts = when.some(({ op, value }) => typeof value === "string" && ORDERS.has(op));
    this.opensEarly = this.looksAtTurns || allHold(when, situation);
    this.isOpen = this.opensEarly;
    this.doubt = this.opensEarly || !this.ordersTexts ? undefined : unclear(when, situation);
  }

  matches(turn: TurnEvent): boolean {
    if (!this.isGated) return true;
    if (this.asked !== turn) {
      this.asked = turn;
      this.askedMatches =
        this.includesAgent(turn.turn.agent) && (this.when.length === 0 || allHold(this.when, turn.context));
    }
    return this.askedMatches;
  }

  /** Why nobody can tell whether a turn that does not match might. */
  unclear(turn: TurnEvent): string | undefined {
    if (!this.ordersTexts || !this.includesAgent(turn.turn.agent)) return undefined;
    return unclear(this.when, turn.context);
  }

  ownCalls(turn: TurnEvent, calls: readonly CallEvent[]): readonly CallEvent[] {
    if (this.agents.length === 0) return calls;
    return calls.filter(({ call }) => this.includesAgent(call.agent ?? turn.turn.agent));
  }

  /** A call belongs to the latest turn, and is looked at when that one is. */
  shows(call: CallEvent): boolean {
    return this.isOpen && (this.agents.length === 0 || this.includesAgent(call.call.agent ?? call.turn?.turn.agent));
  }

  /** Why nobody can tell whether a call that is not looked at should be. */
  doubtOf(call: CallEvent): string | undefined {
    if (this.isOpen || this.doubt === undefined) return undefined;
    return this.includesAgent(call.call.agent ?? call.turn?.turn.agent) ? this.doubt : undefined;
  }

  /**
   * A call before the first response cannot be gated yet, nor put into a session: what decides about it is that response. A
   * running agent has but one session then, and must not wait.
   */
  get waits(): boolean {
    return this.latestSession < 0 && (this.looksAtTurns || (this.perSession && !this.live));
  }

  includesAgent(agent: string | undefined): boolean {
    return this.agents.length === 0 || this.agents.includes(agent ?? "main");
  }

  sessionOf(index: number): number {
    return this.perSession ? index : 0;
  }

  /** The session that calls now belong to. */
  get session(): number {
    return Math.max(0, this.latestSession);
  }

  /** A turn has happened, with the calls it makes. */
  arrive(turn: TurnEvent, index: number, calls: readonly CallEvent[]): void {
    const session = this.sessionOf(index);
    const matches = this.matches(turn);
    if (matches) {
      const counts = this.countsOf(session);
      counts.turns++;
      counts.calls += this.ownCalls(turn, calls).length + this.earlyCalls;
    }
    this.earlyCalls = 0;
    this.current = undefined;
    this.latestSession = session;
    this.isOpen = matches;
    this.doubt = matches ? undefined : this.unclear(turn);
    this.asked = undefined;
  }

  /** A call on its own has happened. */
  count(call: CallEvent): void {
    if (!this.shows(call)) return;
    if (this.waits) this.earlyCalls++;
    else {
      this.current ??= this.countsOf(this.session);
      this.current.calls++;
    }
  }

  /** How much there was, by session. */
  close(): ReadonlyMap<number, Shown> {
    // No response ever came: the calls that waited for one are a session of their own.
    if (this.earlyCalls > 0 && this.when.length === 0) this.countsOf(0).calls += this.earlyCalls;
    this.earlyCalls = 0;
    return this.counts;
  }

  save(): Json {
    const { latestSession, isOpen, doubt = null, earlyCalls } = this;
    return {
      latestSession,
      isOpen,
      doubt,
      earlyCalls,
      counts: [...this.counts].map(([at, { turns, calls }]) => [at, turns, calls]),
    };
  }

  restore(saved: JsonObject): void {
    this.doubt = (saved["doubt"] as string | null) ?? undefined;
    this.latestSession = saved["latestSession"] as number;
    this.isOpen = saved["isOpen"] as boolean;
    this.earlyCalls = saved["earlyCalls"] as number;
    this.counts.clear();
    this.current = undefined;
    for (const [session, turns, calls] of saved["counts"] as readonly [number, number, number][])
      this.counts.set(session, { turns, calls });
  }

  private countsOf(session: number): Counts {
    let counts = this.counts.get(session);
    if (counts === undefined) {
      counts = { turns: 0, calls: 0 };
      this.counts.set(session, counts);
    }
    return counts;
  }
}
