/** Twelve kinds of rules that Shadow has too, as both read them. */
export const TWELVE_RULES = `[
  { "id": "before", "kind": "must_call_before", "params": { "first": "lookup_order", "then": "issue_refund" } },
  { "id": "once", "kind": "must_call_once", "params": { "tool": "lookup_order" } },
  { "id": "none", "kind": "no_call", "params": { "tool": "delete" } },
  { "id": "turns", "kind": "max_turns", "params": { "limit": 9000 } },
  { "id": "stop", "kind": "required_stop_reason", "params": { "allowed": ["end_turn", "tool_use"] } },
  { "id": "tokens", "kind": "max_total_tokens", "params": { "limit": 100 } },
  { "id": "include", "kind": "must_include_text", "params": { "text": "never said" } },
  { "id": "forbid", "kind": "forbidden_text", "params": { "text": "secret" } },
  { "id": "schema", "kind": "must_match_json_schema", "params": { "schema": { "type": "object", "required": ["answer"] } } },
  { "id": "same", "kind": "must_remain_consistent", "params": { "path": "request.params.temperature" } },
  { "id": "follow", "kind": "must_followup", "params": {
    "trigger": [{ "path": "stop_reason", "op": "==", "value": "tool_use" }],
    "must": { "kind": "text_includes", "text": "order" } } },
  { "id": "grounded", "kind": "must_be_grounded", "params": { "retrieval_path": "request.metadata.chunks" } }
]`;
