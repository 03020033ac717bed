/**
 * promptfoo's `trajectory:*` assertions and its `assert-set` → entries of our own. They are binary, compare names as case-insensitive globs,
 * and their partial arguments are recursive; all of that is kept.
 */
import { isObject, type Json, type JsonObject, setMember } from "../trace/json.ts";
import { withoutKeys } from "../trajectory/args-pattern.ts";

export interface Translation {
  /** The type of ours that does it. */
  readonly type: string;
  readonly raw: JsonObject;
  /** The `not-` form is expressed in the entry itself. */
  readonly negationDone?: boolean;
  /** Why it cannot be translated. */
  readonly problem?: string;
}

const ownKeys = ["type", "value", "threshold"];

export function translateAssertion(type: string, raw: JsonObject, negated: boolean): Translation | undefined {
  if (/^assert[-_]set$/.test(type)) return { type: "composite", raw: assertSet(raw) };
  const translate = translators[type.toLowerCase().replaceAll("_", "-")];
  if (translate === undefined) return undefined;
  const result = translate(raw["value"], negated);
  if (typeof result === "string") return { type, raw, problem: `"${type}": ${result}.` };
  const { negationDone, type: ownType = "tool_trajectory", ...entry } = result;
  const { binary = true, ...members } = entry as { binary?: boolean } & Record<string, Json>;
  const common = withoutKeys(raw, ownKeys);
  const isTrajectory = ownType === "tool_trajectory";
  return {
    type: ownType as string,
    raw: {
      ...(Object.hasOwn(common, "name") || Object.hasOwn(common, "metric")
        ? {}
        : { name: negated ? `not-${type}` : type }),
      ...common,
      type: ownType,
      ...members,
      ...(isTrajectory ? { binary, name_match: "glob" } : {}),
    },
    ...(negationDone ? { negationDone: true } : {}),
  };
}

/** A set passes when the weighted mean of its members reaches `threshold`; without one, when every member passes. */
function assertSet(raw: JsonObject): JsonObject {
  const { threshold, ...members } = raw;
  const named = Object.hasOwn(members, "name") || Object.hasOwn(members, "metric") ? {} : { name: "assert-set" };
  const how: JsonObject =
    threshold === undefined
      ? { aggregator: { type: "threshold", threshold: 1 } }
      : threshold === 0
        ? {}
        : { min_score: threshold };
  return { ...named, ...members, type: "composite", ...how };
}

type Translated = Record<string, Json> & { negationDone?: boolean; type?: string };
type Translator = (value: Json | undefined, negated: boolean) => Translated | string;

const translators: Readonly<Record<string, Translator>> = {
  "trajectory:tool-used": toolUsed,
  "trajectory:tool-sequence": toolSequence,
  "trajectory:tool-args-match": toolArgsMatch,
  "trajectory:step-count": stepCount,
  "trajectory:goal-success": goalSuccess,
};

function toolUsed(value: Json | undefined, negated: boolean): Translated | string {
  const wanted = (Array.isArray(value) ? (value as readonly Json[]) : [value]).map(usage);
  const bad = wanted.find((entry) => typeof entry === "string");
  if (bad !== undefined || wanted.length === 0) return bad ?? "needs the name of a tool";
  const entries = wanted as Usage[];
  const minimums: Record<string, Json> = {};
  const maximums: Record<string, Json> = {};
  // The opposite of "at least n calls" is "at most n - 1", for every tool of the list.
  const opposite = negated && entries.every((entry) => entry.max === undefined);
  for (const { name, min, max } of entries) {
    if (opposite) {
      setMember(maximums, name, Math.max(0, min - 1));
      continue;
    }
    setMember(minimums, name, min);
    if (max !== undefined) setMember(maximums, name, max);
  }
  return {
    mode: "any_order",
    ...(Object.keys(minimums).length === 0 ? {} : { minimums }),
    ...(Object.keys(maximums).length === 0 ? {} : { maximums }),
    ...(opposite ? { negationDone: true } : {}),
  } as Translated;
}

interface Usage {
  readonly name: string;
  readonly min: number;
  readonly max?: number;
}

