/** Two sets of recorded runs → what they were given differently, cut into parts that can be exchanged one by one. */
import { splitLines } from "../diff/text-difference.ts";
import { firstValueDifference } from "../diff/value-difference.ts";
import { isSameButVolatile } from "../text/volatile.ts";
import { hasRequest } from "../trace/has-request.ts";
import { isObject, type Json, type JsonObject, jsonEqual, stringifyJson } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { Trace, Turn } from "../trace/trace.ts";
import type { ChangedInput, InputChange, NotExchanged, PromptChange, ToolChange } from "./changed-input.ts";
import { promptHunks } from "./prompt-lines.ts";

export interface ChangedInputs {
  readonly inputs: readonly ChangedInput[];
  /** Those that no run can exchange, and why. */
  readonly notExchanged: readonly NotExchanged[];
  /** Requests that were read, per side. None on a side: nothing can be compared. */
  readonly requests: { readonly baseline: number; readonly candidate: number };
}

export function findChangedInputs(baseline: readonly Trace[], candidate: readonly Trace[]): ChangedInputs {
  const left = requestsOf(baseline);
  const right = requestsOf(candidate);
  const changes: Change[] = [
    ...promptChanges(baseline, candidate).map((change) => ({ change })),
    ...modelChanges(left, right),
    ...toolChanges(left, right),
    ...settingChanges(left, right),
  ];
  const inputs = changes.map(({ change }, index): ChangedInput => ({ id: `input-${index + 1}`, ...change }));
  return {
    inputs,
    notExchanged: inputs.flatMap((input, index): NotExchanged[] => {
      const why = changes[index]!.varies ? "varies" : isRedacted(input) ? "redacted" : undefined;
      return why === undefined ? [] : [{ input: input.id, why }];
    }),
    requests: { baseline: left.length, candidate: right.length },
  };
}

interface Change {
  readonly change: InputChange;
  readonly varies?: true;
}

/** The turns whose requests were recorded. */
export function requestsOf(traces: readonly Trace[]): Turn[] {
  return traces.flatMap(({ turns }) => turns.filter(hasRequest));
}

