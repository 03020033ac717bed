/** What people call an axis, how its numbers are written, and what it means when there are none. */
import type { AxisName, AxisRow } from "@spoor/core/diff/axis";
import { integer } from "../../document/words.ts";

export interface AxisWords {
  /** What the axis is, in the table. */
  readonly is: string;
  readonly noData: string;
  /** Sentences for a moved average; `{share}` is a percentage or empty. */
  readonly more: string;
  readonly less: string;
}

export const axisWords: Readonly<Record<AxisName, AxisWords>> = {
  semantic: {
    is: "meaning of text",
    noData: "no data: there are no turn pairs",
    more: "Replies say more of the same",
    less: "Replies say something else",
  },
  trajectory: {
    is: "tool calls",
    noData: "no data: there are no turn pairs",
    more: "Tool calls differ",
    less: "Tool calls agree more",
  },
  safety: {
    is: "refusals",
    noData: "no data: there are no turn pairs",
    more: "The agent refuses more often",
    less: "The agent refuses less often",
  },
  verbosity: {
    is: "reply length",
    noData: "no data: output tokens were not recorded",
    more: "Replies are{share} longer",
    less: "Replies are{share} shorter",
  },
  latency: {
    is: "reply time",
    noData: "no data: reply times were not recorded",
    more: "Replies take{share} longer",
    less: "Replies take{share} less time",
  },
  cost: {
    is: "price per reply",
    noData: "no data: no price or no tokens for these models",
    more: "Replies cost{share} more",
    less: "Replies cost{share} less",
  },
  reasoning: {
    is: "thinking",
    noData: "no data: neither side recorded thinking tokens",
    more: "The model thinks{share} more",
    less: "The model thinks{share} less",
  },
  judge: {
    is: "a judge's score",
    noData: "not run: no judge is configured",
    more: "The judge's score is higher",
    less: "The judge's score is lower",
  },
  conformance: {
    is: "output format",
    noData: "no data: no reply is JSON or calls a tool",
    more: "Replies keep their format more often",
    less: "Replies break their format more often",
  },
};

/** Why a row has no numbers, with how many pairs were looked at. */
export function noDataReason(row: AxisRow): string {
  if (row.axis === "cost" && row.n > 0 && row.flags.includes("no_pricing")) {
    return row.measured === 0
      ? "no data: no price is known for these models"
      : `no data: only ${row.measured} of ${row.n} pairs have a price`;
  }
  return axisWords[row.axis].noData;
}

/** True when the row's numbers mean nothing. */
export function hasNoData(row: AxisRow): boolean {
  return row.measured === 0 || row.flags.includes("no_pricing");
}

/** A value of an axis in at most eight characters. */
export function amountOf(axis: string, value: number): string {
  switch (axis) {
    case "safety":
    case "conformance":
      return `${(value * 100).toFixed(value === 0 || value === 1 || (value * 100) % 1 === 0 ? 0 : 1)} %`;
    case "verbosity":
    case "reasoning":
      return shortTokens(value);
    case "latency":
      return shortTime(value);
    case "cost":
      return dollars(value);
    default:
      return value.toFixed(2);
  }
}

/** The same where there is room. */
export function amountWithUnit(axis: string, value: number): string {
  if (axis === "latency") return value < 100_000 ? `${integer(value)} ms` : shortTime(value);
  if (axis === "verbosity" || axis === "reasoning") return `${trimmed(value)} tokens`;
  return amountOf(axis, value);
}

/** A difference with its sign: `-0.10`, `+8 ms`, `+$0.00002`. */
export function signedAmount(axis: string, value: number): string {
  if (value === 0) return amountOf(axis, 0);
  return `${value < 0 ? "-" : "+"}${amountOf(axis, Math.abs(value))}`;
}

function shortTokens(value: number): string {
  if (value < 1000) return `${trimmed(value)} tok`;
  if (value < 9_950) return `${(value / 1000).toFixed(1)}k tok`;
  if (value < 999_500) return `${Math.round(value / 1000)}k tok`;
  return `${(value / 1_000_000).toFixed(1)}M tok`;
}

function shortTime(ms: number): string {
  if (ms < 9_999.5) return `${integer(ms)} ms`;
  if (ms < 99_950) return `${(ms / 1000).toFixed(1)} s`;
  return `${integer(ms / 1000)} s`;
}

/** Three significant digits, as many decimals as that takes. */
export function dollars(value: number): string {
  if (value === 0) return "$0";
  const size = Math.abs(value);
  if (size >= 1000) return `$${integer(value)}`;
  if (size < 0.0000095) return `$${value.toExponential(0)}`;
  const decimals = Math.max(2, 2 - Math.floor(Math.log10(size)));
  return `$${value.toFixed(Math.min(decimals, 6))}`;
}

function trimmed(value: number): string {
  return Number.isInteger(value) ? integer(value) : value.toFixed(1);
}
