/** What a search for the inputs that matter may cost, known before it begins. */

/** From here on singles are dearer than halves. */
const SINGLES = 4;

/** The groups that are tried when a group has been found to move the behaviour: its members, or its halves. */
export function splitGroup(group: readonly string[]): string[][] {
  if (group.length <= 1) return [];
  if (group.length <= SINGLES) return group.map((input) => [input]);
  const middle = Math.ceil(group.length / 2);
  return [group.slice(0, middle), group.slice(middle)];
}

/** Configurations that are run: both sides, all inputs exchanged, then what the answers ask for. */
export interface SearchCost {
  /** Nothing changed. */
  readonly least: number;
  /** One input matters. */
  readonly usual: number;
  readonly most: number;
}

export function planSearch(inputs: number): SearchCost {
  const all = Array.from({ length: inputs }, (_, index) => String(index));
  const [usual, most] = [oneCause(all), everything(all)];
  if (inputs === 0) return { least: 2, usual: 2, most: 2 };
  // Several that were named are exchanged together at the end.
  return { least: 2, usual: 2 + usual, most: 2 + most + (inputs > 2 ? 1 : 0) };
}

function everything(group: readonly string[]): number {
  return 1 + splitGroup(group).reduce((sum, part) => sum + everything(part), 0);
}

function oneCause(group: readonly string[]): number {
  const parts = splitGroup(group);
  if (parts.length === 0) return 1;
  // All parts are tried, and the costliest of them is the one to follow.
  return 1 + parts.length + Math.max(...parts.map((part) => oneCause(part) - 1));
}
