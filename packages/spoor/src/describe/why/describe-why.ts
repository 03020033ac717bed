/** `spoor why` in words: which input moves the behaviour, how sure, what was tried for it, and what was not. */
import type { ChangedInput } from "@spoor/core/internal/why/changed-input";
import { planSearch } from "@spoor/core/internal/why/plan-search";
import type { TriedConfiguration, WhyReport } from "@spoor/core/internal/why/why-report";
import type { Block, Document, Fact, Finding, Mark, Table, Text } from "../../document/document.ts";
import { capitalised, joined, listed, name, say } from "../../document/text.ts";
import { count, integer, percent, pWords } from "../../document/words.ts";
import { firstInputText } from "../diff/first-input-text.ts";
import { footerOf } from "../footer.ts";
import { sidesOf } from "../sides.ts";
import type { DescribeView } from "../view.ts";
import { inputLines, inputName, inputNames, notExchangedWords } from "./input-text.ts";

export function describeWhy(report: WhyReport, view: DescribeView): Document {
  return {
    id: "spoor:why",
    subject: sidesOf(report),
    blocks: [
      { kind: "verdict", mark: markOfWhy(report), headline: headlineOf(report), detail: detailOf(report) },
      ...firstBlocks(report),
      ...inputBlocks(report),
      ...configurationBlocks(report),
      { kind: "facts", facts: factsOf(report) },
      { kind: "closing", text: [], exitCode: view.exitCode, next: [] },
    ],
    footer: footerOf(report, say`seed ${report.seed}`),
  };
}

export function markOfWhy({ outcome }: WhyReport): Mark {
  if (outcome === "unchanged") return "passed";
  return outcome === "named" || outcome === "not_run" ? "warning" : "unknown";
}

function headlineOf(report: WhyReport): Text {
  const { outcome, named, changedInputs: inputs } = report;
  switch (outcome) {
    case "named": {
      const texts = named.map((one) => inputNames(one.inputs, inputs));
      const many = named.length > 1 || named[0]!.inputs.length > 1;
      return capitalised(say`${listed(texts)} ${many ? "move" : "moves"} what the agent does`);
    }
    case "unchanged":
      return ["Nothing to explain: the agent does what the base's does"];
    case "not_enough_runs":
      return ["Nothing is explained: the runs do not show whether the agent changed"];
    case "no_inputs":
      return ["The agent changed, and nothing that it sends to its model did"];
    case "not_in_inputs":
      return ["The agent changed, and not by what it sends to its model, as far as these runs show"];
    case "not_found":
      return ["The agent changed, and it was not found by what"];
    case "not_run":
      return [`Nothing was run: ${count(inputs.length, "input")} changed`];
  }
}

function detailOf({ outcome, named, changedInputs: inputs }: WhyReport): Text {
  if (outcome !== "named") return [];
  const [first, ...others] = named;
  if (others.length > 0) {
    const together = named.every(({ kind, restores }) => kind === "alone" && restores);
    return together
      ? ["They act together: with any one of them as the base has it, no difference from the base is seen."]
      : ["Each of them moves it by itself."];
  }
  if (first!.kind === "together")
    return ["Only together: exchanging all of these moves it, and none of them alone was shown to."];
  const rest = inputs.length - 1;
  const left = first!.restores ? "no difference from the base is seen" : "a part of the change is left";
  return [`With it as the base has it, ${left}.${othersSentence(rest)}`];
}

function othersSentence(others: number): string {
  if (others === 0) return "";
  if (others === 1) return " The other changed input was not shown to move it.";
  return ` The ${count(others, "other changed input")} were not shown to move it.`;
}

/** Recorded sides alone: what first differed, runs that parted after the same thing together. */
function firstBlocks({ firstInputs }: WhyReport): Block[] {
  if (firstInputs === undefined || firstInputs.length === 0) return [];
  return [
    {
      kind: "findings",
      titles: ["what went in", "runs"],
      items: firstInputs.map(
        ({ goingIn, runs }): Finding => ({
          cells: [capitalised(firstInputText(goingIn))],
          right: [count(runs.length, "run")],
          body: [
            {
              kind: "lines",
              lines: [
                joined(
                  runs.slice(0, 3).map((run) => [name(run)]),
                  ", ",
                ),
              ],
            },
          ],
        }),
      ),
    },
  ];
}

function inputBlocks(report: WhyReport): Block[] {
  const { changedInputs: inputs } = report;
  if (inputs.length === 0) return [];
  return [
    {
      kind: "findings",
      titles: ["changed input", "result"],
      items: inputs.map(
        (input): Finding => ({
          cells: [capitalised(inputName(input))],
          right: [resultWord(input, report)],
          body: [{ kind: "lines", lines: [...inputLines(input), ...lostLines(input, report)] }],
        }),
      ),
    },
  ];
}

