/**
 * A formula as a machine that reads a trace turn by turn. A state is what the rest of the trace must still satisfy, kept in
 * disjunctive normal form; reading a turn rewrites it (formula progression). States are built when first reached and
 * their transitions remembered, so a step costs one map lookup once the machine is warm.
 *
 * Progression: Bacchus and Kabanza, "Planning for temporally extended goals", 1998; on finite traces as in De Giacomo and
 * Vardi 2013. A state is dead when no continuation, the empty one included, can satisfy it: then the turns read so far are a
 * bad prefix. Deadness is found by searching the machine; a search that grows too large gives up and answers "alive", so
 * a formula may be condemned late but never wrongly.
 */
import type { CompiledFormula } from "./evaluate-formula.ts";

/** A state of the machine; compare with `===`. */
export interface AutomatonState {
  readonly clauses: readonly Clause[];
  /** The trace may end here: the formula holds. */
  readonly accepts: boolean;
  readonly next: Map<number, AutomatonState>;
  dead: boolean | undefined;
}

/** Obligations that must all be met: numbers of literals in ascending order. */
type Clause = readonly number[];

export interface Automaton {
  readonly start: AutomatonState;
  /** Reads one turn. */
  step(state: AutomatonState, bits: number): AutomatonState;
  /** No continuation can make the formula true. */
  isDead(state: AutomatonState): boolean;
  /** A state as plain data, the same in every process, and back. */
  save(state: AutomatonState): SavedState;
  restore(saved: SavedState): AutomatonState;
}

export type SavedState = readonly (readonly number[])[];

/** A formula grew beyond what can be kept as a machine. */
export class FormulaTooComplex extends Error {
  override readonly name = "FormulaTooComplex";
}

const MAX_CLAUSES = 256;
const MAX_STATES = 4096;
const SEARCH_STEPS = 20_000;

export function createAutomaton(compiled: CompiledFormula): Automaton {
  return new FormulaAutomaton(compiled);
}

/** A formula in negation normal form. `more` says that another turn follows. */
type Normal =
  | { readonly op: "true" | "false" | "more" | "last" }
  | { readonly op: "atom" | "notAtom"; readonly atom: number }
  | { readonly op: "and" | "or"; readonly left: number; readonly right: number }
  | { readonly op: "G" | "F"; readonly left: number }
  /** Strong and weak next: the weak one also holds at the last turn. */
  | { readonly op: "X" | "N"; readonly left: number }
  | { readonly op: "U" | "W"; readonly left: number; readonly right: number };

/** A formula as alternatives: at least one clause must be met. No clause is false, an empty clause is true. */
type Alternatives = readonly Clause[];
const FALSE: Alternatives = [];
const TRUE: Alternatives = [[]];

class FormulaAutomaton implements Automaton {
  readonly start: AutomatonState;
  private readonly nodes: Normal[] = [];
  private readonly known = new Map<string, number>();
  private readonly states = new Map<string, AutomatonState>();
  private readonly valuations: number;
  /** Nodes of the formula itself; those added on the way are numbered by the way. */
  private readonly own: number;

  constructor(compiled: CompiledFormula) {
    const root = this.normalise(compiled, compiled.nodes.length - 1, false);
    this.own = this.nodes.length;
    this.valuations = 2 ** compiled.atoms.length;
    this.start = this.state(this.expand(root));
  }

  step(state: AutomatonState, bits: number): AutomatonState {
    let next = state.next.get(bits);
    if (next === undefined) {
      let union: Alternatives = FALSE;
      for (const clause of state.clauses) {
        let product: Alternatives = TRUE;
        for (const literal of clause) {
          product = both(product, this.progress(literal, bits));
          if (product.length === 0) break;
        }
        union = either(union, product);
      }
      next = this.state(union);
      state.next.set(bits, next);
    }
    return next;
  }

  isDead(state: AutomatonState): boolean {
    state.dead ??= state.clauses.length === 0 || !this.canAccept(state);
    return state.dead;
  }

  save({ clauses }: AutomatonState): SavedState {
    const portable = (literal: number) => (literal < this.own ? literal : this.nodes[literal]!.op === "more" ? -1 : -2);
    return clauses.map((clause) => clause.map(portable));
  }

  restore(saved: SavedState): AutomatonState {
    const literal = (number: number) => (number >= 0 ? number : this.add({ op: number === -1 ? "more" : "last" }));
    return this.state(simplify(saved.map((clause) => merge(clause.map(literal), []))));
  }

  private canAccept(from: AutomatonState): boolean {
    const queue = [from];
    const seen = new Set(queue);
    let steps = 0;
    for (const state of queue) {
      if (state.accepts || state.dead === false) return true;
      for (let bits = 0; bits < this.valuations; bits++) {
        if (++steps > SEARCH_STEPS || this.states.size > MAX_STATES / 2) return true;
        const next = this.explore(state, bits);
        if (next === undefined || next.accepts) return true;
        if (next.dead === true || seen.has(next)) continue;
        seen.add(next);
        queue.push(next);
      }
    }
    return false;
  }

  /** A step of the search, which may not fail: what cannot be built is taken as alive. */
  private explore(state: AutomatonState, bits: number): AutomatonState | undefined {
    try {
      return this.step(state, bits);
    } catch (error) {
      if (error instanceof FormulaTooComplex) return undefined;
      throw error;
    }
  }

