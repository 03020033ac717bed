// The floors of the house, from the ground up. A room knows rooms of lower floors, never one beside it or above it.
// `ARCHITECTURE.md` shows the same list to people; `check-imports.mjs` holds the house to it.
export const floors = [
  ["core/src"],
  ["core/src/trace", "core/src/stats", "core/src/judgement"],
  ["core/src/canonical", "core/src/text", "core/src/report", "core/src/providers", "core/src/shell"],
  ["core/src/json-schema", "core/src/read", "core/src/redact", "core/src/verify"],
  ["core/src/trajectory", "core/src/fingerprint", "core/src/cohort", "core/src/pricing"],
  ["core/src/policy", "core/src/capture", "core/src/evals"],
  ["core/src/diff", "core/src/evaluators", "core/src/cassette"],
  ["core/src/gate", "core/src/why"],
  ["core/src/index", "core/src/public"],
  ["record/src", "web/src", "spoor/src", "spoor/src/formats", "spoor/src/document"],
  ["spoor/src/describe", "spoor/src/write"],
  ["spoor/src/load"],
  ["spoor/src/config", "spoor/src/store"],
  ["spoor/src/evals"],
  ["spoor/src/gate", "spoor/src/hook", "spoor/src/init", "spoor/src/proxy", "spoor/src/record", "spoor/src/vitest"],
  ["spoor/src/accept", "spoor/src/doctor", "spoor/src/runs"],
  ["spoor/src/review", "spoor/src/why"],
  ["spoor/src/cli", "spoor/src/index"],
];