function lostLines({ id }: ChangedInput, { notExchanged }: WhyReport): Text[] {
  return notExchanged.filter(({ input }) => input === id).map(({ why }) => [`Not tried: ${notExchangedWords[why]}.`]);
}

function resultWord({ id }: ChangedInput, { named, notExchanged, configurations, outcome }: WhyReport): string {
  if (notExchanged.some(({ input }) => input === id)) return "not tried";
  const own = named.find(({ inputs }) => inputs.includes(id));
  if (own !== undefined) return own.kind === "alone" ? "moves it" : "moves it, with others";
  const tried = configurations.some(({ reverted, status }) => reverted.includes(id) && status === "tested");
  if (!tried) return outcome === "not_run" ? "" : "not tried";
  return "not shown to";
}

/** What was run beside the two sides, with the answer of the test. */
function configurationBlocks({ configurations, changedInputs: inputs }: WhyReport): Block[] {
  const mixed = configurations.filter(({ reverted }) => reverted.length > 0);
  if (mixed.length === 0) return [];
  const table: Table = {
    kind: "table",
    caption: "The candidate with inputs as the base has them",
    columns: [
      { title: "as the base has it", fit: "wrap" },
      { title: "runs", align: "right" },
      { title: "moves it" },
      { title: "corrected" },
    ],
    rows: mixed.map((one) => ({
      cells: [
        one.reverted.length === inputs.length && inputs.length > 1 ? ["all"] : inputNames(one.reverted, inputs),
        [integer(one.runs)],
        [answerWord(one)],
        [one.adjusted === undefined ? "" : pWords(one.adjusted)],
      ],
    })),
  };
  return [table];
}

const STATUS_WORDS: Readonly<Record<TriedConfiguration["status"], string>> = {
  tested: "",
  not_exchanged: "not evaluated: not exchanged",
  budget: "not run: --max-runs",
  too_few_runs: "not evaluated: too few runs",
};

function answerWord({ status, p, moves }: TriedConfiguration): string {
  if (status !== "tested") return STATUS_WORDS[status];
  if (p === undefined) return "tried against the base only";
  return `${moves ? "yes" : "not shown"} (${pWords(p)})`;
}

function factsOf(report: WhyReport): Fact[] {
  const { whole, errorRate, outcome, configurations } = report;
  const facts: Fact[] = [];
  if (whole !== undefined)
    facts.push({
      label: "Base",
      text: [`against the candidate: ${whole.verdict.replaceAll("_", " ")} (${pWords(whole.p)})`],
    });
  const left = configurations.flatMap(({ reverted, baseP, moves }) => {
    const isNamed = report.named.some(
      ({ inputs }) => inputs.length === reverted.length && inputs.every((id) => reverted.includes(id)),
    );
    return baseP === undefined || (moves === true && !isNamed) ? [] : [{ reverted, baseP }];
  });
  left.forEach(({ reverted, baseP }, index) => {
    const what = inputNames(reverted, report.changedInputs);
    facts.push({
      label: index === 0 ? "Left" : "",
      text: say`with ${what} as the base has it, against the base: ${pWords(baseP)}`,
    });
  });
  if (outcome !== "not_run")
    facts.push({
      label: "Error rate",
      text: [
        `an input without any effect is named in at most ${percent(errorRate)} of such searches, all tests together`,
      ],
    });
  facts.push(runsFact(report));
  if (whole?.verdict === "not_enough_evidence" || configurations.some(({ status }) => status === "too_few_runs"))
    facts.push({
      label: "More",
      text: ["there are too few runs to tell: add scenarios, or ask for more with --repeat"],
    });
  return facts;
}

function runsFact({ outcome, runs, changedInputs }: WhyReport): Fact {
  const { perConfiguration: each, made, atMost } = runs;
  if (outcome !== "not_run")
    return {
      label: "Runs",
      text: [`${integer(made)} made, ${integer(each)} for each configuration, at most ${integer(atMost)} planned`],
    };
  const cost = planSearch(changedInputs.length);
  const runsOf = (configurations: number) => integer(configurations * each);
  const text =
    each === 0
      ? `with --base FOLDER: ${cost.least} to ${cost.most} configurations, usually ${cost.usual} when one input matters`
      : `with --base FOLDER: ${runsOf(cost.least)} when nothing changed, usually ${runsOf(cost.usual)} when one input matters, at most ${runsOf(cost.most)}`;
  return { label: "Would run", text: [text] };
}
