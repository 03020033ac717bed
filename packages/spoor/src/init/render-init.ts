/** What init says, line by line. Pure. */

import { printable } from "@spoor/core/internal/text/printable";
import { count, integer, list } from "../document/words.ts";
import { hang, padEnd } from "../write/terminal/layout.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import type { MinedRule } from "./mined-rule.ts";
import type { InitPlan, PlannedFile } from "./plan-files.ts";
import type { HookAgent } from "./render-hook.ts";
import { describeShape } from "./render-policy.ts";
import type { RepositoryFacts, TraceGroup } from "./repository-facts.ts";

/** Runs from which on a baseline is worth trusting. */
const ENOUGH_RUNS = 30;

export function renderFound(facts: RepositoryFacts, style: TerminalStyle): string {
  const { manifest, frameworks, recordings, ci } = facts;
  const names = frameworks.map(({ framework, version }) =>
    [framework.package, version, framework.title === undefined ? undefined : `(${framework.title})`]
      .filter((part) => part !== undefined)
      .join(" "),
  );
  const lines = [
    manifest === undefined
      ? "no package.json, pyproject.toml or requirements.txt"
      : `${manifest}: ${names.length === 0 ? "no agent framework that Spoor knows" : names.join(", ")}`,
    ...(recordings.groups.length === 0
      ? ["no recorded runs"]
      : recordings.groups.slice(0, 5).map((group) => groupWords(group, style.symbols.ellipsis))),
    ...(recordings.groups.length > 5 ? [`${recordings.groups.length - 5} more folders with runs`] : []),
    ...(recordings.unreadable.length === 0
      ? []
      : [
          `${count(recordings.unreadable.length, "file")} that cannot be read: ${list(recordings.unreadable.slice(0, 3))}${recordings.unreadable.length > 3 ? `, ${style.symbols.ellipsis}` : ""}`,
        ]),
    ...(recordings.cut ? ["more files than init looks at; name the folder in spoor.config.yaml"] : []),
    ci === undefined ? "no CI system" : `${ci.path}${ci.path.includes("workflows") ? "/" : ""}: ${ci.name}`,
  ];
  return `${lines.map((line, index) => hang(index === 0 ? "  Found  " : "         ", printable(line), style.columns)).join("\n")}\n`;
}

function groupWords({ folder, glob, files, format, traces }: TraceGroup, ellipsis: string): string {
  const agents = [...new Set(traces.flatMap((trace) => trace.agent ?? []))];
  const named =
    agents.length === 0
      ? ""
      : `, ${count(agents.length, "agent")} (${agents.slice(0, 3).join(", ")}${agents.length > 3 ? `, ${ellipsis}` : ""})`;
  const calls = traces.reduce((sum, trace) => sum + trace.toolCalls.length, 0);
  const runs = traces.length === files ? "" : `, ${count(traces.length, "run")}`;
  const kind = format.replace(/ \(.*\)$/, "").replace(/ spans$/, "");
  return `${folder === "" ? glob : `${folder}/`}: ${integer(files)} ${kind} ${files === 1 ? "file" : "files"}${runs}${named}, ${count(calls, "call")}`;
}

/** `    [x] a before b    held 5 of 5 times`; the evidence of a long rule stands on the next line. */
export function renderRules(
  rules: readonly MinedRule[],
  chosen: ReadonlySet<MinedRule>,
  { noun, numbered, columns }: { noun: string; numbered: boolean; columns: number },
): string {
  const words = rules.map(({ shape }) => printable(describeShape(shape, noun)));
  const room = columns - Math.max(...rules.map(({ evidence }) => evidence.length)) - 16;
  const width = Math.max(...words.map((text) => text.length).filter((length) => length <= room), 20);
  return rules
    .map((rule, index) => {
      const mark = `    ${numbered ? `${index + 1} ` : ""}[${chosen.has(rule) ? "x" : " "}] `;
      const text = words[index]!;
      if (text.length <= width) return `${mark}${padEnd(text, width)}    ${rule.evidence}\n`;
      return `${mark}${text}\n${" ".repeat(mark.length + width + 4)}${rule.evidence}\n`;
    })
    .join("");
}

