/**
 * The definition of a file says the same twice: as JSON Schema to an editor, and as a reader to the tool. Every example file
 * of the repository passes both, and so far as a schema can tell, both refuse the same damaged documents.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Json, JsonObject } from "@spoor/core";
import { baselineFile, buildBaselineSchema } from "@spoor/core/internal/fingerprint/baseline-file";
import { buildPolicySchema, policyFile } from "@spoor/core/internal/policy/policy-file";
import { buildPricingSchema, pricingFile } from "@spoor/core/internal/pricing/parse-pricing";
import { Problems } from "@spoor/core/internal/read/located";
import type { Shape } from "@spoor/core/internal/read/shape";
import { valueSource } from "@spoor/core/internal/read/source";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { buildConfigSchema, configFile } from "../../src/config/config.ts";
import { buildEvalSchema } from "../../src/evals/eval-file.ts";
import { judgesShape } from "../../src/evals/evaluators/judge-options.ts";
import { buildEvaluatorsSchema, evaluatorsFile } from "../../src/evals/evaluators-file.ts";
import { parseEvalFile } from "../../src/evals/parse-eval-file.ts";
import { targetShape } from "../../src/evals/target.ts";
import { buildTargetsSchema, targetsFile } from "../../src/evals/targets-file.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

interface Kind {
  readonly name: string;
  readonly read: (value: Json) => Problems;
  readonly schema: JsonObject;
  readonly files: readonly string[];
  /** Written here, where the repository has no file of its own. */
  readonly documents?: readonly Json[];
}

const NO_FILES = { findFile: (name: string) => name, resolvePath: (path: string) => path };

const kinds: readonly Kind[] = [
  {
    name: "policy",
    read: reading(policyFile),
    schema: buildPolicySchema(),
    files: [...files("examples", /polic(y|ies\/\w+)\.yaml$/), ...files("packages/spoor/policies", /\.yaml$/)],
  },
  {
    name: "config",
    read: reading(configFile),
    schema: buildConfigSchema(),
    files: files("examples/refund", /config\.yaml$/),
  },
  {
    name: "evaluators",
    // The judge is read after the environment has been filled in.
    read: (value) => {
      const problems = reading(evaluatorsFile)(value);
      const judge = problems.root().get("judge");
      if (judge !== undefined) judgesShape.read(judge);
      return problems;
    },
    schema: buildEvaluatorsSchema(),
    files: [],
    // Without promptfoo's assertions: they are translated before they are read, so a schema sees only their frame.
    documents: [
      [
        {
          name: "path",
          type: "tool_trajectory",
          mode: "in_order",
          expected: ["lookup", { tool: "refund", args: { n: 1 } }],
        },
        { type: "not-contains", value: "sorry", weight: 2, required: true },
        { type: "llm_judge", rubrics: ["polite", { id: "short", outcome: "is short", weight: 2 }] },
        "names the order",
      ],
      {
        threshold: 0.9,
        judge: { provider: "anthropic", model: "m" },
        evaluators: [
          { type: "composite", evaluators: [{ type: "latency", threshold: 5 }], aggregator: { type: "threshold" } },
          { type: "field_accuracy", fields: [{ path: "total", match: "numeric_tolerance", tolerance: 0.1 }] },
          { type: "code_judge", command: ["node", "judge.mjs"], own: 3 },
        ],
      },
    ],
  },
  {
    name: "evals",
    read: (value) => parseEvalFile(valueSource(value, "example"), NO_FILES).problems,
    schema: buildEvalSchema(),
    files: [
      ...files("examples/evals", /(?<!targets)\.yaml$/),
      ...files("examples/conversation", /turns\.eval\.yaml$/),
      "examples/refund/evaluators.yaml",
    ],
  },
  {
    name: "targets",
    // A target is read when it is opened.
    read: (value) => {
      const problems = new Problems(valueSource(value, "example"));
      for (const { at } of targetsFile.read(problems.root()) ?? []) targetShape.read(at);
      return problems;
    },
    schema: buildTargetsSchema(),
    files: ["examples/evals/targets.yaml"],
    documents: [
      [
        { name: "c", provider: "codex-cli", model: "m", args: ["-v"], sandbox_mode: "read-only", maxRetries: 2 },
        { id: "d", provider: "claude", env: { A: 1 }, allowed_tools: "Bash", dangerouslySkipPermissions: true },
        { label: "e", provider: "copilot", executable: "bin/copilot", retry_status_codes: [500] },
        { name: "v", provider: "vscode", poll_ms: 50, cwd: "work" },
      ],
      {
        $schema: "of another tool",
        targets: {
          model: {
            provider: "ollama",
            base_url: "http://localhost:1",
            model: "m",
            temperature: ["$", "{{ TEMPERATURE }}"].join(""),
            tools: [
              { name: "a", input_schema: {}, result: 1 },
              { type: "function", function: { name: "b", parameters: {} } },
            ],
            pricing: { input: 1, output: 2 },
          },
          web: { provider: "http", endpoint: "http://localhost:2", headers: { "x-key": "k" }, body: ["{{ prompt }}"] },
          own: { provider: "module", path: "agent.ts", config: null },
          old: { provider: "replay", traces: ["a.json"], judge_target: "model" },
          shell: {
            provider: "cli",
            command: ["node", "a.mjs"],
            healthcheck: { type: "http", url: "http://localhost:3" },
          },
        },
      },
    ],
  },
  {
    name: "pricing",
    read: reading(pricingFile),
    schema: buildPricingSchema(),
    files: [],
    documents: [
      {
        _source: "a contract",
        "model-a": [0.000002, 0.000008],
        "model-b": { input: 1e-6, output: 2e-6, cached_write_5m: 1e-6, batch_discount: 0.5, _seen: "2026-01-01" },
      },
    ],
  },
  {
    name: "baseline-file",
    read: reading(baselineFile),
    schema: buildBaselineSchema(),
    files: files("examples/refund/baselines", /\.json$/),
  },
];

