/** One guarded conversation: judges turns and calls in the order in which they want to happen. */
import { needsOf } from "@spoor/core/internal/policy/needs";
import type { Policy, Violation } from "@spoor/core/internal/policy/policy";
import { type Situation, userOf } from "@spoor/core/internal/policy/situation";
import { watchersOf } from "@spoor/core/internal/policy/watched-calls";
import { decodeTurn } from "@spoor/core/internal/providers/decode-turn";
import { MessageMemory } from "@spoor/core/internal/providers/message-memory";
import type { SpokenMemory } from "@spoor/core/internal/providers/provider-api";
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";
import { requireSessionNeeds } from "../door-needs.ts";
import type { SessionInfo } from "../guard-options.ts";
import { interceptTools } from "../intercept/intercept-tools.ts";
import { PolicyViolationError } from "../policy-violation-error.ts";
import type { UserLimits } from "../user-limits.ts";
import type { CallVerdict, CloseReport, TurnVerdict } from "../verdicts.ts";
import { guardAround } from "./guard-around.ts";
import { countUnseen, judgeCall } from "./judge-call.ts";
import { judgesResults } from "./judge-result.ts";
import { judgeTurn } from "./judge-turn.ts";
import { openState } from "./open-session.ts";
import type { SessionContext, Settings } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";
import { setStandingGuard } from "./standing-guard.ts";
import { tellDecision } from "./tell-decision.ts";
import { NO_VIOLATIONS, report } from "./verdict-of.ts";

export interface GuardSession {
  readonly id: string;
  /**
   * Judges a response, with the calls it asks for, before it is handed on. Request and response as the API has them (OpenAI
   * chat and Responses, Anthropic, Gemini, Bedrock Converse, AI SDK), or as `.agentlog` payloads.
   */
  turn(request: JsonObject, response: JsonObject, options?: ActingAgent): TurnVerdict;
  /**
   * The same tools, each judged before it runs: functions, tools of the AI SDK, OpenAI Agents, openai.runTools, LangChain, Mastra
   * and MCP, in lists, records and toolkits. What is none of these is an error.
   */
  wrapTools<T>(tools: T, options?: ActingAgent): T;
  /**
   * Judges one call; for frameworks whose tools cannot be wrapped. Call `settle` with its outcome when it ran. Where the verdict has
   * `asks`, ask a person, and judge the same call again with those rules as `approved`.
   */
  judgeCall(name: string, input: Json, callId?: string, options?: JudgeOptions): CallVerdict;
  /** Everything the session remembers, as text: `guard.restore(id, text)` goes on from there. */
  save(): string;
  close(): CloseReport;
}

/** Whose turn or tools they are, where it is not the agent of the session: a sub-agent's name. */
export interface ActingAgent {
  readonly agent?: string;
}

export interface JudgeOptions extends ActingAgent {
  /** Ids of rules with `then: ask`, of which a person has allowed this very call. */
  readonly approved?: readonly string[];
}

export interface SessionStart {
  readonly info: SessionInfo;
  /** What `save` of an earlier session returned. */
  readonly saved?: string | undefined;
  /** What is counted over all sessions of a user. */
  readonly users?: UserLimits | undefined;
  readonly onClose: () => void;
}

