/** The session of an event: its history, and the policy by which it is judged from its first call to its last. */
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { FindingSeverity } from "@spoor/core/internal/judgement/severity";
import { type LoadedPolicy, loadPolicySources } from "../load/load-policy.ts";
import { type HookHistory, openHookHistory } from "../store/hook-history.ts";
import { version } from "../tool-info.ts";
import { type FoundPolicy, findPolicy } from "./find-policy.ts";
import type { ToolEvent } from "./hook-event.ts";
import { type HookRules, rulesOfHook } from "./hook-rules.ts";
import { stateFolder } from "./state-folder.ts";

export interface HookSettings {
  readonly policy: string;
  readonly history?: string | undefined;
  readonly log?: string | undefined;
  readonly skip: readonly string[];
  readonly blockFrom: FindingSeverity;
  readonly grant: boolean;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
}

/** What everything after the event needs. */
export interface HookSession {
  readonly event: ToolEvent;
  readonly settings: HookSettings;
  readonly history: HookHistory;
  readonly found: FoundPolicy;
  readonly loaded: LoadedPolicy;
  readonly rules: HookRules;
  /** By what a digest of the history was made: other rules remember other things. */
  readonly key: string;
}

export async function openSession(event: ToolEvent, settings: HookSettings): Promise<HookSession> {
  const { policy, cwd } = settings;
  const project = settings.env["CLAUDE_PROJECT_DIR"] || undefined;
  const folder = historyFolder(settings, project);
  const history = openHookHistory(folder, { session: event.session, project, policy }, settings.now);
  const begin = await history.begin();
  // Once found it stays: an agent that changes folder must not choose its judge.
  const found = begin === undefined ? findPolicy(policy, { project, hook: cwd, event: event.cwd }) : nameOf(begin);
  if (found === undefined) {
    throw new SpoorError("policy.unreadable", `The policy ${policy} is in no folder of the project.`, {
      consequence: "A call that cannot be judged is refused.",
      hint: `Looked in ${project ?? cwd} and above. Name the policy relative to the project, or by its full path.`,
    });
  }
  const loaded = loadPolicySources(found.name, { cwd: found.root, kept: join(stateOf(settings), "compiled") });
  const rules = rulesOfHook(loaded.policy, settings.skip);
  const texts = loaded.sources.map(({ text }) => text);
  const key = digestText(JSON.stringify([version, rules.judged.map(({ id }) => id), ...texts]), 32);
  return { event, settings, history, found, loaded, rules, key };
}

function nameOf({ policy, root }: { policy: string; root: string }): FoundPolicy {
  return { name: policy, root };
}

function historyFolder({ history, env, cwd }: HookSettings, project: string | undefined): string {
  if (history === undefined) return join(stateOf({ env }), "hooks");
  return isAbsolute(history) ? history : join(project ?? cwd, history);
}

function stateOf({ env }: Pick<HookSettings, "env">): string {
  return stateFolder({ env, platform: process.platform, home: homedir() });
}
