/** Every rule kind, in the order of docs/policy.md. A new kind is one file, one test and one line here. */
import type { RuleKind } from "./rule.ts";
import { forbiddenText } from "./rules/forbidden-text.ts";
import { knownPath } from "./rules/known-path.ts";
import { ltlFormula } from "./rules/ltl-formula.ts";
import { maxCalls } from "./rules/max-calls.ts";
import { maxCost } from "./rules/max-cost.ts";
import { maxTotalTokens } from "./rules/max-total-tokens.ts";
import { maxTurns } from "./rules/max-turns.ts";
import { mustBeGrounded } from "./rules/must-be-grounded.ts";
import { mustCallAll } from "./rules/must-call-all.ts";
import { mustCallBefore } from "./rules/must-call-before.ts";
import { mustCallOnce } from "./rules/must-call-once.ts";
import { mustCallOneOf } from "./rules/must-call-one-of.ts";
import { mustFollowup } from "./rules/must-followup.ts";
import { mustIncludeText } from "./rules/must-include-text.ts";
import { mustIncludeTextEach } from "./rules/must-include-text-each.ts";
import { mustMatchJsonSchema } from "./rules/must-match-json-schema.ts";
import { mustRemainConsistent } from "./rules/must-remain-consistent.ts";
import { noBlindRetry } from "./rules/no-blind-retry.ts";
import { noCall } from "./rules/no-call.ts";
import { noCommand } from "./rules/no-command.ts";
import { noDrift } from "./rules/no-drift.ts";
import { noFailedCall } from "./rules/no-failed-call.ts";
import { noFlow } from "./rules/no-flow.ts";
import { noParallel } from "./rules/no-parallel.ts";
import { noResult } from "./rules/no-result.ts";
import { onlyCalls } from "./rules/only-calls.ts";
import { requiredStopReason } from "./rules/required-stop-reason.ts";

export const ruleKinds: readonly RuleKind[] = [
  mustCallBefore,
  mustCallOnce,
  mustCallOneOf,
  noCall,
  onlyCalls,
  noCommand,
  maxCalls,
  noParallel,
  noFailedCall,
  noBlindRetry,
  noFlow,
  noResult,
  maxTurns,
  maxTotalTokens,
  maxCost,
  requiredStopReason,
  mustIncludeText,
  mustIncludeTextEach,
  forbiddenText,
  mustMatchJsonSchema,
  mustRemainConsistent,
  mustFollowup,
  mustBeGrounded,
  ltlFormula,
  mustCallAll,
  noDrift,
  knownPath,
];
