/**
 * Truth of a formula at every position of a finished trace, right to left. Past the end every atom is false; `G` and `W`
 * hold there, `F`, `U` and `X` do not. Cost: states × distinct subformulas; identical subformulas are shared.
 *
 * Semantics: De Giacomo and Vardi, "Linear temporal logic and linear dynamic logic on finite traces", IJCAI 2013.
 */
import { type Atom, atomWord, type Formula } from "./formula.ts";

/** One bit per distinct atom, so that a turn is a number. */
export const MAX_ATOMS = 30;

/** A formula made flat: operands stand before the operators that use them. */
export interface CompiledFormula {
  readonly atoms: readonly Atom[];
  readonly nodes: readonly FlatNode[];
}

interface FlatNode {
  readonly op: Formula["op"];
  /** Positions of the operands, or the number of the atom. */
  readonly left: number;
  readonly right: number;
}

/** Flattens a formula; undefined when it uses more than `MAX_ATOMS` different atoms. */
export function compileFormula(formula: Formula): CompiledFormula | undefined {
  const atoms: Atom[] = [];
  const atomNumbers = new Map<string, number>();
  const nodes: FlatNode[] = [];
  const known = new Map<string, number>();
  const add = (op: Formula["op"], left: number, right: number): number => {
    const key = `${op} ${left} ${right}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    known.set(key, nodes.length);
    return nodes.push({ op, left, right }) - 1;
  };
  const visit = (node: Formula): number => {
    if (node.op === "atom") {
      const word = `${node.atom.predicate} ${atomWord(node.atom)}`;
      let number = atomNumbers.get(word);
      if (number === undefined) {
        number = atoms.push(node.atom) - 1;
        atomNumbers.set(word, number);
      }
      return add("atom", number, -1);
    }
    if ("body" in node) return add(node.op, visit(node.body), -1);
    if ("left" in node) {
      const left = visit(node.left);
      return add(node.op, left, visit(node.right));
    }
    return add(node.op, -1, -1);
  };
  visit(formula);
  return atoms.length > MAX_ATOMS ? undefined : { atoms, nodes };
}

/** Truth at positions 0 to n (n is past the end). `states` holds one bit per atom. */
export function truthVector(compiled: CompiledFormula, states: readonly number[]): boolean[] {
  const { nodes } = compiled;
  const count = states.length;
  const truth = new Array<boolean>(count + 1);
  let later = new Uint8Array(nodes.length);
  let now = new Uint8Array(nodes.length);
  for (let position = count; position >= 0; position--) {
    const atEnd = position === count;
    const bits = atEnd ? 0 : states[position]!;
    for (let index = 0; index < nodes.length; index++) {
      const { op, left, right } = nodes[index]!;
      now[index] = Number(nodeValue(op, left, right, index, now, later, bits, atEnd, position + 1 < count));
    }
    truth[position] = now[nodes.length - 1] === 1;
    [later, now] = [now, later];
  }
  return truth;
}

function nodeValue(
  op: Formula["op"],
  left: number,
  right: number,
  self: number,
  now: Uint8Array,
  later: Uint8Array,
  bits: number,
  atEnd: boolean,
  hasNext: boolean,
): boolean {
  switch (op) {
    case "true":
      return true;
    case "false":
      return false;
    case "atom":
      return ((bits >> left) & 1) === 1;
    case "!":
      return now[left] === 0;
    case "&":
      return now[left] === 1 && now[right] === 1;
    case "|":
      return now[left] === 1 || now[right] === 1;
    case "->":
      return now[left] === 0 || now[right] === 1;
    case "X":
      return hasNext && later[left] === 1;
    case "G":
      return atEnd || (now[left] === 1 && later[self] === 1);
    case "F":
      return !atEnd && (now[left] === 1 || later[self] === 1);
    case "U":
      return !atEnd && (now[right] === 1 || (now[left] === 1 && later[self] === 1));
    case "W":
      return atEnd || now[right] === 1 || (now[left] === 1 && later[self] === 1);
  }
}
