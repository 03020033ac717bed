/**
 * How a run of an agent came to its end, and whether it says anything about the agent. The two are apart: a run that was
 * ended by a limit or broke down did something that can be scored; a run that an outage took away did not happen.
 */

/** `answered`: by itself. `limit`: by one of its limits. `error`: the agent broke down, or there was nobody to ask. */
export type RunEnding = "answered" | "limit" | "error";

export const limitKinds = ["timeout", "turns", "tokens", "cost"] as const;
export type LimitKind = (typeof limitKinds)[number];

/** Seconds, turns of the model, tokens in and out, US dollars; absent when only the agent knows where its own limit lies. */
export type ReachedLimit = {
  readonly kind: LimitKind;
  readonly at?: number;
};

/**
 * `outage`: nothing is known of the agent, because the model's server, the network, the workspace or a judge was out, or
 * nothing that was said could be read. Such a run counts in no rate and in no test, and it is never a pass.
 */
export type RunStatus = "passed" | "failed" | "outage";

/** The runs that say something about the agent. */
export function judgedRuns<R extends { readonly status: RunStatus }>(runs: readonly R[]): R[] {
  return runs.filter(({ status }) => status !== "outage");
}
