import { describe, expect, it } from "vitest";
import { problemsIn } from "../../test/read.ts";
import { SpoorError } from "../errors.ts";
import type { Located } from "./located.ts";

const YAML = `rules:
  - id: one
    tools: [a, 3]
  - id: two
`;

/** The value at an address of the document above. */
function at(...address: (string | number)[]): Located {
  return address.reduce<Located>((place, key) => place.get(key)!, problemsIn(YAML).root());
}

describe("walking", () => {
  it.each([
    { address: [], name: "the file" },
    { address: ["rules"], name: "rules" },
    { address: ["rules", 0, "id"], name: "id" },
    { address: ["rules", 0, "tools", 1], name: "tools[1]" },
  ])("$name", ({ address, name }) => {
    expect(at(...address).name).toBe(name);
  });
  it("an item of a document that is a list is an entry", () => {
    expect(problemsIn("- 1").root().get(0)!.name).toBe("an entry");
  });
  it("finds what is there and nothing else", () => {
    expect(at("rules").get(2)).toBeUndefined();
    expect(at("rules").get("id")).toBeUndefined();
    expect(at("rules", 0).get("toString")).toBeUndefined();
    expect(at("rules", 0).keys()).toEqual(["id", "tools"]);
    expect(
      at("rules", 0, "tools")
        .items()
        .map(({ value }) => value),
    ).toEqual(["a", 3]);
    expect(at("rules", 0).items()).toEqual([]);
    expect(at("rules").keys()).toEqual([]);
  });
  it("another value keeps the place", () => {
    const place = at("rules", 1, "id");
    expect(place.with(7)).toMatchObject({ value: 7, address: ["rules", 1, "id"] });
  });
});

describe("complaining", () => {
  it.each<{
    says: string;
    report: (place: Located) => void;
    line: number;
    column: number;
    path: string;
    message: string;
  }>([
    {
      says: "the value",
      report: (place) => place.get("tools")!.get(1)!.wrong("a text"),
      line: 3,
      column: 16,
      path: "rules[0].tools[1]",
      message: "tools[1] must be a text, found 3.",
    },
    {
      says: "the key",
      report: (place) => place.keyProblem("tools", "no."),
      line: 3,
      column: 5,
      path: "rules[0].tools",
      message: "no.",
    },
    {
      says: "the mapping when the key is not there",
      report: (place) => place.misshapen("a rule needs kind."),
      line: 2,
      column: 5,
      path: "rules[0]",
      message: "a rule needs kind.",
    },
    {
      says: "a key nobody knows, with the nearest one and what reading it over would mean",
      report: (place) => place.unknownKey("tools", "a rule", ["id", "tool"], (close) => `no ${close} would be seen`),
      line: 3,
      column: 5,
      path: "rules[0].tools",
      message: 'unknown key "tools" in a rule. Did you mean tool? As written, no tool would be seen.',
    },
    {
      says: "a key nobody knows, with all known ones when none is near",
      report: (place) => place.unknownKey("tools", "a rule", ["id", "severity"]),
      line: 3,
      column: 5,
      path: "rules[0].tools",
      message: 'unknown key "tools" in a rule. Known are id, severity.',
    },
  ])("points at $says", ({ report, line, column, path, message }) => {
    const place = at("rules", 0);
    report(place);
    expect(place.problems.errors).toMatchObject([{ at: { file: "f.yaml", line, column, path }, message }]);
    expect(place.problems.errors[0]!.excerpt).toBe(YAML.split("\n")[line - 1]);
  });
  it("counts apart what the JSON Schema of the file finds too", () => {
    const place = at("rules", 0, "id");
    place.problem("only a computation finds this.");
    place.wrong("a number");
    expect([place.errorCount, place.problems.shapeErrors]).toEqual([2, 1]);
  });
});

describe("throwIfAny", () => {
  function thrown(place: Located, strict = false): unknown {
    try {
      place.problems.throwIfAny("policy.invalid", "Nothing was checked.", { strict });
    } catch (error) {
      return error;
    }
    return undefined;
  }
  it("throws once, with every problem in file order", () => {
    const root = at();
    root.get("rules")!.get(1)!.problem("second.");
    root.get("rules")!.get(0)!.problem("first.");
    const error = thrown(root);
    expect(error).toBeInstanceOf(SpoorError);
    expect(error).toMatchObject({
      code: "policy.invalid",
      message: "f.yaml has 2 problems.",
      consequence: "Nothing was checked.",
      at: { line: 2 },
      problems: [{ message: "first." }, { message: "second." }],
    });
  });
  it("minds notes only when strict", () => {
    const root = at();
    root.note("probably not meant.", "rules");
    expect(thrown(root)).toBeUndefined();
    expect(thrown(root, true)).toMatchObject({ message: "f.yaml has 1 problem.", at: { line: 1, column: 1 } });
  });
});
