/** A run in a recorded world, in words: how much of it the recordings carried, what they lacked, what nobody asked them for. */
import type { ReplayReport } from "@spoor/core/internal/cassette/replay-report";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Fact, Finding, Mark, Text } from "../../document/document.ts";
import { shellWord } from "../../document/shell-word.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import { missingText } from "../record/words.ts";
import type { DescribeView } from "../view.ts";
import { missText, modelMissText, namedCounts, shareText, toolChanges, waysText } from "./words.ts";

const MOST_MISSES = 20;

export function describeReplay(report: ReplayReport, view: DescribeView): Document {
  const closing: Block = {
    kind: "closing",
    ...closingText(report),
    exitCode: view.exitCode,
    ...(report.runs.length === 0 ? {} : { next: nextCommands(report) }),
  };
  return {
    id: "spoor:replay",
    subject: say`replay of ${listed(report.cassette.paths.map((path): Text => [name(path)]))}`,
    blocks: [
      { kind: "verdict", mark: markOf(report), headline: headline(report) },
      ...missBlocks(report),
      { kind: "facts", facts: factsOf(report) },
      closing,
    ],
    footer: footerOf(report),
  };
}

/** One for each thing that was missed, left over, or not to be trusted. */
export function checksOfReplay(report: ReplayReport): Check[] {
  const { misses, modelMisses, neverAsked, openTools, redacted, runs } = report;
  const tripped = new Set(report.gate.reasons.map(({ code }) => code));
  const check = (code: string, message: Text, otherwise: Mark = "warning"): Check => {
    const isDifference = code === "replay.miss" || code === "replay.unused";
    const mark: Mark = tripped.has(code) ? (isDifference && !report.stopped ? "failed" : "unknown") : otherwise;
    return { suite: "replay", name: code, mark, message: say`${message}.`, places: [] };
  };
  const left = neverAsked.tools.length + neverAsked.modelAnswers > 0;
  return [
    ...runs.map(
      (run): Check => ({
        suite: "replay",
        name: run.name,
        mark: "passed",
        message: say`${count(run.modelCalls, "model call")}, ${count(run.toolCalls, "tool call")}.`,
        places: [{ trace: run.name, key: run.name, path: run.file }],
      }),
    ),
    ...openTools.map((tool) => check("replay.tools-open", say`${name(tool)} would have run for real`, "unknown")),
    ...misses.map((miss) => check("replay.miss", missText(miss))),
    ...modelMisses.map((miss) => check("replay.miss", withoutStop(modelMissText(miss)))),
    ...(left ? [check("replay.unused", neverAskedText(report))] : []),
    ...(redacted > 0 ? [check("replay.redacted", [redactedText(redacted)])] : []),
  ];
}

function withoutStop(text: Text): Text {
  const last = text.at(-1);
  return typeof last === "string" ? [...text.slice(0, -1), last.replace(/\.$/, "")] : text;
}

function markOf({ gate, stopped, misses, modelMisses, runs, redacted, tools, models }: ReplayReport): Mark {
  if (stopped || gate.reasons.some(({ code }) => code === "replay.tools-open" || code === "replay.redacted"))
    return "unknown";
  if (gate.tripped) return "failed";
  // A replay of nothing is no proof of anything.
  const served = tools.asked + models.asked;
  return misses.length + modelMisses.length + redacted > 0 || runs.length === 0 || served === 0 ? "warning" : "passed";
}

function headline(report: ReplayReport): Text {
  const { runs, tools, models, settings, openTools, stopped } = report;
  if (openTools.length > 0)
    return say`${listed(openTools.map((tool): Text => [name(tool)]))} would have run for real: ${openTools.length === 1 ? "its call was" : "their calls were"} not handed on`;
  if (stopped) return ["Stopped at a call that no recording answers"];
  if (runs.length === 0 && tools.asked + models.asked === 0)
    return ["Nothing was replayed: no call of a model came by"];
  const shares = [
    ...(settings.tools === "recorded" && tools.asked > 0 ? [shareText(tools, "tool call")] : []),
    ...(settings.model === "recorded" && models.asked > 0 ? [shareText(models, "model call")] : []),
  ];
  if (shares.length === 0) return ["Nothing was asked of the recordings"];
  return [`The recordings served ${shares.join(" and ")}`];
}

