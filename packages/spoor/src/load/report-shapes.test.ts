/** What walking a schema says of a report is what compiling it says, for the schema of every report. */
import type { Json, JsonObject } from "@spoor/core";
import { compileSchema } from "@spoor/core/internal/json-schema/compile-schema";
import { shapeProblems } from "@spoor/core/internal/json-schema/shape-problems";
import { createRandom, type Random } from "@spoor/core/internal/stats/random";
import { isObject } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { isReport, loadSchemas } from "./load-schemas.ts";

const ROUNDS = 60;
const ODD: readonly Json[] = [null, 0, 1.5, -1, "", "x", true, [], {}, [1], { a: 1 }];

const reports = loadSchemas().filter(isReport);

describe.each(reports.map(({ name, text }) => [name, JSON.parse(text) as JsonObject] as const))("%s", (_, schema) => {
  const compiled = compileSchema(schema);
  if (typeof compiled === "string") throw new Error(compiled);
  const pathsOf = (problems: readonly { readonly path: string; readonly message: string }[]) =>
    [...new Set(problems.map(({ path, message }) => `${path} ${message}`))].sort();

  it("lets pass what fits, and says of what does not where and why, as the compiled one does", () => {
    const random = createRandom(7);
    let broken = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const report = fittingValue(schema, schema, random, 0);
      expect(shapeProblems(schema, report)).toEqual([]);
      damage(report, random);
      const problems = shapeProblems(schema, report);
      expect(pathsOf(problems)).toEqual(pathsOf(compiled.check(report)));
      if (problems.length > 0) broken++;
    }
    expect(broken).toBeGreaterThan(ROUNDS / 4);
  });
});

it("refuses a schema with a keyword that it does not know", () => {
  expect(() => shapeProblems({ pattern: "a" }, "b")).toThrow("pattern");
  expect(() => shapeProblems({ $ref: "#/$defs/gone" }, 1)).toThrow("leads nowhere");
});

/** Something that fits: lists of up to two, members that may be missing now and then. */
function fittingValue(root: JsonObject, schema: Json, random: Random, depth: number): Json {
  if (!isObject(schema)) return "anything";
  const { $ref, anyOf, properties, required, items, type } = schema;
  if (typeof $ref === "string") {
    const definitions = root["$defs"] as JsonObject;
    if ($ref.startsWith("#")) return fittingValue(root, definitions[$ref.split("/")[2]!]!, random, depth + 1);
    const document = Object.values(definitions).find((one) => isObject(one) && one["$id"] === $ref) as JsonObject;
    return fittingValue(document, document, random, depth + 1);
  }
  if ("const" in schema) return schema["const"]!;
  if (Array.isArray(schema["enum"])) return schema["enum"][random.below(schema["enum"].length)]!;
  if (Array.isArray(anyOf))
    return fittingValue(root, anyOf[depth > 8 ? 0 : random.below(anyOf.length)]!, random, depth + 1);
  if (Array.isArray(type))
    return fittingValue(root, { ...schema, type: type[random.below(type.length)]! }, random, depth);
  switch (type) {
    case "object": {
      const names = Object.keys((properties ?? {}) as JsonObject);
      const isAsked = (name: string) => Array.isArray(required) && required.includes(name);
      const kept = names.filter((name) => isAsked(name) || (depth < 8 && random.below(3) > 0));
      return Object.fromEntries(
        kept.map((name) => [name, fittingValue(root, (properties as JsonObject)[name]!, random, depth + 1)]),
      );
    }
    case "array": {
      const least = Number(schema["minItems"] ?? 0);
      const most = Number(schema["maxItems"] ?? 2);
      const length = Math.max(least, depth > 8 ? 0 : Math.min(most, random.below(3)));
      return Array.from({ length }, () => fittingValue(root, items ?? true, random, depth + 1));
    }
    case "string":
      return "text";
    case "integer":
      return random.below(100);
    case "number":
      return random.unit();
    case "boolean":
      return random.below(2) === 1;
    default:
      return null;
  }
}

/** One value somewhere is taken out, exchanged or added to. */
function damage(report: Json, random: Random): void {
  let at = report as Record<string, Json>;
  for (let depth = random.below(6); depth > 0; depth--) {
    const inner = Object.values(at).filter((value) => typeof value === "object" && value !== null);
    if (inner.length === 0) break;
    at = inner[random.below(inner.length)] as Record<string, Json>;
  }
  const names = Object.keys(at);
  const name = names[random.below(Math.max(1, names.length))] ?? "new";
  const odd = structuredClone(ODD[random.below(ODD.length)]!);
  if (Array.isArray(at)) at.push(odd);
  else if (random.below(3) === 0) delete at[name];
  else if (random.below(2) === 0) at[name] = odd;
  else at[`${name}/~more`] = odd;
}
