import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import { describe, expect, it } from "vitest";
import { removeRules } from "./remove-rules.ts";

const FILE = `# Ours.
rules:
  # About money.
  - id: a
    kind: no_call
    params:
      tool: x

  # About order.
  - id: b
    kind: max_turns   # few
    params: { n: 3 }
  - { id: c, kind: max_turns, params: { n: 9 } }
# The end of the rules.
examples:
  - name: one
    fails: a
    turns: [{ calls: [x] }]
  - name: two
    passes: [a, b]
    turns: [{ text: hi }]
`;

describe("a policy without a rule", () => {
  it("loses the rule, the comment above it and the examples of it alone, and nothing else", () => {
    expect(removeRules(FILE.replace("passes: [a, b]", "passes: [b]"), "p.yaml", ["a"])).toEqual({
      examples: 1,
      text: `# Ours.
rules:
  # About order.
  - id: b
    kind: max_turns   # few
    params: { n: 3 }
  - { id: c, kind: max_turns, params: { n: 9 } }
# The end of the rules.
examples:
  - name: two
    passes: [b]
    turns: [{ text: hi }]
`,
    });
  });

  it("keeps an example that also speaks of another rule, without the name of the one that goes", () => {
    expect(removeRules(FILE, "p.yaml", ["b"]).text).toContain("passes: [a]\n");
    const block = FILE.replace("passes: [a, b]", "passes:\n      - a\n      - b # the other");
    expect(removeRules(block, "p.yaml", ["b"]).text).toContain("passes:\n      - a\n    turns");
    const both = FILE.replace("passes: [a, b]", "passes: a\n    fails: b");
    expect(removeRules(both, "p.yaml", ["b"]).text).toContain("passes: a\n    turns");
    for (const text of [FILE, block, both]) {
      const { text: left } = removeRules(text, "p.yaml", ["b"]);
      expect(parsePolicy(left, { file: "p.yaml" }).rules.map(({ id }) => id)).toEqual(["a", "c"]);
    }
  });

  it("is a policy without rules where all of them go", () => {
    const one =
      "# Ours.\nrules: # few\n  - id: a\n    kind: max_turns\n    params: { n: 1 }\nexamples:\n  - fails: a\n    turns: [{ text: x }]\n";
    const { text } = removeRules(one, "p.yaml", ["a"]);
    expect(text).toBe("# Ours.\nrules: [] # few\n");
    expect(parsePolicy(text).rules).toEqual([]);
  });

  it("loses a list of examples that would be empty, and the last rule of a list", () => {
    const { text } = removeRules(FILE, "p.yaml", ["a", "b"]);
    expect(text).toBe(`# Ours.
rules:
  - { id: c, kind: max_turns, params: { n: 9 } }
# The end of the rules.
`);
    expect(removeRules(FILE, "p.yaml", ["c"]).text).not.toContain("id: c");
  });

  it("keeps the line ends of its author", () => {
    const { text } = removeRules(FILE.replaceAll("\n", "\r\n"), "p.yaml", ["a"]);
    expect(text.split("\r\n").length).toBe(text.split("\n").length);
  });

  it.each([
    [
      "is written on one line",
      "rules: [{ id: a, kind: max_turns, params: { n: 1 } }, { id: b, kind: max_turns, params: { n: 2 } }]",
    ],
    [
      "does not hold it",
      "rules:\n  - id: z\n    kind: max_turns\n    params: { n: 1 }\n  - id: y\n    kind: max_turns\n    params: { n: 1 }\n",
    ],
    [
      "needs the rule for an alias",
      "rules:\n  - &one\n    id: a\n    kind: max_turns\n    params: &p { n: 1 }\n  - id: b\n    kind: max_turns\n    params: *p\n",
    ],
  ])("is refused where the file %s", (_why, text) => {
    expect(() => removeRules(text, "p.yaml", ["a"])).toThrow(/cannot be taken out of p.yaml/);
  });
});