  private state(clauses: Alternatives): AutomatonState {
    const key = clauses.map((clause) => clause.join(",")).join(";");
    let state = this.states.get(key === "" && clauses.length > 0 ? "true" : key);
    if (state === undefined) {
      if (this.states.size >= MAX_STATES)
        throw new FormulaTooComplex(`the formula needs more than ${MAX_STATES} states`);
      const accepts = clauses.some((clause) => clause.every((literal) => this.holdsAtEnd(literal)));
      state = { clauses, accepts, next: new Map(), dead: undefined };
      this.states.set(key === "" && clauses.length > 0 ? "true" : key, state);
    }
    return state;
  }

  private holdsAtEnd(literal: number): boolean {
    const { op } = this.nodes[literal]!;
    return op === "notAtom" || op === "last" || op === "N" || op === "G" || op === "W";
  }

  /** What is left of an obligation after a turn. */
  private progress(index: number, bits: number): Alternatives {
    const node = this.nodes[index]!;
    switch (node.op) {
      case "true":
      case "more":
        return TRUE;
      case "false":
      case "last":
        return FALSE;
      case "atom":
        return ((bits >> node.atom) & 1) === 1 ? TRUE : FALSE;
      case "notAtom":
        return ((bits >> node.atom) & 1) === 1 ? FALSE : TRUE;
      case "and":
        return both(this.progress(node.left, bits), this.progress(node.right, bits));
      case "or":
        return either(this.progress(node.left, bits), this.progress(node.right, bits));
      case "X":
        return both([[this.add({ op: "more" })]], this.expand(node.left));
      case "N":
        return either([[this.add({ op: "last" })]], this.expand(node.left));
      case "G":
        return both(this.progress(node.left, bits), [[index]]);
      case "F":
        return either(this.progress(node.left, bits), [[index]]);
      case "U":
      case "W":
        return either(this.progress(node.right, bits), both(this.progress(node.left, bits), [[index]]));
    }
  }

  /** An obligation for the next turn as alternatives of literals. */
  private expand(index: number): Alternatives {
    const node = this.nodes[index]!;
    if (node.op === "true") return TRUE;
    if (node.op === "false") return FALSE;
    if (node.op === "and") return both(this.expand(node.left), this.expand(node.right));
    if (node.op === "or") return either(this.expand(node.left), this.expand(node.right));
    return [[index]];
  }

  private normalise(compiled: CompiledFormula, index: number, negated: boolean): number {
    const { op, left, right } = compiled.nodes[index]!;
    const sub = (operand: number, flip = false) => this.normalise(compiled, operand, negated !== flip);
    switch (op) {
      case "true":
      case "false":
        return this.add({ op: (op === "true") === negated ? "false" : "true" });
      case "atom":
        return this.add({ op: negated ? "notAtom" : "atom", atom: left });
      case "!":
        return sub(left, true);
      case "&":
        return this.add({ op: negated ? "or" : "and", left: sub(left), right: sub(right) });
      case "|":
        return this.add({ op: negated ? "and" : "or", left: sub(left), right: sub(right) });
      case "->":
        return this.add({ op: negated ? "and" : "or", left: sub(left, true), right: sub(right) });
      case "X":
        return this.add({ op: negated ? "N" : "X", left: sub(left) });
      case "G":
        return this.add({ op: negated ? "F" : "G", left: sub(left) });
      case "F":
        return this.add({ op: negated ? "G" : "F", left: sub(left) });
      case "U":
      case "W": {
        if (!negated) return this.add({ op, left: sub(left), right: sub(right) });
        // !(p U q) = !q W (!p & !q), and the same with U and W exchanged.
        const notRight = sub(right);
        const neither = this.add({ op: "and", left: sub(left), right: notRight });
        return this.add({ op: op === "U" ? "W" : "U", left: notRight, right: neither });
      }
    }
  }

  private add(node: Normal): number {
    const key = JSON.stringify(node);
    const found = this.known.get(key);
    if (found !== undefined) return found;
    this.known.set(key, this.nodes.length);
    return this.nodes.push(node) - 1;
  }
}

function both(left: Alternatives, right: Alternatives): Alternatives {
  if (left.length === 0 || right.length === 0) return FALSE;
  if (left === TRUE) return right;
  if (right === TRUE) return left;
  const clauses: Clause[] = [];
  for (const one of left) for (const other of right) clauses.push(merge(one, other));
  return simplify(clauses);
}

function either(left: Alternatives, right: Alternatives): Alternatives {
  if (left.length === 0) return right;
  if (right.length === 0) return left;
  return simplify([...left, ...right]);
}

function merge(left: Clause, right: Clause): Clause {
  return [...new Set([...left, ...right])].sort((one, other) => one - other);
}

/** Drops every clause that demands more than another one does, and puts the rest in a fixed order. */
function simplify(clauses: readonly Clause[]): Alternatives {
  const kept: Clause[] = [];
  for (const clause of [...clauses].sort((one, other) => one.length - other.length)) {
    if (!kept.some((weaker) => weaker.every((literal) => clause.includes(literal)))) kept.push(clause);
  }
  if (kept.length > MAX_CLAUSES) throw new FormulaTooComplex(`the formula needs more than ${MAX_CLAUSES} alternatives`);
  if (kept.length === 1 && kept[0]!.length === 0) return TRUE;
  return kept.sort(compareClauses);
}

function compareClauses(left: Clause, right: Clause): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    if (left[index] !== right[index]) return left[index]! - right[index]!;
  }
  return left.length - right.length;
}
