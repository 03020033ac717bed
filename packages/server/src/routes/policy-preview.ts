/** What an edited policy would say, before it is put. */
import type { Json } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { collectBody } from "spoor/internal/record/otlp/otlp-body";
import { shownId } from "../ingest/content-id.ts";
import type { PreviewedRun } from "../stages/preview-policy.ts";
import type { NewFinding, RunFilter } from "../store/store.ts";
import { openCursors } from "./cursor.ts";
import { parameter } from "./parameter.ts";
import { MOST_POLICY_BYTES } from "./policies.ts";
import { defineRoute, json } from "./route.ts";

const PAGE = 100;

export const previewRules = defineRoute({
  method: "POST",
  path: "/api/v1/policies/preview",
  scope: "read",
  summary: "What a policy would say of the newest runs; nothing of it is kept.",
  query: {
    agent: parameter.text("of this agent"),
    release: parameter.text("of this release"),
    scenario: parameter.text("of this scenario"),
    limit: parameter.integer("so many runs at a time (default and most 100)", 1, PAGE),
    cursor: parameter.text("`next` of the page before, with the same policy"),
  },
  content: "the policy file, as YAML or JSON; it may name no other files",
  answer:
    "200 `{rules: [{id, severity, runs, findings}], checked, notKept, passed, failed, notEvaluated, runs: [{id, name, agent, release?, status, would, findings}], next?}`: counts of this page; `runs` are those that break a rule or would have another status than `status`. 400 `policy.invalid` with every problem of the file, its line and column.",
  async run({ caller: { projectId }, query, request }, { store, now, reading }) {
    const text = (await collectBody(request, MOST_POLICY_BYTES)).toString("utf8");
    const policy = parsePolicy(text, { file: "policy.yaml" });
    const { limit = PAGE, cursor, ...filter } = query;
    const question = { ...present(filter), policy: digestText(text) } as Json;
    const cursors = await openCursors(store, projectId, now());
    const before = cursor === undefined ? undefined : cursors.read(cursor, question);
    const found = await store.runs.page(projectId, present(filter) as RunFilter, before, limit + 1);
    const runs = found.slice(0, limit);
    const { previewPolicy } = await import("../stages/preview-policy.ts");
    const today = new Date(now()).toISOString().slice(0, 10);
    const preview = await reading(() => previewPolicy(store, projectId, { policy, text, runs, today }));
    const count = (status: string) => preview.runs.filter(({ would }) => would === status).length;
    return json(
      present({
        rules: policy.rules.map(({ id, severity }) => ({ id, severity, ...countsOf(id, preview.runs) })),
        checked: preview.runs.length,
        notKept: preview.notKept,
        passed: count("passed"),
        failed: count("failed"),
        notEvaluated: count("not_evaluated"),
        runs: preview.runs.filter(({ run, would, findings }) => findings.length > 0 || would !== run.status).map(shown),
        next: found.length > limit ? cursors.write(runs.at(-1)!.id, question) : undefined,
      }) as unknown as Json,
    );
  },
});

function countsOf(rule: string, runs: readonly PreviewedRun[]): { runs: number; findings: number } {
  const found = runs.map(({ findings }) => findings.filter(({ ruleId }) => ruleId === rule).length);
  return { runs: found.filter((count) => count > 0).length, findings: found.reduce((sum, count) => sum + count, 0) };
}

function shown({ run, would, findings }: PreviewedRun): Json {
  const { contentId, name, agent, release, scenario, status } = run;
  return present({
    id: shownId(contentId),
    name,
    agent,
    release,
    scenario,
    status,
    would,
    findings: findings.map(findingOf),
  }) as Json;
}

function findingOf({ configHash: _, evidence, ...finding }: NewFinding): Json {
  return present({ ...finding, message: stringMember(evidence, "message") }) as Json;
}
