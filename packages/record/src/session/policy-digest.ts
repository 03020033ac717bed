/** The hash of a policy by what its rules mean: limits that were counted under one policy say nothing under another. */
import { contentId } from "@spoor/core/internal/canonical/digest";
import type { Policy } from "@spoor/core/internal/policy/policy";

const digests = new WeakMap<Policy, string>();

export function policyDigest(policy: Policy): string {
  let digest = digests.get(policy);
  if (digest === undefined) {
    const rules = policy.rules.map(({ id, kind, scope, rawParams, agents, explanation }) => {
      return { id, kind, scope, params: rawParams, agents: [...agents], explanation };
    });
    digest = contentId({ rules, sessionKey: policy.sessionKey?.text ?? null });
    digests.set(policy, digest);
  }
  return digest;
}
