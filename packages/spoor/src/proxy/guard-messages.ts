/**
 * The guard between an MCP client and a server: it sees every message of both, judges calls before the server does, keeps
 * forbidden tools out of the list, and learns how calls ended. It knows nothing of pipes or HTTP.
 */
import { type Decision, decisionLine, outcomeLine } from "@spoor/core/internal/policy/decision";
import type { Policy, Violation } from "@spoor/core/internal/policy/policy";
import { watches } from "@spoor/core/internal/policy/watched-calls";
import { isObject, type Json, type JsonObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type CallVerdict, type GuardSession, type ResultVerdict, withheldText } from "@spoor/record";
import { ClientQuestions, type HeldCall } from "./ask-client.ts";
import { isForbiddenTool } from "./forbidden-tool.ts";
import { idKey, invalidRequest, isResponse, methodOf, refusedResult } from "./mcp-message.ts";

export interface MessageGuardOptions {
  readonly session: GuardSession;
  readonly policy: Policy;
  /** The server's name in rules; absent: the one it gives itself. */
  readonly server?: string | undefined;
  readonly now: () => Date;
  /** Whether messages of its own reach the client, so that its user can be asked. */
  readonly canAsk?: boolean;
  /** A line of the decision log. */
  readonly log: (line: JsonObject) => void;
  /** The tools the server offers, as it describes them, whenever the client has asked for them all. */
  readonly onTools?: (tools: readonly Json[], server: string) => void;
  readonly policyName: { readonly name: string; readonly digest: string };
}

/** What becomes of a message: it goes on, perhaps changed, or the sender is answered instead. */
export interface Passed {
  readonly forward: readonly Json[];
  readonly answer: readonly Json[];
}

export interface MessageGuard {
  fromClient(message: Json): Passed;
  fromServer(message: Json): readonly Json[];
  /** The server is gone: calls that have not ended never will. */
  end(): void;
}

interface RunningCall {
  readonly tool: string;
  readonly verdict: CallVerdict;
}

