/** Every adapter, first match wins. */
import type { Adapter } from "./adapter.ts";
import { agentvEvaluatorAdapter, agentvTrajectoryAdapter } from "./adapters/agentv.ts";
import { bootstrapAdapter } from "./adapters/bootstrap.ts";
import { canonicalAdapter } from "./adapters/canonical.ts";
import { cohortAdapter } from "./adapters/cohort.ts";
import { diffAdapter } from "./adapters/diff.ts";
import { diffCliAdapter } from "./adapters/diff-cli.ts";
import { enforceAdapter } from "./adapters/enforce.ts";
import { layersAdapter } from "./adapters/layers.ts";
import { parseAdapter } from "./adapters/parse.ts";
import { policyCheckAdapter, policyLoadAdapter } from "./adapters/policy.ts";
import { policyCliAdapter } from "./adapters/policy-cli.ts";
import { formulaAdapter, formulaOfRuleAdapter } from "./adapters/policy-formulas.ts";
import { powerAdapter } from "./adapters/power.ts";
import { redactionAdapter } from "./adapters/redaction.ts";
import { spooledAdapter } from "./adapters/spooled.ts";
import {
  conformalAdapter,
  hotellingAdapter,
  responseVectorAdapter,
  sequentialAdapter,
} from "./adapters/statistical.ts";
import { trajectoryAdapter } from "./adapters/trajectory.ts";

export const adapters: readonly Adapter[] = [
  agentvTrajectoryAdapter,
  agentvEvaluatorAdapter,
  canonicalAdapter,
  enforceAdapter,
  cohortAdapter,
  parseAdapter,
  policyCliAdapter,
  policyCheckAdapter,
  policyLoadAdapter,
  formulaAdapter,
  formulaOfRuleAdapter,
  redactionAdapter,
  spooledAdapter,
  responseVectorAdapter,
  hotellingAdapter,
  sequentialAdapter,
  conformalAdapter,
  trajectoryAdapter,
  bootstrapAdapter,
  layersAdapter,
  diffAdapter,
  diffCliAdapter,
  powerAdapter,
];
