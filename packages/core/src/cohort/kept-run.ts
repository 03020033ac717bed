/**
 * A run as the cohort lens needs it, without what was said: features by name, calls as digests. It can be kept for years and compared again, with
 * the same numbers as the recording it was made of; only the words that illustrate a change of text need the recording.
 */
import { digestText } from "../canonical/digest.ts";
import { present } from "../trace/present.ts";
import { byGroup, type Group, readFeatures } from "./features.ts";
import type { CohortRun, Ending, RunOrigin } from "./run.ts";

/** Raised whenever the features of a run are others: what was kept before is then made anew. */
export const KEPT_RUN_VERSION = 1;

export interface KeptRun {
  readonly scenario: string;
  readonly wholeName?: string;
  readonly turns: number;
  readonly ended?: Ending;
  /** The tool of every call. */
  readonly tools: readonly string[];
  /** Identity and value, in the order in which they came. */
  readonly features: Readonly<Record<Group, readonly (readonly [identity: string, value: number])[]>>;
  /** What tells calls and effects apart, as digests. */
  readonly tokens: readonly string[];
  readonly effects: readonly number[];
  readonly effectTokens: readonly string[];
  readonly origin?: RunOrigin;
}

/** Whatever the side: that is said when it is compared. */
export function keepRun(run: Omit<CohortRun, "side">): KeptRun {
  const { features, detail } = readFeatures(run);
  const { scenario, wholeName, turns, ended, origin } = run;
  return present({
    scenario,
    wholeName,
    turns,
    ended,
    tools: run.calls.map(({ name }) => name),
    features: byGroup((group) => [...features[group]]),
    tokens: detail.tokens.map(shortDigest),
    effects: detail.effects,
    effectTokens: detail.effectTokens.map(shortDigest),
    origin,
  });
}

function shortDigest(token: string): string {
  return digestText(token, 16);
}
