/** What a baseline holds, and how it came to be. */
import type { BaselineShowReport, ShownAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import type { Check } from "../../document/check.ts";
import type { Block, Document } from "../../document/document.ts";
import { command, listed, name, say, styled } from "../../document/text.ts";
import { count, duration, integer, list, tokens } from "../../document/words.ts";
import { footerOf } from "../footer.ts";

const MOST_INTENTS = 25;

export function describeShow(report: BaselineShowReport): Document {
  return {
    id: "spoor:baseline",
    subject: ["baselines"],
    blocks: report.agents.map((agent) => (report.action === "show" ? agentBlock(agent) : historyBlock(agent))),
    footer: footerOf(report),
  };
}

/** What is shown asks nothing. */
export function checksOfShow({ agents }: BaselineShowReport): Check[] {
  return agents.map((agent) => ({
    suite: "baseline",
    name: agent.agent,
    mark: "passed",
    message: say`${count(agent.runs, "recorded run")}, ${count(agent.intents.length, "behaviour")}, generation ${agent.generation}.`,
    places: [],
  }));
}

function agentBlock(agent: ShownAgent): Block {
  const families =
    agent.families.length < agent.intents.length ? ` in ${count(agent.families.length, "family", "families")}` : "";
  const names = (items: readonly string[]) => listed(items.map((item) => [name(item)]));
  const rest = agent.intents.length - MOST_INTENTS;
  return {
    kind: "group",
    blocks: [
      { kind: "heading", text: say`${styled("strong", name(agent.agent))}  ${name(agent.file)}` },
      {
        kind: "paragraph",
        text: [
          `${count(agent.runs, "recorded run")}, ${count(agent.intents.length, "behaviour")}${families}, fingerprint ${agent.hashVersion} ${agent.mode}, generation ${agent.generation}, ${agent.updatedAt}`,
        ],
      },
      {
        kind: "facts",
        facts: [
          { label: "models", text: agent.models.length === 0 ? ["not recorded"] : names(agent.models) },
          { label: "tools", text: agent.tools.length === 0 ? ["none used"] : names(agent.tools) },
          { label: "rejected", text: names(agent.rejected) },
        ],
      },
      {
        kind: "table",
        caption: "Behaviours",
        columns: [
          { title: "fingerprint" },
          { title: "runs", align: "right" },
          { title: "tokens", align: "right" },
          { title: "step", align: "right" },
          { title: "behaviour" },
        ],
        rows: agent.intents.slice(0, MOST_INTENTS).map((intent) => {
          const variants = intent.accepted > 0 ? ` (+${count(intent.accepted, "accepted variant")})` : "";
          const called = intent.name === null ? intent.path : `${intent.name}: ${intent.path}`;
          return {
            cells: [
              [name(intent.hash)],
              [integer(intent.runs)],
              [intent.avgTokens === null ? "no data" : tokens(intent.avgTokens)],
              [intent.avgLatencyMs === null ? "no data" : duration(intent.avgLatencyMs)],
              say`${name(called)}${variants}`,
            ],
          };
        }),
        ...(rest > 0 ? { more: [`… ${count(rest, "more behaviour")}: --format json`] } : {}),
      },
    ],
  };
}

function historyBlock(agent: ShownAgent): Block {
  const kept =
    agent.archived.length === 0
      ? ["No earlier generation is kept."]
      : say`Kept: ${list(agent.archived.map(String))}. Back to the last of them: ${command(`spoor baseline rollback ${agent.agent}`)}`;
  return {
    kind: "group",
    blocks: [
      { kind: "heading", text: say`${styled("strong", name(agent.agent))}  generation ${agent.generation}` },
      agent.history.length === 0
        ? { kind: "paragraph", text: ["no history"] }
        : {
            kind: "table",
            caption: "History",
            columns: [{ title: "", align: "right" }, { title: "" }, { title: "" }, { title: "", fit: "wrap" }],
            rows: [...agent.history].reverse().map((entry) => ({
              cells: [
                [String(entry.generation)],
                [entry.at.slice(0, 16).replace("T", " ")],
                [entry.action],
                say`${entry.change}. ${name(entry.by)}: ${entry.why}`,
              ],
            })),
          },
      { kind: "paragraph", text: kept },
    ],
  };
}