export function createMessageGuard(options: MessageGuardOptions): MessageGuard {
  const { session, policy, now, log } = options;
  const running = new Map<string, RunningCall>();
  /** Requests for the list of tools, with the pages that came before. */
  const listings = new Map<string, readonly Json[]>();
  const questions = new ClientQuestions();
  let openingKey: string | undefined;
  let serverName = options.server;
  let collected: Json[] = [];

  return {
    fromClient: (message) => {
      const all = (Array.isArray(message) ? message : [message]).map(judge);
      return { forward: all.flatMap(({ forward }) => forward), answer: all.flatMap(({ answer }) => answer) };
    },
    fromServer: (message) => (Array.isArray(message) ? message : [message]).map(hear),
    end() {
      for (const [key, call] of running) settle(key, call, { error: "The server ended before the call did." }, "error");
    },
  };

  function judge(message: Json): Passed {
    const method = methodOf(message);
    const answer = method === undefined ? questions.answered(message) : undefined;
    if (answer !== undefined) return afterAnswer(answer.call, answer.approved);
    if (method === "tools/call") return judgeCall(message);
    // Any other way to run a tool is one that is not known here.
    if (method?.startsWith("tools/") && method !== "tools/list")
      return answered(invalidRequest(message, `spoor guard does not know ${method} and does not let it through.`));
    const key = idKey(message);
    if (key !== undefined && method === "initialize") {
      openingKey = key;
      questions.open(message);
    }
    if (key !== undefined && method === "tools/list") {
      const isNextPage = member(member(message, "params"), "cursor") !== undefined;
      listings.set(key, isNextPage ? collected : []);
    }
    if (method === "notifications/cancelled") cancel(message);
    return { forward: [message], answer: [] };
  }

  function judgeCall(message: Json): Passed {
    const key = idKey(message);
    const params = member(message, "params");
    const name = stringMember(params, "name");
    const input = member(params, "arguments") ?? {};
    if (key === undefined)
      return answered(
        invalidRequest(message, "A tools/call without an id cannot be answered, so it is not passed on."),
      );
    if (name === undefined || !isObject(input))
      return answered(
        invalidRequest(message, "The call cannot be judged: it needs a name and arguments that are an object."),
      );
    if (running.has(key) || questions.isHeld(key))
      return answered(invalidRequest(message, `A call with the id ${key} is running already.`));
    const tool = serverName === undefined ? name : `mcp:${serverName}/${name}`;
    if (member(params, "task") !== undefined && judgesResults(policy, tool))
      return answered(
        invalidRequest(message, "A call that runs as a task hands its result on unseen, so it is not passed on."),
      );
    return consider({ message, key, tool, input });
  }

  function consider(call: Omit<HeldCall, "asks">): Passed {
    const verdict = session.judgeCall(call.tool, call.input, callId(call.key));
    if (verdict.asks === undefined) return decide(call, verdict);
    const held = { ...call, asks: verdict.asks };
    if (options.canAsk === true && questions.canAsk) return answered(questions.ask(held));
    return refuse(held, verdict.violations, CANNOT_ASK);
  }

  /** A yes is to this call under these rules: what happened in the meantime is judged again. */
  function afterAnswer(call: HeldCall, approved: boolean): Passed {
    const rules = call.asks.map(({ ruleId }) => ruleId);
    const id = callId(call.key);
    if (!approved) return refuse(call, call.asks, DECLINED);
    const verdict = session.judgeCall(call.tool, call.input, id, { approved: rules });
    return verdict.asks === undefined ? decide(call, verdict, rules) : refuse(call, verdict.asks, DECLINED);
  }

  function decide(call: Omit<HeldCall, "asks">, verdict: CallVerdict, approved?: readonly string[]): Passed {
    const redacted = withRedacted(call, verdict);
    if (redacted !== undefined) {
      const again = session.judgeCall(call.tool, redacted.input, callId(call.key), { approved: approved ?? [] });
      const isClean = again.redacted === undefined && again.asks === undefined;
      return isClean ? decide(redacted, again, approved) : refuse(call, again.violations, "");
    }
    if (!verdict.allowed) return refuse(call, verdict.violations, "");
    logDecision(call, verdict.violations, undefined, approved);
    running.set(call.key, { tool: call.tool, verdict });
    return { forward: [call.message], answer: [] };
  }

  function refuse(call: Omit<HeldCall, "asks">, violations: readonly Violation[], why: string): Passed {
    const reason = refusalOf(violations, why);
    logDecision(call, violations, reason);
    return answered(refusedResult(call.message, reason));
  }

  function callId(key: string): string {
    return `${key}@${session.id}`;
  }

  function hear(message: Json): Json {
    const key = idKey(message);
    if (key === undefined || !isResponse(message)) return message;
    if (key === openingKey) serverName ??= stringMember(member(member(message, "result"), "serverInfo"), "name");
    const listing = listings.get(key);
    if (listing !== undefined) return listTools(key, message, listing);
    const call = running.get(key);
    return call === undefined ? message : hearOutcome(key, call, message);
  }

  /** What the client is told: the answer, what is left of it, or why it is withheld. */
  function hearOutcome(key: string, call: RunningCall, message: Json): Json {
    const result = member(message, "result");
    const error = member(message, "error");
    const isError = error !== undefined || member(result, "isError") === true;
    const isJudged = judgesResults(policy, call.tool);
    const said = error ?? result ?? null;
    // Rules that judge results see all of it: texts, data, and whatever else a client may show.
    const seen = isJudged ? said : (error ?? outputOf(result));
    const why = error ?? member(result, "content") ?? null;
    const verdict = settle(
      key,
      call,
      isError ? { error: why, output: seen } : { output: seen },
      isError ? "error" : "ok",
    );
    if (!isJudged || !isObject(message)) return message;
    if (!verdict.allowed) return refusedResult(message, withheldText(verdict.violations));
    if (verdict.replaced === undefined) return message;
    const replaced = verdict.replaced.output as Json;
    return error === undefined ? { ...message, result: replaced } : { ...message, error: replaced };
  }

  function settle(
    key: string,
    { tool, verdict }: RunningCall,
    outcome: Parameters<CallVerdict["settle"]>[0],
    status: "ok" | "error",
  ): ResultVerdict {
    running.delete(key);
    const judged = verdict.settle(outcome);
    log(outcomeLine({ ...named(tool, key), status }));
    // Nobody can be asked about what is already there: without a yes it is withheld.
    return judged.asks === undefined ? judged : verdict.settle(outcome, { declined: judged.asks });
  }

  function cancel(message: Json): void {
    const request = member(member(message, "params"), "requestId");
    const key = idKey({ id: request ?? null });
    if (key !== undefined) questions.cancel(key);
    const call = key === undefined ? undefined : running.get(key);
    if (key !== undefined && call !== undefined)
      settle(key, call, { error: "The client cancelled the call." }, "error");
  }

  /** Tools that no call could ever use are not offered: a model does not ask for what it does not see. */
  function listTools(key: string, message: Json, before: readonly Json[]): Json {
    listings.delete(key);
    const result = member(message, "result");
    const tools = member(result, "tools");
    if (!isObject(message) || !isObject(result) || !Array.isArray(tools)) return message;
    collected = [...before, ...tools];
    if (member(result, "nextCursor") === undefined) options.onTools?.(collected, serverName ?? "");
    const allowed = tools.filter((tool) => !isForbiddenTool(policy, nameOf(tool)));
    return { ...message, result: { ...result, tools: allowed } };
  }

  function nameOf(tool: Json): string {
    const name = stringMember(tool, "name") ?? "";
    return serverName === undefined ? name : `mcp:${serverName}/${name}`;
  }

  function logDecision(
    { tool, key, input }: Omit<HeldCall, "asks">,
    violations: readonly Violation[],
    reason: string | undefined,
    approved?: readonly string[],
  ): void {
    const decision: Decision = reason === undefined ? "allow" : "deny";
    log(
      decisionLine({
        ...named(tool, key),
        decision,
        arguments: input,
        violations,
        approved,
        reason,
        policy: options.policyName,
      }),
    );
  }

  function named(tool: string, key: string) {
    return {
      time: now().toISOString(),
      door: "proxy" as const,
      session: session.id,
      tool,
      call: callId(key),
    };
  }
}

