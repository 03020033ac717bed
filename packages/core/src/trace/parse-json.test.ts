import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonEqual, stringifyJson } from "./json.ts";
import { JsonSyntaxError, parseJson, parseStrictly } from "./parse-json.ts";

const errorOf = (text: string): JsonSyntaxError => {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error;
    throw error;
  }
  throw new Error(`${text} was accepted`);
};

describe("what JSON.parse gets wrong", () => {
  it.each([
    { text: "9007199254740993", expected: 9007199254740993n },
    { text: "18446744073709551615", expected: 18446744073709551615n },
    { text: "-9223372036854775808", expected: -9223372036854775808n },
    { text: "18446744073709551616", expected: 18446744073709552000 },
    { text: "9007199254740991", expected: 9007199254740991 },
    { text: '"\\ud83d\\ude00"', expected: "😀" },
    { text: "[-9007199254740993][0]".slice(1, 18), expected: -9007199254740993n },
    { text: " 9007199254740993", expected: 9007199254740993n },
    { text: "1e-400", expected: 0 },
  ])("$text", ({ text, expected }) => {
    expect(parseJson(text)).toBe(expected);
  });

  it.each(['"\\ud83d"', '"\\udc00x"', "1e400", "-1e999", `${"9".repeat(400)}`])("refuses %s", (text) => {
    expect(() => parseJson(text)).toThrow(JsonSyntaxError);
  });

  it("keeps __proto__ and constructor as ordinary keys, also the slow way", () => {
    for (const parse of [parseJson, parseStrictly]) {
      const value = parse('{"__proto__":{"x":1},"constructor":9007199254740993}');
      expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
      expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
    }
  });
});

describe("errors", () => {
  it.each([
    { text: '{"a": 1, }', offset: 9 },
    { text: "[1 2]", offset: 3 },
    { text: "nul", offset: 0 },
    { text: "[NaN]", offset: 1 },
    { text: "01", offset: 1 },
    { text: '"a\tb"', offset: 2 },
    { text: '{"a":1} x', offset: 8 },
    { text: '"\\x"', offset: 1 },
  ])("$text is wrong at $offset", ({ text, offset }) => {
    expect(errorOf(text).offset).toBe(offset);
  });

  it("says where an unfinished text, list or object begins", () => {
    expect(errorOf('{"reason":"customer ups')).toMatchObject({ begin: 10, message: "a text never ends" });
    expect(errorOf("[1, [2")).toMatchObject({ begin: 4, message: "a list never ends" });
    expect(errorOf('{"a":1')).toMatchObject({ begin: 0, message: "an object never ends" });
  });

  it.each([126, 127])("depth %i is read", (depth) => {
    expect(() => parseJson("[".repeat(depth) + "]".repeat(depth))).not.toThrow();
  });
  it.each([128, 10_000, 100_000])("depth %i is refused without running out of stack", (depth) => {
    expect(errorOf("[".repeat(depth) + "]".repeat(depth)).message).toMatch(/nested deeper than 127/);
  });
});

describe("laws", () => {
  it("the strict parser agrees with JSON.parse on every JSON text without long numbers", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), (text) => {
        fc.pre(!/[0-9]{16}/.test(text));
        const plain = JSON.parse(text);
        expect(jsonEqual(parseStrictly(text), plain)).toBe(true);
      }),
    );
  });

  it("writing and reading again changes nothing, big integers included", () => {
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
        fc
          .double({ noNaN: true, noDefaultInfinity: true })
          .map((number) => (Object.is(number, -0) ? 0 : number))
          // A double beyond 2^53 is written with its shortest digits, which an exact reader takes at their word.
          .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
        fc.string({ unit: "binary" }),
        fc.array(tie("any"), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie("any"), { maxKeys: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (original) => {
        const text = stringifyJson(original as never);
        expect(jsonEqual(parseJson(text), original as never)).toBe(true);
      }),
    );
  });

  it("never throws anything but a syntax error, whatever the text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.json(), fc.nat(), (noise, text, at) => {
        const mutated = text.slice(0, at % (text.length + 1)) + noise + text.slice(at % (text.length + 1));
        try {
          parseJson(mutated);
        } catch (error) {
          expect(error).toBeInstanceOf(JsonSyntaxError);
        }
      }),
    );
  });
});
