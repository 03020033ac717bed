import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import { listPacks, loadPolicies, policyOfSources } from "./load-policy.ts";

/** What can be compared of a policy: rules carry functions. */
const told = ({ rules, warnings, file }: ReturnType<typeof policyOfSources>) =>
  JSON.stringify({
    file,
    warnings,
    rules: rules.map(({ id, kind, params, at, severity }) => ({ id, kind, params, at, severity })),
  });

it("a policy of several files that name others is made again when all of them are gone", () => {
  const cwd = temporaryFolder();
  const write = (name: string, text: string) => writeFileSync(join(cwd, name), text);
  mkdirSync(join(cwd, "more"));
  write("more/base.yaml", "rules:\n  - { id: base, kind: no_call, params: { tool: rm } }\n");
  write("answer.json", '{ "type": "object" }');
  write(
    "policy.yaml",
    "extends: [more/base.yaml, spoor:refunds]\nrules:\n  - { id: shape, kind: must_match_json_schema, params: { schema_path: answer.json } }\n",
  );
  write("second.yaml", "rules:\n  - { id: second, kind: max_turns, params: { n: 3 } }\n");
  const loaded = loadPolicies(["policy.yaml", "second.yaml"], { cwd });
  rmSync(cwd, { recursive: true });
  expect(loaded.policy.rules.length).toBeGreaterThan(3);
  expect(told(policyOfSources(loaded.sources))).toBe(told(loaded.policy));
});

it.each(listPacks())("so is spoor:%s", (pack) => {
  const loaded = loadPolicies([`spoor:${pack}`], { cwd: "/nowhere" });
  expect(told(policyOfSources(structuredClone(loaded.sources)))).toBe(told(loaded.policy));
});
