import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { parseJson } from "../trace/parse-json.ts";
import { canonicalJson, compareCodePoints } from "./canonical-json.ts";
import { contentId, digestJson, isContentId } from "./digest.ts";
import * as node from "./sha256-node.ts";
import * as pure from "./sha256-pure.ts";

interface Case {
  name: string;
  input_json: string;
  expected: { canonical_utf8: string; content_id: string };
}
const vectors = JSON.parse(
  readFileSync(new URL("../../../../vectors/shadow-diff/canonical.json", import.meta.url), "utf8"),
);

it.each(vectors.cases as Case[])("agrees with shadow-diff 3.2.5 on $name", ({ input_json, expected }) => {
  const value = parseJson(input_json, 10_000);
  expect(canonicalJson(value)).toBe(expected.canonical_utf8);
  expect(contentId(value)).toBe(expected.content_id);
});

describe.each([
  ["Node's hash", node],
  ["the pure hash", pure],
])("%s", (_name, { sha256Hex }) => {
  // FIPS 180-4 examples, and the empty text.
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
  ])("%s", (text, hex) => {
    expect(sha256Hex(text)).toBe(hex);
  });

  it.each(vectors.cases as Case[])("agrees on $name", ({ expected }) => {
    expect(`sha256:${sha256Hex(expected.canonical_utf8)}`).toBe(expected.content_id);
  });
});

it("gives the seed's check values of a call's digest", () => {
  expect(digestJson({ id: 1 }, 16)).toBe("037c9214eef74cc3");
  expect(digestJson({}, 16)).toBe("44136fa355b3678a");
  expect(digestJson(null, 16)).toBe("74234e98afe7498f");
});

it("accepts exactly sha256: and 64 lower-case hex digits as an id", () => {
  expect(isContentId(`sha256:${"a".repeat(64)}`)).toBe(true);
  expect(isContentId(`sha256:${"A".repeat(64)}`)).toBe(false);
  expect(isContentId(`sha256:${"a".repeat(63)}`)).toBe(false);
});

describe("laws", () => {
  it("the order of keys never matters", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue() as fc.Arbitrary<Json>), (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        fc.pre(new Set(Object.keys(value).map((key) => key.normalize("NFC"))).size === Object.keys(value).length);
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
      }),
    );
  });

  it("is valid JSON with the same meaning", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(JSON.parse(canonicalJson(number))).toBe(number === 0 ? 0 : number);
        expect(canonicalJson(number)).not.toMatch(/e/);
      }),
    );
  });

  it("code point order is the order of UTF-8 bytes", () => {
    const text = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(text, text, (left, right) => {
        expect(Math.sign(compareCodePoints(left, right))).toBe(
          Math.sign(Buffer.compare(Buffer.from(left), Buffer.from(right))),
        );
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, "\ud800", undefined as never])("refuses %s", (value) => {
    expect(() => canonicalJson(value)).toThrow();
  });
});
