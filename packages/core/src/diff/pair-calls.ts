/**
 * Calls of two turns, pair by pair: equal ones first, then the k-th of a tool with the k-th of the same tool, then what is left over.
 * Nearly linear: a turn may have tens of thousands of calls, so equal ones are looked up by a number made of their arguments.
 */
import { jsonEqual } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { indexValueOfJson } from "../trajectory/index-value.ts";

export interface CallPair {
  readonly one?: ToolCall;
  readonly other?: ToolCall;
}

export function pairCalls(left: readonly ToolCall[], right: readonly ToolCall[]): CallPair[] {
  const pairs: CallPair[] = [];
  // Nearly all turns do the same in the same order, and need no lookup.
  let same = 0;
  while (same < left.length && same < right.length && isEqualCall(left[same]!, right[same]!)) {
    pairs.push({ one: left[same]!, other: right[same]! });
    same++;
  }
  if (same === left.length && same === right.length) return pairs;
  const rest = left.slice(same);
  const waiting = new WaitingCalls(right.slice(same));
  const equal = rest.map((one) => waiting.takeEqual(one));
  for (const [index, one] of rest.entries()) {
    const other = equal[index] ?? waiting.takeNamed(one.name);
    pairs.push(other === undefined ? { one } : { one, other });
  }
  for (const other of waiting.rest()) pairs.push({ other });
  return pairs;
}

function isEqualCall(one: ToolCall, other: ToolCall): boolean {
  return one.name === other.name && jsonEqual(one.input, other.input);
}

/** Places of calls in their order; those before `from` are taken. */
interface Places {
  readonly at: number[];
  from: number;
}

class WaitingCalls {
  private readonly calls: readonly ToolCall[];
  private readonly taken: Uint8Array;
  private readonly byArguments = new Map<string, Places>();
  private readonly byName = new Map<string, Places>();

  constructor(calls: readonly ToolCall[]) {
    this.calls = calls;
    this.taken = new Uint8Array(calls.length);
    for (const [index, call] of calls.entries()) {
      addPlace(this.byArguments, argumentsKey(call), index);
      addPlace(this.byName, call.name, index);
    }
  }

  takeEqual(one: ToolCall): ToolCall | undefined {
    return this.take(this.byArguments.get(argumentsKey(one)), (other) => isEqualCall(one, other));
  }

  takeNamed(name: string): ToolCall | undefined {
    return this.take(this.byName.get(name), () => true);
  }

  rest(): ToolCall[] {
    return this.calls.filter((_, index) => this.taken[index] === 0);
  }

  private take(places: Places | undefined, fits: (call: ToolCall) => boolean): ToolCall | undefined {
    if (places === undefined) return undefined;
    while (places.from < places.at.length && this.taken[places.at[places.from]!] === 1) places.from++;
    for (let index = places.from; index < places.at.length; index++) {
      const place = places.at[index]!;
      if (this.taken[place] === 1 || !fits(this.calls[place]!)) continue;
      this.taken[place] = 1;
      return this.calls[place];
    }
    return undefined;
  }
}

function argumentsKey({ name, input }: ToolCall): string {
  return `${indexValueOfJson(input)} ${name}`;
}

function addPlace(places: Map<string, Places>, key: string, index: number): void {
  const known = places.get(key);
  if (known === undefined) places.set(key, { at: [index], from: 0 });
  else known.at.push(index);
}
