/**
 * What a rule kind is. One definition per kind serves four masters: the batch check of a recorded trace, `scope: session`,
 * gating by `when`, and the runtime guard that judges a call before it runs.
 *
 * A kind is an incremental machine over the events of a trace, in the order in which they happened:
 *
 *     start → onTurn (a response arrived) → onCall (each of its calls, then calls recorded on their own)
 *           → onResult (what a call returned) → … → atEnd (the trace, or the session, is closed)
 *
 * Three promises make the guard possible:
 *
 * 1. **Steps are pure.** `onTurn` and `onCall` take a state and return the next one; they never change the state they were
 *    given. So a probe is a step whose result is thrown away, and a rollback is simply not keeping the new state.
 *    (`onResult` alone may change its state in place: a result is a fact, it is never probed.)
 * 2. **Steps are cheap.** Each costs O(1) amortised in the length of the history: a state holds counts, the latest
 *    interesting call, an automaton's state; never the trace.
 * 3. **A step reports what its event adds**, nothing else. What only the end can decide (a tool never called, a follow-up
 *    still owed) is reported by `atEnd`. What is certain now but is reported in its final wording by `atEnd` (a count over
 *    its limit) is reported at once as `provisional`: the guard acts on it, the batch check leaves it out.
 *
 * The monitor (monitor.ts) drives the machines: it cuts sessions, applies `when` and `agent`, gives violations their
 * absolute turn numbers and evidence. Rules see only what they should, and need to know nothing about any of this.
 */
import type { ComparedRun } from "../fingerprint/compared-run.ts";
import type { SignalFinding } from "../fingerprint/signals/signal.ts";
import type { Located } from "../read/located.ts";
import type { Fields, ValuesOf } from "../read/mapping.ts";
import type { MappingOptions } from "../read/shape.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { Claims } from "./claims.ts";
import type { CallEvent, TurnEvent, TurnMark } from "./events.ts";
import type { Formula } from "./ltl/formula.ts";
import type { Path } from "./path.ts";

/** What a step found. The monitor turns it into a `Violation`. */
export interface Finding {
  /** Stable name of what went wrong, for scripts: "called_too_late". */
  readonly code: string;
  /** One sentence for people, without the place: "issue_refund was called without confirm_refund_amount before it." */
  readonly message: string;
  /** Where: a turn, a call, or (absent) the whole trace or session. */
  readonly turn?: TurnEvent | TurnMark;
  readonly call?: CallEvent;
  /** A sentence of help: what was expected, what else is known. */
  readonly note?: string;
  /** The facts of the message as data. */
  readonly facts?: JsonObject;
  /** What the offence is about, free of counts and turn numbers: two findings with one subject are the same offence. */
  readonly subject?: string;
  /** How bad, where that is a number (tokens used, turns taken): lets a diff say worse or better. */
  readonly measure?: number;
  /** The piece of the response's text that matched. */
  readonly span?: Span;
  /** Address inside the response's JSON or the call's arguments. */
  readonly path?: string;
  /** Certain already, but `atEnd` reports it in its final form: for the guard only. */
  readonly provisional?: true;
  /** A later event may still make it good: the guard does not act on it, the end reports it. */
  readonly deferred?: true;
  /** The same offence seen from another turn (a formula reports every turn at which it is false). */
  readonly restates?: true;
}

/** A piece of text: UTF-16 offsets into the response's text (its text blocks joined with newlines). */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a step may use besides its state and its event. */
export interface StepContext<Params> {
  readonly params: Params;
  /** False only for kinds with `seesEveryTurn`: the turn did not satisfy `when`. */
  readonly matches: boolean;
  /** Whether someone acts on findings as they come: only then are `provisional` ones wanted. */
  readonly live: boolean;
  found(finding: Finding): void;
  /** The rule could not be judged here, and why: reported as such, never as a pass. */
  notEvaluated(why: string): void;
}

/** What a rule may use that is judged on a whole run beside its baseline. */
export interface RunJudge<Params> {
  readonly params: Params;
  found(finding: {
    readonly code: string;
    readonly message: string;
    readonly findings?: readonly SignalFinding[];
  }): void;
  notEvaluated(why: string): void;
}

/** Turns and calls there were for a rule (after gating, in this session), whichever tools it is about. */
export interface Shown {
  readonly turns: number;
  readonly calls: number;
}

export interface EndEvent extends Shown {
  /** Whether the trace told what any call returned: where none did, nobody can tell which succeeded. */
  readonly results: boolean;
  /** Of a recording: whose it is, and how the same rule stands in all recordings of that user, this one among them. */
  readonly user?: string | undefined;
  readonly peers?: readonly unknown[] | undefined;
}

/** A broken rule in words: `subject` (now) `predicate`, "issue_refund" (now) "runs without confirm before it". */
export interface Headline {
  readonly subject: string;
  readonly predicate: string;
}

/** What a rule looked at: 3 "issue_refund call". Where that is nothing, it has neither been kept nor broken. */
export interface Seen {
  readonly amount: number;
  readonly noun: string;
}

