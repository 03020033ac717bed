/** The tools, in the order in which somebody who looks into a failure needs them. */
import { list } from "@spoor/core/internal/read/collections";
import { optional, required } from "@spoor/core/internal/read/field";
import { boolean, filledText, integer } from "@spoor/core/internal/read/scalars";
import type { Naming } from "./naming.ts";
import { type CommandLine, defineTool, type McpTool } from "./tool.ts";

export function createTools(naming: Naming): readonly McpTool[] {
  const traces = required(list(filledText, { min: 1 }), `the traces: ${naming.runs}`);
  return [
    defineTool({
      name: "show_trace",
      title: "Show a trace",
      description:
        "A recorded run of an agent as a timeline: turns, tool calls with arguments and results, errors, durations, tokens. What holds several traces is listed; pick one with trace.",
      fields: {
        shown: required(filledText, naming.shown.help, { key: naming.shown.key }),
        trace: optional(filledText, "which of several traces: its name in the list, or its number from 1"),
        turn: optional(integer({ min: 1 }), "only this turn, in detail; turns count from 1"),
        full: optional(boolean, "texts, arguments and results whole"),
      },
      line: ({ shown, trace, turn, full }) => ({
        command: "show",
        words: [...option("trace", trace), ...option("turn", turn), ...(full ? ["--full"] : []), "--", shown],
        names: { runs: [shown] },
      }),
    }),
    defineTool({
      name: "diff_traces",
      title: "Compare two runs, or two sets of runs",
      description:
        "What the candidate does otherwise than the baseline: a verdict, nine axes with intervals, tools never seen before, changed calls, and the first turn where the runs part, side by side.",
      fields: {
        baseline: required(filledText, `how it was: ${naming.runs}`),
        candidate: required(filledText, `how it is now: ${naming.runs}`),
        policy: optional(
          filledText,
          `a policy by which both sides are checked, so that new violations are told: ${naming.policy}`,
        ),
      },
      line: ({ baseline, candidate, policy }) => ({
        command: "diff",
        words: [...option("policy", policy), "--", baseline, candidate],
        names: { runs: [baseline, candidate], policy },
      }),
    }),
    defineTool({
      name: "check_policy",
      title: "Check traces against a policy",
      description:
        "Every rule of a policy on every trace: which are broken, by which call of which turn, and which could not be evaluated. Problems of the policy itself are told with line and column, so that a draft can be tried before it is kept.",
      fields: {
        traces,
        policy: optional(filledText, `the policy: ${naming.policy}`),
        policy_text: optional(filledText, "or the text of one, as YAML", { key: "policy_text" }),
      },
      exactlyOne: [["policy", "policy_text"]],
      line: ({ traces, policy, policy_text }) => ({
        command: "check",
        words: ["--policy", policy ?? "policy_text.yaml", "--", ...traces],
        names: { runs: traces, policy },
        ...given("policy_text.yaml", policy_text),
      }),
    }),
    defineTool({
      name: "score_trajectory",
      title: "Score tool paths",
      description:
        "Whether runs took the expected tool path, with a score, and for every missing step the call that came closest. Evaluators that need a model or a program are left out and listed.",
      fields: {
        traces,
        evaluators: optional(filledText, naming.evaluators ?? ""),
        evaluators_text: optional(
          filledText,
          naming.evaluators === undefined ? "the evaluators, as YAML" : "or the text of one, as YAML",
          { key: "evaluators_text" },
        ),
      },
      without: naming.evaluators === undefined ? ["evaluators"] : [],
      exactlyOne: [["evaluators", "evaluators_text"]],
      line: ({ traces, evaluators, evaluators_text }) => ({
        command: "score",
        words: ["--no-judge", "--evaluators", evaluators ?? "evaluators_text.yaml", "--", ...traces],
        names: { runs: traces },
        ...given("evaluators_text.yaml", evaluators_text),
      }),
    }),
    defineTool({
      name: "fingerprint",
      title: "Fingerprint runs",
      description:
        "One hash per run of what the agent did, with the path behind it. With a baseline: whether that behaviour is known, and how far it lies from what is.",
      fields: {
        traces,
        baseline: optional(filledText, naming.baseline.help),
      },
      line: ({ traces, baseline }) =>
        baseline === undefined
          ? { command: "fingerprint", words: ["--", ...traces], names: { runs: traces } }
          : {
              command: "baseline compare",
              words: ["--baseline", naming.baseline.file(baseline), "--", ...traces],
              names: { runs: traces, baseline },
            },
    }),
    defineTool({
      name: "compare_cohorts",
      title: "Changed, or noise?",
      description:
        "Over many runs of both sides: did the agent change, did it not, or is that not known yet. What moved, by how much of the agent's own noise, and how many runs would tell.",
      fields: {
        baseline: required(filledText, `the runs before: ${naming.runs}`),
        candidate: required(filledText, `the runs after: ${naming.runs}`),
      },
      line: ({ baseline, candidate }) => ({
        command: "cohort",
        words: ["--", baseline, candidate],
        names: { runs: [baseline, candidate] },
      }),
    }),
    defineTool({
      name: "explain",
      title: "Explain a code or a finding",
      description:
        "What a code, a kind of rule, an axis or a signal means; with a saved report also what it says under that name, in which file and turn.",
      fields: {
        word: required(
          filledText,
          "an error code, a kind of rule, an axis, a signal; or, with report, the name of a finding",
        ),
        report: optional(filledText, naming.report),
      },
      line: ({ word, report }) => ({
        command: "explain",
        words: [...option("report", report), "--", word],
        names: { report },
      }),
    }),
    defineTool({
      name: "suggest_policy",
      title: "Propose rules",
      description:
        "Rules that hold in every one of some traces, each checked on them, as the text of a policy file. Nothing is written: a person decides what is kept.",
      fields: { traces },
      line: ({ traces }) => ({ command: "policy suggest", words: ["--", ...traces], names: { runs: traces } }),
    }),
  ];
}

function option(name: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [`--${name}=${value}`];
}

function given(name: string, text: string | undefined): Pick<CommandLine, "given"> {
  return text === undefined ? {} : { given: { [name]: text } };
}
