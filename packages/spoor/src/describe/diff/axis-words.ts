/** How the numbers of an axis are written, and what is said when there are none. What an axis is stands in its definition. */
import { type AxisName, axes, axisNamed } from "@spoor/core/internal/diff/axes";
import type { AxisUnit, AxisWords } from "@spoor/core/internal/diff/axis";
import { type AxisRow, whyNoData } from "@spoor/core/internal/diff/axis-row";
import { dollars, integer } from "../../document/words.ts";

export const axisWords = Object.fromEntries(axes.map((axis) => [axis.name, axis.words])) as Readonly<
  Record<AxisName, AxisWords>
>;

/** Why a row has no numbers, with how many pairs were looked at. */
export function noDataReason(row: AxisRow): string {
  const { code, why } = whyNoData(row);
  return `${code === "not_run" ? "not run" : "no data"}: ${why}`;
}

/** A value of an axis in at most eight characters. */
export function amountOf(axis: AxisName, value: number): string {
  switch (axisNamed(axis).unit) {
    case "share":
      return `${(value * 100).toFixed(value === 0 || value === 1 || (value * 100) % 1 === 0 ? 0 : 1)} %`;
    case "tokens":
      return shortTokens(value);
    case "ms":
      return shortTime(value);
    case "usd":
      return dollars(value);
    case "ratio":
      return value.toFixed(2);
  }
}

/** Two amounts of one row. What differs must not look the same: more digits are written until they differ. */
export function amountPair(axis: AxisName, before: number, now: number): readonly [string, string] {
  const short = [amountOf(axis, before), amountOf(axis, now)] as const;
  if (before === now || short[0] !== short[1]) return short;
  const { unit } = axisNamed(axis);
  for (let digits = 3; digits <= 6; digits++) {
    const [one, other] = [exactAmount(unit, before, digits), exactAmount(unit, now, digits)];
    if (one !== other) return [one, other];
  }
  return short;
}

function exactAmount(unit: AxisUnit, value: number, digits: number): string {
  const shown = value.toPrecision(digits);
  switch (unit) {
    case "share":
      return `${(value * 100).toPrecision(digits)} %`;
    case "tokens":
      return `${shown} tok`;
    case "ms":
      return `${shown} ms`;
    case "usd":
      return `$${shown}`;
    case "ratio":
      return shown;
  }
}

/** The same where there is room. */
export function amountWithUnit(axis: AxisName, value: number): string {
  const { unit } = axisNamed(axis);
  if (unit === "ms") return value < 100_000 ? `${integer(value)} ms` : shortTime(value);
  if (unit === "tokens") return `${trimmed(value)} tokens`;
  return amountOf(axis, value);
}

/** A difference with its sign: `-0.10`, `+8 ms`, `+$0.00002`. */
export function signedAmount(axis: AxisName, value: number): string {
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

function trimmed(value: number): string {
  return Number.isInteger(value) ? integer(value) : value.toFixed(1);
}
