/** Policies by which runs are judged when they arrive; what arrived before is judged again when they change. */
import type { Json } from "@spoor/core";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { present } from "@spoor/core/internal/trace/present";
import { collectBody } from "spoor/internal/record/otlp/otlp-body";
import { POLICY_KIND } from "../stages/project-rules.ts";
import { notFound } from "./error-answer.ts";
import { invalidRequest } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";

/** As large as the reader of YAML takes. */
export const MOST_POLICY_BYTES = 1024 * 1024;

export const listPolicies = defineRoute({
  method: "GET",
  path: "/api/v1/policies",
  scope: "read",
  summary: "The policies of the project, and how far runs were judged again since they changed.",
  answer:
    "200 `{policies: [{name, hash, createdAt}], reevaluation?: {done, of, notKept, startedAt, finishedAt?}}`; `notKept` are runs whose recordings are gone.",
  async run({ caller: { projectId } }, { store }) {
    const policies = (await store.configs.list(projectId, POLICY_KIND)).map((policy) => ({ ...policy }));
    const state = await store.reevaluations.current(projectId);
    if (state === undefined) return json({ policies });
    const { done, of, notKept, startedAt, finishedAt } = state;
    return json({ policies, reevaluation: present({ done, of, notKept, startedAt, finishedAt }) as Json });
  },
});

export const showPolicy = defineRoute({
  method: "GET",
  path: "/api/v1/policies/{name}",
  scope: "read",
  summary: "The text of a policy.",
  answer: "200, the file as it was put; its digest as `ETag`; 404 where there is none.",
  async run({ caller: { projectId }, path }, { store }) {
    const policy = await store.configs.current(projectId, POLICY_KIND, path["name"]!);
    if (policy === undefined) throw notFound("such policy");
    return {
      status: 200,
      headers: { "content-type": "application/yaml; charset=utf-8", etag: `"${policy.hash}"` },
      content: policy.body,
    };
  },
});

export const putPolicy = defineRoute({
  method: "PUT",
  path: "/api/v1/policies/{name}",
  scope: "admin",
  summary: "Puts a policy in the place of an older one of that name.",
  content: "the policy file, as YAML or JSON; it may name no other files",
  answer: "200 `{name, hash, rules}`; 400 with every problem of the file.",
  async run({ caller: { projectId }, path, request }, { store, now }) {
    const name = path["name"]!;
    if (!/^[\w.-]{1,100}$/.test(name))
      throw invalidRequest("The name of a policy has letters, digits, dots, dashes and underscores, at most 100.");
    const text = (await collectBody(request, MOST_POLICY_BYTES)).toString("utf8");
    const policy = parsePolicy(text, { file: /\.(json|ya?ml)$/.test(name) ? name : `${name}.yaml` });
    const hash = await store.configs.put(projectId, POLICY_KIND, name, text, now());
    return json({ name, hash, rules: policy.rules.length });
  },
});