/** The call with what must not stand in its arguments taken out. */
function withRedacted(call: Omit<HeldCall, "asks">, { redacted }: CallVerdict): Omit<HeldCall, "asks"> | undefined {
  if (!isObject(redacted) || !isObject(call.message)) return undefined;
  const params = member(call.message, "params");
  const message = { ...call.message, params: { ...(isObject(params) ? params : {}), arguments: redacted } };
  return { ...call, message, input: redacted };
}

function judgesResults({ rules }: Policy, tool: string): boolean {
  return rules.some((rule) => rule.definition.judgesResults === true && watches(rule, tool));
}

function answered(answer: Json): Passed {
  return { forward: [], answer: [answer] };
}

const CANNOT_ASK = "A person would have to allow it, and this client offers no way to ask one.";
const DECLINED = "A person was asked and did not allow it.";

function refusalOf(violations: readonly Violation[], more: string): string {
  const why = violations.map(({ ruleId, message }) => `${ruleId}: ${message}`).join(" ");
  const said = [why === "" ? "It could not be judged." : why, ...(more === "" ? [] : [more])].join(" ");
  return `[spoor] This tool call was blocked by policy and did not run. ${said}`;
}

/** The structured result where there is one, the texts otherwise: what the model reads. */
function outputOf(result: Json | undefined): Json {
  return member(result, "structuredContent") ?? member(result, "content") ?? result ?? null;
}
