/**
 * The file in which Claude Code and Codex keep the session, read by the readers of these formats: how calls ended, and of
 * which tools there are calls. It tells a hook what no event told it: a call that the agent's own permissions denied, the
 * exit code of a command in Codex, and that calls were made which the history does not know.
 */
import { open } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Json } from "@spoor/core";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError } from "@spoor/core/internal/trace/parse-json";
import type { ToolEvent } from "./hook-event.ts";
import { isShellTool } from "./tool-names.ts";

export interface Transcript {
  /** How calls ended, by id. */
  readonly ended: ReadonlyMap<string, { readonly status: "ok" | "error"; readonly output: Json }>;
  /** Tools with a call that ended, other than the one asked about. */
  readonly tools: ReadonlySet<string>;
}

/** A session's newest lines; the outcome of a recent call is among them, and long sessions stay cheap. */
const MOST_BYTES = 1 << 20;

/** Undefined when there is none, or when it is not of a known form. */
export async function readTranscript(event: ToolEvent): Promise<Transcript | undefined> {
  if (event.transcript === undefined || event.dialect === "copilot") return undefined;
  const text = await readTail(fileOf(event, event.transcript));
  if (text === undefined) return undefined;
  const format =
    event.dialect === "codex"
      ? (await import("../formats/codex-rollout.ts")).codexRollout
      : (await import("../formats/claude-code.ts")).claudeCode;
  const reader = format.openLines!({ file: event.transcript, lenient: true, fail: failed });
  for (const [index, line] of text.split("\n").entries()) {
    // The last line may still be under way.
    const value = CALLS.test(line) ? parseJsonText(line) : undefined;
    if (value !== undefined) reader.line(value, index + 1);
  }
  return collect(
    reader.finish().flatMap(({ records }) => records),
    event,
  );
}

/** Only lines with calls and results matter here. */
const CALLS = /"tool_use|"tool_result|_call"|_call_output"|"item_completed"|_end"/;

/** A sub-agent of Claude Code has a file of its own, in a folder named after the session. */
function fileOf({ dialect, agentId, session }: ToolEvent, transcript: string): string {
  if (dialect !== "claude" || agentId === undefined) return transcript;
  return join(dirname(transcript), session, "subagents", `agent-${agentId}.jsonl`);
}

async function readTail(file: string): Promise<string | undefined> {
  try {
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      const start = Math.max(0, size - MOST_BYTES);
      const buffer = Buffer.alloc(size - start);
      await handle.read(buffer, 0, buffer.length, start);
      const text = buffer.toString("utf8");
      return start === 0 ? text : text.slice(text.indexOf("\n") + 1);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function failed(message: string): never {
  throw new JsonSyntaxError(message, 0);
}

function collect(records: readonly { kind: string; payload: Json }[], event: ToolEvent): Transcript {
  const names = new Map<string, string>();
  const ended = new Map<string, { status: "ok" | "error"; output: Json }>();
  for (const { kind, payload } of records) {
    if (kind === "chat_response") for (const [id, name] of callsOf(payload)) names.set(id, name);
    if (kind !== "tool_result") continue;
    const id = stringMember(payload, "tool_call_id");
    const output = member(payload, "output") ?? null;
    if (id === undefined || isRunning(output)) continue;
    const failed =
      member(payload, "is_error") === true || (event.dialect === "codex" && neverRan(names.get(id), output));
    ended.set(id, { status: failed ? "error" : "ok", output });
  }
  const tools = new Set([...names].flatMap(([id, name]) => (ended.has(id) && id !== event.callId ? [name] : [])));
  return { ended, tools };
}

function callsOf(response: Json): [string, string][] {
  const content = member(response, "content");
  return (Array.isArray(content) ? content : []).flatMap((block: Json): [string, string][] => {
    const id = stringMember(block, "id");
    const name = stringMember(block, "name");
    const isCall = isObject(block) && member(block, "type") === "tool_use";
    return isCall && id !== undefined && name !== undefined ? [[id, hookName(name)]] : [];
  });
}

/** In its events Codex calls its shell `Bash`. */
function hookName(name: string): string {
  return isShellTool(name) ? "Bash" : name;
}

/** A command of Codex that goes on in the background: of it there is output, but no end. */
function isRunning(output: Json): boolean {
  return typeof output === "string" && /^Process running with session ID/m.test(output);
}

/** Its reader knows a failure by the exit code; a command that was rejected has none, and never ran. */
function neverRan(name: string | undefined, output: Json): boolean {
  return name === "Bash" && typeof output === "string" && !/^(Process exited with code|Exit code:) -?\d+/m.test(output);
}
