import { SpoorError } from "../../errors.ts";
import { custom } from "../../read/collections.ts";
import { required } from "../../read/field.ts";
import type { Located } from "../../read/located.ts";
import { filledText } from "../../read/scalars.ts";
import type { Shape } from "../../read/shape.ts";
import { isTool } from "../../text/tool-name.ts";
import { type Json, member } from "../../trace/json.ts";
import type { ToolCall } from "../../trace/trace.ts";
import type { CallEvent, TurnEvent } from "../events.ts";
import {
  type Automaton,
  type AutomatonState,
  createAutomaton,
  FormulaTooComplex,
  type SavedState,
} from "../ltl/automaton.ts";
import { type CompiledFormula, compileFormula, MAX_ATOMS, truthVector } from "../ltl/evaluate-formula.ts";
import type { Atom, Formula } from "../ltl/formula.ts";
import { FormulaError, parseFormula } from "../ltl/parse-formula.ts";
import { defineRule, type StepContext } from "../rule.ts";

interface Machine {
  readonly text: string;
  readonly formula: Formula;
  readonly compiled: CompiledFormula;
  readonly automaton: Automaton;
  /** Bits of the `tool_call` atoms: those that a turn may still gain while its tools run. */
  readonly toolBits: number;
  readonly allBits: number;
  /** Those of each tool that was called, by its name. */
  readonly bitsOfTools: Map<string, number>;
}

interface State {
  /** After the closed turns. */
  readonly state: AutomatonState;
  readonly closed: number;
  /**
   * The closed turns, append-only and shared between states: entries from `closed` on belong to nobody, so that a probe that
   * was thrown away leaves nothing behind.
   */
  readonly log: Log;
  /** The latest turn, to which calls recorded on their own still belong; `open` is its index, -1 when there is none. */
  readonly open: number;
  readonly openId: string | undefined;
  /** What is true of the open turn; before the first turn, the tools called so far: they belong to it. */
  readonly bits: number;
  /** Whether the open turn says itself which tools it calls, so that none is still to come. */
  readonly complete: boolean;
  /** Turns read when no continuation could save the formula any more; -1 while there is hope. */
  readonly deadAfter: number;
  /** The index of the last of them. */
  readonly deadTurn: number;
  /** Of a running agent: whether the open turn has lost it, whatever it may still gain; undefined before anyone asked. */
  readonly doomed: boolean | undefined;
}

interface Log {
  readonly bits: number[];
  readonly turns: number[];
  readonly ids: (string | undefined)[];
}

const formula: Shape<Machine> = custom(filledText, readFormula, { type: "formula" });