export function createGuardSession(id: string, policy: Policy, settings: Settings, start: SessionStart): GuardSession {
  const { info, saved, users, onClose } = start;
  const situation = situationOf(info);
  requireSessionNeeds(policy, info, situation);
  const today = settings.now === undefined ? {} : { today: settings.now().toISOString().slice(0, 10) };
  const open = openState(id, policy, { traceNames: [id], situation, ...today }, saved, settings.store);
  const user = userOf(situation);
  const step: SessionContext["step"] =
    users === undefined ? open.step : (work) => open.step((state) => withUser(users, user!, state, work));
  const wrapped = new Set<string>();
  let seesAll = false;
  let closed = false;
  const context: SessionContext = {
    id,
    policy,
    settings,
    situation,
    watchers: watchersOf(policy),
    isSeen: (tool) => seesAll || wrapped.has(tool),
    step,
  };
  const requireOpen = () => {
    if (closed) throw new Error(`The guard session "${id}" is closed.`);
  };
  const onTool = (name: string | undefined) => {
    if (name === undefined) seesAll = true;
    else wrapped.add(name);
  };
  const aroundOf = (agent: string | undefined, onRefused?: (violations: readonly Violation[]) => void) =>
    guardAround({
      settings,
      sessionId: id,
      judge({ name, input, callId }, approved) {
        try {
          requireOpen();
          const verdict = judgeCall(context, { name, input, callId, agent, approved });
          if (!verdict.allowed && verdict.asks === undefined && verdict.redacted === undefined)
            onRefused?.(verdict.violations);
          return verdict;
        } catch (error) {
          onRefused?.(error instanceof PolicyViolationError ? error.violations : []);
          throw error;
        }
      },
      refused({ name, input, callId }, { violations }) {
        const told = { decision: "deny", input, violations, blocking: violations } as const;
        tellDecision(context, { name, id: callId, agent }, told);
        onRefused?.(violations);
        report(context, { violations, blocking: violations }, name);
      },
      redacted({ name }, { violations }) {
        report(context, { violations, blocking: NO_VIOLATIONS }, name);
      },
      judgesResults: (tool) => judgesResults(context, tool),
      answered({ name, input, callId: id }, { violations, asks = [] }, approved) {
        if (!approved) {
          tellDecision(context, { name, id, agent }, { decision: "deny", input, violations, blocking: asks });
          onRefused?.(asks);
        }
        report(context, { violations, blocking: approved ? NO_VIOLATIONS : asks }, name, approved);
      },
    });
  const owner = {};
  const memory: SpokenMemory = new MessageMemory();

  const session: GuardSession = {
    id,
    turn(request, response, options = {}) {
      requireOpen();
      const agent = options.agent ?? info.agent;
      return judgeTurn(context, { request, response, agent, decode: () => decodeTurn(request, response, memory) });
    },
    judgeCall(name, input, callId, options = {}) {
      requireOpen();
      const { agent = info.agent, approved } = options;
      return judgeCall(context, { name, input, callId, agent, approved });
    },
    wrapTools(tools, options = {}) {
      const around = aroundOf(options.agent ?? info.agent);
      return interceptTools(tools, { around, owner, onTool, allowDefinitions: settings.turns === true });
    },
    save() {
      requireOpen();
      return open.save();
    },
    close() {
      if (closed) return { violations: [], notEvaluated: [] };
      closed = true;
      onClose();
      return step((state) => closeReport(context, state));
    },
  };
  setStandingGuard(session, {
    onTool,
    around: (use, { agent = info.agent, onRefused }) => aroundOf(agent, onRefused)(use),
  });
  return session;
}

function withUser<T>(users: UserLimits, user: string, state: SessionState, work: (state: SessionState) => T): T {
  return users.step(user, (states) => {
    state.monitor.adopt(states);
    const result = work(state);
    return { states: state.monitor.shared(), result };
  });
}

function closeReport({ isSeen }: SessionContext, state: SessionState): CloseReport {
  countUnseen(state, isSeen, "drop");
  state.closed = true;
  // The guard was promised every response and got none: what looks at responses has judged nothing.
  const isUnshown = state.turnCount === 0 && state.callCount > 0;
  const outcomes = state.monitor.close();
  return {
    violations: outcomes.flatMap((outcome) => outcome.violations),
    notEvaluated: outcomes.flatMap(({ rule, notEvaluated }) => [
      ...notEvaluated.map((why) => ({ ruleId: rule.id, why })),
      ...(isUnshown && notEvaluated.length === 0 && needsOf(rule).includes("turns")
        ? [{ ruleId: rule.id, why: "no response of this session was shown to session.turn" }]
        : []),
    ]),
  };
}

function situationOf({ agent, user, context }: SessionInfo): Situation {
  const principal = { ...(agent === undefined ? {} : { agent }), ...(user === undefined ? {} : { user }) };
  return { principal, ...(context === undefined ? {} : { context }) };
}
