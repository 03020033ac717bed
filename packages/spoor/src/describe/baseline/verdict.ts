/** The verdict of a baseline comparison as a sentence without its full stop, and what supports it. */
import type { BaselineVerdict } from "@spoor/core/internal/fingerprint/baseline-verdict";
import type { LostTool } from "@spoor/core/internal/fingerprint/comparison";
import type { Text } from "../../document/document.ts";
import { joined, listed, name, say } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";

/** Tools that a headline can name. */
const MOST_TOOLS = 3;

export function baselineHeadline(verdict: BaselineVerdict): Text {
  switch (verdict.code) {
    case "nothing_analysed":
      return ["Nothing was compared: there is no run"];
    case "no_baseline": {
      const [only] = verdict.agents;
      const who = verdict.agents.length === 1 ? name(only!) : count(verdict.agents.length, "agent");
      const have = verdict.agents.length === 1 ? "has" : "have";
      return say`${who} ${have} no baseline yet, so ${verdict.runs} of ${count(verdict.of, "run")} could not be compared`;
    }
    case "lost_tool": {
      const { lost } = verdict;
      const skip = lost.runs === 1 ? "skips" : "skip";
      return say`${lost.runs} of ${lost.of} ${kindOf(lost)}${lost.of === 1 ? "run" : "runs"} ${skip} ${name(lost.tool)}`;
    }
    case "new_tool": {
      const { tool, others } = verdict;
      const seen = count(verdict.recorded, "baseline run");
      const alike = others.filter((other) => other.runs === tool.runs).slice(0, MOST_TOOLS - 1);
      const called = listed([tool, ...alike].map((one) => [name(one.tool)]));
      return say`The agent now calls ${called}, never seen in ${seen}, in ${tool.runs} of ${count(tool.of, "run")}`;
    }
    case "lost_field": {
      const where = `in ${verdict.runs} of ${count(verdict.of, "run")}`;
      return say`${name(verdict.tool)} no longer returns ${name(verdict.field)}, which every recorded result had, ${where}`;
    }
    case "model_swap": {
      const models = (list: readonly string[]) => listed(list.map((model) => [name(model)]));
      const swap = say`The agent now runs on ${models(verdict.now)} instead of ${models(verdict.before)}`;
      return say`${swap}; ${verdict.runs} of ${count(verdict.of, "run")} ${verdict.runs === 1 ? "calls" : "call"} the same tools in the same order as before`;
    }
    case "unknown_path": {
      const more =
        verdict.variants === 0
          ? ""
          : `; ${verdict.variants} more ${verdict.variants === 1 ? "varies" : "vary"} a known one`;
      return [
        `${verdict.runs} of ${count(verdict.of, "run")} ${take(verdict.runs)} a path unlike any of ${count(verdict.recorded, "recorded run")}${more}`,
      ];
    }
    case "variant":
      return [
        `${verdict.runs} of ${count(verdict.of, "run")} ${take(verdict.runs)} a variant of a known path (${count(verdict.recorded, "recorded run")})`,
      ];
    case "known":
      return [
        `No new behaviour: ${verdict.runs} of ${count(verdict.runs, "run")} ${verdict.runs === 1 ? "follows" : "follow"} a known path (${count(verdict.recorded, "recorded run")})`,
      ];
  }
}

/** For a lost tool: how sure the recorded runs were, and whether chance would do this. */
export function baselineDetail(verdict: BaselineVerdict): Text {
  if (verdict.code === "new_tool") return newToolDetail(verdict);
  if (verdict.code !== "lost_tool") return [];
  const { lost } = verdict;
  const all: Text =
    lost.recorded === 1 ? ["The one recorded run"] : say`All ${integer(lost.recorded)} recorded ${kindOf(lost)}runs`;
  return say`${all}${lost.behaviour === null ? " of that behaviour" : ""} called it; ${chanceWords(lost.chance)}.`;
}

/** What else is new, and what is gone. */
function newToolDetail({ tool, others, lost }: Extract<BaselineVerdict, { code: "new_tool" }>): Text {
  const more = others.length - Math.min(others.filter((one) => one.runs === tool.runs).length, MOST_TOOLS - 1);
  const texts: Text[] = [];
  if (more > 0) texts.push([`${count(more, "more tool is", "more tools are")} new.`]);
  if (lost !== undefined)
    texts.push(say`${lost.runs} of ${count(lost.of, "run")} ${lost.runs === 1 ? "skips" : "skip"} ${name(lost.tool)}.`);
  return joined(texts, " ");
}

function kindOf({ behaviour }: LostTool): Text {
  return behaviour === null ? [] : say`${name(behaviour)} `;
}

function take(runs: number): string {
  return runs === 1 ? "takes" : "take";
}

/** A p-value as a share of comparisons. */
function chanceWords(chance: number): string {
  if (chance < 0.001) return "chance would do this in fewer than 1 of 1,000 comparisons";
  if (chance < 0.01) return "chance would do this in fewer than 1 of 100 comparisons";
  const often = `chance alone would do this in 1 of ${integer(1 / chance)} comparisons`;
  return chance <= 0.05 ? often : `${often}, so it may be noise`;
}