function missBlocks(report: ReplayReport): Block[] {
  const mark: Mark = markOf(report) === "failed" ? "failed" : "warning";
  const items: Finding[] = [
    ...report.misses.map((miss) => ({ mark, cells: [missText(miss)] })),
    ...report.modelMisses.map((miss) => ({ mark, cells: [modelMissText(miss)] })),
  ];
  if (items.length === 0) return [];
  const left = items.length - MOST_MISSES;
  const shown = items.slice(0, MOST_MISSES);
  const more: Finding[] = left > 0 ? [{ mark, cells: [[`${integer(left)} more`]] }] : [];
  return [
    { kind: "section", title: ["Missed"], blocks: [{ kind: "findings", titles: [], items: [...shown, ...more] }] },
  ];
}

function factsOf(report: ReplayReport): Fact[] {
  const { tools, models, settings, cassette, drift, missing, folder, runs } = report;
  const facts: Fact[] = [];
  const add = (label: string, text: Text) => facts.push({ label, text });
  if (settings.tools === "recorded" && tools.asked > 0) add("Tools", waysText(tools));
  if (settings.model === "recorded" && models.asked > 0) add("Model", waysText(models));
  if (settings.model === "live") add("Model", ["live"]);
  if (settings.tools === "live") add("Tools", ["live: they ran for real"]);
  if (report.neverAsked.tools.length + report.neverAsked.modelAnswers > 0) add("Never asked", neverAskedText(report));
  if (report.stale.length > 0)
    add("Stale", say`${namedCounts(report.stale)}: other effects came before than when recorded`);
  if (report.redacted > 0) add("Redacted", [redactedText(report.redacted)]);
  if (report.providerTools.length > 0)
    add("Not replayed", say`${listed(report.providerTools.map((tool): Text => [name(tool)]))}: run by the provider`);
  const changes = toolChanges(drift.addedTools, drift.removedTools, drift.changedTools);
  if (changes.length > 0) add("Changed", say`tools since the recording: ${joined(changes, ", ")}`);
  if (drift.tooOldDays !== undefined) add("Old", [`the recordings are ${count(drift.tooOldDays, "day")} old`]);
  if (report.unheard > 0)
    add("Unknown", [`${count(report.unheard, "process", "processes")} ended before telling what was served`]);
  add("From", say`${listed(cassette.paths.map((path): Text => [name(path)]))}: ${usedText(cassette)}`);
  if (runs.length > 0) add("Where", [name(folder)]);
  for (const one of missing.filter(({ code }) => code !== "nothing")) add("Missing", missingText(one));
  return facts;
}

function usedText({ recordings, used }: ReplayReport["cassette"]): string {
  const all = count(recordings, "recording");
  return used.length === recordings || used.length === 0 ? all : `${integer(used.length)} of ${all}`;
}

function neverAskedText({ neverAsked: { tools, modelAnswers } }: ReplayReport): Text {
  const parts: Text[] = [
    ...(tools.length === 0 ? [] : [namedCounts(tools)]),
    ...(modelAnswers === 0 ? [] : [[count(modelAnswers, "answer of the model", "answers of the model")] as Text]),
  ];
  return joined(parts, ", ");
}

function redactedText(amount: number): string {
  return `${count(amount, "served value")} had been redacted when it was recorded`;
}

function closingText({ gate, stopped }: ReplayReport): { readonly text?: Text } {
  const codes = new Set(gate.reasons.map(({ code }) => code));
  if (codes.has("replay.tools-open"))
    return {
      text: say`No answer: wrap the tools with ${name("wrapTools")} of ${name("@spoor/record/recorder")}, or use ${name("--tools live")}, where they run for real.`,
    };
  if (stopped)
    return { text: say`No answer: ${name("--miss stop")} ends at the first call that no recording answers.` };
  if (codes.has("replay.redacted"))
    return { text: say`No answer: ${name("--strict")} asks for values that are whole.` };
  if (gate.tripped) return { text: ["Failed: with everything recorded, the same program does the same again."] };
  return {};
}

function nextCommands({ runs, cassette, settings, openTools }: ReplayReport): string[] {
  const [first] = runs;
  const [path] = cassette.paths;
  const show = `spoor show ${shellWord(first!.file)}`;
  // A run without an answer has nothing to compare.
  const isComparable = first!.modelCalls > first!.failedCalls && openTools.length === 0;
  return settings.model === "live" && path !== undefined && isComparable
    ? [show, `spoor diff ${shellWord(path)} ${shellWord(first!.file)}`]
    : [show];
}
