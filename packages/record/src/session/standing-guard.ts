/**
 * A guard session as one of several that stand around the same tools, judged before the others see that a tool is used. Apart
 * from the session itself, so that whoever only asks for it does not load the engine.
 */
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { ToolUse } from "../intercept/tool-use.ts";

export interface StandingGuard {
  /** Told the name of every tool it stands around; undefined for what names its uses itself. */
  onTool(name: string | undefined): void;
  /** `onRefused` without violations: the guard itself could not judge. */
  around(
    use: ToolUse,
    options: { readonly agent?: string | undefined; readonly onRefused: (violations: readonly Violation[]) => void },
  ): unknown;
}

const standing = new WeakMap<object, StandingGuard>();

export function setStandingGuard(session: object, guard: StandingGuard): void {
  standing.set(session, guard);
}

/** Undefined for what is no session of this guard. */
export function standingGuard(session: object): StandingGuard | undefined {
  return standing.get(session);
}
