/**
 * Loops made visible: `search search search` becomes `search×n`, `(open > edit)×n` a repeated pair. Two runs that differ
 * only in how often they went round then read the same, and their statistics can gather. Never part of a fingerprint.
 * Cost: linear in the steps for a fixed longest loop body.
 */

/** Bodies longer than this are not looked for. */
const LONGEST_BODY = 8;

export function collapseLoops(items: readonly string[]): string[] {
  let current = [...items];
  for (;;) {
    const next = collapseOnce(current);
    if (next.length === current.length) return next;
    current = next;
  }
}

function collapseOnce(items: readonly string[]): string[] {
  const result: string[] = [];
  let at = 0;
  while (at < items.length) {
    const body = loopBody(items, at);
    if (body === 0) {
      result.push(items[at++]!);
      continue;
    }
    let end = at + body;
    while (repeats(items, at, end, body)) end += body;
    result.push(loopText(items.slice(at, at + body)));
    at = end;
  }
  return result;
}

/** Length of the shortest body that repeats at once from here; 0 when none does. */
function loopBody(items: readonly string[], at: number): number {
  for (let body = 1; body <= LONGEST_BODY && at + 2 * body <= items.length; body++) {
    if (repeats(items, at, at + body, body)) return body;
  }
  return 0;
}

function repeats(items: readonly string[], at: number, again: number, body: number): boolean {
  if (again + body > items.length) return false;
  for (let index = 0; index < body; index++) if (items[at + index] !== items[again + index]) return false;
  return true;
}

function loopText(body: readonly string[]): string {
  if (body.length > 1) return `(${body.join(" > ")})×n`;
  return body[0]!.endsWith("×n") ? body[0]! : `${body[0]}×n`;
}
