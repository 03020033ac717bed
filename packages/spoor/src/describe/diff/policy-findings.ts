/** What a change did to the rules: every new violation and every one that is gone, with its trace, turn and words. */
import type { DiffReport } from "@spoor/core/internal/diff/diff-report";
import type { PolicyFinding } from "@spoor/core/internal/diff/policy-slot";
import type { Block, Finding, Mark, Text } from "../../document/document.ts";
import { joined, link, name, say } from "../../document/text.ts";
import { severityWords } from "../check.ts";
import { turnAnchor } from "../places.ts";

/** Places listed of one rule; JSON has all of them. */
const PLACES = 50;

/** One entry per rule and outcome, the broken ones first; undefined when nothing is new or gone. */
export function policyFindings(report: DiffReport): Block | undefined {
  const { policy, gate } = report;
  if (policy === undefined || policy.regressions.length + policy.fixes.length === 0) return undefined;
  const blocking = new Set(gate.reasons.map((reason) => reason.subject));
  const items = [
    ...byRule(policy.regressions).map(([ruleId, findings]): Finding => {
      const mark: Mark = blocking.has(ruleId) ? "failed" : "warning";
      return findingOf(mark, `new ${severityWords[findings[0]!.severity]}`, findings, report);
    }),
    ...byRule(policy.fixes).map(
      ([, findings]): Finding => findingOf("passed", "fixed", findings, report, " of the baseline"),
    ),
  ];
  return { kind: "findings", titles: ["result", "rule", "where"], items };
}

function byRule(findings: readonly PolicyFinding[]): [string, PolicyFinding[]][] {
  const rules = new Map<string, PolicyFinding[]>();
  for (const finding of findings) rules.set(finding.ruleId, [...(rules.get(finding.ruleId) ?? []), finding]);
  return [...rules];
}

function findingOf(
  mark: Mark,
  word: string,
  findings: readonly PolicyFinding[],
  { traces }: DiffReport,
  ofSide = "",
): Finding {
  const [first] = findings;
  const texts = findings.slice(0, PLACES).map((finding): Text => {
    const pair = traces.find(({ baseline, candidate }) => (ofSide === "" ? candidate : baseline).key === finding.key);
    const turn =
      finding.turnIndex === undefined ? `the whole trace${ofSide}` : `turn ${finding.turnIndex + 1}${ofSide}`;
    const words = joined([[name(finding.trace)], [turn]], ", ");
    // A page shows a pair of traces under the candidate's key; turns of the baseline have a letter before their number.
    const anchor =
      ofSide === "" || pair === undefined || finding.turnIndex === undefined
        ? turnAnchor(pair?.candidate.key ?? finding.key, finding.turnIndex)
        : `${pair.candidate.key}:b${finding.turnIndex + 1}`;
    return say`${[link(anchor, words)]}  ${finding.message}`;
  });
  if (findings.length > PLACES) texts.push([`… ${findings.length - PLACES} more; all of them with --format json`]);
  return {
    mark,
    cells: [[word], [name(first!.ruleId)]],
    named: 1,
    right: first!.place === undefined ? [] : [name(first!.place)],
    body: texts.map((text) => ({ kind: "paragraph", text })),
  };
}
