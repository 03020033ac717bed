/** The published JSON Schemas against what the real commands print, and against what must not pass. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { everyReport, exampleFolder, makeReport } from "./every-report.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

const schemaFolder = fileURLToPath(new URL("../../schemas/", import.meta.url));

type Schema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] };

describe("spoor schema", () => {
  it("lists every schema, and prints each by its name and by the schema of its report", async () => {
    const names = readdirSync(schemaFolder).map((name) => name.replace(".schema.json", ""));
    const listed = await runSpoor(["schema"]);
    expect(listed.code).toBe(0);
    for (const name of names) expect(listed.stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    for (const name of ["config", "diff"]) {
      const printed = await runSpoor(["schema", name]);
      expect(printed.stdout).toBe(readFileSync(join(schemaFolder, `${name}.schema.json`), "utf8"));
    }
    const bySchema = await runSpoor(["schema", "spoor.diff/1"]);
    expect(bySchema.stdout).toBe(readFileSync(join(schemaFolder, "diff.schema.json"), "utf8"));
  });

  it("writes a schema to a file", async () => {
    const folder = temporaryFolder();
    const run = await runSpoor(["schema", "policy", "-o", "p.json"], { cwd: folder });
    expect(run).toMatchObject({ code: 0, stdout: "" });
    expect(JSON.parse(readFileSync(join(folder, "p.json"), "utf8"))).toMatchObject({ title: "Spoor policy" });
  });

  it("names the nearest schema when there is none of that name", async () => {
    const run = await runSpoor(["schema", "polcy"]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean policy?") });
  });
});

describe("schemas of reports", () => {
  it.each(everyReport)("$name fits its schema", async ({ schema, args }) => {
    const { text } = await makeReport(args);
    const report = JSON.parse(text) as Record<string, unknown>;
    expect(report["schema"]).toBe(schema);
    expect(problemsOf(schema, report)).toEqual([]);
  });

  it.each([
    { name: "diff", break: (report: Broken) => delete report["verdict"] },
    { name: "diff", break: (report: Broken) => Object.assign(report["structure"] as object, { changed: "four" }) },
    { name: "check", break: (report: Broken) => Object.assign(report, { surprise: 1 }) },
    { name: "gate", break: (report: Broken) => Object.assign(report, { status: "fine" }) },
    { name: "gate", break: (report: Broken) => delete (report["reports"] as { diff: Broken }).diff["verdict"] },
    { name: "baseline compare", break: (report: Broken) => Object.assign(report, { action: "forget" }) },
    { name: "fingerprint", break: (report: Broken) => Object.assign(report, { schema: "spoor.fingerprint/2" }) },
    { name: "score", break: (report: Broken) => Object.assign(report["gate"] as object, { tripped: "no" }) },
  ])("$name: what is broken ($break) does not fit", async ({ name, break: damage }) => {
    const { schema, args } = everyReport.find((entry) => entry.name === name)!;
    const report = JSON.parse((await makeReport(args)).text) as Broken;
    damage(report);
    expect(problemsOf(schema, report)).not.toEqual([]);
  });
});

type Broken = Record<string, unknown>;

describe("schemas of files", () => {
  const folder = exampleFolder;

  it.each([
    { name: "config", file: "spoor.config.yaml" },
    { name: "config", file: "same.config.yaml" },
    { name: "policy", file: "policies/refunds.yaml" },
    { name: "baseline-file", file: "baselines/support_agent.json" },
  ])("$file fits $name", ({ name, file }) => {
    const value = parse(readFileSync(join(folder(), file), "utf8")) as unknown;
    expect(problemsOf(name, value)).toEqual([]);
  });

  it("a baseline that the command built fits too", async () => {
    const place = folder();
    await runSpoor(["baseline", "build", "candidate", "--baseline", "learnt"], { cwd: place });
    expect(
      problemsOf("baseline-file", JSON.parse(readFileSync(join(place, "learnt/support_agent.json"), "utf8"))),
    ).toEqual([]);
  });

  it.each([
    { name: "config", value: { traces: "x", polcy: {} } },
    { name: "config", value: { diff: { baseline: "x" } } },
    { name: "config", value: { traces: "x", mode: "shout" } },
    { name: "policy", value: { rules: [{ id: "a", kind: "must_call_befor", params: {} }] } },
    { name: "policy", value: { rulez: [] } },
    { name: "baseline-file", value: {} },
    { name: "baseline-file", value: { ...smallBaseline(), intents: { nonsense: {} } } },
    { name: "baseline-file", value: { ...smallBaseline(), window_size: 0 } },
  ])("$name refuses $value", ({ name, value }) => {
    expect(problemsOf(name, value)).not.toEqual([]);
  });

  it("the small baseline of these tests is refused for nothing else", () => {
    expect(problemsOf("baseline-file", smallBaseline())).toEqual([]);
  });
});

function smallBaseline() {
  return {
    schema_version: 1,
    agent_id: "a",
    updated_at: "2026-01-01T00:00:00.000Z",
    generation: 1,
    hash_version: "v2",
    mode: "sequence",
    window_size: 10,
    similarity_weights: { tool_jaccard: 0.4, sequence_lcs: 0.4, error_jaccard: 0.2 },
    run_count: 0,
    intents: {},
  };
}

/** Every way in which the value breaks the schema. Compiled in strict mode: a schema with a mistake of its own fails here. */
function problemsOf(name: string, value: unknown): string[] {
  const file = name.replace(/^spoor\.(.*)\/1$/, "$1");
  const schema = JSON.parse(readFileSync(join(schemaFolder, `${file}.schema.json`), "utf8")) as Schema;
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false });
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}
