/** A timeline with what the calls returned: whole where one run is looked at, bounded where a report carries many. */
import { resultText } from "../text/brief-json.ts";
import type { Json } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { ToolCall, Trace } from "../trace/trace.ts";
import type { CallView, Timeline, TurnView } from "./timeline.ts";

export interface ResultBounds {
  /** Characters of one result. */
  readonly most: number;
  /** Takes secrets out of a result that is about to be cut: a half of one is not recognised any more. */
  readonly clean: (result: Json) => Json;
}

export function withResults(timeline: Timeline, baseline: Trace, candidate: Trace, bounds?: ResultBounds): Timeline {
  const before = callsByTurn(baseline);
  const after = callsByTurn(candidate);
  return {
    ...timeline,
    rows: timeline.rows.map((row) => ({
      ...row,
      ...(row.baseline === undefined ? {} : { baseline: resultsOf(row.baseline, before, bounds) }),
      ...(row.candidate === undefined ? {} : { candidate: resultsOf(row.candidate, after, bounds) }),
    })),
  };
}

type TurnCalls = ReadonlyMap<number, readonly ToolCall[]>;

/** Calls before the first response count with it. */
function callsByTurn({ toolCalls }: Trace): TurnCalls {
  const byTurn = new Map<number, ToolCall[]>();
  for (const call of toolCalls) {
    const turn = Math.max(0, call.turnIndex);
    const own = byTurn.get(turn);
    if (own === undefined) byTurn.set(turn, [call]);
    else own.push(call);
  }
  return byTurn;
}

/** Calls are found by their names, in order. */
function resultsOf(view: TurnView, byTurn: TurnCalls, bounds: ResultBounds | undefined): TurnView {
  const free: (ToolCall | undefined)[] = [...(byTurn.get(view.turnIndex) ?? [])];
  const calls = view.calls.map((call) => {
    const at = free.findIndex((one) => one?.name === call.name);
    const found = at < 0 ? undefined : free[at];
    free[at] = undefined;
    if (found === undefined) return call;
    const error = found.error === undefined ? undefined : (found.error.message ?? found.error.kind ?? "failed");
    return bounded(present({ ...call, output: found.output, error }), bounds);
  });
  return { ...view, calls };
}

/** Longer texts are looked through for secrets only as far as they can matter. */
const LONGEST_LOOK = 1 << 20;

function bounded(call: CallView, bounds: ResultBounds | undefined): CallView {
  if (bounds === undefined) return call;
  const { output, error, ...rest } = call;
  // A failure that is also the result stands once.
  const shown = error !== undefined && output !== undefined && resultText(output) === error ? undefined : output;
  const result = shown === undefined ? undefined : boundResult(shown, bounds);
  const failure = error === undefined ? undefined : boundResult(error, bounds);
  const cut = (result?.cut ?? 0) + (failure?.cut ?? 0);
  return present({
    ...rest,
    output: result?.value,
    error: failure === undefined ? undefined : String(failure.value),
    resultCut: cut === 0 ? undefined : cut,
  });
}

function boundResult(value: Json, { most, clean }: ResultBounds): { readonly value: Json; readonly cut: number } {
  const whole = resultText(value);
  if (whole.length <= most) return { value, cut: 0 };
  const text = resultText(clean(whole.length > LONGEST_LOOK ? whole.slice(0, LONGEST_LOOK) : value));
  // Not between the two halves of a character.
  const last = text.charCodeAt(most - 1);
  const kept = text.slice(0, last >= 0xd800 && last <= 0xdbff ? most - 1 : most);
  return { value: kept, cut: Math.max(0, whole.length - kept.length) };
}