export function renderPlan(files: readonly PlannedFile[], kept: readonly string[], style: TerminalStyle): string {
  const width = Math.max(...files.map(({ path }) => path.length), 0) + 2;
  const lines = files.map(({ path, purpose }, index) =>
    hang(`${index === 0 ? "  Will write  " : "              "}${padEnd(path, width)}`, purpose, style.columns),
  );
  if (kept.length > 0)
    lines.push(
      hang("  Untouched   ", `${list(kept)}: ${kept.length === 1 ? "it exists" : "they exist"}`, style.columns),
    );
  return `${lines.join("\n")}\n`;
}

/** What to add by hand to settings that exist. */
export function renderHookAdvice(files: readonly PlannedFile[], style: TerminalStyle): string {
  const { symbols, paint, columns } = style;
  return files
    .map(({ path, content }) => {
      const text = `${path} is yours; for Spoor to be asked, add this to it:`;
      const indented = content.trimEnd().replace(/^/gm, "    ");
      return `${hang(`  ${paint.warn(symbols.warning)} `, text, columns)}\n${indented}\n`;
    })
    .join("");
}

export interface Outcome {
  readonly plan: InitPlan;
  /** Where the runs to judge are expected. */
  readonly candidate: { readonly glob: string; readonly exists: boolean };
  readonly hasRuns: boolean;
  /** Spoor makes the runs itself. */
  readonly makesRuns: boolean;
  /** The command that records a run. */
  readonly record: string;
  /** Its tools are functions that a recording sees run only when they are wrapped. */
  readonly wrapsTools: boolean;
  readonly dependsOnSpoor: boolean;
  /** How many agents the runs to keep name. */
  readonly agents: number;
  /** Coding agents that work here and do not ask Spoor. */
  readonly unguarded: readonly HookAgent[];
}

export function renderWritten(outcome: Outcome, style: TerminalStyle): string {
  const { symbols, paint, columns } = style;
  const { plan, candidate, hasRuns } = outcome;
  const warn = (text: string) => hang(`  ${paint.warn(symbols.warning)} `, text, columns);
  const first = outcome.makesRuns
    ? "Next, keep what the agent does today: npx spoor record --baseline"
    : "Try it: npx spoor gate";
  const lines = [`  ${paint.good(symbols.passed)} Written. ${first}`];
  if (outcome.makesRuns) {
    if (outcome.wrapsTools) lines.push(...wrapSnippet(columns));
  } else if (!hasRuns) {
    lines.push(
      warn("There are no recorded runs yet, so the gate has nothing to judge. Record a few, one command per task:"),
      `    ${outcome.record}`,
      hang("    ", "Runs that are recorded already will do as well: spoor formats", columns),
      ...(outcome.wrapsTools ? wrapSnippet(columns) : []),
    );
  } else if (!candidate.exists) {
    lines.push(
      warn(
        `${candidate.glob} is still empty: record the changed agent's runs there, on the same tasks. Until then the gate says what is missing.`,
      ),
      `    ${outcome.record}`,
    );
  }
  const { baseline } = plan;
  if (baseline !== undefined && baseline.seenOnce > 0) {
    const advice =
      baseline.runs < ENOUGH_RUNS ? ` at first: record about ${ENOUGH_RUNS} runs before you let it block.` : ".";
    lines.push(warn(`${seenOnceWords(baseline)} seen once. New paths will be common${advice}`));
  }
  if (outcome.agents > 1) {
    const advice = "one configuration is meant for one agent; keep the others' runs in folders of their own.";
    lines.push(warn(`These runs are of ${outcome.agents} agents; ${advice}`));
  }
  if (!outcome.dependsOnSpoor) lines.push(warn("Spoor is not a dependency of this project yet: npm i -D spoor"));
  for (const agent of outcome.unguarded) {
    const advice = `A coding agent works here. To judge its calls: npx spoor init --hook ${agent}`;
    lines.push(hang("  ", advice, columns));
  }
  return `${lines.join("\n")}\n`;
}

/** Optional: results are known from the next request without it; with it, also how long a tool took and how it failed. */
function wrapSnippet(columns: number): string[] {
  return [
    hang("    ", "To see tools as they run, not only what the model was told of them:", columns),
    '      import { createRecorder } from "@spoor/record/recorder";',
    "      const tools = createRecorder().wrapTools({ look_up_order, issue_refund });",
  ];
}

function seenOnceWords({ behaviours, seenOnce }: NonNullable<InitPlan["baseline"]>): string {
  if (behaviours === 1) return "The only behaviour was";
  return `${seenOnce} of the ${behaviours} behaviours ${seenOnce === 1 ? "was" : "were"}`;
}
