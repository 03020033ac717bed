/** A rule that already holds in every recorded run, as it is proposed to a person and written into a policy. */
export interface MinedRule {
  readonly id: string;
  readonly shape: RuleShape;
  /** `held 5 of 5 times`, `offered, never called`. */
  readonly evidence: string;
  /** Chosen unless someone says otherwise. */
  readonly suggested: boolean;
}

export type RuleShape =
  | { readonly kind: "must_call_before"; readonly first: string; readonly second: string }
  | { readonly kind: "max_calls"; readonly tool: string }
  | { readonly kind: "no_call"; readonly tool: string }
  /** The same call again and again: for agents nobody has seen running yet. */
  | { readonly kind: "no_loop" };
