/** Fingerprints in words: one trace in full, many as a table under what each agent adds up to. */
import type {
  AgentFamilies,
  FingerprintReport,
  TraceFingerprint,
} from "@spoor/core/internal/fingerprint/fingerprint-report";
import type { Check } from "../document/check.ts";
import type { Block, Document, Fact, Text } from "../document/document.ts";
import { name, say, styled } from "../document/text.ts";
import { count, integer } from "../document/words.ts";
import { lackingBlocks } from "./coverage.ts";
import { footerOf } from "./footer.ts";

const MOST_ROWS = 20;
const MOST_FAMILIES = 5;
const LONGEST_STRING = 2000;

export function describeFingerprints(report: FingerprintReport): Document {
  const [only] = report.traces;
  return {
    id: "spoor:fingerprint",
    subject: ["fingerprints"],
    blocks: [
      ...(report.traces.length === 1 ? oneBlocks(only!, report) : manyBlocks(report)),
      ...lackingBlocks(report.coverage),
    ],
    footer: footerOf(report),
  };
}

/** A fingerprint asks nothing: every trace that has one is a pass with its hash. */
export function checksOfFingerprints({ traces }: FingerprintReport): Check[] {
  return traces.map(({ run, key, hash }) => ({
    suite: "fingerprint",
    name: run,
    mark: "passed",
    message: [hash],
    places: [{ trace: run, key }],
  }));
}

function oneBlocks(trace: TraceFingerprint, report: FingerprintReport): Block[] {
  const isCut = trace.string.length > LONGEST_STRING;
  const facts: Fact[] = [
    { label: "path", text: [name(trace.path)] },
    {
      label: "steps",
      text: [trace.stepCount === 0 ? "none: the hash is that of an empty run" : integer(trace.stepCount)],
    },
    { label: "mode", text: [`${report.mode}, ${report.hashVersion}`] },
    { label: "string", text: [name(isCut ? `${trace.string.slice(0, LONGEST_STRING)}…` : trace.string)] },
    { label: "", text: isCut ? [`${integer(trace.string.length)} characters; whole in --format json`] : [] },
    { label: "set", text: say`${name(trace.structuralHash)}  (the same for any order and number of these steps)` },
    { label: "shape", text: say`${name(trace.shape.hash)}  (tools with the names of their arguments)` },
  ];
  return [
    {
      kind: "group",
      blocks: [
        { kind: "heading", text: say`${styled("strong", name(trace.hash))}  ${name(trace.run)}` },
        { kind: "facts", facts },
      ],
    },
  ];
}

function manyBlocks(report: FingerprintReport): Block[] {
  const [first, ...rest] = report.agents.map(agentText);
  const shown = report.traces.slice(0, MOST_ROWS);
  const hidden = report.traces.length - shown.length;
  return [
    {
      kind: "group",
      blocks: [
        { kind: "heading", text: first ?? ["No trace was fingerprinted."] },
        ...rest.map((text): Block => ({ kind: "heading", text })),
      ],
    },
    ...report.agents.flatMap((agent) => familyBlocks(agent, report.agents.length > 1)),
    {
      kind: "group",
      blocks: [
        {
          kind: "table",
          caption: "Fingerprints",
          columns: [
            { title: "trace", max: 28, fit: "middle" },
            { title: "fingerprint" },
            { title: "steps", align: "right" },
            { title: "path" },
          ],
          rows: shown.map((trace) => ({
            cells: [[name(trace.run)], [name(trace.hash)], [integer(trace.stepCount)], [name(trace.path)]],
          })),
          ...(hidden > 0 ? { more: [`… ${count(hidden, "more trace")}`] } : {}),
        },
        {
          kind: "paragraph",
          text: [`Mode ${report.mode}, ${report.hashVersion}. The strings behind the hashes: --format json`],
        },
      ],
    },
  ];
}

/** `support: 100 runs, 93 distinct behaviours, which fall into 21 families` */
function agentText(agent: AgentFamilies): Text {
  const runs = count(agent.runs, "run");
  const empty = agent.emptyRuns === 0 ? "" : ` (${agent.emptyRuns} without a step)`;
  const behaviours = count(agent.intents, "distinct behaviour");
  const families =
    agent.families.length === agent.intents
      ? ", none alike"
      : `, in ${count(agent.families.length, "family", "families")} of alike ones`;
  return say`${name(agent.agent)}: ${runs}${empty}, ${behaviours}${agent.intents < 2 ? "" : families}`;
}

function familyBlocks(agent: AgentFamilies, named: boolean): Block[] {
  if (agent.families.length === 0) return [];
  const rest = agent.families.slice(MOST_FAMILIES);
  const runs = rest.reduce((sum, family) => sum + family.runs, 0);
  return [
    {
      kind: "section",
      title: named ? say`${name(agent.agent)}, families by runs` : ["Families by runs"],
      blocks: [
        {
          kind: "table",
          caption: "Families by runs",
          columns: [{ title: "runs", align: "right" }, { title: "behaviours", align: "right" }, { title: "path" }],
          rows: agent.families.slice(0, MOST_FAMILIES).map((family) => ({
            cells: [[integer(family.runs)], [integer(family.intents)], [name(family.path)]],
          })),
          ...(rest.length > 0
            ? { more: [`… ${count(rest.length, "more family", "more families")} with ${count(runs, "run")}`] }
            : {}),
        },
      ],
    },
  ];
}
