/**
 * What goes wrong inside the service, for who runs it: a line each, without anything that a terminal would obey. A store that is away fails with every look
 * at it: what was just said is not said again until something else was, or a while has passed.
 */
import { messageOf } from "@spoor/core/internal/errors";
import { printable } from "@spoor/core/internal/text/printable";

const AGAIN_MS = 60_000;

export function problemLog(
  name: string,
  write: (text: string) => void,
  now: () => number = Date.now,
): (error: unknown) => void {
  let last = "";
  let saidAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    const message = printable(messageOf(error));
    if (message === last && now() - saidAt < AGAIN_MS) return;
    last = message;
    saidAt = now();
    write(`spoor ${name}: ${message}\n`);
  };
}
