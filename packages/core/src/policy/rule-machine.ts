/**
 * A rule's own machine: its steps, and what each of them reported. It remembers nothing between two steps but what the last one
 * reported, so all traces and sessions of a policy go through the same machines.
 */
import { Collector } from "./collector.ts";
import type { CallEvent, TurnEvent } from "./events.ts";
import type { Policy, PolicyRule } from "./policy.ts";
import type { EndEvent, RuleKind } from "./rule.ts";
import { reportOf, type StepReport } from "./step-report.ts";

/** A call, or the result of one. */
export interface CallStep {
  readonly call: CallEvent;
  readonly result: boolean;
}

interface Machines {
  live?: readonly RuleMachine[];
  recorded?: readonly RuleMachine[];
}

const known = new WeakMap<Policy, Machines>();

/** The machines of a policy, by the position of their rules: for a running agent, or for what was recorded. */
export function machinesOf(policy: Policy, live: boolean): readonly RuleMachine[] {
  let machines = known.get(policy);
  if (machines === undefined) {
    machines = {};
    known.set(policy, machines);
  }
  const made = () => policy.rules.map((rule) => new RuleMachine(rule, live));
  const which = live ? "live" : "recorded";
  const found = machines[which] ?? made();
  machines[which] = found;
  return found;
}

/** Each of the steps returns the next state; what they found is kept until the next `begin`. */
export class RuleMachine {
  private readonly rule: PolicyRule;
  private readonly definition: RuleKind;
  private readonly context: Collector;
  /** Whether the rule is about certain tools: then a call without a name may be one of them. */
  private readonly namesTools: boolean;

  constructor(rule: PolicyRule, live: boolean) {
    this.rule = rule;
    this.definition = rule.definition;
    this.context = new Collector(rule.params, live);
    const tools = rule.definition.tools?.(rule.params) ?? [];
    this.namesTools = tools.length > 0 && !tools.includes("");
  }

  begin(matches: boolean): void {
    this.context.begin(matches);
  }

  /** A response with its calls; `early` is what waited for it. */
  turn(
    before: unknown,
    turn: TurnEvent,
    calls: readonly CallEvent[],
    matches: boolean,
    early: readonly CallStep[],
  ): unknown {
    const { definition, context } = this;
    let state = before;
    context.begin(matches);
    if (matches) {
      for (const step of early) state = this.replay(state, step);
      if (!turn.isUnderstood)
        context.notEvaluated(`the response of turn ${turn.index + 1} has a shape that is not understood`);
    }
    if (definition.onTurn !== undefined) state = definition.onTurn(state, turn, context);
    for (const call of calls) state = this.call(state, call);
    return state;
  }

  call(state: unknown, call: CallEvent): unknown {
    if (call.call.name === "" && this.namesTools)
      this.context.notEvaluated("a call was recorded without the name of its tool");
    return this.definition.onCall === undefined ? state : this.definition.onCall(state, call, this.context);
  }

  result(state: unknown, call: CallEvent): unknown {
    return this.definition.onResult === undefined ? state : this.definition.onResult(state, call, this.context);
  }

  replay(state: unknown, { call, result }: CallStep): unknown {
    return result ? this.result(state, call) : this.call(state, call);
  }

  end(state: unknown, end: EndEvent): void {
    this.context.begin(true);
    this.definition.atEnd?.(state, end, this.context);
  }

  /** The state has been kept. */
  settled(state: unknown): unknown {
    return this.definition.settle === undefined ? state : this.definition.settle(state);
  }

  notEvaluated(why: string): void {
    this.context.notEvaluated(why);
  }

  get reportedNothing(): boolean {
    return this.context.isEmpty;
  }

  /** What was reported since `begin`; `session` is null for a rule about the whole trace. */
  report(session: number | null, exceptions: PolicyRule["exceptions"]): StepReport {
    return reportOf(this.context, this.rule, exceptions, session);
  }
}
