/** A plan in words: which changes the recorded repeats would find, and how many runs a given change needs. */
import type { CohortPlanReport } from "@spoor/core/internal/cohort/plan-cohort";
import type { PlannedChange, Simulation } from "@spoor/core/internal/cohort/simulate-plan";
import type { Block, Document, Text, Verdict } from "../../document/document.ts";
import { shellWord } from "../../document/shell-word.ts";
import { name, say } from "../../document/text.ts";
import { count, integer, list, percent } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import { powerPlots } from "./plan-plot.ts";

const SIZE_WORDS: Readonly<Record<string, string>> = {
  calls: "tool calls",
  turns: "responses",
  chars: "characters of text",
};

export function describePlan(report: CohortPlanReport): Document {
  const { simulation } = report;
  const path = report.inputs[0]?.path;
  return {
    id: "spoor:cohort-plan",
    subject: path === undefined ? [] : [name(path)],
    blocks: [
      planVerdict(report),
      ...(simulation === null ? [] : simulationBlocks(simulation)),
      ...powerPlots(report).map(
        (plot): Block => ({
          kind: "group",
          only: ["html"],
          blocks: [{ kind: "section", id: "power", title: [plot.title], blocks: [{ kind: "plot", plot }] }],
        }),
      ),
      {
        kind: "group",
        blocks: [
          ...ruleTexts(report).map((text): Block => ({ kind: "paragraph", text })),
          {
            kind: "closing",
            next: [`spoor cohort ${path === undefined ? "BASELINE" : shellWord(path)} CANDIDATE`],
          },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

/** What would and would not be found. */
function planVerdict({ simulation, scenarios }: CohortPlanReport): Verdict {
  if (simulation === null)
    return {
      kind: "verdict",
      mark: "unknown",
      word: "No repeats",
      headline: [
        `${count(scenarios, "scenario has", "scenarios have")} one run each, so this agent's noise is unknown`,
      ],
      detail: ["Record at least two runs of each scenario."],
    };
  const found = simulation.changes.filter(
    ({ runsPerSide }) => runsPerSide !== null && runsPerSide <= simulation.runsPerSide,
  );
  const size = `${count(simulation.scenarios, "scenario")} and ${count(simulation.runsPerSide, "run")} a side`;
  const changes = list(
    found.map(({ words }) => words),
    "or",
  );
  return {
    kind: "verdict",
    mark: found.length === 0 ? "unknown" : "passed",
    word: "Plan",
    headline: [
      `with ${size}, ${found.length} of ${count(simulation.changes.length, "change")} in half of the runs would be found reliably`,
    ],
    detail: [found.length === 0 ? "Reliably is 8 times of 10." : `Found, 8 times of 10: when the agent ${changes}.`],
  };
}

function simulationBlocks(simulation: Simulation): Block[] {
  const shares = simulation.changes[0]?.byShare.map(({ share }) => percent(share)) ?? [];
  const error = Math.sqrt(0.25 / simulation.rounds);
  const gloss = [
    `"Runs a side" is the smallest size tried that finds the change, in half of the candidate runs, 8 times of 10; * is extrapolated by drawing the recorded scenarios twice.`,
    `Each share is good to about ${integer(200 * error)} points; --rounds N makes it better.`,
    ...(simulation.withoutRepeats > 0
      ? [`${count(simulation.withoutRepeats, "scenario")} with one run only left out.`]
      : []),
  ];
  return [
    {
      kind: "paragraph",
      text: [
        `Found in ${simulation.rounds} simulated comparisons each: the agent's own repeats, split at random, with a change planted into a share of the candidate runs.`,
      ],
    },
    {
      kind: "table",
      caption: "Share of the comparisons that find a change, by the share of runs it is planted into",
      columns: [
        { title: "the agent", fit: "wrap", min: 20 },
        ...shares.map((title) => ({ title, align: "right" as const, min: 5 })),
        { title: "runs a side", align: "right" },
      ],
      rows: [
        ...simulation.changes.map((change) => ({
          cells: [[change.words], ...change.byShare.map(({ found }): Text => [percent(found)]), [runsText(change)]],
        })),
        { cells: [["nothing planted: false alarms"], [percent(simulation.falseAlarms)]] },
      ],
    },
    { kind: "paragraph", text: [gloss.join(" ")] },
  ];
}

function runsText({ runsPerSide, bySize }: PlannedChange): string {
  const largest = bySize.at(-1)?.runsPerSide ?? 0;
  if (runsPerSide === null) return `> ${integer(largest)}`;
  return `${integer(runsPerSide)}${bySize.find((point) => point.runsPerSide === runsPerSide)?.extrapolated ? "*" : ""}`;
}

/** Rules of thumb for single questions. */
function ruleTexts({ newTool, sizes }: CohortPlanReport): Text[] {
  const tools = newTool.map(({ share, runsPerSide }) => `${integer(runsPerSide)} for ${percent(share)}`);
  const changes = sizes.map(({ item, runsPerSide }) => `${integer(runsPerSide)} for ${SIZE_WORDS[item] ?? item}`);
  return [
    say`A tool that no run called before is found with this many runs a side, by the share of candidate runs that call it: ${tools.join(", ")}.`,
    ...(changes.length === 0
      ? []
      : [say`A change of 25 % in a size is found with this many runs a side: ${changes.join(", ")}.`]),
    ["Single questions asked alone; under the whole family of signals expect 1.5 to 2 times as many."],
  ];
}
