/** What becomes of a tool call that no recording answers. An effect never runs: neither by policy, nor because its name is unknown. */

/** `refuse`: the model is told; `live-reads`: reads run, effects are refused; `stop`: the run ends. */
export const missPolicies = ["refuse", "live-reads", "stop"] as const;
export type MissPolicy = (typeof missPolicies)[number];

export type MissDecision = "refuse" | "run" | "stop";

export function onMiss(policy: MissPolicy, tool: { readonly isEffect: boolean }): MissDecision {
  if (policy === "stop") return "stop";
  return policy === "live-reads" && !tool.isEffect ? "run" : "refuse";
}
