// Axes, drift signals and evaluators as reference pages: names and numbers from the registries, words from the comments at their heads.
import { readFileSync } from "node:fs";
import { code, commentParagraphs, keyTable, referencePage, table, upperFirst } from "./reference-page.mjs";

const core = new URL("../packages/core/", import.meta.url);
const load = (path) => import(new URL(`dist/${path}`, core));
const source = (path) => readFileSync(new URL(`src/${path}`, core), "utf8");

export async function axisReference() {
  const { axes } = await load("diff/axes.js");
  const { gradings } = await load("diff/severity.js");
  const { structureSteps } = await load("diff/structure.js");
  const sections = axes.flatMap((axis) => [
    `## ${axis.name}`,
    "",
    ...axisWords(axis).flatMap((paragraph) => [paragraph, ""]),
    ...table(
      ["compared by", "graded", "step when the baseline is 0"],
      [
        [
          axis.everyTurn === undefined
            ? axis.statistic
            : `${axis.everyTurn.statistic} of all turns; ${axis.statistic} of the pairs with \`--pairing index\``,
          gradeSentence(axis.grading, gradings[axis.grading]),
          axis.floor === undefined ? "" : `${axis.floor} ${UNITS[axis.unit]}`,
        ],
      ],
    ),
  ]);
  return referencePage(
    "Axes",
    "The rows of `spoor diff`, in the order of the report. How the intervals work: [statistics](../statistics.md).",
    "",
    "## structure",
    "",
    ...firstComment(source("diff/structure.ts")).flatMap((paragraph) => [paragraph, ""]),
    ...table(
      ["compared by", "graded"],
      [
        [
          "share of turns",
          `any is minor, above ${percent(structureSteps.moderate)} moderate, above ${percent(structureSteps.severe)} severe`,
        ],
      ],
    ),
    "## tools",
    "",
    ...firstComment(source("diff/new-tools.ts")).flatMap((paragraph) => [paragraph, ""]),
    ...table(
      ["compared by", "graded"],
      [["names of tools", "one that may change something is severe, one that only reads minor"]],
    ),
    sections,
  );
}

const UNITS = { tokens: "tokens", ms: "ms", usd: "US dollars" };

function gradeSentence(grading, { of, steps }) {
  const step = of === "baseline" ? percent : String;
  const share = of === "baseline" ? " of the baseline" : "";
  const sentence = `minor below ${step(steps.moderate)}${share}, moderate below ${step(steps.severe)}, then severe`;
  return grading === "judge" ? `${sentence}; at most minor while the interval touches zero` : sentence;
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

export async function signalReference() {
  const { signals } = await load("fingerprint/signals/signals.js");
  const { limitVariables } = await import(new URL("../packages/spoor/dist/load/limit-variables.js", import.meta.url));
  const rows = signals.map((signal) => [code(signal.name), signal.severity, signalWords(signal).join(" ")]);
  return referencePage(
    "Drift signals",
    "What `spoor baseline compare` watches besides the path itself, each run against its closest known behaviour. A signal without data",
    "is listed as not evaluated.",
    "",
    table(["signal", "severity", "fires when"], rows),
    "## Limits",
    "",
    "What a signal goes by. A rule sets another one with `above` (`kind: no_drift`), the environment with the variable beside it. The",
    "same variables with `SPOOLED_` are read as well; there the token limit is a fraction.",
    "",
    table(
      ["signal", "limit", "preset", "what it is", "variable"],
      signals.flatMap((signal) =>
        Object.entries(signal.limits).map(([name, { preset, help }]) => [
          code(signal.name),
          code(name),
          Array.isArray(preset) ? "none" : preset,
          `${help}${signal.above?.includes(name) ? "; set by `above`" : ""}`,
          code(`SPOOR_${limitVariables.find(([, of, limit]) => of === signal.name && limit === name)?.[0] ?? ""}`),
        ]),
      ),
    ),
    "## Measures",
    "",
    "Codes of `measure` in findings; `only` of a rule keeps some of them.",
    "",
    table(
      ["signal", "measures"],
      signals.map((signal) => [code(signal.name), signal.measures.map(code).join(", ")]),
    ),
  );
}

export async function evaluatorReference() {
  const { evaluators } = await import(
    new URL("../packages/spoor/dist/evals/evaluators/evaluators.js", import.meta.url)
  );
  const { commonFields } = await load("evaluators/evaluator-list.js");
  const { referenceRows } = await load("read/reference.js");
  return referencePage(
    "Evaluators",
    "The types of `spoor score` and `spoor eval`. Hyphens and underscores are the same. Examples: [evaluators](../evaluators.md),",
    "[trajectories](../trajectory.md).",
    "",
    "## Every evaluator",
    "",
    "`type` says which one it is; `not-` in front of it turns the answer round. Besides its own keys an entry takes:",
    "",
    keyTable(referenceRows(commonFields)),
    evaluators.flatMap(({ type, aliases = [], summary, fields }) => [
      `## ${type}`,
      "",
      `${upperFirst(summary)}.${aliases.length === 0 ? "" : ` Also: ${aliases.map(code).join(", ")}.`}`,
      "",
      ...keyTable(referenceRows(fields)),
    ]),
  );
}

export function axisWords({ name }) {
  return firstComment(source(`diff/axes/${name}.ts`));
}

export function signalWords({ name }) {
  const text = source(`fingerprint/signals/${name.replaceAll("_", "-")}.ts`);
  const comments = text.match(/\/\*\*[\s\S]*?\*\/(?=\s*export const)/g) ?? [];
  return commentParagraphs(comments.at(-1) ?? "");
}

/** The comment that says what a file is about. */
function firstComment(text) {
  const paragraphs = commentParagraphs(/\/\*\*[\s\S]*?\*\//.exec(text)[0]);
  // References to neighbouring files help whoever reads the code, not whoever reads the page.
  return paragraphs.map((paragraph) => paragraph.replace(/ \([\w-]+(\.ts|\/)\)/g, ""));
}
