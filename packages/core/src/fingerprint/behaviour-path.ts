/**
 * A behaviour as people read it: tools in order, loops collapsed, `reply` where the run ends with the model speaking.
 * `lookup_order > search×n > issue_refund > reply`
 */
import { collapseLoops } from "./collapse-loops.ts";
import { isToolSegment, targetOf } from "./segments.ts";

const REPLY = "reply";

/** The steps of a path before loops are collapsed: names of tools and endpoints, and the last reply. */
export function pathSteps(segments: readonly string[]): string[] {
  const steps = segments.filter(isToolSegment).map((segment) => targetOf(segment) || "(no name)");
  const last = segments.at(-1);
  if (last?.startsWith("LLM_CALL:")) steps.push(REPLY);
  if (steps.length === 0) return segments.map((segment) => targetOf(segment) || "(no name)");
  return steps;
}

export function behaviourPath(segments: readonly string[]): string {
  const steps = collapseLoops(pathSteps(segments));
  return steps.length === 0 ? "(no steps)" : steps.join(" > ");
}
