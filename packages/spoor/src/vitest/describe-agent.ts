/**
 * `describeAgent`: a suite of tests that ask an agent, several times each. One run of an agent proves little; a test passes when
 * enough of its runs do, and says how many did and how many had to.
 */

import type { Trace } from "@spoor/core";
import { messageOf } from "@spoor/core/internal/errors";
import { readCase } from "@spoor/core/internal/evals/read-case";
import { describe, it } from "vitest";
import { loadEvalFile } from "../evals/load-eval-files.ts";
import { promptOf } from "../evals/parse-input.ts";
import { type CaseChoice, selectCases } from "../evals/select-cases.ts";
import { judgeRun } from "./judge-run.ts";
import { readReceived } from "./received.ts";
import { type SuiteJudge, suiteJudges } from "./suite-judges.ts";

/** What the agent is told about the run it makes. */
export interface AgentRunInfo {
  readonly id: string;
  /** Which repetition, from 1. */
  readonly run: number;
  /** Aborted when the run takes too long. */
  readonly signal: AbortSignal;
}

export interface AgentRunResult extends AgentRunInfo {
  /** What the agent returned. */
  readonly result: unknown;
  readonly trace: Trace;
}

export interface AgentSuiteOptions extends CaseChoice {
  /** Asks the agent; returns whatever the matchers take: messages, a result of an SDK, a trace, calls. */
  readonly agent: (input: string, info: AgentRunInfo) => unknown;
  /** Cases of this eval file (YAML, JSON Lines, CSV), relative to the working folder, judged by their evaluators. */
  readonly cases?: string;
  /** Who answers evaluators that need a judge: a model as in `--judge`, `openai:gpt-5-mini`, or a function; several vote. */
  readonly judge?: SuiteJudge | readonly SuiteJudge[];
  /** Address of the judge's server, as `--judge-url`. */
  readonly judgeUrl?: string;
  /** Runs of every test; 1 unless said, a case's own number first. */
  readonly repeat?: number;
  /** The share of runs that must pass, 1 unless said: one failing run fails the test. */
  readonly passRate?: number;
  /** Milliseconds for one run, 60,000 unless said. */
  readonly runTimeout?: number;
}

/** A test of one's own: the agent is asked, and the run passes when `check` does not throw. */
export type AgentTest = (
  id: string,
  input: string,
  check: (run: AgentRunResult) => void | Promise<void>,
  options?: Pick<AgentSuiteOptions, "repeat" | "passRate">,
) => void;

export function describeAgent(name: string, options: AgentSuiteOptions, body?: (test: AgentTest) => void): void {
  describe(name, () => {
    if (options.cases !== undefined) addCases(options.cases, options);
    body?.((id, input, check, own = {}) => addTest(it, { id, input, check, ...options, ...own }));
    if (options.cases === undefined && body === undefined)
      throw new TypeError("describeAgent needs cases: an eval file, or a function that adds tests.");
  });
}

function addCases(file: string, options: AgentSuiteOptions): void {
  const suite = loadEvalFile(file, { cwd: process.cwd(), strict: false });
  const { cases } = selectCases([suite], options);
  const judges = suiteJudges(options.judge, options.judgeUrl);
  for (const evalCase of suite.cases) {
    if (evalCase.skip !== undefined) it.skip(evalCase.id, () => undefined);
    if (!cases.has(evalCase)) continue;
    const { id, input, repeat } = evalCase;
    const check = ({ trace }: AgentRunResult) => judgeRun(trace, evalCase, file, judges);
    addTest(evalCase.only ? it.only : it, {
      ...options,
      id,
      input: promptOf(input),
      check,
      repeat: repeat ?? options.repeat ?? 1,
    });
  }
}

interface PlannedTest extends Pick<AgentSuiteOptions, "agent" | "repeat" | "passRate" | "runTimeout"> {
  readonly id: string;
  readonly input: string;
  readonly check: (run: AgentRunResult) => void | Promise<void>;
}

function addTest(add: typeof it.only, test: PlannedTest): void {
  const { id, repeat = 1, passRate = 1, runTimeout = 60_000 } = test;
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new TypeError(`repeat must be a whole number from 1 on, found ${repeat}.`);
  if (!(passRate > 0 && passRate <= 1))
    throw new TypeError(`passRate must be above 0 and at most 1, found ${passRate}.`);
  add(id, { timeout: repeat * runTimeout + 5000 }, async ({ annotate }) => {
    const failures: string[] = [];
    for (let run = 1; run <= repeat; run++) {
      const failure = await failureOf(test, run, runTimeout);
      if (failure !== undefined) failures.push(failure);
    }
    const passed = repeat - failures.length;
    const { line } = readCase({ passed, runs: repeat }, { passRate });
    const share = `${passed} of ${repeat} runs pass, ${line} must (pass rate ${passRate})`;
    if (passed < line) throw new Error([`${share}.`, ...reasons(failures, repeat)].join("\n"));
    if (repeat > 1) await annotate(share);
  });
}

/** Why a run fails; an agent that breaks, does not answer or returns nothing that can be read is no pass. */
async function failureOf(
  { id, input, agent, check }: PlannedTest,
  run: number,
  runTimeout: number,
): Promise<string | undefined> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${runTimeout} ms`)), runTimeout);
  const info = { id, run, signal: late.signal };
  try {
    const result = await Promise.race([agent(input, info), rejected(late.signal)]);
    await check({ ...info, result, trace: readReceived(result) });
    return undefined;
  } catch (error) {
    return messageOf(error);
  } finally {
    clearTimeout(timer);
  }
}

function rejected(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

/** Each reason once, the most frequent first. */
function reasons(failures: readonly string[], repeat: number): string[] {
  const counts = new Map<string, number>();
  for (const failure of failures) counts.set(failure, (counts.get(failure) ?? 0) + 1);
  return [...counts].sort(([, left], [, right]) => right - left).map(([text, runs]) => `${runs} of ${repeat}: ${text}`);
}
