import { SpoorError } from "@spoor/core/internal/errors";
import { printableLines } from "@spoor/core/internal/text/printable";
import { describeSuggestion } from "../../describe/policy-suggestion.ts";
import { mineRules } from "../../init/mine-rules.ts";
import { describeShape, renderPolicy } from "../../init/render-policy.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { loadOptions } from "../load-options.ts";
import { tracesOf } from "../project.ts";

export const policySuggestCommand = defineCommand({
  description:
    "Which tool comes before which, what is called at most once, what is offered and never called. Each rule was checked on " +
    "these very traces and holds in all of them. Nothing is written: the policy is printed, to be read and kept by a person.",
  positionals: ["[traces...]"],
  options: {},
  examples: [
    { run: "spoor policy suggest baseline/", does: "Rules that hold in every run of a folder, as a policy file." },
  ],
  async run(args, io) {
    const paths = await tracesOf(args.traces, "policy suggest", args, io);
    const traces = await loadTraces(paths, loadOptions(args, io));
    const rules = mineRules(traces);
    if (rules.length === 0)
      throw new SpoorError("policy.no-suggestion", "No rule holds in all of these traces.", {
        consequence: "Nothing is proposed.",
        hint: "Name more runs of the same agent, or only those that went well.",
      });
    const agents = [...new Set(traces.flatMap(({ agent }) => agent ?? []))];
    const report = {
      schema: "spoor.policy-suggestion/1" as const,
      tool: toolInfo,
      inputs: paths.map((path) => ({ role: "trace" as const, path })),
      traces: traces.length,
      rules: rules.map(({ id, shape, evidence, suggested }) => ({
        id,
        says: describeShape(shape, "run"),
        evidence,
        suggested,
      })),
      policy: renderPolicy(rules, { agent: agents.length === 1 ? agents[0]! : "the agent", file: "policy.yaml" }),
    };
    await emitReport(
      report,
      {
        // To be copied: whole lines, whatever the width.
        terminal: (one, style) =>
          `${writeTerminal(describeSuggestion(one), style)}\n${printableLines(one.policy).join("\n")}`,
        json: writeJson,
      },
      args,
      io,
    );
    return exitCode.ok;
  },
});
