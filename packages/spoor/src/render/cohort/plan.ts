/** A plan on a terminal, as Markdown, and as a power curve. */
import type { CohortPlanReport } from "@spoor/core/cohort/plan-cohort";
import type { PlannedChange, Simulation } from "@spoor/core/cohort/simulate-plan";
import { shellWord } from "../../document/shell-word.ts";
import { count, integer, list, percent } from "../../document/words.ts";
import { padEnd, padStart } from "../../write/terminal/layout.ts";
import type { TerminalStyle } from "../../write/terminal/terminal-style.ts";
import { hang, inSymbols } from "./flow.ts";
import { type Plot, renderSvg, svgDot, svgLine, svgText } from "./svg.ts";

const SIZE_WORDS: Readonly<Record<string, string>> = {
  calls: "tool calls",
  turns: "responses",
  chars: "characters of text",
};

/** The first line: what would and would not be found. */
function planHeadline({ simulation, scenarios }: CohortPlanReport): string {
  if (simulation === null) {
    return `No repeats: ${count(scenarios, "scenario has", "scenarios have")} one run each, so this agent's noise is unknown. Record at least two runs of each scenario.`;
  }
  const found = simulation.changes.filter(
    ({ runsPerSide }) => runsPerSide !== null && runsPerSide <= simulation.runsPerSide,
  );
  const size = `${count(simulation.scenarios, "scenario")} and ${count(simulation.runsPerSide, "run")} a side`;
  if (found.length === 0)
    return `With ${size}, no planted change in half of the runs would be found reliably (8 times of 10).`;
  return `With ${size}, a change in half of the runs would be found reliably when the agent ${list(
    found.map(({ words }) => words),
    "or",
  )}.`;
}

export function renderPlanTerminal(report: CohortPlanReport, style: TerminalStyle): string {
  const { simulation } = report;
  const mark = style.symbols.unknown;
  const lines = [
    hang(`${simulation === null ? mark : style.symbols.passed} `, planHeadline(report), style.columns),
    "",
  ];
  if (simulation !== null) lines.push(...simulationTable(simulation, style));
  lines.push(hang("  ", ruleOfThumb(report), style.columns));
  if (report.sizes.length > 0) lines.push(hang("  ", sizesSentence(report), style.columns));
  lines.push(
    hang(
      "  ",
      "Single questions asked alone; under the whole family of signals expect 1.5 to 2 times as many.",
      style.columns,
    ),
  );
  const path = report.inputs[0]?.path;
  lines.push(`  Next: spoor cohort ${path === undefined ? "BASELINE" : shellWord(path)} CANDIDATE`);
  return inSymbols(`${lines.join("\n")}\n`, style);
}

function simulationTable(simulation: Simulation, style: TerminalStyle): string[] {
  const shares = simulation.changes[0]?.byShare.map(({ share }) => share) ?? [];
  const needs = 12;
  const cells = (values: readonly string[]) => values.map((value) => padStart(value, 7)).join("");
  const width = style.columns - 2 - 7 * shares.length - needs;
  const lines = [
    hang(
      "  ",
      `Found in ${simulation.rounds} simulated comparisons each: the agent's own repeats, split at random, with a change planted into a share of the candidate runs.`,
      style.columns,
    ),
    "",
    style.paint.dim(
      `  ${padEnd("the agent", width)}${cells(shares.map((share) => percent(share)))}${padStart("runs a side", needs)}`,
    ),
  ];
  for (const change of simulation.changes) {
    const row = cells(change.byShare.map(({ found }) => percent(found))) + padStart(runsText(change), needs);
    const words = hang("  ", change.words, width).split("\n");
    lines.push(...words.map((line, index) => (index === 0 ? padEnd(line, width + 2) + row : line)));
  }
  lines.push(`  ${padEnd("nothing planted: false alarms", width)}${cells([percent(simulation.falseAlarms)])}`, "");
  const error = Math.sqrt(0.25 / simulation.rounds);
  const gloss = [
    `"Runs a side" is the smallest size tried that finds the change, in half of the candidate runs, 8 times of 10; * is extrapolated by drawing the recorded scenarios twice.`,
    `Each share is good to about ${integer(200 * error)} points; --rounds N makes it better.`,
    simulation.withoutRepeats > 0 ? `${count(simulation.withoutRepeats, "scenario")} with one run only left out.` : "",
  ];
  lines.push(hang("  ", gloss.filter((part) => part !== "").join(" "), style.columns), "");
  return lines;
}

function runsText({ runsPerSide, bySize }: PlannedChange): string {
  const largest = bySize.at(-1)?.runsPerSide ?? 0;
  if (runsPerSide === null) return `> ${integer(largest)}`;
  return `${integer(runsPerSide)}${bySize.find((point) => point.runsPerSide === runsPerSide)?.extrapolated ? "*" : ""}`;
}

