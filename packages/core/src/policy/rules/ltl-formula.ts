import { SpoorError } from "../../errors.ts";
import { custom } from "../../read/collections.ts";
import { required } from "../../read/field.ts";
import type { Located } from "../../read/located.ts";
import { filledText } from "../../read/scalars.ts";
import type { Shape } from "../../read/shape.ts";
import { type Json, member } from "../../trace/json.ts";
import type { ToolCall } from "../../trace/trace.ts";
import type { CallEvent, TurnEvent } from "../events.ts";
import { type Automaton, type AutomatonState, createAutomaton, FormulaTooComplex } from "../ltl/automaton.ts";
import { type CompiledFormula, compileFormula, MAX_ATOMS, truthVector } from "../ltl/evaluate-formula.ts";
import type { Atom, Formula } from "../ltl/formula.ts";
import { FormulaError, parseFormula } from "../ltl/parse-formula.ts";

import { defineRule, type StepContext } from "../rule.ts";
import { isTool } from "../tool-name.ts";

interface Machine {
  readonly text: string;
  readonly formula: Formula;
  readonly compiled: CompiledFormula;
  readonly automaton: Automaton;
  /** Bits of the `tool_call` atoms: those that a turn may still gain while its tools run. */
  readonly toolBits: number;
  readonly allBits: number;
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
  /** Turns read when no continuation could save the formula any more; -1 while there is hope. */
  readonly deadAfter: number;
  readonly warned: boolean;
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
  headline: ({ formula }) => ({ subject: `the formula ${formula.text}`, predicate: "does not hold" }),
  tools: ({ formula }) =>
    formula.compiled.atoms.flatMap((atom) => (atom.predicate === "tool_call" ? [atom.value] : [])),
  start: ({ formula }): State => ({
    state: formula.automaton.start,
    closed: 0,
    log: { bits: [], turns: [], ids: [] },
    open: -1,
    openId: undefined,
    bits: 0,
    deadAfter: -1,
    warned: false,
  }),

  onTurn(before, turn, context) {
    const { formula } = context.params;
    const wasOpen = before.open >= 0;
    const state = wasOpen ? readOpenTurn(before, formula) : before.state;
    const closed = wasOpen ? before.closed + 1 : before.closed;
    const after: State = {
      state,
      closed,
      log: before.log,
      open: turn.index,
      openId: turn.recordId,
      bits: wasOpen ? bitsOf(turn, formula) : bitsOf(turn, formula) | before.bits,
      deadAfter: deadAfter(before, state, closed, formula),
      warned: before.warned,
    };
    return context.live ? warn(after, { turn }, context) : after;
  },

  onCall(state, call, context) {
    const bits = state.bits | toolBits(call.call.name, context.params.formula);
    if (bits === state.bits) return state;
    return context.live ? warn({ ...state, bits }, { call }, context) : { ...state, bits };
  },

  atEnd(state, _end, { params, found }) {
    const { formula } = params;
    const { log } = state;
    const isOpen = state.open >= 0;
    const last = isOpen ? readOpenTurn(state, formula) : state.state;
    const closed = isOpen ? state.closed + 1 : state.closed;
    if (closed === 0 || last.accepts) return;
    const truth = truthVector(formula.compiled, log.bits.slice(0, closed));
    const lost = deadAfter(state, last, closed, formula);
    const witness = lost < 0 ? null : lost;
    const blamed = (witness ?? closed) - 1;
    const primary = truth[blamed] === false ? blamed : truth.lastIndexOf(false, closed - 1);
    const turnNumber = log.turns[blamed]! + 1;
    const message =
      witness === null
        ? `${formula.text} is still open at the end, in turn ${turnNumber}.`
        : `${formula.text} cannot hold any more from turn ${turnNumber} on.`;
    const facts = { formula: formula.text, witness };
    for (let index = 0; index < closed; index++) {
      if (truth[index]) continue;
      const turn = { index: log.turns[index]!, recordId: log.ids[index] };
      const finding = { code: CODE, message, subject: formula.text, turn, facts };
      found(index === primary ? finding : { ...finding, restates: true });
    }
  },

  formula: ({ formula }) => formula.formula,
});

const CODE = "formula_false";

/** Reads the open turn, to which nothing can be added any more. */
function readOpenTurn({ state, open, openId, closed, log, bits }: State, machine: Machine): AutomatonState {
  log.bits[closed] = bits;
  log.turns[closed] = open;
  log.ids[closed] = openId;
  return step(machine, state, bits);
}

/** After how many turns the formula was lost, now that `closed` have been read. */
function deadAfter(before: State, state: AutomatonState, closed: number, machine: Machine): number {
  if (before.deadAfter >= 0 || closed === before.closed) return before.deadAfter;
  return machine.automaton.isDead(state) ? closed : -1;
}

/** For the guard: the event makes the formula impossible, whatever its turn may still gain. */
function warn(
  state: State,
  at: { turn: TurnEvent } | { call: CallEvent },
  context: StepContext<{ readonly formula: Machine }>,
): State {
  const { formula } = context.params;
  if (state.warned || state.deadAfter >= 0 || !isDoomed(state, formula)) return state;
  const message = `${formula.text} could not hold any more.`;
  context.found({
    code: CODE,
    message,
    subject: formula.text,
    ...at,
    facts: { formula: formula.text },
    provisional: true,
  });
  return { ...state, warned: true };
}

function isDoomed({ state, open, bits }: State, machine: Machine): boolean {
  // What the turn may still gain: tools while it is open, anything before it has begun.
  const missing = (open < 0 ? machine.allBits : machine.toolBits) & ~bits;
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

function toolBits(name: string, { compiled }: Machine): number {
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
    };
  } catch (error) {
    if (error instanceof FormulaTooComplex)
      return at.problem(`the formula cannot be followed: ${error.message}; split it into several rules.`);
    if (!(error instanceof FormulaError)) throw error;
    return at.problem(`the formula is wrong at character ${error.offset + 1}: ${error.message}.`);
  }
}
