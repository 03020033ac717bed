// JSON Schemas made from definitions in the code: reports from the TypeScript types they are compiled with, files from their readers.
import {
  createFormatter,
  createParser,
  createProgram,
  DEFAULT_CONFIG,
  LiteralType,
  SchemaGenerator,
  UnionType,
} from "ts-json-schema-generator";
import { root } from "./ensure-installed.mjs";

const DRAFT = "https://json-schema.org/draft/2020-12/schema";

/** Name of the schema, the type it describes, the file the type stands in, and what the document is. */
const reports = [
  [
    "diff",
    "DiffReport",
    "diff/diff-report.ts",
    "What `spoor diff --format json` prints: two runs, or two sets of runs, compared.",
  ],
  ["check", "CheckReport", "policy/check-report.ts", "What `spoor check --format json` prints: traces under a policy."],
  [
    "policy-test",
    "PolicyTestReport",
    "policy/test-policy.ts",
    "What `spoor policy test --format json` prints: how a policy's examples behave, and what is wrong with its rules.",
  ],
  [
    "score",
    "ScoreReport",
    "evaluators/score-report.ts",
    "What `spoor score --format json` prints: recorded traces under evaluators.",
  ],
  [
    "fingerprint",
    "FingerprintReport",
    "fingerprint/fingerprint-report.ts",
    "What `spoor fingerprint --format json` prints: one hash per run.",
  ],
  [
    "baseline",
    "AnyBaselineReport",
    "fingerprint/baseline-report.ts",
    "What `spoor baseline build|compare|show|history --format json` prints.",
  ],
  [
    "eval",
    "EvalReport",
    "evals/eval-report.ts",
    "What `spoor eval --format json` prints: cases, runs and how steady they are.",
  ],
  [
    "eval-compare",
    "EvalCompareReport",
    "evals/compare-runs.ts",
    "What `spoor eval compare --format json` prints: two stored runs side by side.",
  ],
  [
    "cohort",
    "CohortReport",
    "cohort/cohort-report.ts",
    "What `spoor cohort --format json` prints: did the agent change, or is it noise.",
  ],
  [
    "cohort-plan",
    "CohortPlanReport",
    "cohort/plan-cohort.ts",
    "What `spoor cohort plan --format json` prints: how many runs are needed.",
  ],
  [
    "cohort-sequential",
    "SequentialReport",
    "cohort/sequential-cohort.ts",
    "What `spoor cohort --sequential --format json` prints.",
  ],
  [
    "trend",
    "TrendReport",
    "fingerprint/trend.ts",
    "What `spoor trend --format json` prints: drift over a series of recordings.",
  ],
  [
    "record",
    "RecordReport",
    "capture/record-report.ts",
    "What `spoor record --format json` prints: the runs of a recording, and what it lacks.",
  ],
  [
    "replay",
    "ReplayReport",
    "cassette/replay-report.ts",
    "What `spoor replay --format json` prints: what recordings served to a run, what they lacked, what nobody asked for.",
  ],
  [
    "gate",
    "GateVerdict",
    "gate/gate-report.ts",
    "What `spoor gate --format json` prints: one verdict over every lens, with their reports inside.",
  ],
  [
    "accept",
    "AcceptReport",
    "gate/accept-report.ts",
    "What `spoor accept --format json` prints: what changed on cards, what was accepted, what was written.",
  ],
  [
    "why",
    "WhyReport",
    "why/why-report.ts",
    "What `spoor why --format json` prints: the inputs that changed, the configurations that were tried, and what is named.",
  ],
];

/** The lens reports that stand in a gate report, by the name they have there. */
const lensReports = { diff: "diff", policy: "check", baseline: "baseline", trajectory: "score", cohort: "cohort" };

/** Files that people write: name of the schema, and the definition that also reads the file. */
const files = [
  ["config", "spoor/dist/config/config.js", "buildConfigSchema"],
  ["policy", "core/dist/policy/policy-file.js", "buildPolicySchema"],
  ["evaluators", "spoor/dist/evals/evaluators-file.js", "buildEvaluatorsSchema"],
  ["evals", "spoor/dist/evals/eval-file.js", "buildEvalSchema"],
  ["baseline-file", "core/dist/fingerprint/baseline-file.js", "buildBaselineSchema"],
  ["targets", "spoor/dist/evals/targets-file.js", "buildTargetsSchema"],
  ["pricing", "core/dist/pricing/parse-pricing.js", "buildPricingSchema"],
];

