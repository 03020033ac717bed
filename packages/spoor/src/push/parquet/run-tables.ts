/** What a Parquet file of runs and one of their steps have in their columns: the figures of the service, and nothing that was said. */
import type { Step } from "@spoor/core";
import { type Json, member } from "@spoor/core/internal/trace/json";
import type { ListedRun } from "../run-pages.ts";
import type { Column, ColumnKind } from "./parquet-file.ts";

export interface RunRow extends ListedRun {
  /** Undefined where the service keeps what the run said and did no more. */
  readonly steps: readonly Step[] | undefined;
}

export interface StepRow {
  readonly run: ListedRun;
  readonly step: Step;
  readonly position: number;
}

/** Of the run, as `GET /api/v1/runs` lists it: the name there, the kind here. */
const FACTS: Readonly<Record<string, ColumnKind>> = {
  agent: "text",
  release: "text",
  scenario: "text",
  trial: "text",
  name: "text",
  externalId: "text",
  noun: "text",
  format: "text",
  model: "text",
  receivedAt: "time",
  startedAt: "time",
  durationMs: "number",
  status: "text",
  stopReason: "text",
  verdict: "text",
  similarity: "number",
  findings: "integer",
  turns: "integer",
  calls: "integer",
  errors: "integer",
  callsWithoutResult: "integer",
  replayed: "integer",
  standIns: "integer",
  unknownRecords: "integer",
  inputTokens: "integer",
  outputTokens: "integer",
  costMicro: "integer",
  hashVersion: "text",
  mode: "text",
  fingerprint: "text",
  structural: "text",
  behaviour: "integer",
};

export const runColumns: readonly Column<RunRow>[] = [
  { name: "run", kind: "integer", value: ({ number }) => number },
  { name: "id", kind: "text", value: ({ id }) => id },
  ...factColumns<RunRow>(Object.keys(FACTS), (row) => row),
  { name: "steps", kind: "integer", value: ({ steps }) => steps?.length },
];

export const stepColumns: readonly Column<StepRow>[] = [
  { name: "run", kind: "integer", value: ({ run }) => run.number },
  // Beside each step, so that most questions need no join; columns that repeat take next to nothing.
  ...factColumns<StepRow>(["agent", "release", "scenario", "receivedAt"], ({ run }) => run),
  { name: "position", kind: "integer", value: ({ position }) => position },
  { name: "turn", kind: "integer", value: ({ step }) => step.turnIndex },
  { name: "kind", kind: "text", value: ({ step }) => step.kind },
  { name: "target", kind: "text", value: ({ step }) => step.target },
  { name: "status", kind: "text", value: ({ step }) => step.status },
  { name: "error_kind", kind: "text", value: ({ step }) => step.errorKind },
  { name: "duration_ms", kind: "number", value: ({ step }) => step.durationMs },
  { name: "input_tokens", kind: "integer", value: ({ step }) => step.inputTokens },
  { name: "output_tokens", kind: "integer", value: ({ step }) => step.outputTokens },
  { name: "parallel_group", kind: "text", value: ({ step }) => step.parallelGroup },
  { name: "sub_agent", kind: "text", value: ({ step }) => step.agent },
];

function factColumns<Row>(names: readonly string[], runOf: (row: Row) => ListedRun): Column<Row>[] {
  return names.map((name) => ({
    name: name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    kind: FACTS[name]!,
    value: (row) => factOf(member(runOf(row).facts, name), FACTS[name]!),
  }));
}

/** What another service says in another kind is not known. */
function factOf(value: Json | undefined, kind: ColumnKind): string | number | bigint | undefined {
  if (kind === "text") return typeof value === "string" ? value : undefined;
  return typeof value === "number" || typeof value === "bigint" ? value : undefined;
}
