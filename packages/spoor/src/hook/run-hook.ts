/** One event of a coding agent: a call is judged, an outcome is remembered, anything else is let be. */
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import type { JsonObject } from "@spoor/core";
import { type Decision, decisionLine, outcomeLine } from "@spoor/core/internal/policy/decision";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { listOf } from "@spoor/core/internal/text/words";
import { createDecisionLog } from "@spoor/record/decision-log";
import { policyDigest } from "../load/load-policy.ts";
import type { HookAnswer } from "./answer.ts";
import { type Asked, askRules } from "./ask-rules.ts";
import { parseHookEvent, type ToolEvent } from "./hook-event.ts";
import type { HookRules } from "./hook-rules.ts";
import { type HookSession, type HookSettings, openSession } from "./hook-session.ts";
import { judgeResult, resultRules } from "./judge-result.ts";
import { createOwnFiles } from "./own-files.ts";
import { protectOwnFiles } from "./protect.ts";
import { checkAsked, rememberOutcome } from "./remember-outcome.ts";

export async function runHook(
  text: string,
  settings: HookSettings,
): Promise<{ event?: ToolEvent; answer: HookAnswer }> {
  const event = parseHookEvent(text);
  if (event.kind === "other") return { answer: {} };
  const session = await openSession(event, settings);
  if (event.kind === "before") return { event, answer: await judge(session) };
  if (event.kind === "permission") await checkAsked(session);
  else {
    const ended = await rememberOutcome(session);
    const denied = event.kind === "denied" ? { denied: true as const } : {};
    if (ended !== undefined) log(session, outcomeLine({ ...named(session), ...ended, ...denied }));
    const result = event.kind === "denied" ? undefined : judgeResult(session);
    if (result !== undefined) return { event, answer: { result } };
  }
  return { event, answer: {} };
}

async function judge(session: HookSession): Promise<HookAnswer> {
  const { event, rules, settings } = session;
  const refusal = refuseUnseen(session);
  const asked: Asked =
    refusal === undefined ? await askRules(session) : { reasons: [refusal], violations: [], isNew: false };
  const decision = decisionOf(asked, settings.grant);
  const why = decision === "deny" ? asked.reasons : (asked.asks ?? []);
  const reason = why.length > 0 ? why.join(" ") : "No rule of the policy objects.";
  log(
    session,
    decisionLine({
      ...named(session),
      ...(asked.call === undefined ? {} : { call: asked.call }),
      decision,
      arguments: event.input,
      violations: asked.violations,
      reason: why.length > 0 ? reason : undefined,
      policy: { name: settings.policy, digest: policyDigest(session.loaded) },
    }),
  );
  const mild =
    decision === "deny" ? [] : asked.violations.filter(({ effect }) => decision !== "ask" || effect !== "ask");
  const notices = [...(asked.isNew ? notJudged(rules) : []), ...mild.map(mildly)];
  return {
    ...(decision === "none" ? {} : { decision, reason }),
    ...(notices.length === 0 ? {} : { notice: notices.join("\n") }),
  };
}

/** A no counts more than a question, and a question more than the agent's own permissions. */
function decisionOf({ reasons, asks = [] }: Asked, grant: boolean): Decision {
  if (reasons.length > 0) return "deny";
  if (asks.length > 0) return "ask";
  return grant ? "allow" : "none";
}

/** What is refused before any rule is asked: calls that nobody can judge, and calls against the judge. */
function refuseUnseen({ event, settings, history, found, loaded, rules }: HookSession): string | undefined {
  if (event.input === undefined) return `The call of ${event.tool} cannot be judged: ${event.unreadable}.`;
  const named = rules.judged.find((rule) => rule.agents.length > 0);
  if (named !== undefined && event.agent === undefined)
    return `Rule ${named.id} is about one agent, and the event does not say which agent calls.`;
  const [unread] = resultRules(rules.judged, event.tool);
  if (unread !== undefined && event.dialect === "copilot")
    return `Rule ${unread.id} judges what ${event.tool} returns before it is read, and this agent has no way for a hook to do so.`;
  const { env } = settings;
  const own = createOwnFiles({
    files: [
      ...loaded.sources.filter(({ file }) => !file.startsWith("spoor:")).map(({ file }) => resolve(found.root, file)),
      ...(settings.log === undefined ? [] : [logFile(settings)]),
      ...(event.transcript === undefined ? [] : [event.transcript]),
    ],
    folders: [dirname(history.file)],
    agentFolders: [env["CLAUDE_CONFIG_DIR"], env["CODEX_HOME"], env["COPILOT_HOME"]].filter((one) => one !== undefined),
    cwd: event.cwd ?? settings.cwd,
    home: homedir(),
  });
  return protectOwnFiles(event.tool, event.input, own);
}

function notJudged({ left }: HookRules): string[] {
  if (left.length === 0) return [];
  const ids = left.map(({ id }) => id);
  return [
    `spoor hook does not judge ${listOf(ids, "and")}: a hook is shown tool calls only. Check the session's file with spoor check.`,
  ];
}

function mildly({ ruleId, message, effect }: Violation): string {
  const what = effect === "warn" ? "a warning" : "not severe enough to refuse";
  return `spoor hook, ${what}: ${ruleId}: ${message}`;
}

function named({ event, settings }: HookSession) {
  const { session, tool, agent, callId: call } = event;
  return { time: settings.now.toISOString(), door: "hook" as const, session, tool, agent, call };
}

function logFile({ log: file = "", env, cwd }: HookSettings): string {
  return isAbsolute(file) ? file : join(env["CLAUDE_PROJECT_DIR"] || cwd, file);
}

function log({ settings }: HookSession, line: JsonObject): void {
  if (settings.log !== undefined) createDecisionLog(logFile(settings))(line);
}
