import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { member } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { appendCase } from "./append-case.ts";

const CASE = {
  id: "ticket-7",
  description: "Turned down by Ada: it must ask first",
  input_messages: [{ role: "user", content: "Refund it: now\n- please" }],
  execution: {
    threshold: 1,
    evaluators: [
      {
        name: "path",
        type: "tool_trajectory",
        mode: "in_order",
        expected: [{ tool: "look up", args: { id: "A", "k: v": [1, null], deep: {} } }, { tool: "pay" }],
      },
    ],
  },
};

describe("a case in an eval file", () => {
  it("goes into JSON Lines that begin with a byte order mark, once", () => {
    const before = '\uFEFF{"id":"a","input":"q"}\r\n';
    const { text, id } = appendCase(before, "f.jsonl", CASE);
    expect(id).toBe("ticket-7");
    expect(text.startsWith(before)).toBe(true);
    expect(appendCase(text, "f.jsonl", CASE)).toMatchObject({ known: true, text });
  });

  it("goes into a file of several megabytes, and into no table", () => {
    const before = `evalcases:\n${Array.from({ length: 3000 }, (_, n) => `  - {id: c${n}, input: ${"x ".repeat(200)}}`).join("\n")}\n# the end\n`;
    expect(appendCase(before, "f.yaml", CASE).text).toContain("- id: ticket-7\n");
    expect(() => appendCase("id,input\na,q\n", "f.csv", CASE)).toThrow("a row of a table has no room");
    expect(() => appendCase(undefined, "f.csv", CASE)).toThrow("a row of a table has no room");
  });

  it("makes the file where there is none", () => {
    const { text, id } = appendCase(undefined, "evals/regressions.yaml", CASE);
    expect(id).toBe("ticket-7");
    expect(text).toMatchInlineSnapshot(`
      "# Runs that were turned down, and what should have been done: each case fails until the agent does it again.
      # Recorded runs are scored by spoor score TRACES --evaluators THIS-FILE, the agent is asked by spoor eval THIS-FILE.
      description: Behaviour that must not come back

      evalcases:
        - id: ticket-7
          description: "Turned down by Ada: it must ask first"
          input_messages:
            - role: user
              content: "Refund it: now\\n- please"
          execution:
            threshold: 1
            evaluators:
              - name: path
                type: tool_trajectory
                mode: in_order
                expected:
                  - tool: "look up"
                    args: {"id":"A","k: v":[1,null],"deep":{}}
                  - tool: pay
      "
    `);
    expect(member(parseYaml(text, "x").value, "evalcases")).toEqual([CASE]);
  });

  it.each([
    ["a list at the margin", "tests:\n- id: a # mine\n  input: hi\n\n# The end.\n", "\n\n# The end.\n"],
    ["keys below the list", "evalcases:\n    - id: a\n      input: hi\nname: x\n", "name: x\n"],
    ["no line end at the end", "cases:\n  - id: a\n    input: hi", "\n"],
    ["an empty list", "# Ours.\nevalcases: [] # none yet\nname: x\n", "name: x\n"],
    ["no list at all", "# Ours.\nname: x\n", "\n"],
    [
      "a text over several lines at the end",
      "tests:\n  - id: a\n    input: |\n      one\n\n      two\nname: y\n",
      "name: y\n",
    ],
    ["Windows line ends", "tests:\r\n  - id: a\r\n    input: hi\r\n", "\r\n"],
  ])("keeps %s as it is", (_what, before, end) => {
    const { text } = appendCase(before, "e.yaml", CASE);
    expect(text.endsWith(end)).toBe(true);
    const kept = before
      .replace(": []", ":")
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
    const lines = text.split(/\r?\n/);
    expect(kept.filter((line) => !lines.includes(line))).toEqual([]);
    const value = parseYaml(text, "e.yaml").value;
    const list = ["tests", "evalcases", "cases"].map((key) => member(value, key)).find((one) => one !== undefined);
    expect((list as unknown[]).at(-1)).toEqual(CASE);
    expect(/(?<!\r)\n/.test(text)).toBe(!before.includes("\r\n"));
  });

  it("gives an id that is taken a number, and adds the very same case only once", () => {
    const once = appendCase(undefined, "e.yaml", CASE).text;
    const again = appendCase(once, "e.yaml", { ...CASE, description: "said otherwise" });
    expect([again.known, again.text]).toEqual([true, once]);
    const other = { ...CASE, input_messages: [{ role: "user", content: "another" }] };
    const twice = appendCase(once, "e.yaml", other);
    expect(twice.id).toBe("ticket-7-2");
    expect(appendCase(twice.text, "e.yaml", { ...other, execution: { threshold: 1 } }).id).toBe("ticket-7-3");
  });

  it("adds a line to JSON Lines", () => {
    const { text } = appendCase('{"id":"a","input":"hi"}', "e.jsonl", CASE);
    expect(text.split("\n").map((line) => (line === "" ? "" : JSON.parse(line).id))).toEqual(["a", "ticket-7", ""]);
  });

  it.each([
    ["stands on one line", "tests: [{ id: a, input: hi }]\n", "one item a line"],
    ["stands in another file", "tests: cases.yaml\n", "stand in cases.yaml"],
    ["is a list of something", "- a\n- b\n", "no eval file"],
    ["ends in an alias's home", "x: &x\n  - id: a\n    input: hi\ntests: *x\n", "cannot be added"],
  ])("is refused where the list %s", (_what, before, why) => {
    expect(() => appendCase(before, "e.yaml", CASE)).toThrow(why);
  });
});
