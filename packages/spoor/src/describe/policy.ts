/** `policy explain` and `policy test` in words. */
import type { PolicyExplanation } from "@spoor/core/internal/policy/explain-policy";
import type { ExampleResult, PolicyTestResult } from "@spoor/core/internal/policy/test-policy";
import type { Block, Document, Finding, Text } from "../document/document.ts";
import { joined, name, say, styled } from "../document/text.ts";
import { count, list } from "../document/words.ts";
import { reviewBlocks, toolsSentence } from "./policy-review.ts";

export function describeExplanation(report: PolicyExplanation): Document {
  const about: Block[] = [];
  if (report.description !== null) about.push({ kind: "paragraph", text: [report.description] });
  if (report.sessionKey !== null)
    about.push({ kind: "paragraph", text: say`Sessions are told apart by ${name(report.sessionKey)}.` });
  return {
    ...policyDocument(report.file),
    blocks: [
      {
        kind: "group",
        blocks: [
          { kind: "heading", text: say`${fileText(report.file)}: ${count(report.rules.length, "rule")}` },
          ...about,
        ],
      },
      ...report.rules.map(
        (rule): Block => ({
          kind: "findings",
          titles: [],
          items: [
            {
              cells: [say`${styled("strong", name(rule.id))}  ${styled("dim", rule.severity)}`],
              body: [
                [rule.explanation],
                ...(rule.description === "" ? [] : [[`Why: ${rule.description}`]]),
                ...rule.exceptions.map(({ until, reason }) => [`Excepted until ${until}: ${reason}`]),
              ].map((text) => ({ kind: "paragraph", text })),
            },
          ],
        }),
      ),
    ],
  };
}

export function describePolicyTest(report: PolicyTestResult, exitCode: number): Document {
  const total = report.examples.length;
  const blocks: Block[] = [verdictOf(report)];
  if (total > 0) blocks.push({ kind: "findings", titles: [], items: report.examples.map(exampleFinding) });
  if (report.untested.length > 0)
    blocks.push({
      kind: "section",
      title: ["Not shown to work:"],
      blocks: [
        {
          kind: "table",
          columns: [{ title: "" }, { title: "" }],
          rows: report.untested.map(({ ruleId, lacks }) => ({
            cells: [
              [name(ruleId)],
              [
                `no example ${list(
                  lacks.map((side) => (side === "passes" ? "passes it" : "fails it")),
                  "or",
                )}`,
              ],
            ],
          })),
        },
      ],
    });
  blocks.push(...reviewBlocks(report), {
    kind: "group",
    blocks: [
      { kind: "paragraph", text: toolsSentence(report) },
      { kind: "closing", exitCode },
    ],
  });
  return { ...policyDocument(report.file), blocks };
}

function verdictOf(report: PolicyTestResult): Block {
  const { examples, failed, passed, errors, warnings } = report;
  const doubts = [
    ...(errors === 0 ? [] : [count(errors, "error")]),
    ...(warnings === 0 ? [] : [count(warnings, "warning")]),
  ];
  const inRules = doubts.length === 0 ? undefined : [`${list(doubts)} in the rules themselves`];
  const ofExamples = examplesSentence(report, failed > 0 ? failed : passed);
  const parts = errors > 0 && failed === 0 ? [inRules, ofExamples] : [ofExamples, inRules];
  const mark = failed + errors > 0 ? "failed" : examples.length === 0 ? "unknown" : warnings > 0 ? "warning" : "passed";
  return {
    kind: "verdict",
    mark,
    headline: joined(
      parts.filter((one) => one !== undefined),
      "; ",
    ),
  };
}

function examplesSentence({ file, examples, failed }: PolicyTestResult, amount: number): Text {
  if (examples.length === 0) return say`${fileText(file)} carries no examples: nothing was tested`;
  const so = amount === 1 ? ["behaves otherwise", "behaves as it says"] : ["behave otherwise", "behave as they say"];
  return [`${amount} of ${count(examples.length, "example")} ${failed > 0 ? so[0] : so[1]}`];
}

function policyDocument(file: string | null): Omit<Document, "blocks"> {
  return { id: "spoor:policy", subject: fileText(file), footer: [] };
}

function fileText(file: string | null): Text {
  return file === null ? ["The policy"] : [name(file)];
}

const OUTCOME = { pass: "it passes", fail: "it fails", unjudged: "it cannot be judged" } as const;

function exampleFinding(example: ExampleResult): Finding {
  if (example.ok) return { mark: "passed", cells: [[name(example.name)]] };
  const place = example.at.line === undefined ? "" : `${example.at.file ?? ""}:${example.at.line}`;
  const surprises = example.expectations.filter(({ expected, actual }) => expected !== actual);
  return {
    mark: "failed",
    cells: [say`${name(example.name)}  ${styled("dim", name(place))}`],
    body: surprises.map(({ ruleId, expected, actual, messages }) => {
      const because = messages.length === 0 ? "." : `: ${messages.join(" ")}`;
      return { kind: "paragraph", text: say`${name(ruleId)} should ${expected}, but ${OUTCOME[actual]}${because}` };
    }),
  };
}
