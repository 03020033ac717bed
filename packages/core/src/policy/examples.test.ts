/** The traces that a policy file carries, in every form. */
import { describe, expect, it } from "vitest";
import { SpoorError } from "../errors.ts";
import { buildTrace } from "../trace/build-trace.ts";
import { parsePolicy } from "./parse-policy.ts";
import { testPolicy } from "./test-policy.ts";

const policyText = (example: string) => `apiVersion: spoor.dev/v1
rules:
  - { id: ask-first, kind: must_call_before, params: { first: confirm, second: refund } }
examples:
  - name: the example
    ${example.replaceAll("\n", "\n    ")}
`;

function run(example: string) {
  const policy = parsePolicy(policyText(example), { file: "policy.yaml" });
  return testPolicy(policy, ({ records }) => buildTrace(records!));
}

const FORMS = {
  turns: (names: readonly string[]) => `turns: [{ calls: [${names.join(", ")}] }]`,
  "names of tools": (names: readonly string[]) => `trace: [${names.join(", ")}]`,
  calls: (names: readonly string[]) => `trace: [${names.map((name) => `{ name: ${name}, args: {} }`).join(", ")}]`,
  messages: (names: readonly string[]) => `trace:
  - { role: user, content: please }
  - role: assistant
    tool_calls:
${names.map((name, index) => `      - { id: c${index}, type: function, function: { name: ${name}, arguments: "{}" } }`).join("\n")}`,
  "a response": (names: readonly string[]) => `trace:
  type: message
  role: assistant
  content:
${names.map((name, index) => `    - { type: tool_use, id: c${index}, name: ${name}, input: {} }`).join("\n")}`,
};

describe.each(Object.entries(FORMS))("an example as %s", (_, write) => {
  it("passes and fails as its calls do", () => {
    expect(run(`passes: ask-first\n${write(["confirm", "refund"])}`)).toMatchObject({ passed: 1, failed: 0 });
    expect(run(`fails: ask-first\n${write(["refund"])}`)).toMatchObject({ passed: 1, failed: 0 });
    expect(run(`passes: ask-first\n${write(["refund"])}`)).toMatchObject({ passed: 0, failed: 1 });
  });
});

describe("a trace that stands in the file", () => {
  it.each([
    {
      name: "an object of no known shape",
      written: "trace: { answer: yes }",
      says: "No trace can be made of an object with answer.",
    },
    {
      name: "several conversations",
      written: "trace: [{ messages: [{ role: user, content: a }] }, { messages: [{ role: user, content: b }] }]",
      says: "this needs exactly one",
    },
    {
      name: "a part nobody knows",
      written:
        "trace: [{ role: assistant, content: [{ type: text, text: a }, { type: tool_use, name: x, input: {} }, { type: hologram }] }]",
      says: "not understood: part hologram",
    },
  ])("is refused with its place: $name", ({ written, says }) => {
    let error: unknown;
    try {
      parsePolicy(policyText(`fails: ask-first\n${written}`), { file: "policy.yaml" });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(SpoorError);
    const { problems } = error as SpoorError;
    expect(problems).toHaveLength(1);
    expect(problems![0]!.message).toContain(says);
    expect(problems![0]!.at).toMatchObject({ file: "policy.yaml", line: 7, path: "examples[0].trace" });
  });

  it("may be a run that did nothing", () => {
    expect(run("fails: ask-first\ntrace: []").examples[0]!.expectations[0]).toMatchObject({ actual: "unjudged" });
  });

  it("is still a file when it is a text", () => {
    const { examples } = parsePolicy(policyText("passes: ask-first\ntrace: runs/a.agentlog"), { file: "policy.yaml" });
    expect(examples[0]).toMatchObject({ trace: "runs/a.agentlog" });
    expect(examples[0]).not.toHaveProperty("records");
  });
});