/** What a recording hides cannot be sent again. */
function isRedacted(change: InputChange): boolean {
  return /\[REDACTED:|\[removed\b/.test(stringifyJson(change as unknown as Json));
}

/** Prompts are put together by scenario and by their order in a run; a stretch that several share is one change. */
function promptChanges(baseline: readonly Trace[], candidate: readonly Trace[]): PromptChange[] {
  const before = promptsByPlace(baseline);
  const found = new Map<string, PromptChange>();
  for (const [place, prompt] of promptsByPlace(candidate)) {
    const known = before.get(place);
    if (known === undefined || isSameButVolatile(known, prompt)) continue;
    for (const { baseline: gone, candidate: come, place: around } of promptHunks(known, prompt)) {
      const key = JSON.stringify([gone, come]);
      const places = [...(found.get(key)?.places ?? []), around];
      const distinct = [...new Map(places.map((one) => [JSON.stringify(one), one])).values()];
      found.set(key, { code: "prompt", baseline: gone, candidate: come, places: distinct });
    }
  }
  return [...found.values()];
}

function promptsByPlace(traces: readonly Trace[]): Map<string, string> {
  const prompts = new Map<string, string>();
  for (const trace of traces) {
    const scenario = trace.scenario ?? "";
    if (prompts.has(`${scenario} 0`)) continue;
    const distinct: string[] = [];
    for (const { system = "" } of trace.turns.filter(hasRequest)) {
      if (distinct.some((one) => isSameButVolatile(one, system))) continue;
      prompts.set(`${scenario} ${distinct.length}`, system);
      distinct.push(system);
    }
  }
  return prompts;
}

function modelChanges(left: readonly Turn[], right: readonly Turn[]): Change[] {
  const models = (turns: readonly Turn[]) => [...new Set(turns.flatMap(({ requestedModel }) => requestedModel ?? []))];
  const before = models(left);
  const after = models(right);
  const gone = before.filter((model) => !after.includes(model));
  const come = after.filter((model) => !before.includes(model));
  if (gone.length + come.length === 0 || before.length === 0 || after.length === 0) return [];
  const change = { code: "model", baseline: gone[0] ?? before[0]!, candidate: come[0] ?? after[0]! } as const;
  return [{ change, ...(gone.length === 1 && come.length === 1 ? {} : { varies: true }) }];
}

interface Offered {
  readonly definition: Json;
  readonly beside: readonly string[];
  readonly varies: boolean;
}

function toolChanges(left: readonly Turn[], right: readonly Turn[]): Change[] {
  const before = offeredBy(left);
  const after = offeredBy(right);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((tool): Change[] => {
    const one = before.get(tool);
    const other = after.get(tool);
    if (one !== undefined && other !== undefined && isSameDefinition(one.definition, other.definition)) return [];
    const change: ToolChange = present({
      code: "tool" as const,
      tool,
      baseline: one?.definition,
      candidate: other?.definition,
      beside: one?.beside ?? [],
    });
    return [{ change, ...(one?.varies || other?.varies ? { varies: true } : {}) }];
  });
}

function isSameDefinition(one: Json, other: Json): boolean {
  return jsonEqual(one, other) || firstValueDifference(one, other) === undefined;
}

function offeredBy(turns: readonly Turn[]): Map<string, Offered> {
  const offered = new Map<string, Offered>();
  let last: Turn["offeredTools"];
  for (const { offeredTools } of turns) {
    if (offeredTools === undefined || offeredTools === last) continue;
    last = offeredTools;
    for (const { name, definition } of offeredTools) {
      const known = offered.get(name);
      if (known !== undefined && (known.varies || isSameDefinition(known.definition, definition))) continue;
      const beside = offeredTools.map((tool) => tool.name).filter((other) => other !== name);
      offered.set(name, known === undefined ? { definition, beside, varies: false } : { ...known, varies: true });
    }
  }
  return offered;
}

/** Which do not change what a model does, or change with every request. */
const NOT_SETTINGS: ReadonlySet<string> = new Set([
  ...["stream", "stream_options", "metadata", "user", "prompt_cache_key", "safety_identifier", "store"],
  ...["previous_response_id", "service_tier", "conversation"],
]);

function settingChanges(left: readonly Turn[], right: readonly Turn[]): Change[] {
  const before = settingsOf(left);
  const after = settingsOf(right);
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((key): Change[] => {
    const one = before.get(key);
    const other = after.get(key);
    if (one !== undefined && other !== undefined && jsonEqual(one.values, other.values)) return [];
    const path = (one ?? other)!.path;
    const change = present({
      code: "setting" as const,
      path,
      baseline: one?.values[0],
      candidate: other?.values[0],
    });
    const varies = [one, other].some((side) => side !== undefined && side.values.length > 1);
    return [{ change, ...(varies ? { varies: true } : {}) }];
  });
}

interface Setting {
  readonly path: readonly string[];
  /** Each value once, in order of appearance. */
  readonly values: Json[];
}

function settingsOf(turns: readonly Turn[]): Map<string, Setting> {
  const settings = new Map<string, Setting>();
  const add = (path: readonly string[], value: Json): void => {
    if (isObject(value) && Object.keys(value).length > 0) {
      for (const key of Object.keys(value)) add([...path, key], value[key]!);
      return;
    }
    const known = settings.get(path.join("."));
    if (known === undefined) settings.set(path.join("."), { path, values: [value] });
    else if (!known.values.some((one) => jsonEqual(one, value))) known.values.push(value);
  };
  let last: JsonObject | undefined;
  for (const { settings: own } of turns) {
    if (own === undefined || own === last) continue;
    last = own;
    for (const key of Object.keys(own)) if (!NOT_SETTINGS.has(key)) add([key], own[key]!);
  }
  return settings;
}

/** The lines of a request's system prompt. */
export function systemLines({ system = "" }: Turn): string[] {
  return splitLines(system);
}
