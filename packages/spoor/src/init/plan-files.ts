/** What init will write: every file with its text and its purpose. Pure: what exists already is left out later. */
import type { Trace } from "@spoor/core";
import { addRun, type Baseline, createBaseline, type Producer } from "@spoor/core/internal/fingerprint/baseline";
import { renderBaselineFile } from "@spoor/core/internal/fingerprint/baseline-json";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { count } from "../document/words.ts";
import type { AgentRun } from "./agent-run.ts";
import type { MinedRule } from "./mined-rule.ts";
import type { Copy } from "./propose.ts";
import { type CiChoices, renderCi } from "./render-ci.ts";
import { renderConfig } from "./render-config.ts";
import { type HookAgent, renderHook } from "./render-hook.ts";
import { type McpAgent, renderMcp } from "./render-mcp.ts";
import { renderOwners } from "./render-owners.ts";
import { renderPolicy } from "./render-policy.ts";

export interface InitChoices {
  readonly agent: string;
  readonly noun: string;
  readonly mode: "warn" | "block";
  /** Glob and runs of the behaviour to keep; absent when nothing is recorded. */
  readonly keep?: { readonly glob: string; readonly traces: readonly Trace[]; readonly copies: readonly Copy[] };
  readonly candidate: string;
  /** How Spoor makes the runs itself; the found ones then only teach rules. */
  readonly run?: AgentRun;
  readonly rules: readonly MinedRule[];
  readonly ci: CiChoices;
  /** Coding agents that ask Spoor about their calls. */
  readonly hooks: readonly HookAgent[];
  /** Coding agents that ask Spoor about traces. */
  readonly askers: readonly McpAgent[];
  /** The shared service that they may ask too. */
  readonly service?: string | undefined;
  /** Who reviews changes of rules and baselines, and the file that says so. */
  readonly owners: { readonly place: string; readonly names: readonly string[] };
}

export interface PlannedFile {
  readonly path: string;
  readonly content: string;
  /** In few words, for the list. */
  readonly purpose: string;
  /** The lines that are missing are added to the end of a file that exists; everything else is never touched. */
  readonly append?: true;
  /** Settings of another program: what a file that exists must hold, or the user is shown what to add. */
  readonly mark?: string;
  /** A folder of copies; nothing else is written there. */
  readonly copies?: readonly Copy[];
}

/** What must not happen to a repository, whoever works in it; a policy of one's own may extend it. */
const HOOK_POLICY = "spoor:coding-agent";

export interface InitPlan {
  readonly files: readonly PlannedFile[];
  /** What was learnt; absent without runs. */
  readonly baseline?: { readonly behaviours: number; readonly seenOnce: number; readonly runs: number };
}

export function planFiles(choices: InitChoices, made: { producer: Producer; by: string; now: string }): InitPlan {
  const { agent, noun, mode, candidate, rules, run } = choices;
  const keep = run === undefined ? choices.keep : undefined;
  const name = fileName(agent);
  const policyFile = `policies/${name}.yaml`;
  const baselineFile = `baselines/${name}.json`;
  const baseline = keep === undefined ? undefined : learn(agent, keep.traces, made);
  const config = { agent, noun, mode, candidate, policyFile, baselineFile, hasPolicy: rules.length > 0 };
  const files: PlannedFile[] = [
    {
      path: "spoor.config.yaml",
      content: renderConfig({
        ...config,
        ...(keep === undefined ? {} : { baseline: keep.glob }),
        ...(run === undefined ? {} : { run }),
      }),
      purpose: "what the gate runs",
    },
  ];
  if (keep !== undefined && keep.copies.length > 0) {
    const from = keep.copies[0]!.from.replace(/[^\\/]*$/, "") || "this folder";
    const purpose = `${count(keep.copies.length, "run file")}, copied from ${from}`;
    files.push({ path: `${keep.glob}/`, content: "", purpose, copies: keep.copies });
  }
  if (rules.length > 0) {
    files.push({
      path: policyFile,
      content: renderPolicy(rules, { agent, file: policyFile }),
      purpose: `${count(rules.length, "rule")}, ${rules.length === 1 ? "with" : "each with"} an example that passes and one that fails`,
    });
  }
  if (baseline !== undefined) {
    const purpose = `${count(baseline.intents.size, "behaviour")} from ${count(baseline.runCount, "run")}; commit it`;
    files.push({ path: baselineFile, content: renderBaselineFile(baseline), purpose });
  }
  const ciFile = renderCi(choices.ci);
  const { place, names } = choices.owners;
  files.push(
    ciFile,
    ...(names.length === 0 ? [] : [renderOwners(place, ciFile.path, names)]),
    ...choices.hooks.map((one) => renderHook(one, HOOK_POLICY)),
    ...choices.askers.flatMap((one) => renderMcp(one, choices.service)),
    {
      path: ".gitignore",
      content: ".spoor/\n",
      purpose: "+ .spoor/ (run output)",
      append: true,
    },
  );
  if (baseline === undefined) return { files };
  const seenOnce = [...baseline.intents.values()].filter((intent) => intent.runs === 1).length;
  return { files, baseline: { behaviours: baseline.intents.size, seenOnce, runs: baseline.runCount } };
}

function learn(
  agent: string,
  traces: readonly Trace[],
  made: { producer: Producer; by: string; now: string },
): Baseline {
  const { producer, by, now } = made;
  const baseline = createBaseline({ agent, mode: "sequence", producer, now });
  for (const trace of traces) addRun(baseline, { ...runFacts(trace, { mode: "sequence" }), agent });
  baseline.generation = 1;
  const change = `${count(baseline.runCount, "run")}, ${count(baseline.intents.size, "new behaviour")}`;
  baseline.history.push({ by, why: "spoor init", at: now, generation: 1, action: "build", change });
  return baseline;
}

/** An agent's name as a file name: no separators, nothing hidden. */
function fileName(agent: string): string {
  return (
    agent
      .replace(/[^\w.-]+/g, "_")
      .replace(/^[._-]+/, "")
      .slice(0, 80) || "agent"
  );
}
