import type { Trace } from "@spoor/core";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { traceOf } from "../../../core/test/build.ts";
import { mineRules, starterRule } from "./mine-rules.ts";
import type { MinedRule } from "./mined-rule.ts";
import { describeShape, renderPolicy } from "./render-policy.ts";
import { yamlScalar } from "./yaml-scalar.ts";

/** Runs that call these tools, one per turn. */
const runs = (...tools: string[][]): Trace[] => tools.map((names) => traceOf(names.map((name) => ({ calls: [name] }))));
const words = (rules: readonly MinedRule[]) =>
  rules.map((rule) => `${rule.suggested ? "[x]" : "[ ]"} ${describeShape(rule.shape, "run")}: ${rule.evidence}`);

describe("mineRules", () => {
  it.each([
    { name: "nothing from no runs", traces: [], expected: [] },
    {
      name: "from one run only that it does not loop: the rest would be an anecdote",
      traces: runs(["a", "b"]),
      expected: ["[x] the same call at most 3 times: held in the only run"],
    },
    { name: "nothing where not even that holds", traces: runs(["a", "a", "a", "a"], ["a", "a"]), expected: [] },
    {
      name: "an order that always held, and what it guards once",
      traces: runs(["a", "b"], ["a", "b"], ["c"]),
      expected: ["[x] a before b: held 2 of 2 times", "[x] b at most once per run: held 2 of 2 times"],
    },
    {
      name: "no order that was broken once",
      traces: runs(["a", "b"], ["b", "a"], ["a", "b"]),
      expected: [
        "[x] the same call at most 3 times: held in all 3 runs",
        "[ ] a at most once per run: held 3 of 3 times",
      ],
    },
    {
      name: "no order between tools that seldom meet",
      traces: runs(["a", "b"], ["a", "b"], ["a", "a"], ["a"], ["a"], ["a"]),
      expected: [
        "[x] the same call at most 3 times: held in all 6 runs",
        "[ ] b at most once per run: held 2 of 2 times",
      ],
    },
    {
      name: "the closest of several guards, and no limit for what repeats",
      traces: runs(["a", "b", "c", "c"], ["a", "b", "c", "c"]),
      expected: [
        "[x] b before c: held 2 of 2 times",
        "[x] a before b: held 2 of 2 times",
        "[x] b at most once per run: held 2 of 2 times",
      ],
    },
  ])("$name", ({ traces, expected }) => {
    expect(words(mineRules(traces)).sort()).toEqual([...expected].sort());
  });

  it("proposes only what a policy of these rules does not find broken, whatever the tools are called", () => {
    const tool = fc.constantFrom("a", "b", "c d", "e: {f}", "#g", "ü", "true", "__proto__");
    fc.assert(
      fc.property(fc.array(fc.array(tool, { maxLength: 6 }), { maxLength: 6 }), (lists) => {
        const rules = mineRules(runs(...lists));
        expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
        if (rules.length > 0) {
          const policy = parsePolicy(renderPolicy(rules, { agent: "x", file: "p.yaml" }));
          expect(policy.rules.map(({ id }) => id)).toEqual(rules.map(({ id }) => id));
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("renderPolicy", () => {
  it("keeps a hostile agent's name inside its comment", () => {
    const text = renderPolicy([starterRule], { agent: "x\nrules: []\u2028y", file: "p.yaml" });
    expect(parsePolicy(text).rules).toHaveLength(1);
  });
});

describe("yamlScalar", () => {
  it("is read back as the same text, also inside braces and brackets", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(parse(`{ key: [${yamlScalar(text)}] }`)).toEqual({ key: [text] });
        expect(parse(`key: ${yamlScalar(text)}\n`)).toEqual({ key: text });
      }),
    );
  });
});
