/**
 * A drift signal: a named finding about one run against the known behaviour it is closest to, with the numbers, the
 * limit and what it was measured on. A signal that lacks its data says so instead of staying quiet.
 *
 * Everything about a signal stands in its definition: its limits, what rules may ask of it, its sentence.
 */
import type { FindingSeverity } from "../../judgement/severity.ts";
import type { Phrase } from "../../text/phrase.ts";
import type { Status } from "../classify.ts";
import type { OutputKeys, RunFacts } from "../run-facts.ts";
import type { RunStatistics } from "../statistics.ts";

export interface SignalContext {
  readonly run: RunFacts;
  readonly status: Status;
  /** Statistics of the matched or closest behaviour; undefined when there is none to compare with. */
  readonly known: RunStatistics | undefined;
  /**
   * What those statistics span. Within a family runs differ from one another by nature, so a number that some recorded run
   * of the family already had is no drift, however far it lies from the mean.
   */
  readonly scope: "intent" | "family";
  /** Every tool of the baseline. */
  readonly knownTools: ReadonlySet<string>;
  readonly outputKeys: ReadonlyMap<string, OutputKeys>;
  /** Limits other than those of the definitions, by signal. */
  readonly limits: SignalLimits;
}

export type LimitValue = number | readonly string[];
/** Limits by signal and name: `{ latency_spikes: { increase_percent: 80 } }`. */
export type SignalLimits = Readonly<Record<string, Readonly<Record<string, LimitValue>>>>;

/** A number that a signal goes by, or names it leaves alone. */
export interface Limit {
  readonly preset: LimitValue;
  readonly help: string;
}

type LimitSpec = Readonly<Record<string, Limit>>;
export type LimitsOf<L extends LimitSpec> = {
  readonly [K in keyof L]: L[K]["preset"] extends number ? number : readonly string[];
};

export interface SignalFinding {
  /** What it is about: a tool, a component, or what was measured. */
  readonly subject: string;
  /** Which of the signal's measures; a code of its definition. */
  readonly measure: string;
  readonly unit: "ms" | "tokens" | "calls" | "retries" | "percent" | "results" | "fields" | "tools" | "runs";
  readonly current: number | null;
  readonly baseline: number | null;
  /** Percent of the baseline value; null when that is 0. */
  readonly changePercent: number | null;
  readonly fromZero?: true;
  /** The limit that was passed, in the unit of what was compared with it. */
  readonly threshold: number | null;
  /** Names, where the finding is about names: new tools, added or removed fields. */
  readonly names?: readonly string[];
}

export type SignalOutcome =
  | { readonly state: "quiet" }
  | { readonly state: "no_data"; readonly why: string }
  | { readonly state: "fires"; readonly severity: FindingSeverity; readonly findings: readonly SignalFinding[] };

export interface SignalDefinition {
  readonly name: string;
  readonly severity: FindingSeverity;
  /** What a broken rule about it says: "a tool is used that the baseline does not have". */
  readonly headline: string;
  readonly limits: LimitSpec;
  /** The limits that `above` of a rule sets; the other numbers then no longer fire by themselves. */
  readonly above?: readonly string[];
  /** Codes of what it measures, where a rule may want some of them only. */
  readonly measures: readonly string[];
  /** What older drift policies call it. */
  readonly conditions: readonly string[];
  detect(context: SignalContext): SignalOutcome;
  /** One finding in words. */
  say(finding: SignalFinding): Phrase;
}

/** A definition as its file writes it: `detect` gets its own limits, overridden or preset. */
type Written<L extends LimitSpec> = Omit<SignalDefinition, "limits" | "detect"> & {
  readonly limits: L;
  detect(context: SignalContext, limits: LimitsOf<L>): SignalOutcome;
};

export type DefinedSignal<L extends LimitSpec> = SignalDefinition & {
  readonly limits: L;
  readonly presets: LimitsOf<L>;
};

export function defineSignal<const L extends LimitSpec>(written: Written<L>): DefinedSignal<L> {
  const presets = Object.fromEntries(
    Object.entries(written.limits).map(([name, { preset }]) => [name, preset]),
  ) as unknown as LimitsOf<L>;
  return {
    ...written,
    presets,
    detect: (context) => written.detect(context, { ...presets, ...context.limits[written.name] }),
  };
}

/** A signal that fired, as reports hold it. */
export interface Signal {
  readonly name: string;
  readonly severity: FindingSeverity;
  readonly findings: readonly SignalFinding[];
}

export const QUIET: SignalOutcome = { state: "quiet" };

export function fires(severity: FindingSeverity, findings: readonly SignalFinding[]): SignalOutcome {
  return findings.length === 0 ? QUIET : { state: "fires", severity, findings };
}

export function noData(why: string): SignalOutcome {
  return { state: "no_data", why };
}

export interface Change {
  readonly changePercent: number | null;
  readonly fromZero?: true;
}

/** Relative change in percent. From 0 there is none: any rise is `fromZero`. */
export function change(baseline: number, current: number): Change {
  if (baseline !== 0) return { changePercent: ((current - baseline) / baseline) * 100 };
  return current > 0 ? { changePercent: null, fromZero: true } : { changePercent: 0 };
}

/** Strictly above the threshold; a rise from 0 always is. */
export function roseAbove(value: Change, thresholdPercent: number): boolean {
  return value.fromZero === true || (value.changePercent !== null && value.changePercent > thresholdPercent);
}
