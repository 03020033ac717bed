/** What a build or update of baselines did, and what to know before trusting it. */
import type { BaselineBuildReport, BuiltAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { footerOf } from "../footer.ts";

const FEW_RUNS = 30;
const LEFT_OUT_SHOWN = 5;
const LEARNED_SHOWN = 5;
const RUNS_SHOWN = 3;

export function describeBuild(report: BaselineBuildReport): Document {
  return {
    id: "spoor:baseline",
    subject: ["baselines"],
    blocks: [
      {
        kind: "group",
        blocks: [
          ...report.agents.flatMap((agent) => agentBlocks(agent, report.action)),
          ...(report.agents.length === 0
            ? []
            : [{ kind: "paragraph" as const, text: ["Next: commit it, then spoor baseline compare TRACES"] }]),
        ],
      },
    ],
    footer: footerOf(report),
  };
}

export function checksOfBuild({ agents, action }: BaselineBuildReport): Check[] {
  return agents.map((agent) => ({
    suite: "baseline",
    name: agent.agent,
    mark: "passed",
    message: say`${builtText(agent, action)}.`,
    places: [],
  }));
}

function agentBlocks(agent: BuiltAgent, action: string): Block[] {
  const warnings = [
    ...(action === "update" ? learnedTexts(agent) : []),
    ...skippedText(agent),
    ...leftOutTexts(agent),
    ...seenOnceText(agent),
  ];
  return [
    { kind: "verdict", mark: "passed", headline: builtText(agent, action) },
    { kind: "findings", titles: [], items: warnings.map((text) => ({ mark: "warning", cells: [text] })) },
  ];
}

/** `baselines/bot.json: 3 behaviours from 50 runs of bot, in 2 families` */
function builtText(agent: BuiltAgent, action: string): Text {
  const families =
    agent.families < agent.intents ? `, in ${count(agent.families, "family", "families")} of alike ones` : "";
  const added = action === "update" ? ` (${count(agent.recorded, "run")} added)` : "";
  return say`${name(agent.file)}: ${count(agent.intents, "behaviour")} from ${count(agent.runs, "run")} of ${name(agent.agent)}${families}${added}`;
}

/** An update changes what passes, so it says so: `New path: lookup_order > issue_refund > reply, from ticket-1042.` */
function learnedTexts({ learned }: BuiltAgent): Text[] {
  const shown = learned.slice(0, LEARNED_SHOWN).map(({ path, runs }) => {
    const some = runs.slice(0, RUNS_SHOWN).map((run) => [name(run)]);
    const rest = runs.length - some.length;
    const from = rest > 0 ? say`${joined(some, ", ")} and ${rest} more` : listed(some);
    return say`New path, known from now on: ${name(path)}, from ${from}.`;
  });
  const more = learned.length - LEARNED_SHOWN;
  return more > 0 ? [...shown, [`${more} more new paths: --format json`]] : shown;
}

function skippedText(agent: BuiltAgent): Text[] {
  const parts = [
    ...(agent.failedRuns > 0 ? [count(agent.failedRuns, "failed run")] : []),
    ...(agent.emptyRuns > 0 ? [`${count(agent.emptyRuns, "run")} without a step`] : []),
    ...(agent.alreadyRecorded > 0 ? [`${count(agent.alreadyRecorded, "run")} already in the window`] : []),
  ];
  return parts.length === 0 ? [] : [[`Not recorded: ${parts.join(", ")}.`]];
}

function leftOutTexts({ leftOut }: BuiltAgent): Text[] {
  const shown = leftOut.slice(0, LEFT_OUT_SHOWN).map((one) => say`${name(one.hash)} is left out: ${one.why}.`);
  const more = leftOut.length - LEFT_OUT_SHOWN;
  return more > 0 ? [...shown, [`${more} more behaviours are left out.`]] : shown;
}

function seenOnceText({ seenOnce, intents, runs }: BuiltAgent): Text[] {
  if (seenOnce === 0) return [];
  const which =
    intents === 1
      ? "Its only behaviour was"
      : `${seenOnce} of the ${count(intents, "behaviour")} ${seenOnce === 1 ? "was" : "were"}`;
  const advice = runs < FEW_RUNS ? ` Record about ${FEW_RUNS} runs before you let it block.` : "";
  return [[`${which} seen once. New paths will be common.${advice}`]];
}
