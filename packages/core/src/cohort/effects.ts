import { isEffectName } from "../trace/effects.ts";
import type { CohortCall } from "./run.ts";

/** Whether this call changed the world, as far as the trace can tell: its tool may change something and the call did not fail. */
export function isEffect(call: CohortCall): boolean {
  return call.error !== true && (call.effect ?? isEffectName(call.name));
}
