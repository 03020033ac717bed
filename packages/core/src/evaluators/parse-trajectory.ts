/**
 * Keys of a `tool_trajectory` entry → what is expected. What a release silently dropped is a problem here; what one
 * accepted and never looked at is a diagnostic.
 */
import { SpoorError } from "../errors.ts";
import { nearest } from "../text/nearest.ts";
import { isObject, type Json, type JsonObject, stringifyJson } from "../trace/json.ts";
import { compileArgs } from "../trajectory/args-pattern.ts";
import {
  type ArgsMatch,
  argsMatchWords,
  type ExpectedStep,
  type NameMatch,
  type ToolCount,
  type TrajectoryMode,
  type TrajectorySpec,
  trajectoryModes,
} from "../trajectory/trajectory.ts";
import { EntryReader, shown } from "./entry-reader.ts";

/** `strict` is agentevals' word for exact, with exact arguments unless the entry says otherwise. */
const modeWords = [...trajectoryModes, "strict"] as const;
const nameMatches: readonly NameMatch[] = ["exact", "glob"];

export function parseTrajectory(entry: EntryReader): TrajectorySpec {
  const word = parseMode(entry);
  const mode: TrajectoryMode = word === undefined || word === "strict" ? "exact" : word;
  const argsMatch =
    parseArgsMatch(entry, ["args_match", "argsMatch", "tool_args_match_mode"]) ??
    (word === "strict" ? "exact" : undefined);
  const nameMatch = entry.choice(["name_match", "nameMatch"], nameMatches);
  const binary = entry.boolean("binary");
  const match = mode === "in_order" ? entry.choice("match", ["greedy", "optimal"]) : undefined;
  const extra = mode === "exact" ? entry.choice("extra", ["count", "allow"]) : undefined;
  if (mode !== "in_order") entry.ignored("match", "only in_order aligns");
  if (mode !== "exact") entry.ignored("extra", "only exact counts calls beyond the expected ones");
  return {
    mode,
    ...(word === undefined ? unreadable(entry) : parseWanted(entry, mode)),
    ...(argsMatch === undefined ? {} : { argsMatch }),
    ...(nameMatch === undefined ? {} : { nameMatch }),
    ...(match === undefined ? {} : { match }),
    ...(extra === undefined ? {} : { extra }),
    ...(binary === undefined ? {} : { binary }),
  };
}

/** Scripts look for "invalid mode", "must be an object" and "must be an array"; these words are kept. */
function parseMode(entry: EntryReader): (typeof modeWords)[number] | undefined {
  const written = entry.value("mode", "trajectory_match_mode");
  const word = modeWords.find((candidate) => candidate === written);
  if (word !== undefined) return word;
  const must = `must be ${modeWords.slice(0, -1).join(", ")}, or ${modeWords.at(-1)}`;
  if (written === undefined) {
    entry.missing(`needs "mode" (${must})`);
    return undefined;
  }
  const close = typeof written === "string" ? nearest(written, modeWords) : undefined;
  const found = typeof written === "string" ? written : stringifyJson(written);
  entry.problem(
    entry.has("mode") ? "mode" : "trajectory_match_mode",
    `invalid mode '${found}' (${must})${close === undefined ? "" : `. Did you mean ${close}?`}`,
  );
  return undefined;
}

/** Without a mode nobody knows what the rest means; it is not called unknown on top. */
function unreadable(entry: EntryReader): Partial<TrajectorySpec> {
  entry.value("expected");
  entry.value("minimums");
  entry.value("maximums");
  return {};
}

function parseWanted(entry: EntryReader, mode: TrajectoryMode): Partial<TrajectorySpec> {
  if (mode !== "any_order") {
    entry.ignored("minimums", `${mode} reads "expected"`);
    entry.ignored("maximums", `${mode} reads "expected"`);
    const expected = entry.value("expected");
    if (expected === undefined) entry.missing(`${mode} mode requires expected`);
    else if (!Array.isArray(expected))
      entry.problem("expected", `expected must be an array of steps, found ${shown(expected)}`);
    return { expected: Array.isArray(expected) ? parseSteps(expected as readonly Json[], entry, mode) : [] };
  }
  entry.ignored("expected", 'any_order reads "minimums" and "maximums"');
  const minimums = parseCounts(entry, "minimums");
  const maximums = parseCounts(entry, "maximums");
  if (!entry.has("minimums", "maximums")) entry.missing("any_order mode requires minimums or maximums");
  return { ...(minimums === undefined ? {} : { minimums }), ...(maximums === undefined ? {} : { maximums }) };
}

