/** What the agent calls: the features of the groups `tools`, `order`, `args` and `effects`. Cost: linear in the calls, plus the pairs of distinct tools. */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import { isObject, type Json } from "../trace/json.ts";
import { type AddFeature, addTo, codePoints, type Identities, logCount } from "./feature-parts.ts";
import type { CohortCall } from "./run.ts";

/** How often each tool is called, in the order of the first calls. */
export type CallsOfTool = ReadonlyMap<string, number>;

export function countCalls(calls: readonly CohortCall[]): CallsOfTool {
  const counts = new Map<string, number>();
  for (const { name } of calls) addTo(counts, name, 1);
  return counts;
}

export function addTools(callsOf: CallsOfTool, add: AddFeature, { marked }: Identities): void {
  for (const [name, count] of callsOf) {
    add(marked("has:", name), 1);
    add(marked("n:", name), logCount(count));
  }
}

export function addOrder(callsOf: CallsOfTool, add: AddFeature, { pair }: Identities): void {
  const names = [...callsOf.keys()];
  for (let first = 0; first < names.length; first++) {
    for (let later = first + 1; later < names.length; later++) {
      const a = names[first]!;
      const b = names[later]!;
      if (compareCodePoints(a, b) < 0) add(pair(a, b), 1);
      else add(pair(b, a), 0);
    }
  }
}

export function addArguments(
  calls: readonly CohortCall[],
  callsOf: CallsOfTool,
  add: AddFeature,
  { pair }: Identities,
): void {
  for (const { name, args } of calls) {
    if (args === undefined) continue;
    const share = 1 / callsOf.get(name)!;
    const addArgument = (key: string, value: Json) => {
      const argument = pair(name, key);
      add(pair(argument, typeMark(value)), share);
      const size = jsonSize(value);
      if (size !== undefined) add(pair(argument, ":size"), logCount(size) * share);
    };
    if (isObject(args)) for (const key of Object.keys(args)) addArgument(key, args[key]!);
    else addArgument("", args);
  }
}

export function addEffects(
  calls: readonly CohortCall[],
  effects: readonly number[],
  add: AddFeature,
  { marked }: Identities,
): void {
  add("effects", logCount(effects.length));
  for (const [name, count] of countCalls(effects.map((index) => calls[index]!)))
    add(marked("n:", name), logCount(count));
}

function typeMark(value: Json): string {
  if (value === null) return ":null";
  if (Array.isArray(value)) return ":arr";
  switch (typeof value) {
    case "boolean":
      return ":bool";
    case "string":
      return ":str";
    case "object":
      return ":obj";
    default:
      return ":num";
  }
}

function jsonSize(value: Json): number | undefined {
  if (value === null || typeof value === "boolean") return undefined;
  if (typeof value === "string") return codePoints(value);
  if (typeof value === "number") return Math.abs(value);
  if (typeof value === "bigint") return Math.abs(Number(value));
  return Array.isArray(value) ? value.length : Object.keys(value).length;
}
