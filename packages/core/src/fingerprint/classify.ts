/** Where a run stands towards the known behaviours of its agent. The first status that holds is given. */
import { isVariant } from "./similarity.ts";

const statuses = ["no_baseline", "match", "accepted_variant", "structural_match", "variant", "new"] as const;
export type Status = (typeof statuses)[number];

/** What people read for it, on the command line and on the pages of the service. */
export const statusWords: Readonly<Record<Status, string>> = {
  no_baseline: "no baseline",
  match: "match",
  accepted_variant: "accepted",
  structural_match: "reordered",
  variant: "variant",
  new: "NEW",
};

export interface ClassifyInput {
  readonly hash: string;
  /** Hash of the set of steps; leave out in structural mode, where it is the fingerprint itself. */
  readonly structuralHash?: string;
  /** Known behaviours by own hash; undefined when the agent has no baseline. */
  readonly intents: ReadonlyMap<string, KnownHashes> | undefined;
  /** Composite similarity to the closest known behaviour; asked only when no hash matches. */
  readonly bestSimilarity: () => number;
}

export interface KnownHashes {
  readonly accepted: readonly string[];
  readonly structuralHash?: string;
}

export function classify(input: ClassifyInput): Status {
  const { intents, hash } = input;
  if (intents === undefined) return "no_baseline";
  if (intents.has(hash)) return "match";
  let structural = false;
  for (const known of intents.values()) {
    if (known.accepted.includes(hash)) return "accepted_variant";
    if (input.structuralHash !== undefined && known.structuralHash === input.structuralHash) structural = true;
  }
  if (structural) return "structural_match";
  return isVariant(input.bestSimilarity()) ? "variant" : "new";
}

/** Statuses that need no review. */
export function isKnown(status: Status): boolean {
  return status === "match" || status === "accepted_variant";
}
