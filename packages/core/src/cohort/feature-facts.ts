/** What a feature is about, taken apart so that a renderer can say it in words without parsing a name. */
import { featureName, featureParts, type Group } from "./features.ts";
import { END_STEP, START_STEP, TEXT_STEP } from "./step-features.ts";

export type Measure =
  | "called"
  | "calls_of"
  | "before"
  | "followed"
  | "type"
  | "size"
  | "effects"
  | "effects_of"
  | "stop"
  | "turns"
  | "calls"
  | "repeats"
  | "parallel"
  | "tokens"
  | "textTurns"
  | "silentTurns"
  | "callsPerTurn"
  | "callsInARow"
  | "textsInARow"
  | "no_answer"
  | "failed"
  | "errors"
  | "word_bucket"
  | "chars"
  | "charsPerMessage"
  | "questions"
  | "digits"
  | "listLines"
  | "lines";

export interface FeatureFacts {
  /** As features are named in reports: `has:confirm`, `confirm<refund`, `refund.amount:size`. */
  readonly item: string;
  readonly measure: Measure;
  readonly tool?: string;
  /** For `before`: the tool that comes after `tool`. */
  readonly otherTool?: string;
  /** For `followed`: what comes first and what directly after it. */
  readonly steps?: readonly [StepFacts, StepFacts];
  /** For arguments: the key; empty for arguments that are not an object. */
  readonly key?: string;
  /** For `type`: null, bool, num, str, arr or obj. */
  readonly type?: string;
  /** For `stop`: the reason. */
  readonly stop?: string;
}

/** A call of a tool, a text, or the start or end of the run. */
export type StepFacts = { readonly kind: "call"; readonly tool: string } | { readonly kind: "text" | "start" | "end" };

/** Measures whose mean is a share of runs (or of calls); all others are log2(1 + amount). */
const SHARES: ReadonlySet<Measure> = new Set([
  "called",
  "before",
  "type",
  "stop",
  "no_answer",
  "failed",
  "word_bucket",
]);

export function isShare(measure: Measure): boolean {
  return SHARES.has(measure);
}

export function featureFacts(group: Group, identity: string): FeatureFacts {
  const item = featureName(group, identity);
  const parts = featureParts(identity);
  switch (group) {
    case "tools":
      return identity.startsWith("has:")
        ? { item, measure: "called", tool: identity.slice(4) }
        : { item, measure: "calls_of", tool: identity.slice(2) };
    case "order":
      return { item, measure: "before", tool: parts[0]!, otherTool: parts[1]! };
    case "steps":
      return { item, measure: "followed", steps: [stepFacts(parts[0]!), stepFacts(parts[1]!)] };
    case "args":
      return parts[2] === ":size"
        ? { item, measure: "size", tool: parts[0]!, key: parts[1]! }
        : { item, measure: "type", tool: parts[0]!, key: parts[1]!, type: parts[2]!.slice(1) };
    case "effects":
      return identity === "effects"
        ? { item, measure: "effects" }
        : { item, measure: "effects_of", tool: identity.slice(2) };
    case "outcome":
      return identity.startsWith("stop:")
        ? { item, measure: "stop", stop: identity.slice(5) }
        : { item, measure: identity as "failed" | "errors" };
    case "text":
      return { item, measure: "word_bucket" };
    default:
      return { item, measure: identity as Measure };
  }
}

function stepFacts(step: string): StepFacts {
  switch (step) {
    case TEXT_STEP:
      return { kind: "text" };
    case START_STEP:
      return { kind: "start" };
    case END_STEP:
      return { kind: "end" };
    default:
      return { kind: "call", tool: step };
  }
}
