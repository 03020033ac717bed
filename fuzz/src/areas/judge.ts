/** Damaged recordings through the lenses of the core, without a command around them: many in the time of one. */
import {
  blindTrace,
  checkPolicy,
  diffTraces,
  fingerprintTrace,
  type Json,
  parseJson,
  parsePolicy,
  redactRecords,
  SpoorError,
  type Trace,
} from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { seedOf } from "../repository-files.ts";
import { recordings } from "./read.ts";

export const judgeArea: Area = {
  name: "judge",
  about: "recordings through diff, policy, fingerprint, redaction and content-blind form of the core",
  share: 40,
  async open() {
    const policies = ["packages/spoor/policies/coding-agent.yaml", "examples/refund/policies/refunds.yaml"].map(
      (name) => parsePolicy(seedOf(name).bytes.toString("utf8"), { file: name }),
    );
    const seeds = recordings();
    const [known] = await loadTraceFile("known", {
      bytes: seedOf("examples/refund/baseline/ticket-1042.agentlog").bytes,
    });
    const lenses: readonly ((trace: Trace) => unknown)[] = [
      (trace) => diffTraces(known!, trace, { seed: 1 }),
      (trace) => diffTraces(trace, known!, { seed: 1 }),
      (trace) => checkPolicy(trace, policies[0]!),
      (trace) => checkPolicy(trace, policies[1]!),
      (trace) => [fingerprintTrace(trace), fingerprintTrace(trace, { mode: "structural" })],
      (trace) => redactRecords(trace.records),
      (trace) => blindTrace(trace),
    ];
    return {
      seeds,
      async drive({ bytes, choice }) {
        try {
          const traces = await loadTraceFile("input", { bytes });
          for (const trace of traces.slice(0, 3)) requireJson(lenses[choice % lenses.length]!(trace));
          return RESULT;
        } catch (error) {
          if (error instanceof SpoorError) return error.code;
          throw error;
        }
      },
    };
  },
};

/** No NaN and no Infinity anywhere; what is made of records is JSON again. */
function requireJson(report: unknown): void {
  const at = findOdd(report, "report", 0);
  if (at !== undefined) throw new BrokenPromise(`${at} is no number`);
  if (Array.isArray(report)) parseJson(stringifyJson(report as Json));
}

function findOdd(value: unknown, path: string, depth: number): string | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : `${path} = ${value}`;
  if (typeof value !== "object" || value === null || depth > DEEPEST) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const odd = findOdd(member, Array.isArray(value) ? `${path}[]` : `${path}.${key}`, depth + 1);
    if (odd !== undefined) return odd;
  }
  return undefined;
}

const DEEPEST = 40;
