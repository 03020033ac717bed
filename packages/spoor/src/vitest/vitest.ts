/**
 * Matchers for Vitest. Put `import "spoor/vitest"` into a setup file (or into the test), then:
 *
 *   expect(trace).toFollowTrajectory(["lookup_order", { tool: "issue_refund", args: { order_id: "A-7731" } }]);
 *   expect(trace).toSatisfyPolicy("policies/refunds.yaml");
 *   expect(trace).toMatchBehaviour();
 *
 * And a suite whose tests ask an agent several times: `describeAgent`.
 */

import type { Policy } from "@spoor/core/internal/policy/policy";
import { expect } from "vitest";
import { type TrajectoryExpectation, toFollowTrajectory } from "./to-follow-trajectory.ts";
import { type BehaviourOptions, toMatchBehaviour } from "./to-match-behaviour.ts";
import { toSatisfyPolicy } from "./to-satisfy-policy.ts";

/** For `expect.extend` of one's own. */
export const spoorMatchers = { toFollowTrajectory, toMatchBehaviour, toSatisfyPolicy };

expect.extend(spoorMatchers);

export {
  type AgentRunInfo,
  type AgentRunResult,
  type AgentSuiteOptions,
  type AgentTest,
  describeAgent,
} from "./describe-agent.ts";
export type { Received } from "./received.ts";
export type { BehaviourOptions, TrajectoryExpectation };

interface SpoorMatchers<R> {
  /** The calls follow these steps: a list (in order, others may stand between), or an entry with `mode`. */
  toFollowTrajectory(expected: TrajectoryExpectation): R;
  /** No rule of the policy is broken; a file, a pack (`spoor:refunds`) or a parsed policy. */
  toSatisfyPolicy(policy: string | Policy): R;
  /** The run takes the path that the snapshot holds. */
  toMatchBehaviour(options?: BehaviourOptions): R;
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration it extends has this very signature
  interface Assertion<T = any> extends SpoorMatchers<T> {}
  interface AsymmetricMatchersContaining extends SpoorMatchers<unknown> {}
}
