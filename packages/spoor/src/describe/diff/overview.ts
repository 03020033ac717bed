/** All runs at once: which tool follows which, and what arguments are called with, before and now. Pictures, and the same in rows. */
import type { ArgumentShift, NumberValues } from "@spoor/core/internal/diff/argument-values";
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { FlowRuns, FlowStep, ToolFlow } from "@spoor/core/internal/diff/tool-flow";
import type { Block, Plot, Section, Shape, Text } from "../../document/document.ts";
import { joined, listLink, name, say } from "../../document/text.ts";
import { clip, count, integer } from "../../document/words.ts";
import { flowPlot } from "./flow-plot.ts";

export function overviewSections({ flow, argumentValues, noun }: DiffReport): Section[] {
  const sections: Section[] = [];
  if (flow !== undefined && flow.tools.length > 0) sections.push(flowSection(flow, noun));
  if (argumentValues !== undefined && argumentValues.arguments.length + argumentValues.unique > 0)
    sections.push(valuesSection(argumentValues, noun));
  return sections;
}

function flowSection(flow: ToolFlow, noun: string): Section {
  const { tools, steps } = flow.omitted;
  const left = [
    tools === 0 ? [] : [`${count(tools, "rarer tool")} ${tools === 1 ? "is" : "are"} passed over`],
    steps === 0 ? [] : [`${count(steps, "rarer step")} ${steps === 1 ? "is" : "are"} in the JSON report only`],
  ].filter((text) => text.length > 0);
  const moved = flow.steps.filter(hasMoved).length;
  return {
    kind: "section",
    id: "flow",
    half: true,
    title: ["Which tool follows which"],
    sub: [
      `Left the baseline, right the candidate; a line is as thick as the share of ${noun}s that take the step. What only one side does stands out.`,
    ],
    blocks: [
      { kind: "plot", plot: flowPlot(flow) },
      ...(left.length === 0 ? [] : [{ kind: "paragraph" as const, text: say`${joined(left, "; ")}.` }]),
      {
        kind: "fold",
        name: "the steps",
        title: [`As rows: ${count(flow.steps.length, "step")}, ${moved} of them taken by more or fewer ${noun}s`],
        blocks: [stepsTable(flow, noun)],
      },
    ],
  };
}

function hasMoved({ baseline, candidate }: FlowStep): boolean {
  return baseline.runs !== candidate.runs;
}

/** What moved first; each number leads to its runs. */
function stepsTable(flow: ToolFlow, noun: string): Block {
  const cell = (facet: "before" | "now", at: number, { runs }: FlowRuns): Text => {
    const words = `${integer(runs)} of ${integer(flow.pairs)}`;
    return runs === 0 ? [words] : [listLink({ facet, value: String(at) }, words)];
  };
  const shift = ({ baseline, candidate }: FlowStep) => Math.abs(baseline.runs - candidate.runs);
  const rows = flow.steps
    .map((step, at) => ({ step, at }))
    .sort((one, other) => shift(other.step) - shift(one.step) || one.at - other.at);
  return {
    kind: "table",
    caption: "Steps from tool to tool",
    columns: [{ title: "step" }, { title: `${noun}s before`, align: "right" }, { title: "now", align: "right" }],
    rows: rows.map(({ step, at }) => ({
      cells: [stepText(step), cell("before", at, step.baseline), cell("now", at, step.candidate)],
      ...(hasMoved(step) ? { tone: "bad" as const } : {}),
    })),
  };
}

function stepText({ from, to }: FlowStep): Text {
  return say`${from === null ? "begins" : name(from)} → ${to === null ? "ends" : name(to)}`;
}

