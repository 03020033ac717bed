import { SpoorError } from "../../errors.ts";
import { type Json, member } from "../../trace/json.ts";
import type { CallEvent, TurnEvent, TurnMark } from "../events.ts";
import { type Automaton, type AutomatonState, createAutomaton, FormulaTooComplex } from "../ltl/automaton.ts";
import { type CompiledFormula, compileFormula, MAX_ATOMS, truthVector } from "../ltl/evaluate-formula.ts";
import type { Atom, Formula } from "../ltl/formula.ts";
import { FormulaError, parseFormula } from "../ltl/parse-formula.ts";
import { param } from "../params.ts";
import type { Place } from "../problems.ts";
import { defineRule, type StepContext } from "../rule.ts";
import { describeType } from "../words.ts";

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
  readonly log: { readonly bits: number[]; readonly marks: TurnMark[] };
  /** The latest turn: calls recorded on their own still belong to it. */
  readonly open: { readonly mark: TurnMark; readonly bits: number } | undefined;
  /** Tools called before the first response: they belong to its turn. */
  readonly early: number;
  /** Turns read when no continuation could save the formula any more; -1 while there is hope. */
  readonly deadAfter: number;
  readonly warned: boolean;
}

/** A formula of linear temporal logic holds over the turns. */
export const ltlFormula = defineRule({
  kind: "ltl_formula",
  summary: "a temporal formula over the turns must hold",
  params: {
    formula: param.custom(
      "formula",
      "e.g. `G (tool_call:refund -> F tool_call:confirm)`",
      { type: "string", minLength: 1 },
      readFormula,
    ),
  },
  explain: ({ formula }) => `The formula ${formula.text} must hold.`,
  headline: ({ formula }) => ({ subject: `the formula ${formula.text}`, predicate: "does not hold" }),
  start: ({ formula }): State => ({
    state: formula.automaton.start,
    closed: 0,
    log: { bits: [], marks: [] },
    open: undefined,
    early: 0,
    deadAfter: -1,
    warned: false,
  }),

  onTurn(state, turn, context) {
    const { formula } = context.params;
    const next = closeTurn(state, formula);
    const mark = { index: turn.index, recordId: turn.recordId };
    return warn({ ...next, open: { mark, bits: bitsOf(turn, formula) | state.early }, early: 0 }, { turn }, context);
  },

  onCall(state, call, context) {
    const { open } = state;
    const { formula } = context.params;
    const called = toolBits(call.call.name, formula);
    if (open === undefined)
      return called === 0 ? state : warn({ ...state, early: state.early | called }, { call }, context);
    const bits = open.bits | called;
    return bits === open.bits ? state : warn({ ...state, open: { ...open, bits } }, { call }, context);
  },

  atEnd(state, _end, { params, found }) {
    const { formula } = params;
    const { state: last, closed, log, deadAfter } = closeTurn(state, formula);
    if (closed === 0 || last.accepts) return;
    const truth = truthVector(formula.compiled, log.bits.slice(0, closed));
    const witness = deadAfter < 0 ? null : deadAfter;
    const blamed = (witness ?? closed) - 1;
    const primary = truth[blamed] === false ? blamed : truth.lastIndexOf(false, closed - 1);
    const message =
      witness === null
        ? `${formula.text} is still open at the end, in turn ${log.marks[closed - 1]!.index + 1}.`
        : `${formula.text} cannot hold any more from turn ${log.marks[witness - 1]!.index + 1} on.`;
    for (let index = 0; index < closed; index++) {
      if (truth[index]) continue;
      const turn = log.marks[index]!;
      found({
        ...describe(formula, message),
        turn,
        facts: { formula: formula.text, witness },
        ...(index === primary ? {} : { restates: true }),
      });
    }
  },

  formula: ({ formula }) => formula.formula,
});

function describe(machine: Machine, message: string) {
  return { code: "formula_false", message, subject: machine.text };
}

/** Reads the open turn: nothing can be added to it any more. */
function closeTurn(state: State, machine: Machine): State {
  const { open, closed, log } = state;
  if (open === undefined) return state;
  log.bits[closed] = open.bits;
  log.marks[closed] = open.mark;
  const after = step(machine, state.state, open.bits);
  const deadAfter = state.deadAfter < 0 && machine.automaton.isDead(after) ? closed + 1 : state.deadAfter;
  return { ...state, state: after, closed: closed + 1, open: undefined, deadAfter };
}

/** For the guard: the event makes the formula impossible, whatever its turn may still gain. */
function warn(
  state: State,
  at: { turn: TurnEvent } | { call: CallEvent },
  context: StepContext<{ readonly formula: Machine }>,
): State {
  const { formula } = context.params;
  if (state.warned || state.deadAfter >= 0 || !isDoomed(state, formula)) return state;
  context.found({
    ...describe(formula, `${formula.text} could not hold any more.`),
    ...at,
    facts: { formula: formula.text },
    provisional: true,
  });
  return { ...state, warned: true };
}

function isDoomed({ state, open, early }: State, machine: Machine): boolean {
  const bits = open?.bits ?? early;
  // What the turn may still gain: tools while it is open, anything before it has begun.
  const missing = (open === undefined ? machine.allBits : machine.toolBits) & ~bits;
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
      return turn.turn.toolCalls.some((call) => call.standalone !== true && call.name === atom.value);
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

function extraText(value: Json | undefined): string {
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

function toolBits(name: string, { compiled }: Machine): number {
  let bits = 0;
  for (let index = 0; index < compiled.atoms.length; index++) {
    const atom = compiled.atoms[index]!;
    if (atom.predicate === "tool_call" && atom.value === name) bits |= 1 << index;
  }
  return bits;
}

function readFormula(value: Json, place: Place): Machine | undefined {
  if (typeof value !== "string") return place.problem(`formula must be a text, found ${describeType(value)}.`);
  try {
    const formula = parseFormula(value);
    const compiled = compileFormula(formula);
    if (compiled === undefined)
      return place.problem(`the formula has more than ${MAX_ATOMS} different atoms; split it into several rules.`);
    const automaton = createAutomaton(compiled);
    if (automaton.isDead(automaton.start))
      return place.problem("no trace can satisfy this formula, so the rule could only ever fail.");
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
      return place.problem(`the formula cannot be followed: ${error.message}; split it into several rules.`);
    if (!(error instanceof FormulaError)) throw error;
    return place.problem(`the formula is wrong at character ${error.offset + 1}: ${error.message}.`);
  }
}
