/**
 * Which of the inputs that changed moves the behaviour, by running: both sides first, then the candidate with inputs exchanged for the
 * base's, as the search asks for it. Every run is recorded, and a configuration counts only when its recordings show that it was what it says.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Trace } from "@spoor/core";
import type { Aspect } from "@spoor/core/internal/cohort/aspects";
import { buildRun } from "@spoor/core/internal/cohort/build-run";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { jsonOf } from "@spoor/core/internal/trace/json-of";
import type { ChangedInput } from "@spoor/core/internal/why/changed-input";
import { findChangedInputs } from "@spoor/core/internal/why/changed-inputs";
import { planSearch } from "@spoor/core/internal/why/plan-search";
import { type ConfigurationRuns, searchInputs } from "@spoor/core/internal/why/search-inputs";
import { findNotExchanged } from "@spoor/core/internal/why/verify-exchange";
import type { Configuration, WhyResult } from "@spoor/core/internal/why/why-report";
import { loadTraces } from "../load/load-traces.ts";
import type { AgentSettings } from "../runs/run-scenario.ts";
import { type RunPlan, runConfigurations, type Version } from "./run-configurations.ts";

export interface WhyOptions extends RunPlan {
  readonly base: AgentSettings;
  readonly candidate: AgentSettings;
  /** Where recordings go, a folder for each configuration. */
  readonly folder: string;
  readonly alpha: number;
  /** No more than this; as many as the search needs when absent. */
  readonly maxRuns?: number | undefined;
  readonly aspects?: readonly Aspect[] | undefined;
  /** Told once what changed is known: how many inputs there are, and how many runs there will be at most. */
  readonly onPlan: (inputs: number, atMost: number) => void;
}

export interface WhyRuns {
  readonly result: WhyResult;
  readonly traces: readonly Trace[];
}

export async function runWhy(options: WhyOptions): Promise<WhyRuns> {
  const { folder, alpha, seed } = options;
  const version = (title: string, settings: AgentSettings): Version => ({
    folder: join(folder, title),
    settings,
    title,
  });
  const sides = [version("base", options.base), version("candidate", options.candidate)] as const;
  await runConfigurations(sides, options);
  const [base, candidate] = await Promise.all(sides.map(tracesOf));
  const { inputs, notExchanged, requests } = findChangedInputs(base!, candidate!);
  if (requests.baseline === 0 || requests.candidate === 0) throw noRequests();
  const usable = inputs.filter(({ id }) => !notExchanged.some(({ input }) => input === id));
  const runsEach = options.scenarios.length * options.repeat;
  const atMost = Math.min(planSearch(usable.length).most * runsEach, options.maxRuns ?? Number.POSITIVE_INFINITY);
  options.onPlan(usable.length, atMost);
  const search = searchInputs(
    usable.map(({ id }) => id),
    { alpha, seed, runsEach, maxRuns: atMost, aspects: options.aspects },
  );
  const traces = [...base!, ...candidate!];
  let tried = 0;
  search.next();
  let step = search.next([runsOf(base!), runsOf(candidate!)]);
  while (!step.done) {
    const made = await runMixed(step.value, inputs, tried, options);
    tried += step.value.length;
    traces.push(...made.flatMap((one) => one.traces));
    step = search.next(made.map((one) => one.runs));
  }
  const { runsMade, ...found } = step.value;
  const unreached = found.outcome === "not_in_inputs" && notExchanged.length > 0;
  return {
    traces,
    result: {
      ...found,
      outcome: unreached || (found.outcome === "no_inputs" && inputs.length > 0) ? "not_found" : found.outcome,
      errorRate: alpha,
      seed,
      changedInputs: inputs,
      notExchanged: [...notExchanged, ...found.notExchanged],
      runs: { perConfiguration: runsEach, made: runsMade, atMost },
    },
  };
}

interface MixedRuns {
  readonly runs: ConfigurationRuns;
  readonly traces: readonly Trace[];
}

async function runMixed(
  configurations: readonly Configuration[],
  inputs: readonly ChangedInput[],
  tried: number,
  options: WhyOptions,
): Promise<MixedRuns[]> {
  const made = configurations.map(({ reverted }, index) => {
    const title = `mixed-${tried + index + 1}`;
    const exchanged = inputs.filter(({ id }) => reverted.includes(id));
    const exchange = join(options.folder, `${title}.exchange.json`);
    writeFileSync(exchange, `${stringifyJson(jsonOf(exchanged) ?? [])}\n`, { mode: 0o600 });
    const version = { folder: join(options.folder, title), settings: { ...options.candidate, exchange }, title };
    return { version, exchanged };
  });
  await runConfigurations(
    made.map(({ version }) => version),
    options,
  );
  return Promise.all(
    made.map(async ({ version, exchanged }) => {
      const traces = await tracesOf(version);
      return { traces, runs: { ...runsOf(traces), notExchanged: findNotExchanged(traces, exchanged) } };
    }),
  );
}

function tracesOf({ folder }: Version): Promise<Trace[]> {
  return loadTraces([folder], {});
}

function runsOf(traces: readonly Trace[]): ConfigurationRuns {
  return { runs: traces.map((trace) => buildRun(trace, "candidate")), notExchanged: [] };
}

function noRequests(): SpoorError {
  return new SpoorError("why.no-requests", "The recordings do not hold what the agent sent to its model.", {
    consequence: "What went in cannot be compared, so nothing can be exchanged.",
    hint: "Record with what was said: leave --content blind out.",
  });
}