function usage(value: Json | undefined): Usage | string {
  if (typeof value === "string") return { name: value, min: 1 };
  if (!isObject(value)) return "takes the name of a tool, a list of names, or {name, min, max}";
  const stray = unknownKey(value, ["name", "pattern", "min", "max"]);
  if (stray !== undefined) return stray;
  const name = value["name"] ?? value["pattern"];
  const min = value["min"] ?? (value["max"] === undefined ? 1 : 0);
  const max = value["max"];
  if (typeof name !== "string") return 'needs "name" or "pattern"';
  if (!isCount(min) || (max !== undefined && !isCount(max)))
    return '"min" and "max" take numbers that are not negative';
  return { name, min, ...(max === undefined ? {} : { max }) };
}

function toolSequence(value: Json | undefined): Translated | string {
  const steps = Array.isArray(value) ? value : isObject(value) ? value["steps"] : undefined;
  const mode = isObject(value) ? (value["mode"] ?? "in_order") : "in_order";
  const stray = isObject(value) ? unknownKey(value, ["mode", "steps"]) : undefined;
  if (stray !== undefined) return stray;
  if (!Array.isArray(steps)) return 'needs "steps", a list of tools';
  if (mode !== "in_order" && mode !== "exact") return '"mode" must be in_order or exact';
  const expected: Json[] = [];
  for (const step of steps as readonly Json[]) {
    const tool =
      typeof step === "string" ? step : isObject(step) ? (step["name"] ?? step["pattern"] ?? step["tool"]) : undefined;
    if (typeof tool !== "string") return "every step must be the name of a tool";
    expected.push({ tool });
  }
  return { mode, expected };
}

function toolArgsMatch(value: Json | undefined): Translated | string {
  if (!isObject(value)) return "needs {name, args}";
  const stray = unknownKey(value, ["name", "pattern", "args", "arguments", "mode", "defaults", "ignore"]);
  if (stray !== undefined) return stray;
  const tool = value["name"] ?? value["pattern"];
  const args = value["args"] ?? value["arguments"];
  const mode = value["mode"] ?? "partial";
  const ignore = value["ignore"] ?? [];
  const defaults = value["defaults"] ?? {};
  if (typeof tool !== "string") return 'needs "name" or "pattern"';
  if (!isObject(args)) return 'needs "args", a mapping';
  if (mode !== "partial" && mode !== "exact") return '"mode" must be partial or exact';
  const ignored: readonly Json[] = Array.isArray(ignore) ? ignore : [ignore];
  if (!ignored.every((key) => typeof key === "string")) return '"ignore" takes names of arguments';
  if (!isObject(defaults)) return '"defaults" takes a mapping';
  return {
    mode: "superset",
    expected: [
      {
        tool,
        args,
        args_match: mode === "partial" ? "deep_superset" : "exact",
        ...(ignored.length === 0 ? {} : { args_ignore: ignored }),
        ...(Object.keys(defaults).length === 0 ? {} : { args_defaults: defaults }),
      },
    ],
  };
}

function stepCount(value: Json | undefined): Translated | string {
  if (!isObject(value)) return "needs {min, max}";
  const stray = unknownKey(value, ["type", "pattern", "min", "max"]);
  if (stray !== undefined) return stray;
  const { min, max } = value;
  if (value["type"] !== undefined && value["type"] !== "tool") return "only steps of type tool can be counted here";
  if (min === undefined && max === undefined) return 'needs "min" or "max"';
  if ((min !== undefined && !isCount(min)) || (max !== undefined && !isCount(max)))
    return '"min" and "max" take numbers that are not negative';
  const pattern = typeof value["pattern"] === "string" ? value["pattern"] : "*";
  return {
    mode: "any_order",
    ...(min === undefined ? {} : { minimums: { [pattern]: min } }),
    ...(max === undefined ? {} : { maximums: { [pattern]: max } }),
  };
}

function goalSuccess(value: Json | undefined): Translated | string {
  const goal = typeof value === "string" ? value : isObject(value) ? value["goal"] : undefined;
  if (typeof goal !== "string") return "needs the goal as a text";
  return { type: "llm_judge", rubrics: [`The agent reached this goal: ${goal}`] };
}

function isCount(value: Json): value is number {
  return typeof value === "number" && value >= 0 && Number.isFinite(value);
}

function unknownKey(value: JsonObject, known: readonly string[]): string | undefined {
  const stray = Object.keys(value).find((key) => !known.includes(key));
  return stray === undefined ? undefined : `unknown key "${stray}"; known are ${known.join(", ")}`;
}