function valuesSection(values: NonNullable<DiffReport["argumentValues"]>, noun: string): Section {
  const { more, unique } = values;
  const rest = [
    more === 0 ? [] : [`${count(more, "more argument")} moved less and ${more === 1 ? "is" : "are"} not shown`],
    unique === 0
      ? []
      : [`${count(unique, "argument")} ${unique === 1 ? "has" : "have"} another value in nearly every call`],
  ].filter((text) => text.length > 0);
  return {
    kind: "section",
    id: "values",
    half: true,
    title: ["What arguments are called with"],
    sub: [
      "Over all runs in which both sides make the call, the furthest apart first. Numbers with their median, words with how often they come.",
    ],
    blocks: [
      ...values.arguments.flatMap((shift, at) => shiftBlocks(shift, at, noun)),
      ...(rest.length === 0 ? [] : [{ kind: "paragraph" as const, text: say`${joined(rest, "; ")}.` }]),
    ],
  };
}

function shiftBlocks(shift: ArgumentShift, at: number, noun: string): Block[] {
  const { tool, path, pairs, values, calls } = shift;
  const where = listLink({ facet: "argument", value: String(at) }, count(pairs.length, noun));
  const what = path === "" ? say`the argument of ${name(tool)}` : say`${name(path)} of ${name(tool)}`;
  if (values.kind === "numbers") {
    const { baseline, candidate } = values;
    return [
      {
        kind: "paragraph",
        text: say`${what}: median ${figure(baseline.median)} → ${figure(candidate.median)}, from ${figure(baseline.lowest)} to ${figure(baseline.highest)} before, ${figure(candidate.lowest)} to ${figure(candidate.highest)} now; another value in ${where}.`,
      },
      { kind: "plot", plot: numbersPlot(shift, values) },
    ];
  }
  return [
    { kind: "paragraph", text: say`${what}: other values in ${where}.` },
    {
      kind: "table",
      caption: `Values of ${clip(path, 60)}`,
      columns: [{ title: "value" }, { title: "calls before", align: "right" }, { title: "now", align: "right" }],
      rows: values.values.map(({ value, baseline, candidate }) => ({
        cells: [
          [name(value)],
          [`${integer(baseline)} of ${integer(calls.baseline)}`],
          [`${integer(candidate)} of ${integer(calls.candidate)}`],
        ],
      })),
      ...(values.more === 0 ? {} : { more: [`${count(values.more, "more value")}.`] }),
    },
  ];
}

function figure(value: number): string {
  return Number.isInteger(value) ? integer(value) : String(Number(value.toPrecision(4)));
}

const WIDTH = 344;
const LEFT = 72;
const RIGHT = 16;

/** A dot for each call, the middle half as a band, the median as a line: before above, now below. */
function numbersPlot({ tool, path }: ArgumentShift, { baseline, candidate }: NumberValues): Plot {
  const lowest = Math.min(baseline.lowest, candidate.lowest);
  const span = Math.max(baseline.highest, candidate.highest) - lowest;
  const x = (value: number) => LEFT + (span === 0 ? 0.5 : (value - lowest) / span) * (WIDTH - LEFT - RIGHT);
  const shapes: Shape[] = [];
  for (const [index, side] of [baseline, candidate].entries()) {
    const y = 20 + index * 34;
    const tone = index === 0 ? "calm" : "loud";
    shapes.push(
      { shape: "text", x: 0, y: y + 4, text: index === 0 ? "before" : "now" },
      { shape: "line", x1: LEFT, y1: y, x2: WIDTH - RIGHT, y2: y, class: "grid" },
      {
        shape: "band",
        x: x(side.lowerQuartile) - 1,
        y: y - 9,
        width: x(side.upperQuartile) - x(side.lowerQuartile) + 2,
        height: 18,
      },
      ...side.shown.map((value): Shape => ({ shape: "dot", x: x(value), y, class: tone, radius: 3 })),
      { shape: "line", x1: x(side.median), y1: y - 11, x2: x(side.median), y2: y + 11, class: tone, width: 2 },
    );
  }
  shapes.push(
    { shape: "text", x: LEFT, y: 92, text: figure(lowest), class: "dim" },
    { shape: "text", x: WIDTH - RIGHT, y: 92, text: figure(lowest + span), anchor: "end", class: "dim" },
  );
  return {
    title: clip(`${path} of ${tool}`, 80),
    description: `Median ${figure(baseline.median)} before, ${figure(candidate.median)} now.`,
    width: WIDTH,
    height: 100,
    shapes,
  };
}