/** A formula of linear temporal logic holds over the turns. */
export const ltlFormula = defineRule({
  kind: "ltl_formula",
  summary: "a temporal formula over the turns must hold",
  params: {
    formula: required(formula, "e.g. `G (tool_call:refund -> F tool_call:confirm)`"),
  },
  explain: ({ formula }) => `The formula ${formula.text} must hold.`,
  judgesBlind: ({ formula }) =>
    formula.compiled.atoms.every(({ predicate }) => predicate === "tool_call" || predicate === "stop_reason"),
  headline: ({ formula }) => ({ subject: `the formula ${formula.text}`, predicate: "does not hold" }),
  tools: ({ formula }) =>
    formula.compiled.atoms.flatMap((atom) => (atom.predicate === "tool_call" ? [atom.value] : [])),
  // A formula that is lost stays lost, whichever tool is called.
  watches: () => [],
  start: ({ formula }): State => ({
    state: formula.automaton.start,
    closed: 0,
    log: { bits: [], turns: [], ids: [] },
    open: -1,
    openId: undefined,
    bits: 0,
    complete: false,
    deadAfter: -1,
    deadTurn: -1,
    doomed: undefined,
  }),

  onTurn(before, turn, context) {
    const { formula } = context.params;
    const wasOpen = before.open >= 0;
    const state = wasOpen ? readOpenTurn(before, formula, context.live) : before.state;
    const closed = wasOpen ? before.closed + 1 : before.closed;
    const after: State = {
      state,
      closed,
      log: before.log,
      open: turn.index,
      openId: turn.recordId,
      bits: wasOpen ? bitsOf(turn, formula) : bitsOf(turn, formula) | before.bits,
      complete: turn.blockCalls.length > 0,
      ...deadAfter(before, state, closed, formula),
      doomed: undefined,
    };
    return context.live ? warn(after, { turn }, context) : after;
  },

  onCall(state, call, context) {
    const bits = state.bits | toolBits(call.call.name, context.params.formula);
    // Most calls are of tools that the formula does not name.
    if (bits === state.bits && (state.doomed === false || !context.live)) return state;
    const after = bits === state.bits ? state : { ...state, bits, doomed: undefined };
    return context.live ? warn(after, { call }, context) : after;
  },

  atEnd(state, _end, { params, live, found }) {
    const { formula } = params;
    const isOpen = state.open >= 0;
    const last = isOpen ? readOpenTurn(state, formula, live) : state.state;
    const closed = isOpen ? state.closed + 1 : state.closed;
    if (closed === 0 || last.accepts) return;
    const log = lastTurns(state.log, closed, live);
    const truth = truthVector(formula.compiled, log.bits);
    const first = closed - log.bits.length;
    const dead = deadAfter(state, last, closed, formula);
    const witness = dead.deadAfter < 0 ? null : dead.deadAfter;
    const blamed = (witness ?? closed) - 1 - first;
    const primary = truth[blamed] === false ? blamed : truth.lastIndexOf(false, log.bits.length - 1);
    const turnNumber = (witness === null ? log.turns.at(-1)! : dead.deadTurn) + 1;
    const message =
      witness === null
        ? `${formula.text} is still open at the end, in turn ${turnNumber}.`
        : `${formula.text} cannot hold any more from turn ${turnNumber} on.`;
    const facts = { formula: formula.text, witness };
    for (let index = 0; index < log.bits.length; index++) {
      if (truth[index]) continue;
      const turn = { index: log.turns[index]!, recordId: log.ids[index] };
      const finding = { code: CODE, message, subject: formula.text, turn, facts };
      found(index === primary ? finding : { ...finding, restates: true });
    }
  },

  needsTurns: ({ formula }) => !onlyForbidsTools(formula.formula),
  save: (state, { formula }) => ({ ...state, state: formula.automaton.save(state.state) }),
  restore(saved, { formula }) {
    const { state, ...rest } = saved as Omit<State, "state"> & { readonly state: SavedState };
    return { ...rest, state: formula.automaton.restore(state) };
  },
  formula: ({ formula }) => formula.formula,
});

/** `G !tool_call:a`, and several of them: the one kind of formula that means the same with turns and without. */
function onlyForbidsTools(formula: Formula): boolean {
  if (formula.op === "&") return onlyForbidsTools(formula.left) && onlyForbidsTools(formula.right);
  return formula.op === "G" && forbidsTools(formula.body);
}

function forbidsTools(formula: Formula): boolean {
  if (formula.op === "&") return forbidsTools(formula.left) && forbidsTools(formula.right);
  return formula.op === "!" && formula.body.op === "atom" && formula.body.atom.predicate === "tool_call";
}

const CODE = "formula_false";

/** Of a running agent only so many turns are kept to be named at the end: what a formula says of a turn needs no earlier one. */
const WINDOW = 1024;

/** Reads the open turn, to which nothing can be added any more. */
function readOpenTurn(
  { state, open, openId, closed, log, bits }: State,
  machine: Machine,
  live: boolean,
): AutomatonState {
  const place = live ? closed % WINDOW : closed;
  log.bits[place] = bits;
  log.turns[place] = open;
  log.ids[place] = openId;
  return step(machine, state, bits);
}

/** The closed turns in their order; of a running agent the latest ones. */
function lastTurns(log: Log, closed: number, live: boolean): Log {
  const kept = live ? Math.min(closed, WINDOW) : closed;
  const places = Array.from({ length: kept }, (_, index) => (closed - kept + index) % (live ? WINDOW : closed));
  return {
    bits: places.map((place) => log.bits[place]!),
    turns: places.map((place) => log.turns[place]!),
    ids: places.map((place) => log.ids[place]),
  };
}

/** After how many turns the formula was lost, now that `closed` have been read, and which was the last of them. */
function deadAfter(
  before: State,
  state: AutomatonState,
  closed: number,
  machine: Machine,
): Pick<State, "deadAfter" | "deadTurn"> {
  if (before.deadAfter >= 0 || closed === before.closed || !machine.automaton.isDead(state))
    return { deadAfter: before.deadAfter, deadTurn: before.deadTurn };
  return { deadAfter: closed, deadTurn: before.open };
}

