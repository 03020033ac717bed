/** `spoor.config.yaml` with what was chosen; what cannot run yet stands in it as a comment. */
import { type AgentRun, RECORDED_FOLDER, renderRun } from "./agent-run.ts";
import { yamlScalar } from "./yaml-scalar.ts";

export interface ConfigChoices {
  readonly agent: string;
  readonly noun: string;
  readonly mode: "warn" | "block";
  /** Where the runs to judge will be. */
  readonly candidate: string;
  /** Where the runs to keep to are; absent when none is recorded yet. */
  readonly baseline?: string;
  /** How Spoor makes the runs itself, both sides. */
  readonly run?: AgentRun;
  readonly policyFile: string;
  readonly baselineFile: string;
  /** False when no rule was chosen: a policy without rules evaluates nothing. */
  readonly hasPolicy: boolean;
}

export function renderConfig(choices: ConfigChoices): string {
  const { agent, noun, mode, candidate, run, policyFile, baselineFile, hasPolicy } = choices;
  const baseline = run === undefined ? choices.baseline : RECORDED_FOLDER;
  const why = mode === "warn" ? "report only; change to `block` once you trust it" : "`warn` reports only";
  const lenses = [
    `diff:     { baseline: ${yamlScalar(baseline ?? "traces/baseline")}, failOn: severe }`,
    `baseline: { file: ${yamlScalar(baselineFile)}, unknownPath: ${mode} }`,
  ];
  const policy = `${hasPolicy ? "" : "# "}policy:   { files: [${yamlScalar(policyFile)}], failOn: severe }`;
  return [
    "# spoor.config.yaml: what `spoor gate` runs. All keys: spoor schema config",
    `agent: ${yamlScalar(agent)}`,
    ...(noun === "trace" ? [] : [`noun: ${yamlScalar(noun)}`]),
    `${`mode: ${mode}`.padEnd(29)} # ${why}`,
    ...(run === undefined ? [`${`traces: ${yamlScalar(candidate)}`.padEnd(29)} # the runs to judge`] : renderRun(run)),
    ...(baseline === undefined
      ? [
          policy,
          "# Once runs that show the behaviour to keep are in traces/baseline, run",
          `#   spoor baseline build traces/baseline --baseline ${baselineFile}`,
          "# and take the # away from these two lines:",
          ...lenses.map((line) => `# ${line}`),
        ]
      : [lenses[0]!, policy, lenses[1]!]),
    "",
  ].join("\n");
}
