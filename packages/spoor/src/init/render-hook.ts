/**
 * The settings with which a coding agent asks `spoor hook` about every tool call. Agents let a call through when the hook cannot
 * be started, is killed or takes too long: so the command ends in `|| exit 2`, which refuses, starts what is installed in
 * the project instead of looking for it, and is given more time than it takes for itself.
 */

export const hookAgents = ["claude", "codex", "copilot"] as const;
export type HookAgent = (typeof hookAgents)[number];

export interface SettingsFile {
  readonly path: string;
  readonly content: string;
  readonly purpose: string;
  /** A file of that name that holds this needs nothing more. */
  readonly mark: string;
}

/** `spoor hook` refuses after 20 s by itself. */
const SECONDS = 30;

/** Before a call, when it went well, when it failed. */
const EVENTS = ["PreToolUse", "PostToolUse", "PostToolUseFailure"];

export function renderHook(agent: HookAgent, policy: string): SettingsFile {
  if (agent === "claude") return claude(policy);
  return agent === "codex" ? codex(policy) : copilot(policy);
}

function claude(policy: string): SettingsFile {
  const hook = { type: "command", command: shellLine('"$CLAUDE_PROJECT_DIR"', policy), timeout: SECONDS };
  return file(".claude/settings.json", "Claude Code", { hooks: matched(EVENTS, hook) });
}

/** Codex has no event for a failure of its own: it tells of it in its transcript. */
function codex(policy: string): SettingsFile {
  const hook = { type: "command", command: shellLine(GIT_ROOT, policy), timeout: SECONDS };
  return file(".codex/hooks.json", "Codex", { hooks: matched(EVENTS.slice(0, 2), hook) });
}

/** Events in these spellings carry the tool names of Claude Code, so that one policy serves all three agents. */
function copilot(policy: string): SettingsFile {
  const powershell = `& "$(git rev-parse --show-toplevel)/node_modules/.bin/spoor" hook --policy ${policy}; if ($LASTEXITCODE -ne 0) { exit 2 }`;
  const hook = { type: "command", bash: shellLine(GIT_ROOT, policy), powershell, timeoutSec: SECONDS };
  const hooks = Object.fromEntries(EVENTS.map((event) => [event, [hook]]));
  return file(".github/hooks/spoor.json", "Copilot", { version: 1, hooks });
}

const GIT_ROOT = '"$(git rev-parse --show-toplevel)"';

function shellLine(root: string, policy: string): string {
  return `${root}/node_modules/.bin/spoor hook --policy ${policy} || exit 2`;
}

function matched(events: readonly string[], hook: object): object {
  return Object.fromEntries(events.map((event) => [event, [{ matcher: "*", hooks: [hook] }]]));
}

function file(path: string, agent: string, settings: object): SettingsFile {
  return {
    path,
    content: `${JSON.stringify(settings, null, 2)}\n`,
    purpose: `${agent} asks spoor hook before every tool call`,
    mark: "spoor hook",
  };
}
