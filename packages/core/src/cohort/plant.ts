/**
 * Known changes, planted into recorded runs to see whether the test would find them on this agent's own noise. Each returns
 * undefined for a run it cannot touch (no call to drop). Cost: a copy of the run's calls.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import type { Random } from "../stats/random.ts";
import { isObject, type Json } from "../trace/json.ts";
import type { Aspect } from "./aspects.ts";
import { isEffect } from "./effects.ts";
import type { CohortCall, CohortRun } from "./run.ts";
import { wordBucket } from "./words.ts";

export interface PlantedChange {
  readonly name: string;
  /** In words, for the plan: "a tool nobody called before". */
  readonly words: string;
  /** The aspect it belongs to. */
  readonly aspect: Aspect;
  plant(run: CohortRun, context: PlantContext): CohortRun | undefined;
}

export interface PlantContext {
  readonly random: Random;
  /** The tool that the agent calls most often, over all runs. */
  readonly commonestTool: string | undefined;
}

/** A tool name that no agent has. */
const PLANTED_TOOL = "spoor_planted_tool";

export const plantedChanges: readonly PlantedChange[] = [
  {
    name: "new_tool",
    words: "calls a tool that no run called before",
    aspect: "tools",
    plant: (run, { random }) => {
      const at = random.below(run.calls.length + 1);
      return withCalls(run, inserted(run.calls, at, { name: PLANTED_TOOL, args: {} }), at);
    },
  },
  {
    name: "dropped_call",
    words: "calls its commonest tool once less",
    aspect: "tools",
    plant: (run, { commonestTool }) => {
      const at = run.calls.findIndex((call) => call.name === commonestTool);
      return at < 0 ? undefined : withCalls(run, removed(run.calls, at), at);
    },
  },
  {
    name: "missing_effect",
    words: "leaves out its last action that changes something",
    aspect: "effects",
    plant: (run) => {
      const at = run.calls.findLastIndex(isEffect);
      return at < 0 ? undefined : withCalls(run, removed(run.calls, at), at);
    },
  },
  {
    name: "other_value",
    words: "passes another value in one call",
    aspect: "args",
    plant: (run, { random }) => {
      const changeable = run.calls.flatMap((call, at) => (otherValue(call.args) === undefined ? [] : [at]));
      if (changeable.length === 0) return undefined;
      const chosen = changeable[random.below(changeable.length)];
      return withCalls(
        run,
        run.calls.map((call, at) => (at === chosen ? { ...call, args: otherValue(call.args)! } : call)),
      );
    },
  },
  {
    name: "new_key",
    words: "passes its commonest tool an argument that it did not pass before",
    aspect: "args",
    plant: (run, { commonestTool }) => {
      if (!run.calls.some(({ name }) => name === commonestTool)) return undefined;
      return withCalls(
        run,
        run.calls.map((call) => (call.name === commonestTool ? { ...call, args: withNewKey(call.args) } : call)),
      );
    },
  },
  {
    name: "swapped",
    words: "makes two neighbouring calls in the other order",
    aspect: "order",
    plant: (run, { random }) => swapNeighbours(run, random),
  },
  {
    name: "retry",
    words: "makes its first call three times",
    aspect: "effort",
    plant: (run) => {
      const [call] = run.calls;
      return call === undefined ? undefined : withCalls(run, [call, call, ...run.calls], 0);
    },
  },
  {
    name: "longer_text",
    words: "says half as much again",
    aspect: "text",
    plant: (run) => {
      if (run.texts.length === 0) return undefined;
      return { ...run, texts: run.texts.map((text) => `${text} ${text.slice(0, Math.ceil(text.length / 2))}`) };
    },
  },
  {
    name: "own_way",
    words: "changes its calls in each scenario another way",
    aspect: "tools",
    plant: otherInEachScenario,
  },
];

/** In one scenario a call is missing, in the next another is made twice more: on average nothing moves. */
function otherInEachScenario(run: CohortRun): CohortRun | undefined {
  const names = [...new Set(run.calls.map(({ name }) => name))].sort(compareCodePoints);
  const choice = wordBucket(run.scenario);
  const tool = names[(choice >> 1) % Math.max(1, names.length)];
  const at = run.calls.findIndex(({ name }) => name === tool);
  if (at < 0) return undefined;
  if (choice % 2 === 0) return withCalls(run, removed(run.calls, at), at);
  const call = run.calls[at]!;
  return withCalls(run, inserted(inserted(run.calls, at, call), at, call), at);
}

/** `at`: where calls were put in or taken out; texts after that place move with them. */
function withCalls(run: CohortRun, calls: readonly CohortCall[], at = 0): CohortRun {
  const more = calls.length - run.calls.length;
  const textsAfter = run.textsAfter?.map((before) => (before > at ? before + more : before));
  return { ...run, calls, ...(textsAfter === undefined ? {} : { textsAfter }) };
}

function inserted(calls: readonly CohortCall[], at: number, call: CohortCall): CohortCall[] {
  return [...calls.slice(0, at), call, ...calls.slice(at)];
}

function removed(calls: readonly CohortCall[], at: number): CohortCall[] {
  return [...calls.slice(0, at), ...calls.slice(at + 1)];
}

/** The tool that the runs call most often; the first seen of several. */
export function commonestToolOf(runs: readonly CohortRun[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { calls } of runs) for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  let commonest: string | undefined;
  for (const [name, count] of counts) if (commonest === undefined || count > counts.get(commonest)!) commonest = name;
  return commonest;
}

/** The first text or number gets another value of the same type and a similar size; undefined when there is none. */
function otherValue(args: Json | undefined): Json | undefined {
  if (!isObject(args)) return undefined;
  for (const [key, value] of Object.entries(args)) {
    if (typeof value === "string" && value !== "") return { ...args, [key]: `${[...value].reverse().join("")}x` };
    if (typeof value === "number") return { ...args, [key]: value * 2 + 1 };
  }
  return undefined;
}

function withNewKey(args: Json | undefined): Json {
  return { ...(isObject(args) ? args : {}), spoor_planted_key: true };
}

function swapNeighbours(run: CohortRun, random: Random): CohortRun | undefined {
  const places = run.calls.flatMap((call, at) => (at > 0 && run.calls[at - 1]!.name !== call.name ? [at] : []));
  if (places.length === 0) return undefined;
  const at = places[random.below(places.length)]!;
  const calls = [...run.calls];
  [calls[at - 1], calls[at]] = [calls[at]!, calls[at - 1]!];
  return withCalls(run, calls);
}
