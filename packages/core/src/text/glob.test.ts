import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { globMatcher, globMatches } from "./glob.ts";

describe("among names", () => {
  it.each([
    ["read*", "readFile", true],
    ["read*", "spread", false],
    ["*_refund", "issue_refund", true],
    ["?ead", "Read", true],
    ["?ead", "ead", false],
    ["*", "", true],
    ["*", "a/b", true],
    ["a*b*c", "aXbYc", true],
    ["a*b*c", "aXcYb", false],
    ["a.c", "abc", false],
    ["{a,b}", "a", false],
    ["[ab]", "a", false],
    ["?", "😀", true],
  ])("%s on %s: %s", (pattern, name, fits) => {
    expect(globMatcher(pattern, { ignoreCase: true })(name)).toBe(fits);
  });

  it("case counts unless it is ignored", () => {
    expect(globMatcher("Read*")("readFile")).toBe(false);
    expect(globMatcher("Read*", { ignoreCase: true })("readFile")).toBe(true);
  });

  it("agrees with the regular expression of the same meaning", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", "A"), maxLength: 8 });
    const glob = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 });
    fc.assert(
      fc.property(glob, text, (pattern, name) => {
        const regex = new RegExp(`^${pattern.replaceAll("*", ".*").replaceAll("?", ".")}$`, "i");
        expect(globMatcher(pattern, { ignoreCase: true })(name)).toBe(regex.test(name));
      }),
    );
  });
});

describe("among paths", () => {
  it.each([
    ["traces/*.json", "traces/a.json", true],
    ["traces/*.json", "traces/sub/a.json", false],
    ["traces/**/*.json", "traces/a.json", true],
    ["traces/**/*.json", "traces/x/y/a.json", true],
    ["traces/**/*.json", "other/a.json", false],
    ["**", "a/b/c", true],
    ["a?c", "a/c", false],
    ["run-{1,2}.log", "run-2.log", true],
    ["run-{1,2}.log", "run-3.log", false],
    ["{a*,b}.log", "axyz.log", true],
    ["run-[0-9].log", "run-7.log", true],
    ["run-[!0-9].log", "run-7.log", false],
    ["run-[a", "run-[a", true],
    ["{}", "{}", true],
    ["a.b+c(d)", "a.b+c(d)", true],
    ["", "", true],
  ])("%s on %s: %s", (pattern, path, fits) => {
    expect(globMatches(pattern, path)).toBe(fits);
  });

  it("reads backslashes of a path as slashes", () => {
    expect(globMatches("traces/*.json", "traces\\a.json")).toBe(true);
  });

  it("agrees with the regular expression of the same meaning", () => {
    const path = fc.string({ unit: fc.constantFrom("a", "b", "/"), maxLength: 8 });
    const part = fc.constantFrom("a", "b", "/", "*", "?", "**/", "**", "{a,b}", "{a*,/}", "[ab]", "[!a]");
    const sources: Record<string, string> = {
      "*": "[^/]*",
      "?": "[^/]",
      "**/": "(?:.*/)?",
      "**": ".*",
      "{a,b}": "(?:a|b)",
      "{a*,/}": "(?:a[^/]*|/)",
      "[!a]": "[^a]",
    };
    // A star before another one would be read together with it.
    const parts = fc
      .array(part, { maxLength: 6 })
      .filter((all) => !all.some((one, index) => one === "*" && all[index + 1]?.startsWith("*")))
      .filter((all) => !all.some((one, index) => one === "**" && /^[*/]/.test(all[index + 1] ?? "")));
    fc.assert(
      fc.property(parts, path, (all, text) => {
        const regex = new RegExp(`^${all.map((one) => sources[one] ?? one).join("")}$`);
        expect(globMatcher(all.join(""), { paths: true })(text)).toBe(regex.test(text));
      }),
      { numRuns: 2000 },
    );
  });
});

it("does not blow up on many stars", () => {
  expect(globMatcher(`${"a*".repeat(30)}b`)("a".repeat(2000))).toBe(false);
  expect(globMatches(`${"*a".repeat(30)}b`, "a".repeat(2000))).toBe(false);
});
