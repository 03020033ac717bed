/** What can be found in a run: whatever Spoor prints of its turns and calls, arguments by their paths. */

import type { RunCall, RunTurn, RunView } from "../report/run-view.ts";
import { flatten, resultText } from "../text/brief-json.ts";
import { stringifyJson } from "../trace/json.ts";

/** Everything that is printed of a call: arguments by their paths, as `refund.amount 89`. */
export function callText(
  call: Pick<RunCall, "name" | "input" | "output"> & {
    readonly id?: string;
    readonly error?: RunCall["error"] | string;
    readonly status?: RunCall["status"];
  },
): string {
  const { name, id, input, output, error, status } = call;
  const leaves = input === undefined ? [] : flatten(input, "");
  return [
    name,
    id ?? "",
    ...leaves.map(({ path, value }) => `${path} ${typeof value === "string" ? value : stringifyJson(value)}`),
    output === undefined ? "" : resultText(output),
    ...(typeof error === "string" ? [error] : [error?.kind ?? "", error?.message ?? ""]),
    status === "unknown" ? "no result" : (status ?? ""),
  ].join("\n");
}

/** What the user and the model said in a turn, how it ended, and what rules found there. */
export function turnText(turn: RunTurn): string {
  const found = (turn.findings ?? []).map(({ rule, message }) => `${rule} ${message}`);
  return [turn.user, turn.text, ...(turn.thinking ?? []), turn.stop, turn.model, ...found].filter(Boolean).join("\n");
}

/** Whether a turn or a call of the run holds the words, in any case. */
export function runHolds({ early, turns }: RunView, words: string): boolean {
  const wanted = words.toLowerCase();
  const holds = (text: string) => text.toLowerCase().includes(wanted);
  return (
    early.some((call) => holds(callText(call))) ||
    turns.some((turn) => holds(turnText(turn)) || turn.calls.some((call) => holds(callText(call))))
  );
}
