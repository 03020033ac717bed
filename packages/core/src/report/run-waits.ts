/** When nothing that was recorded ran: between the end of one thing and the beginning of the next. */
import type { Span } from "./run-clock.ts";

/** `user`: the user said something afterwards. `tools`: calls had been asked for whose times nobody wrote down. */
export type WaitFor = "user" | "tools" | "unknown";

export interface Wait {
  readonly start: number;
  readonly ms: number;
  readonly for: WaitFor;
}

export interface Waits {
  readonly waits: readonly Wait[];
  /** From the first beginning to the last end. */
  readonly spanMs: number;
  /** How long the model and the tools were at work, each moment counted once. */
  readonly busy: { readonly model: number; readonly tools: number };
}

interface TimedTurn {
  readonly user?: string;
  readonly at?: Span;
  readonly calls: readonly TimedCall[];
}

interface TimedCall {
  readonly at?: Span;
}

interface Timed {
  readonly start: number;
  readonly end: number;
  readonly asksUser: boolean;
  /** Whether it asks for calls without times. */
  readonly asksTools: boolean;
}

export function findWaits(turns: readonly TimedTurn[], early: readonly TimedCall[]): Waits {
  const model: Timed[] = [];
  const tools: Timed[] = [];
  for (const { user, at, calls } of turns) {
    const asksTools = calls.some((call) => call.at?.ms === undefined);
    if (at !== undefined) model.push({ ...ends(at), asksUser: user !== undefined, asksTools });
    for (const call of calls)
      if (call.at !== undefined) tools.push({ ...ends(call.at), asksUser: false, asksTools: false });
  }
  for (const { at } of early) if (at !== undefined) tools.push({ ...ends(at), asksUser: false, asksTools: false });
  const all = [...model, ...tools].sort((one, other) => one.start - other.start);
  const waits: Wait[] = [];
  let until: number | undefined;
  let open = false;
  for (const thing of all) {
    if (until !== undefined && thing.start > until)
      waits.push({ start: until, ms: thing.start - until, for: thing.asksUser ? "user" : open ? "tools" : "unknown" });
    if (until === undefined || thing.end >= until) open = thing.asksTools;
    until = Math.max(until ?? 0, thing.end);
  }
  return { waits, spanMs: until ?? 0, busy: { model: covered(model), tools: covered(tools) } };
}

function ends({ start, ms = 0 }: Span): { start: number; end: number } {
  return { start, end: start + ms };
}

/** The length of the union. */
function covered(spans: readonly Timed[]): number {
  let sum = 0;
  let until = 0;
  for (const { start, end } of [...spans].sort((one, other) => one.start - other.start)) {
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}