/** For the guard: the formula is lost, or the event makes it impossible, whatever its turn may still gain. Said each time. */
function warn(
  state: State,
  at: { turn: TurnEvent } | { call: CallEvent },
  context: StepContext<{ readonly formula: Machine }>,
): State {
  const { formula } = context.params;
  const doomed = state.doomed ?? (state.deadAfter >= 0 || isDoomed(state, formula));
  const asked = state.doomed === undefined ? { ...state, doomed } : state;
  if (!doomed) return asked;
  const message = `${formula.text} could not hold any more.`;
  context.found({
    code: CODE,
    message,
    subject: formula.text,
    ...at,
    facts: { formula: formula.text },
    provisional: true,
  });
  return asked;
}

function isDoomed({ state, open, bits, complete }: State, machine: Machine): boolean {
  // What the turn may still gain: anything before it has begun, and tools while it has not named any itself.
  const missing = (open < 0 ? machine.allBits : complete ? 0 : machine.toolBits) & ~bits;
  let gained = 0;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    if (!machine.automaton.isDead(step(machine, state, bits | gained))) return false;
    gained = (gained - missing) & missing;
    if (gained === 0) return true;
  }
  return false;
}

/** Ways a turn may go on that are tried before a formula is given the benefit of the doubt. */
const MAX_TRIES = 1024;

function step(machine: Machine, state: AutomatonState, bits: number): AutomatonState {
  try {
    return machine.automaton.step(state, bits);
  } catch (error) {
    if (!(error instanceof FormulaTooComplex)) throw error;
    throw new SpoorError(
      "policy.formula-too-complex",
      `The formula ${machine.text} cannot be followed: ${error.message}.`,
      {
        hint: "Split it into several rules.",
        consequence: "Nothing was decided.",
      },
    );
  }
}

function bitsOf(turn: TurnEvent, { compiled }: Machine): number {
  let bits = 0;
  for (let index = 0; index < compiled.atoms.length; index++) {
    if (holdsAt(compiled.atoms[index]!, turn)) bits |= 1 << index;
  }
  return bits;
}

function holdsAt(atom: Atom, turn: TurnEvent): boolean {
  switch (atom.predicate) {
    case "tool_call":
      return callsTool(turn.blockCalls, atom.value);
    case "stop_reason":
      return (turn.stopReason ?? "") === atom.value;
    case "text_contains":
      return turn.text.includes(atom.value);
    case "extra":
      return extraText(member(member(turn.request, "metadata"), atom.key)) === atom.value;
    case "never":
      return false;
  }
}

/** A plain loop: this runs for every atom of every turn. */
function callsTool(calls: readonly ToolCall[], name: string): boolean {
  for (const call of calls) if (isTool([name], call.name)) return true;
  return false;
}

function extraText(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

function toolBits(name: string, machine: Machine): number {
  const known = machine.bitsOfTools.get(name);
  if (known !== undefined) return known;
  const bits = findToolBits(name, machine);
  // Names come from a model.
  if (machine.bitsOfTools.size >= MAX_NAMES) machine.bitsOfTools.clear();
  machine.bitsOfTools.set(name, bits);
  return bits;
}

const MAX_NAMES = 1000;

function findToolBits(name: string, { compiled }: Machine): number {
  let bits = 0;
  for (let index = 0; index < compiled.atoms.length; index++) {
    const atom = compiled.atoms[index]!;
    if (atom.predicate === "tool_call" && isTool([atom.value], name)) bits |= 1 << index;
  }
  return bits;
}

function readFormula(value: string, at: Located): Machine | undefined {
  try {
    const formula = parseFormula(value);
    const compiled = compileFormula(formula);
    if (compiled === undefined)
      return at.problem(`the formula has more than ${MAX_ATOMS} different atoms; split it into several rules.`);
    const automaton = createAutomaton(compiled);
    if (automaton.isDead(automaton.start))
      return at.problem("no trace can satisfy this formula, so the rule could only ever fail.");
    let tools = 0;
    for (const [index, atom] of compiled.atoms.entries()) if (atom.predicate === "tool_call") tools |= 1 << index;
    return {
      text: value.trim(),
      formula,
      compiled,
      automaton,
      toolBits: tools,
      allBits: 2 ** compiled.atoms.length - 1,
      bitsOfTools: new Map(),
    };
  } catch (error) {
    if (error instanceof FormulaTooComplex)
      return at.problem(`the formula cannot be followed: ${error.message}; split it into several rules.`);
    if (!(error instanceof FormulaError)) throw error;
    return at.problem(`the formula is wrong at character ${error.offset + 1}: ${error.message}.`);
  }
}
