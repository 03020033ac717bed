/** Every adapter, first match wins. */
import type { Adapter } from "./adapter.ts";
import { agentvEvaluatorAdapter, agentvTrajectoryAdapter } from "./adapters/agentv.ts";
import { canonicalAdapter } from "./adapters/canonical.ts";
import { cohortAdapter } from "./adapters/cohort.ts";
import { parseAdapter } from "./adapters/parse.ts";
import { redactionAdapter } from "./adapters/redaction.ts";
import { spooledAdapter } from "./adapters/spooled.ts";
import {
  conformalAdapter,
  hotellingAdapter,
  responseVectorAdapter,
  sequentialAdapter,
} from "./adapters/statistical.ts";

export const adapters: readonly Adapter[] = [
  agentvTrajectoryAdapter,
  agentvEvaluatorAdapter,
  canonicalAdapter,
  cohortAdapter,
  parseAdapter,
  redactionAdapter,
  spooledAdapter,
  responseVectorAdapter,
  hotellingAdapter,
  sequentialAdapter,
  conformalAdapter,
];
