/** `policy explain` and `policy test` in words. */
import type { PolicyExplanation } from "@spoor/core/internal/policy/explain-policy";
import type { ExampleResult, PolicyTestResult } from "@spoor/core/internal/policy/test-policy";
import type { Block, Document, Finding, Text } from "../document/document.ts";
import { name, say, styled } from "../document/text.ts";
import { count, list } from "../document/words.ts";

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

export function describePolicyTest(report: PolicyTestResult): Document {
  const total = report.examples.length;
  const blocks: Block[] = [
    total === 0
      ? {
          kind: "verdict",
          mark: "unknown",
          headline: say`${fileText(report.file)} carries no examples: nothing was tested`,
        }
      : report.failed === 0
        ? {
            kind: "verdict",
            mark: "passed",
            headline: [`${report.passed} of ${count(total, "example")} behave as they say`],
          }
        : {
            kind: "verdict",
            mark: "failed",
            headline: [
              `${report.failed} of ${count(total, "example")} ${report.failed === 1 ? "behaves" : "behave"} otherwise`,
            ],
          },
  ];
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
  blocks.push({ kind: "closing", exitCode: report.failed > 0 ? 1 : 0 });
  return { ...policyDocument(report.file), blocks };
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
