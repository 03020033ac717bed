/** Twelve kinds of rules over the synthetic agent, as a policy file; none of them trivially satisfied. */
export const TWELVE_RULES = `rules:
  - { id: before, kind: must_call_before, severity: warning, params: { first: confirm_refund_amount, second: issue_refund } }
  - { id: once, kind: must_call_once, params: { tool: login } }
  - { id: nocall, kind: no_call, params: { tool: delete_account } }
  - { id: calls, kind: max_calls, params: { tool: issue_refund, limit: 3 } }
  - { id: turns, kind: max_turns, params: { n: 900000 } }
  - { id: stop, kind: required_stop_reason, params: { allowed: [end_turn, tool_use] } }
  - { id: tokens, kind: max_total_tokens, params: { n: 100 } }
  - { id: include, kind: must_include_text, params: { text: never said } }
  - { id: forbid, kind: forbidden_text, params: { text: secret } }
  - { id: schema, kind: must_match_json_schema, params: { schema: { type: object, required: [answer] } }, when: [{ path: request.model, op: ==, value: json }] }
  - { id: same, kind: must_remain_consistent, params: { path: request.params.temperature } }
  - { id: ltl, kind: ltl_formula, params: { formula: "G (tool_call:issue_refund -> F stop_reason:end_turn)" } }
`;
