/**
 * A case for `spoor eval` and `spoor score` out of recorded runs: what the user said, the tools that should have been called, and the
 * rules that were broken. Nothing is promised that was not tried: the case passes the runs it is meant to be like and fails the run
 * that was turned down, or there is no case.
 */
import { dirname, relative, resolve } from "node:path";
import type { Json, JsonObject, Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { scoreCase } from "@spoor/core/internal/evaluators/case-score";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { present } from "@spoor/core/internal/trace/present";
import { userTexts } from "@spoor/core/internal/trace/user-text";
import { parseEvalFile } from "../evals/parse-eval-file.ts";
import { runEvaluators } from "../evals/run-evaluators.ts";
import { renderCase } from "./append-case.ts";
import { stableArguments } from "./stable-arguments.ts";

export interface CaseWish {
  readonly id: string;
  readonly description: string;
  /** The run that the case is made of. */
  readonly trace: Trace;
  /** Whether it did what it should not, so that the case has to fail it. */
  readonly turnedDown: boolean;
  /** Runs that show what should be done; where there are none, a run that was not turned down shows it itself. */
  readonly good: readonly Trace[];
  /** Policy files with rules that the run breaks, as absolute paths or names of packs. */
  readonly policies: readonly string[];
  /** Where the case will stand, absolute. */
  readonly file: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export async function buildEvalCase(wish: CaseWish): Promise<JsonObject> {
  const { trace, policies, turnedDown } = wish;
  const good = turnedDown || wish.good.length > 0 ? wish.good : [trace];
  for (const run of [trace, ...good]) if (run.recording?.blind !== undefined) throw blind(run);
  const said = [trace, ...good].map(userTexts).find((texts) => texts.length > 0);
  if (said === undefined) throw silent(trace);
  const bad = turnedDown ? trace : undefined;
  const rules = policies.map((file, index) => policyEntry(file, wish.file, index));
  const paths = good.length === 0 ? [] : pathEntries(good, bad);
  // The gentlest expectation first, with the rules where they help.
  const tried = [...paths.map((path) => [path, ...rules]), ...paths.map((path) => [path]), rules];
  // Runs that vary among themselves may leave nothing that holds for all of them; the one that was compared decides then.
  for (const meant of [good, good.slice(0, 1)]) {
    for (const evaluators of tried) {
      if (evaluators.length === 0) continue;
      const written = caseOf(wish, said, evaluators);
      if (await tellsApart(written, meant, bad, wish)) return written;
    }
  }
  throw indistinct(trace, good);
}

function caseOf({ id, description }: CaseWish, said: readonly string[], evaluators: readonly JsonObject[]): JsonObject {
  return {
    id,
    description,
    input_messages: said.map((content) => ({ role: "user", content })),
    // Every step counts: a share of them is what was turned down.
    execution: { threshold: 1, evaluators },
  };
}

/** The calls in order; the same with nothing in between; at most as many of the tools that were called too often. */
function pathEntries(good: readonly Trace[], bad: Trace | undefined): JsonObject[] {
  const [first] = good;
  const calls = first!.toolCalls;
  const names = (trace: Trace) => JSON.stringify(trace.toolCalls.map(({ name }) => name));
  const alike = good.filter((trace) => names(trace) === names(first!));
  const expected = calls.map(({ name }, index) => {
    const args = stableArguments(alike.map(({ toolCalls }) => toolCalls[index]!.input));
    return present({ tool: name, args });
  });
  const bare = calls.map(({ name }) => ({ tool: name }));
  const entry = (mode: string, steps: readonly Json[]): JsonObject =>
    present({
      name: "path",
      type: "tool_trajectory",
      mode,
      args_match: steps.some((step) => "args" in (step as JsonObject)) ? "deep_superset" : undefined,
      expected: steps,
    }) as JsonObject;
  const shared = sharedCalls(good);
  return [
    ...(calls.length === 0 ? [] : [entry("in_order", expected), entry("exact", expected)]),
    ...(calls.length === 0 ? [] : [entry("in_order", bare), entry("exact", bare)]),
    ...(shared.length === 0 ? [] : [entry("in_order", shared)]),
    ...mostEntry(good, bad),
  ];
}

/** Steps that every one of the runs takes in this order, for runs that differ among themselves. */
function sharedCalls(good: readonly Trace[]): JsonObject[] {
  let names = good[0]!.toolCalls.map(({ name }) => name);
  for (const { toolCalls } of good.slice(1)) {
    let at = 0;
    const kept: string[] = [];
    for (const name of names) {
      const found = toolCalls.findIndex((call, index) => index >= at && call.name === name);
      if (found < 0) continue;
      kept.push(name);
      at = found + 1;
    }
    names = kept;
  }
  return names.map((tool) => ({ tool }));
}

function mostEntry(good: readonly Trace[], bad: Trace | undefined): JsonObject[] {
  if (bad === undefined) return [];
  const count = ({ toolCalls }: Trace, tool: string) => toolCalls.filter(({ name }) => name === tool).length;
  const maximums: Record<string, Json> = {};
  for (const { name } of bad.toolCalls) {
    const most = Math.max(...good.map((trace) => count(trace, name)));
    if (count(bad, name) > most) maximums[name] = most;
  }
  if (Object.keys(maximums).length === 0) return [];
  return [{ name: "path", type: "tool_trajectory", mode: "any_order", maximums }];
}

function policyEntry(policy: string, file: string, index: number): JsonObject {
  const path = isPack(policy) ? policy : relative(dirname(file), policy).replaceAll("\\", "/");
  return { name: index === 0 ? "rules" : `rules-${index + 1}`, type: "policy", file: path };
}

export function isPack(policy: string): boolean {
  return policy.startsWith("spoor:");
}

/** The case as it will be read, on the runs themselves. */
async function tellsApart(
  written: JsonObject,
  good: readonly Trace[],
  bad: Trace | undefined,
  { file, env }: CaseWish,
): Promise<boolean> {
  const folder = dirname(file);
  const text = `evalcases:\n${renderCase(written, 2)}`;
  const { suite, problems } = parseEvalFile(parseYaml(text, file), {
    findFile: () => undefined,
    resolvePath: (path) => resolve(folder, path),
  });
  const [read] = suite.cases;
  if (problems.errors.length > 0 || read === undefined) return false;
  const passes = async (trace: Trace) => {
    const results = await runEvaluators(read.evaluators, subjectOfTrace(trace), { folder, env, withoutJudge: true });
    return scoreCase(results, read.threshold).status === "passed";
  };
  for (const trace of good) if (!(await passes(trace))) return false;
  return bad === undefined || !(await passes(bad));
}

function blind(trace: Trace): SpoorError {
  return new SpoorError("eval.blind", `${trace.name} is a blind recording: it does not hold what was said.`, {
    ...(trace.source.path === undefined ? {} : { at: { file: trace.source.path } }),
    consequence: "There is no case to make of it.",
    hint: "Record the run with its content (without --blind) and add that recording.",
  });
}

function silent(trace: Trace): SpoorError {
  return new SpoorError("eval.no-input", `${trace.name} does not hold anything that a user said.`, {
    ...(trace.source.path === undefined ? {} : { at: { file: trace.source.path } }),
    consequence: "There is nothing that an agent could be asked.",
    hint: "Write the case by hand, or record the requests together with the answers.",
  });
}

function indistinct(trace: Trace, good: readonly Trace[]): SpoorError {
  const why =
    good[0] === undefined
      ? `No run shows what ${trace.name} should have done, and no rule says it.`
      : `Neither tools, arguments nor rules tell ${trace.name} from what it should be like: a case would pass both or fail both.`;
  return new SpoorError("eval.indistinct", why, {
    ...(trace.source.path === undefined ? {} : { at: { file: trace.source.path } }),
    consequence: "No case was written.",
    hint: "Write a rule about what must not happen, or a case with an evaluator of texts, by hand.",
  });
}
