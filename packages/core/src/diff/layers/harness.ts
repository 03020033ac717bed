/** Events of the harness around the model (retries, rate limits, guardrails, context trims): how often, and how bad, on either side. */
import { member, stringMember } from "../../trace/json.ts";
import { isRecordingEvent } from "../../trace/recording-facts.ts";
import type { Trace } from "../../trace/trace.ts";

const harnessSeverities = ["info", "warning", "error", "fatal"] as const;
export type HarnessSeverity = (typeof harnessSeverities)[number];

export interface HarnessChange {
  readonly category: string;
  readonly name: string;
  readonly baselineCount: number;
  readonly candidateCount: number;
  readonly countDelta: number;
  /** Turn in which it first happened, from 0; absent when it never did. */
  readonly baselineFirstTurn?: number;
  readonly candidateFirstTurn?: number;
  readonly baselineWorst?: HarnessSeverity;
  readonly candidateWorst?: HarnessSeverity;
  /** The worst severity rose or fell. */
  readonly shift?: "regression" | "fix";
}

/** Events whose number or severity differs, the largest change first. */
export function diffHarness(baseline: readonly Trace[], candidate: readonly Trace[]): HarnessChange[] {
  const before = tally(baseline);
  const after = tally(candidate);
  const changes: HarnessChange[] = [];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const left = before.get(key);
    const right = after.get(key);
    const shift = severityShift(left?.worst, right?.worst);
    if (left?.count === right?.count && shift === undefined) continue;
    const { category, name } = (left ?? right)!;
    changes.push({
      category,
      name,
      baselineCount: left?.count ?? 0,
      candidateCount: right?.count ?? 0,
      countDelta: (right?.count ?? 0) - (left?.count ?? 0),
      ...(left === undefined ? {} : { baselineFirstTurn: left.firstTurn, baselineWorst: left.worst }),
      ...(right === undefined ? {} : { candidateFirstTurn: right.firstTurn, candidateWorst: right.worst }),
      ...(shift === undefined ? {} : { shift }),
    });
  }
  return changes.sort((one, other) => Math.abs(other.countDelta) - Math.abs(one.countDelta));
}

interface Tally {
  readonly category: string;
  readonly name: string;
  count: number;
  readonly firstTurn: number;
  worst: HarnessSeverity;
}

function tally(traces: readonly Trace[]): Map<string, Tally> {
  const events = new Map<string, Tally>();
  for (const trace of traces) {
    let responses = 0;
    for (const record of trace.records) {
      if (record.kind === "chat_response") responses++;
      // What a recorder says about itself belongs to the coverage.
      if (record.kind !== "harness_event" || isRecordingEvent(record)) continue;
      const category = stringMember(record.payload, "category") ?? "";
      const name = stringMember(record.payload, "name") ?? "";
      const severity = severityOf(member(record.payload, "severity"));
      const key = JSON.stringify([category, name]);
      const known = events.get(key);
      if (known === undefined)
        events.set(key, { category, name, count: 1, firstTurn: Math.max(0, responses - 1), worst: severity });
      else {
        known.count++;
        if (harnessSeverities.indexOf(severity) > harnessSeverities.indexOf(known.worst)) known.worst = severity;
      }
    }
  }
  return events;
}

function severityOf(value: unknown): HarnessSeverity {
  return harnessSeverities.find((severity) => severity === value) ?? "info";
}

function severityShift(
  before: HarnessSeverity | undefined,
  after: HarnessSeverity | undefined,
): "regression" | "fix" | undefined {
  const rank = (severity: HarnessSeverity | undefined) =>
    severity === undefined ? -1 : harnessSeverities.indexOf(severity);
  if (rank(before) === rank(after)) return undefined;
  return rank(after) > rank(before) ? "regression" : "fix";
}
