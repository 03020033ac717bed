/** A plan in words: which changes the recorded repeats would find, and how many runs a given change needs. */
import type { CohortPlanReport } from "@spoor/core/internal/cohort/plan-cohort";
import type { PowerPoint } from "@spoor/core/internal/cohort/plan-simulator";
import type { PlannedChange, PlanWay, Simulation } from "@spoor/core/internal/cohort/simulate-plan";
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
  const found = simulation.changes.filter(({ byShare }) => isReliable(byShare.find(({ share }) => share === 0.5)));
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
  const gloss = [
    `Each share is good to about ${integer(100 * simulation.error)} points; --rounds N makes it better. Wording is asked about only where it is what changed.`,
    ...(simulation.withoutRepeats > 0
      ? [`${count(simulation.withoutRepeats, "scenario")} with one run only left out.`]
      : []),
  ];
  return [
    {
      kind: "paragraph",
      text: [
        `Found in up to ${simulation.rounds} simulated comparisons each: the agent's own repeats, split at random, with a change planted into a share of the candidate runs.`,
      ],
    },
    {
      kind: "table",
      caption: "Share of the comparisons that find a change, by the share of runs it is planted into",
      columns: [
        { title: "the agent", fit: "wrap", min: 20 },
        ...shares.map((title) => ({ title, align: "right" as const, min: 5 })),
      ],
      rows: [
        ...simulation.changes.map((change) => ({
          cells: [[change.words], ...change.byShare.map(({ found }): Text => [percent(found)])],
        })),
        { cells: [["nothing planted: false alarms"], [percent(simulation.falseAlarms)]] },
      ],
    },
    { kind: "paragraph", text: [gloss.join(" ")] },
    waysSection(simulation),
  ];
}

/** Where the next runs are spent best: on repeats, or on more scenarios. */
function waysSection({ changes, scenarios }: Simulation): Block {
  const ways = changes[0]?.byWay ?? [];
  const stars = ways.map(({ way }) =>
    changes.some(({ byWay }) => byWay.some((point) => point.way === way && point.extrapolated)),
  );
  return {
    kind: "section",
    id: "ways",
    title: ["What two runs of each scenario would buy (a change in every run)"],
    blocks: [
      { kind: "paragraph", text: [waysSentence(changes)] },
      {
        kind: "table",
        caption: "Share of the comparisons that find a change in every run, by scenarios and runs a side of each",
        columns: [
          { title: "the agent", fit: "wrap", min: 20 },
          ...ways.map(({ way }, index) => ({
            title: `${wayWords(way, scenarios)}${stars[index] ? "*" : ""}`,
            align: "right" as const,
            min: 6,
          })),
          { title: "runs a side", align: "right" },
        ],
        rows: changes.map((change) => ({
          cells: [[change.words], ...change.byWay.map(({ found }): Text => [percent(found)]), [runsText(change)]],
        })),
      },
      {
        kind: "paragraph",
        text: [
          `Columns are scenarios × runs a side of each; "runs a side" is the smallest that finds it 8 times of 10.${stars.includes(true) ? " * is drawn from fewer recordings than it needs, some of them twice: on the kind side." : ""}`,
        ],
      },
    ],
  };
}

/** `Found reliably: 2 of 7 with one run of each scenario, 4 with two, 3 with twice as many scenarios.` */
function waysSentence(changes: readonly PlannedChange[]): string {
  const reliable = (way: PlanWay) =>
    changes.filter(({ byWay }) => isReliable(byWay.find((point) => point.way === way))).length;
  const [one, two, twice] = [reliable("one_run"), reliable("two_runs"), reliable("twice_the_scenarios")];
  const counted = `Found reliably: ${one} of ${count(changes.length, "change")} with one run of each scenario, ${two} with two runs of each, ${twice} with one run of twice as many scenarios.`;
  return `${counted} More scenarios show what moves the same way everywhere; only repeats show what moves another way in each.`;
}

function isReliable(point: Pick<PowerPoint, "found"> | undefined): boolean {
  return point !== undefined && point.found >= 0.8;
}

/** `25 × 2` */
function wayWords(way: PlanWay, scenarios: number): string {
  if (way === "two_runs") return `${scenarios} × 2`;
  return way === "one_run" ? `${scenarios} × 1` : `${2 * scenarios} × 1`;
}

function runsText({ runsPerSide, byWay }: PlannedChange): string {
  const most = Math.max(0, ...byWay.map((point) => point.runsPerSide));
  return runsPerSide === null ? `> ${integer(most)}` : integer(runsPerSide);
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
