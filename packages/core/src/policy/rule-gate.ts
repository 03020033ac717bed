/** What of a trace a rule is shown: the turns that satisfy `when`, the agents it is about, the calls of either. */
import { ORDERS } from "./condition.ts";
import { allHold, unclear } from "./conditions.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import type { PolicyRule } from "./policy.ts";
import { looksAtTurns, type Situation } from "./situation.ts";

export class RuleGate {
  /** Whether there is a gate at all: a rule behind one that nothing opened did not apply. */
  readonly isGated: boolean;
  /** Whether only a response can tell if a call is looked at. */
  readonly looksAtTurns: boolean;
  private readonly rule: PolicyRule;
  private readonly situation: Situation;
  /** Whether `when` orders texts: only then can it be unclear whether a turn matches. */
  private readonly ordersTexts: boolean;

  constructor(rule: PolicyRule, situation: Situation) {
    this.rule = rule;
    this.situation = situation;
    this.isGated = rule.when.length > 0 || rule.agents.length > 0;
    this.looksAtTurns = rule.when.some(looksAtTurns);
    this.ordersTexts = rule.when.some(({ op, value }) => typeof value === "string" && ORDERS.has(op));
  }

  matches(turn: TurnEvent): boolean {
    if (!this.isGated) return true;
    if (!this.includesAgent(turn.turn.agent)) return false;
    return this.rule.when.length === 0 || allHold(this.rule.when, turn.context);
  }

  /** Why nobody can tell whether a turn that does not match might. */
  unclear(turn: TurnEvent): string | undefined {
    if (!this.ordersTexts || !this.includesAgent(turn.turn.agent)) return undefined;
    return unclear(this.rule.when, turn.context);
  }

  /** Whether the rule is shown a turn that does not match. */
  showsAnyway(turn: TurnEvent): boolean {
    return this.rule.definition.seesEveryTurn === true && this.includesAgent(turn.turn.agent);
  }

  ownCalls(turn: TurnEvent, calls: readonly CallEvent[]): readonly CallEvent[] {
    if (this.rule.agents.length === 0) return calls;
    return calls.filter(({ call }) => this.includesAgent(call.agent ?? turn.turn.agent));
  }

  /** Whether calls before the first response may be looked at: the situation alone may already say no. */
  opensEarly(): boolean {
    return this.looksAtTurns || allHold(this.rule.when, this.situation);
  }

  isOfAgent(call: CallEvent): boolean {
    return this.rule.agents.length === 0 || this.includesAgent(call.call.agent ?? call.turn?.turn.agent);
  }

  private includesAgent(agent: string | undefined): boolean {
    const { agents } = this.rule;
    return agents.length === 0 || agents.includes(agent ?? "main");
  }
}