function ruleOfThumb({ newTool }: CohortPlanReport): string {
  const parts = newTool.map(({ share, runsPerSide }) => `${integer(runsPerSide)} for ${percent(share)}`);
  return `A tool that no run called before is found with this many runs a side, by the share of candidate runs that call it: ${parts.join(", ")}.`;
}

function sizesSentence({ sizes }: CohortPlanReport): string {
  const parts = sizes.map(({ item, runsPerSide }) => `${integer(runsPerSide)} for ${SIZE_WORDS[item] ?? item}`);
  return `A change of 25 % in a size is found with this many runs a side: ${parts.join(", ")}.`;
}

export function renderPlanMarkdown(report: CohortPlanReport): string {
  const { simulation } = report;
  const lines = [`### ${planHeadline(report)}`, ""];
  if (simulation !== null) {
    const shares = simulation.changes[0]?.byShare.map(({ share }) => percent(share)) ?? [];
    lines.push(
      `| the agent … | ${shares.map((share) => `in ${share} of runs`).join(" | ")} | runs a side |`,
      `|---|${shares.map(() => "---:|").join("")}---:|`,
    );
    for (const change of simulation.changes) {
      lines.push(
        `| ${change.words} | ${change.byShare.map(({ found }) => percent(found)).join(" | ")} | ${runsText(change)} |`,
      );
    }
    lines.push(
      "",
      `False alarms with nothing planted: ${percent(simulation.falseAlarms)} of ${simulation.rounds}.`,
      "",
    );
  }
  lines.push(ruleOfThumb(report));
  if (report.sizes.length > 0) lines.push("", sizesSentence(report));
  return `${lines.join("\n")}\n`;
}

const WIDTH = 720;
const HEIGHT = 320;
const LEFT = 60;
const RIGHT = 300;
const TOP = 50;
const BOTTOM = 50;
const COLOURS = ["#1f6feb", "#b42318", "#1a7f37", "#8250df", "#9a6700", "#0a7ea4", "#bf3989", "#57606a"];

/** Share found against runs a side, one curve per change. */
export function renderPowerCurve(report: CohortPlanReport): string {
  return `${renderSvg(powerPlot(report))}\n`;
}

function powerPlot({ simulation }: CohortPlanReport): Plot {
  const title = "How often a change in half of the runs would be found";
  const changes = simulation?.changes ?? [];
  const most = Math.max(1, ...changes.flatMap(({ bySize }) => bySize.map(({ runsPerSide }) => runsPerSide)));
  const x = (runs: number) => LEFT + ((WIDTH - LEFT - RIGHT) * runs) / most;
  const y = (share: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  const parts = [svgText(12, 20, title), svgText(LEFT, HEIGHT - 14, "runs a side", 'class="dim"')];
  for (const share of [0, 0.5, 0.8, 1]) {
    parts.push(
      svgText(LEFT - 8, y(share) + 4, percent(share), 'text-anchor="end" class="dim"'),
      svgLine(LEFT, y(share), WIDTH - RIGHT, y(share), share === 0 ? "axis" : "grid"),
    );
  }
  for (const runs of new Set(changes.flatMap(({ bySize }) => bySize.map(({ runsPerSide }) => runsPerSide)))) {
    parts.push(svgText(x(runs), HEIGHT - 32, integer(runs), 'text-anchor="middle" class="dim"'));
  }
  const ends = spread(changes.map(({ bySize }) => y(bySize.at(-1)?.found ?? 0)));
  for (const [index, { bySize, words }] of changes.entries()) {
    const colour = COLOURS[index % COLOURS.length]!;
    const path = bySize
      .map(({ runsPerSide, found }) => `${x(runsPerSide).toFixed(1)},${y(found).toFixed(1)}`)
      .join(" ");
    parts.push(`<polyline points="${path}" class="curve" stroke="${colour}"/>`);
    for (const point of bySize)
      parts.push(svgDot(x(point.runsPerSide), y(point.found), "end", 3).replace("/>", ` fill="${colour}"/>`));
    parts.push(
      svgText(
        WIDTH - RIGHT + 12,
        ends[index]! + 4,
        words.length > 46 ? `${words.slice(0, 45)}…` : words,
        `style="fill:${colour}"`,
      ),
    );
  }
  const description = changes
    .map(
      ({ words, bySize }) =>
        `${words}: ${bySize.map(({ runsPerSide, found }) => `${percent(found)} with ${runsPerSide} runs a side`).join(", ")}.`,
    )
    .join(" ");
  return { title, description, width: WIDTH, height: HEIGHT, body: parts.join("") };
}

/** Moves labels apart so that none covers another. */
function spread(places: readonly number[]): number[] {
  const order = places.map((place, index) => ({ place, index })).sort((left, right) => left.place - right.place);
  const result: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const { place, index } of order) {
    last = Math.max(place, last + 15);
    result[index] = last;
  }
  return result;
}
