/** What the model is told instead of a result: that the call did not run, so that it neither waits for an effect nor invents one. */
import type { AskedCall } from "./cassette.ts";

export function refusalText({ name }: Pick<AskedCall, "name">): string {
  return `${name} was not run: this is a replay of recorded tool results, and no recording has a result for this call with these arguments.`;
}
