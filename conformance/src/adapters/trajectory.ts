/** Two content lists → tokens, edit distance, distance, and the grade of that single pair. */
import { buildTrace, type Json, type JsonObject, parseJson } from "@spoor/core";
import { toolDivergence } from "@spoor/core/internal/diff/axes/trajectory";
import { callToken } from "@spoor/core/internal/diff/call-token";
import { diffTraces } from "@spoor/core/internal/diff/diff-traces";
import { FactsTable, type TurnFacts } from "@spoor/core/internal/diff/turn-facts";
import { levenshtein } from "@spoor/core/internal/stats/levenshtein";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter } from "../adapter.ts";
import { compare } from "../compare.ts";

export const trajectoryAdapter: Adapter = {
  name: "trajectory",
  matches: (testCase) =>
    ["baseline_content_json", "candidate_content_json"].every((key) => typeof member(testCase, key) === "string"),
  run(testCase) {
    const baseline = traceOf(testCase, "baseline_content_json");
    const candidate = traceOf(testCase, "candidate_content_json");
    const table = new FactsTable();
    const [before] = table.addTurns(baseline.turns);
    const [after] = table.addTurns(candidate.turns);
    const { rows } = diffTraces(baseline, candidate, { pairing: "index" });
    return compare(member(testCase, "expected"), {
      baseline_tokens: tokens(table, before!),
      candidate_tokens: tokens(table, after!),
      edit_distance: levenshtein(tokens(table, before!), tokens(table, after!)),
      distance: toolDivergence(before!, after!),
      severity_single_pair: rows.find((row) => row.axis === "trajectory")!.severity,
      shape_only_distance: shapeDistance(shapes(table, before!), shapes(table, after!)),
    });
  },
};

function traceOf(testCase: JsonObject, key: string) {
  const content: Json = parseJson(stringMember(testCase, key)!);
  return buildTrace([{ kind: "chat_response", payload: { content } }]);
}

function tokens(table: FactsTable, facts: TurnFacts): string[] {
  return Array.from(facts.calls, (id) => callToken(table.call(id)));
}

function shapes(table: FactsTable, facts: TurnFacts): string[] {
  return Array.from(facts.calls, (id) => table.shapeOf(id));
}

function shapeDistance(before: readonly string[], after: readonly string[]): number {
  const longest = Math.max(before.length, after.length);
  return longest === 0 ? 0 : levenshtein(before, after) / longest;
}
