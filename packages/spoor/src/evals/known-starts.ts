/** What eval files, evaluators, judges and targets start, held against what the base of a pull request has. */
import { resolve } from "node:path";
import type { Json } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { isObject, member, setMember } from "@spoor/core/internal/trace/json";
import type { BaseTree } from "../load/trust/base-tree.ts";
import { isRestricted, requireKnown, type Start } from "../load/trust/trust.ts";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import { evaluatorsFile } from "./evaluators-file.ts";
import { besides, disk, viewOfBase } from "./file-view.ts";
import { readSuite } from "./load-eval-files.ts";
import { type TargetEntry, targetsFile } from "./targets-file.ts";

/** An eval file with all it names: other files of cases, a shared workspace. Read without the environment, as it is written. */
export function requireKnownSuite(file: string, cwd: string): void {
  if (!isRestricted()) return;
  const starts = startsOfSuite(readSuite(file, cwd, disk));
  requireKnown(resolve(cwd, file), starts, (base) => startsNear(resolve(cwd, file), cwd, base));
}

/** The evaluators of a file, where nothing but them runs, and those who judge. */
export function requireKnownEvaluators(
  file: string,
  cwd: string,
  evaluators: readonly EvaluatorConfig[],
  judge?: Json,
): void {
  if (!isRestricted()) return;
  const starts = distinct([...startsOfEvaluators(evaluators), ...startsOfJudges(judge)]);
  requireKnown(resolve(cwd, file), starts, (base) => startsNear(resolve(cwd, file), cwd, base));
}

/** A target as it is written, before its variables are filled in. */
export function requireKnownTarget(file: string, { name, at }: TargetEntry): void {
  if (!isRestricted()) return;
  requireKnown(file, startsOfTarget(name, at.value), (base) => {
    const text = base.read(resolve(file)) ?? "";
    const entries = targetsFile.read(new Problems(parseYaml(text, file)).root()) ?? [];
    return entries.flatMap((entry) => startsOfTarget(entry.name, entry.at.value));
  });
}

/** Keys may go to the maker's own address; to another one, or other keys, only as the base says. */
export function startsOfJudges(judge: Json | undefined): Start[] {
  return [judge ?? []].flat().flatMap((one) => {
    const counts = pick(one as Json, (key) => /^(baseurl|apikey)$/.test(key));
    return counts === undefined
      ? []
      : [{ what: "a judge", runs: { provider: member(one as Json, "provider") ?? "openai", ...counts } }];
  });
}

/** All that the base's file starts, and its neighbours: a new file of cases may ask for what the others have. */
function startsNear(file: string, cwd: string, base: BaseTree): Start[] {
  const view = viewOfBase(base);
  return besides(file, view).flatMap((path) => {
    try {
      return [...startsOfSuite(readSuite(path, cwd, view)), ...startsOfList(path, view.read(path))];
    } catch {
      return [];
    }
  });
}

/** A file of evaluators alone. */
function startsOfList(file: string, text: string): Start[] {
  const source = parseYaml(text, file);
  const read = evaluatorsFile.read(new Problems(source).root());
  const listed = Array.isArray(read)
    ? read
    : Object.values(read ?? {})
        .filter(Array.isArray)
        .flat();
  const nested = Array.isArray(read)
    ? []
    : ((read as { execution?: { evaluators?: unknown } } | undefined)?.execution?.evaluators ?? []);
  return [
    ...startsOfEvaluators([...listed, ...(nested as readonly EvaluatorConfig[])] as readonly EvaluatorConfig[]),
    ...startsOfJudges(member(source.value, "judge")),
  ];
}

function startsOfSuite({ cases }: EvalSuite): Start[] {
  return distinct(cases.flatMap(startsOfCase));
}

function startsOfCase({ id, evaluators, workspace, conversation }: EvalCase): Start[] {
  const { template: _template, ...around } = workspace ?? { setup: [], teardown: [], env: {} };
  const by = conversation?.user?.by;
  return [
    ...startsOfEvaluators(evaluators),
    ...(isEmpty(around) ? [] : [{ what: `the workspace of case "${id}"`, runs: around as unknown as Json }]),
    ...(by !== undefined && "command" in by
      ? [{ what: `the simulated user of case "${id}"`, runs: { command: by.command as Json } }]
      : []),
  ];
}

function isEmpty(around: object): boolean {
  return Object.values(around).every((value) => Object.keys((value ?? {}) as object).length === 0);
}

interface StartingParams {
  readonly command?: Json;
  readonly cwd?: string;
  readonly prompt?: Json;
  readonly members?: readonly EvaluatorConfig[];
}

function startsOfEvaluators(evaluators: readonly EvaluatorConfig[]): Start[] {
  return evaluators.flatMap(({ name, type, params }) => {
    const { command, cwd, prompt, members = [] } = (params ?? {}) as StartingParams;
    return [
      ...(command !== undefined
        ? [{ what: `${type} "${name}"`, runs: { command, ...(cwd === undefined ? {} : { cwd }) } }]
        : []),
      ...(prompt !== undefined && isObject(prompt) ? [{ what: `the prompt of "${name}"`, runs: { prompt } }] : []),
      ...startsOfEvaluators(members),
    ];
  });
}

/** What changes how an agent answers, but neither what is started nor who hears of it. */
const HARMLESS = new Set(
  [
    ...["name", "id", "label", "model", "temperature", "max_tokens", "max_output_tokens", "top_p", "seed"],
    ...["reasoning_effort", "system_prompt", "workers", "timeout_seconds", "limits", "pricing", "max_retries"],
    ...["retry_initial_delay_ms", "retry_backoff_factor", "retry_max_delay_ms", "judge_target", "grader_target"],
  ].map(plain),
);

function startsOfTarget(name: string, value: Json): Start[] {
  const counts = pick(value, (key) => !HARMLESS.has(key));
  return counts === undefined ? [] : [{ what: `target "${name}"`, runs: counts }];
}

/** The members that count; one that names a variable of the environment always does, because it may be a secret. */
function pick(value: Json, counts: (key: string) => boolean): { readonly [key: string]: Json } | undefined {
  const picked: Record<string, Json> = {};
  if (!isObject(value)) return undefined;
  for (const [key, item] of Object.entries(value))
    if (counts(plain(key)) || canonicalJson(item).includes("${{")) setMember(picked, key, item);
  return Object.keys(picked).length === 0 ? undefined : picked;
}

function plain(key: string): string {
  return key.replace(/[_-]/g, "").toLowerCase();
}

function distinct(starts: readonly Start[]): Start[] {
  return [...new Map(starts.map((start) => [canonicalJson(start.runs), start])).values()];
}