/** Every file's schema as `[name, text]`. */
export async function fileSchemas() {
  const schemas = [];
  for (const [name, path, build] of files) {
    const module = await import(new URL(`../packages/${path}`, import.meta.url));
    schemas.push([name, textOf(module[build]())]);
  }
  return schemas;
}

/** Every report's schema as `[name, text]`. */
export function reportSchemas() {
  const schemas = new Map(reports.map(([name, ...rest]) => [name, schemaOf(name, ...rest)]));
  schemas.set("gate", withLensReports(schemas.get("gate"), schemas));
  return [...schemas].map(([name, schema]) => [name, textOf(schema)]);
}

function schemaOf(name, type, file, description) {
  const core = `${root}packages/core/`;
  const config = {
    ...DEFAULT_CONFIG,
    path: `${core}src/${file}`,
    tsconfig: `${core}tsconfig.json`,
    type,
    topRef: false,
    skipTypeCheck: true,
    additionalProperties: false,
  };
  const program = createProgram(config);
  const parser = createParser(program, config, (parsers) => parsers.addNodeParser(namesOfDefinitions(program)));
  const generator = new SchemaGenerator(program, parser, createFormatter(config), config);
  const { $schema: _draft7, definitions, ...schema } = modernise(generator.createSchema(type));
  return {
    $schema: DRAFT,
    $id: `${name}.schema.json`,
    title: `spoor.${name}/1`,
    ...schema,
    description,
    $defs: definitions,
  };
}

/** `(typeof all)[number]["name"]`, the names of a list of definitions: the compiler knows them, the generator cannot follow imports. */
function namesOfDefinitions(program) {
  return {
    supportsNode: (node) => /^\(typeof \w+\)\[number\]\["\w+"\]$/.test(textOfNode(node)),
    createType(node) {
      const type = program.getTypeChecker().getTypeFromTypeNode(node);
      return new UnionType((type.types ?? [type]).map((one) => new LiteralType(one.value)));
    },
  };
}

function textOfNode(node) {
  const file = node.getSourceFile?.();
  return file === undefined ? "" : node.getText(file);
}

/** Types of different lenses share names, so each report stands in the gate's schema as a document of its own. */
function withLensReports(gate, schemas) {
  const entries = Object.entries(lensReports);
  const reports = {
    type: "object",
    description: "The whole reports, for whoever wants more than the table.",
    properties: Object.fromEntries(entries.map(([lens, name]) => [lens, { $ref: `${name}.schema.json` }])),
    additionalProperties: false,
  };
  return {
    ...gate,
    properties: { ...gate.properties, reports },
    required: [...gate.required, "reports"],
    $defs: { ...gate.$defs, ...Object.fromEntries(entries.map(([, name]) => [`${name}-report`, schemas.get(name)])) },
  };
}

/** Draft 7, which the generator writes, as 2020-12. Names with type arguments become plain words. */
function modernise(value, key = "") {
  if (Array.isArray(value)) return value.map((item) => modernise(item));
  if (value === null || typeof value !== "object") {
    return key === "$ref" ? `#/$defs/${plainName(decodeURIComponent(value.slice("#/definitions/".length)))}` : value;
  }
  const entries = Object.entries(value).map(([name, item]) => {
    if (key === "definitions") return [plainName(name), modernise(item)];
    if (name === "items" && Array.isArray(item)) return ["prefixItems", modernise(item)];
    if (name === "additionalItems") return ["items", modernise(item)];
    return [name, modernise(item, name)];
  });
  return Object.fromEntries(entries);
}

function textOf(schema) {
  return `${JSON.stringify(schema, null, 2)}\n`;
}

function plainName(name) {
  return name.replace(/[^\w.-]+/g, "_").replace(/^_|_$/g, "");
}