/** The files below a folder whose path ends like this. */
function files(folder: string, ending: RegExp): string[] {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" });
  return names
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((name) => ending.test(name))
    .sort();
}

function load(file: string): Json {
  return parse(readFileSync(join(root, file), "utf8")) as Json;
}

function validatorOf({ schema }: Kind): (value: Json) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
  const validate = ajv.compile(schema);
  return (value) => (validate(value) ? [] : validate.errors!.map((error) => `${error.instancePath} ${error.message}`));
}

/** Everything a schema could find, in words. */
function shapeErrors({ read }: Kind, value: Json): string[] {
  const problems = read(value);
  return problems.shapeErrors === 0 ? [] : problems.errors.map(({ at, message }) => `${at.path} ${message}`);
}

function reading(shape: Shape<unknown>): (value: Json) => Problems {
  return (value) => {
    const problems = new Problems(valueSource(value, "example"), () => ({ text: "{}" }));
    shape.read(problems.root());
    return problems;
  };
}

describe.each(kinds)("$name", (kind) => {
  const validate = validatorOf(kind);

  const examples = [
    ...kind.files.map((file) => ({ name: file, value: load(file) })),
    ...(kind.documents ?? []).map((value, index) => ({ name: `document ${index + 1}`, value })),
  ];

  it("has examples", () => {
    expect(examples.length).toBeGreaterThan(0);
  });

  it.each(examples)("$name passes schema and reader", ({ value }) => {
    expect(validate(value)).toEqual([]);
    expect(shapeErrors(kind, value)).toEqual([]);
  });

  it("refuses the same damaged documents as its reader", () => {
    const documents = examples.map(({ value }) => value);
    fc.assert(
      fc.property(fc.constantFrom(...documents), damages, (document, damage) => {
        const damaged = apply(document, damage);
        const [bySchema, byReader] = [validate(damaged), shapeErrors(kind, damaged)];
        if ((bySchema.length === 0) !== (byReader.length === 0))
          throw new Error(`They disagree: ${JSON.stringify({ bySchema, byReader, damaged })}`);
      }),
      { numRuns: 300 },
    );
  });
});

/** One change at one place: which one is found by walking the document, so that small numbers stay near the top. */
interface Damage {
  readonly place: number;
  readonly kind: "drop" | "replace" | "add" | "rename";
  readonly value: Json;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  place: fc.nat({ max: 400 }),
  kind: fc.constantFrom("drop", "replace", "add", "rename"),
  value: fc.oneof(
    fc.constantFrom<Json>("", "x", 3, -1, 1.5, true, [], {}, ["x"], [3], { x: 1 }, "2026-12-31", "error"),
    fc.integer(),
  ),
});

function apply(document: Json, { place, kind, value }: Damage): Json {
  const copy = structuredClone(document) as Json;
  const places: { holder: Record<string, Json>; key: string }[] = [];
  const walk = (node: Json): void => {
    if (typeof node !== "object" || node === null) return;
    for (const key of Object.keys(node)) {
      places.push({ holder: node as Record<string, Json>, key });
      walk((node as JsonObject)[key]!);
    }
  };
  walk(copy);
  const { holder, key } = places[place % places.length]!;
  const isList = Array.isArray(holder);
  if (kind === "replace") holder[key] = value;
  else if (kind === "add" && !isList) holder["unexpected"] = value;
  else if (kind === "drop" && isList) holder.splice(Number(key), 1);
  else if (kind === "drop") delete holder[key];
  else if (kind === "rename" && !isList) {
    holder[`${key}s`] = holder[key]!;
    delete holder[key];
  }
  return copy;
}