function parseCounts(entry: EntryReader, key: "minimums" | "maximums"): ToolCount[] | undefined {
  const counts = entry.value(key);
  if (counts === undefined) return undefined;
  if (!isObject(counts)) {
    entry.problem(key, `${key} must be an object of tools and numbers, found ${shown(counts)}`);
    return undefined;
  }
  const reader = new EntryReader(counts, [...entry.path, key], entry.problems, `${key} of ${entry.title}`);
  return Object.keys(counts).flatMap((tool) => {
    const count = reader.number(tool);
    return count === undefined ? [] : [{ tool, count }];
  });
}

function parseSteps(list: readonly Json[], entry: EntryReader, mode: TrajectoryMode): ExpectedStep[] {
  const steps: ExpectedStep[] = [];
  for (const [index, item] of list.entries()) {
    const path = [...entry.path, "expected", index];
    if (!Array.isArray(item)) {
      const step = parseStep(item, path, entry, mode, steps.length);
      if (step !== undefined) steps.push(step);
      continue;
    }
    if (mode === "subset") {
      entry.problems.add(path, `${entry.title}: steps in a list share a turn, which subset cannot ask for.`);
      continue;
    }
    for (const [inner, nested] of (item as readonly Json[]).entries()) {
      const step = parseStep(nested, [...path, inner], entry, mode, steps.length);
      if (step !== undefined) steps.push({ ...step, group: index });
    }
  }
  return steps;
}

function parseStep(
  raw: Json,
  path: EntryReader["path"],
  entry: EntryReader,
  mode: TrajectoryMode,
  position: number,
): ExpectedStep | undefined {
  const title = `step ${position + 1} of ${entry.title}`;
  if (typeof raw === "string") return { tool: raw };
  if (!isObject(raw)) {
    entry.problems.add(path, `${title} must be a tool name or a mapping with "tool", found ${shown(raw)}.`);
    return undefined;
  }
  const step = new EntryReader(raw, path, entry.problems, title);
  const tool = step.string("tool");
  if (tool === undefined && !step.has("tool")) step.missing('needs "tool", the name of the tool');
  const args = parseArgs(step);
  const argsMatch = parseArgsMatch(step, ["args_match", "argsMatch"]);
  const argsIgnore = step.texts("args_ignore");
  const argsDefaults = step.mapping("args_defaults");
  const nameMatch = step.choice(["name_match", "nameMatch"], nameMatches);
  const status = step.choice("status", ["ok", "error"]);
  const turn = step.number("turn", { min: 1 });
  const maxDurationMs = parseLimit(step, mode);
  step.ignored("input", 'no release compared it; the arguments are checked with "args"');
  step.ignored("output", "no release compared it");
  step.refuseUnknown();
  if (tool === undefined) return undefined;
  return {
    tool,
    ...(args === undefined ? {} : { args }),
    ...(argsMatch === undefined ? {} : { argsMatch }),
    ...(argsIgnore === undefined ? {} : { argsIgnore }),
    ...(argsDefaults === undefined ? {} : { argsDefaults }),
    ...(nameMatch === undefined ? {} : { nameMatch }),
    ...(maxDurationMs === undefined ? {} : { maxDurationMs }),
    ...(status === undefined ? {} : { status }),
    ...(turn === undefined ? {} : { turnIndex: turn - 1 }),
  };
}

function parseLimit(step: EntryReader, mode: TrajectoryMode): number | undefined {
  if (mode === "in_order" || mode === "exact") return step.number(["max_duration_ms", "maxDurationMs"]);
  const why = `${mode} does not check times; in_order and exact do`;
  step.ignored("max_duration_ms", why);
  step.ignored("maxDurationMs", why);
  return undefined;
}

function parseArgs(step: EntryReader): JsonObject | "any" | undefined {
  const value = step.value("args");
  if (value === undefined || value === "any") return value;
  if (!isObject(value)) {
    step.problem("args", `"args" takes a mapping of arguments or the word any, found ${shown(value)}`);
    return undefined;
  }
  const problem = matcherProblem(value);
  if (problem !== undefined) step.problem("args", problem);
  return value;
}

/** What is wrong with the matchers inside expected arguments, if anything. */
export function matcherProblem(args: JsonObject): string | undefined {
  try {
    compileArgs(args);
    return undefined;
  } catch (error) {
    if (error instanceof SpoorError) return error.message.replace(/\.$/, "");
    throw error;
  }
}

function parseArgsMatch(entry: EntryReader, keys: readonly string[]): ArgsMatch | undefined {
  const value = entry.value(...keys);
  const key = keys.find((candidate) => entry.has(candidate)) ?? keys[0]!;
  if (!Array.isArray(value)) return entry.choice(keys, argsMatchWords);
  const paths = value as readonly Json[];
  if (paths.length > 0 && paths.every((path): path is string => typeof path === "string" && path !== "")) return paths;
  entry.problem(key, `"${key}" takes one of ${argsMatchWords.join(", ")} or a list of argument paths`);
  return undefined;
}
