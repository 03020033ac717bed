/** Places in traces: as the address of a turn in a page, and as the command that shows it. */
import { shellWord } from "../document/shell-word.ts";

/** The trace's key and the turn; people count turns from 1. */
export function turnAnchor(key: string, turnIndex: number | null | undefined): string {
  return turnIndex === undefined || turnIndex === null || turnIndex < 0 ? key : `${key}:${turnIndex + 1}`;
}

export interface ShownPlace {
  readonly path?: string | null | undefined;
  readonly entry?: string | null | undefined;
  readonly turnIndex?: number | null | undefined;
}

/** `spoor show FILE --trace ENTRY --turn N`; none for what came from standard input. */
export function showCommand({ path, entry, turnIndex }: ShownPlace): string | undefined {
  if (path === undefined || path === null || path === "-") return undefined;
  const trace = entry === undefined || entry === null ? "" : ` --trace ${shellWord(entry)}`;
  const turn = turnIndex === undefined || turnIndex === null || turnIndex < 0 ? "" : ` --turn ${turnIndex + 1}`;
  return `spoor show ${shellWord(path)}${trace}${turn}`;
}