export interface RuleDefinition<Params, State> {
  readonly kind: string;
  /** What the kind asserts, one sentence for the generated list. */
  readonly summary: string;
  readonly params: Fields;
  /** Parameters of which one must be given. */
  readonly paramOptions?: Pick<MappingOptions, "exactlyOne" | "atLeastOne">;
  /** Problems that no single parameter has and that only a computation finds. */
  validate?(params: Params, at: Located): void;
  /** The rule in one English sentence. */
  explain(params: Params): string;
  headline(params: Params): Headline;
  /** The tools that the rule is about; absent or empty where it is about all of them, or none. */
  tools?(params: Params): readonly string[];
  /** The tools whose calls and results change anything for it, where these are others than `tools`; empty for all of them. */
  watches?(params: Params): readonly string[];
  /** Tools whose calls it is about, and which it lets pass whatever went before: nobody need ask it about them. */
  ignores?(params: Params, tool: string): boolean;
  /** Further tools of which it must know how their calls ended, though not that they were made. */
  hears?(params: Params, tool: string): boolean;
  /** Paths into the pair that it looks at, besides `when`. */
  paths?(params: Params): readonly Path[];
  /** Paths into the arguments of its tools. */
  argumentPaths?(params: Params): readonly Path[];
  /** Whether every call of a tool breaks it, whatever its arguments: such a tool need not be offered. */
  forbids?(params: Params, tool: string): boolean;
  /** What it demands, limits and orders: what rules can contradict each other about. */
  claims?(params: Params): Claims;
  /** Whether it cannot be judged without what calls returned: a door that does not see results must not load it. */
  needsResults?(params: Params): boolean;
  /** The tools whose output it reads; absent where it reads every output, empty where it asks only whether a call went well. */
  readsOutputOf?(params: Params): readonly string[];
  /** What decides it, where no call that is about to run can break it: a door that judges calls has no use for it. */
  readonly decidedBy?: "result" | "end";
  /** Whether a call can be judged without those before it: `always`, or `roughly`, where they only sharpen the judgement. */
  readonly judgesCallAlone?: "always" | "roughly";
  /** What may follow when it is broken, besides that the call does not run or that it is said. */
  effects?(params: Params): readonly ("ask" | "redact")[];
  /** Whether it judges what calls return, before anyone reads it: a door that hands results on unseen must not load it. */
  readonly judgesResults?: true;
  /** For a kind that can redact: the arguments, or the result, with what it forbids replaced by a mark. */
  redact?(value: Json, params: Params, mark: string): Json;
  /** Whether names, counts, times and equal arguments suffice to judge it: a recording without anything anyone said has no more. */
  judgesBlind?(params: Params): boolean;
  /** Whether it counts or compares by time: a door without a clock must not load it. */
  needsClock?(params: Params): boolean;
  /** Whether its state is one for all sessions of a user. */
  perUser?(params: Params): boolean;
  /** Whether its parameters say that each session is judged on its own. */
  perSession?(params: Params): boolean;
  start(params: Params): State;
  onTurn?(state: State, turn: TurnEvent, context: StepContext<Params>): State;
  onCall?(state: State, call: CallEvent, context: StepContext<Params>): State;
  onResult?(state: State, call: CallEvent, context: StepContext<Params>): State;
  atEnd?(state: State, end: EndEvent, context: StepContext<Params>): void;
  /** Judges a run that was compared with a baseline, apart from its events: what `spoor baseline compare --policy` asks. */
  onRun?(run: ComparedRun, judge: RunJudge<Params>): void;
  /** Only a comparison can judge it: over a trace alone it is `not_evaluated`, with the reason `needs_baseline`. */
  readonly needsBaseline?: true;
  /**
   * Whether a kind that judges calls also needs whole responses to do so. A kind without `onCall` always does; so does a rule
   * whose `when` looks at them.
   */
  needsTurns?(params: Params): boolean;
  /** Its state as plain data and back, for a kind whose state is more than plain data, maps, sets and turns. */
  save?(state: State, params: Params): unknown;
  restore?(saved: unknown, params: Params): State;
  /** The state has been kept: changes that had to stay apart while it could still be dropped may be folded in. */
  settle?(state: State): State;
  /** What was looked at; by default the turns. */
  seen?(state: State, params: Params, shown: Shown): Seen | undefined;
  /** Show `onTurn` also the turns that `when` excludes, with `matches: false`. */
  readonly seesEveryTurn?: true;
  /** The rule as a temporal formula, where one exists that agrees with it turn by turn. */
  formula?(params: Params): Formula | undefined;
}

/** A kind whose types have been forgotten: what the registry and the monitor hold. */
export type RuleKind = RuleDefinition<unknown, unknown>;

type Typed<Spec extends Fields, State> = Omit<RuleDefinition<ValuesOf<Spec>, State>, "params"> & {
  readonly params: Spec;
};

/** Defines a rule kind; parameters and state are typed from the definition. */
export function defineRule<const Spec extends Fields, State>(definition: Typed<Spec, State>): RuleKind {
  return definition as unknown as RuleKind;
}
