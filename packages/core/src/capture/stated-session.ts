/** The session a request states: what the application said, else the headers and members with which clients name theirs. */
import { type JsonObject, member, stringMember } from "../trace/json.ts";
import type { SeenRequest, StatedSession } from "./seen.ts";

export interface Stated {
  readonly session?: StatedSession;
  /** The agent inside the session, and the one that started it. */
  readonly thread?: string;
  readonly parentThread?: string;
  /** The client makes requests beside the agent's work under the same session. */
  readonly hasAuxiliary?: boolean;
}

export function statedSession({ headers, session }: SeenRequest, body: JsonObject): Stated {
  const client = claudeCode(headers) ?? codex(headers);
  const kept = conversationOf(body);
  const said = session ?? spoorSession(headers) ?? client?.session ?? (kept === undefined ? undefined : { id: kept });
  return { ...client, ...(said === undefined ? {} : { session: said }) };
}

type Headers = SeenRequest["headers"];

function spoorSession(headers: Headers): StatedSession | undefined {
  const id = headers["x-spoor-session"];
  if (!id) return undefined;
  const run = Number(headers["x-spoor-run"]);
  return {
    id,
    agent: headers["x-spoor-agent"],
    scenario: headers["x-spoor-scenario"],
    run: Number.isInteger(run) && run > 0 ? run : undefined,
  };
}

const MAIN = "main";

function claudeCode(headers: Headers): Stated | undefined {
  const id = headers["x-claude-code-session-id"];
  if (!id) return undefined;
  const agent = headers["x-claude-code-agent-id"];
  const thread = agent ? { thread: agent, parentThread: MAIN } : { thread: MAIN };
  return { session: { id }, ...thread, hasAuxiliary: true };
}

function codex(headers: Headers): Stated | undefined {
  const id = headers["session-id"] ?? headers["session_id"];
  if (!id) return undefined;
  const thread = headers["thread-id"] ?? headers["conversation_id"] ?? id;
  const parent = headers["x-codex-parent-thread-id"];
  // A spawned agent has a session id of its own in some versions; its parent's is the one all of them share.
  return { session: { id }, thread, ...(parent ? { parentThread: parent } : {}), hasAuxiliary: true };
}

/** The Responses API keeps conversations under an id. */
export function conversationOf(body: JsonObject): string | undefined {
  const conversation = member(body, "conversation");
  const id = typeof conversation === "string" ? conversation : stringMember(conversation, "id");
  return id || undefined;
}
