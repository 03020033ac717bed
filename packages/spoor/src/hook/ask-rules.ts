/** Asks the rules about a call, with all that is known of the session, and remembers the call when it may run. */
import type { Json, JsonObject } from "@spoor/core";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { isObject } from "@spoor/core/internal/trace/json";
import type { HookBegin, HookCall, HookDigest, HookEntry, HookResult } from "../store/hook-history.ts";
import type { ToolEvent } from "./hook-event.ts";
import { needsMemory, needsResults, readsOutput, remembers } from "./hook-rules.ts";
import type { HookSession } from "./hook-session.ts";
import { isTold, isUntold, judgeCall, openCalls, TELL_RESULTS, type Verdict } from "./judge-call.ts";
import { readTranscript, type Transcript } from "./read-transcript.ts";

export interface Asked {
  /** Why the call may not run; empty when it may. */
  readonly reasons: readonly string[];
  /** Why a person has to be asked, where nothing else speaks against it. */
  readonly asks?: readonly string[];
  readonly violations: readonly Violation[];
  /** The session's first call. */
  readonly isNew: boolean;
  /** Under which name it is remembered: its id, or one made for it. */
  readonly call?: string;
}

export function askRules(session: HookSession): Promise<Asked> {
  return session.history.update<Asked>(async (entries, digest) => {
    const { event, rules } = session;
    const known = digest?.begin ?? entries.find((entry): entry is HookBegin => entry.kind === "begin");
    const listens = rules.judged.some((rule) => needsResults(rule, event.tool));
    const open = listens ? openCalls(entries, digest, { unsure: true }) : [];
    const transcript = known === undefined || open.length > 0 ? await readTranscript(event) : undefined;
    const begin = known ?? beginOf(session, transcript);
    const learnt: HookEntry[] = [
      ...(known === undefined ? [begin] : []),
      ...open.flatMap(({ id, name }) => resultOf(id, name, transcript, session)),
    ];
    const refuse = (reason: string) => ({
      result: { reasons: [reason], violations: [], isNew: known === undefined },
      append: learnt,
    });
    if (begin.unseen.includes(event.tool) && rules.judged.some(needsMemory)) return refuse(forgotten(event));
    const all = [...entries, ...learnt];
    if (listens && transcript === undefined && isUntold(all, digest)) return refuse(untold(event));
    const verdict = judge(session, all, digest, event.input!);
    const { call, violations } = verdict;
    const { reasons, asks } = answerable(verdict, event);
    return {
      result: { reasons, asks, violations, isNew: known === undefined, call: call.id },
      append: reasons.length > 0 ? learnt : [...learnt, remembered(call, session)],
      ...(verdict.remembered === undefined
        ? {}
        : { digest: { covers: learnt.length, of: digestOf(all, digest, begin, verdict.remembered) } }),
    };
  }, session.key);
}

/** Only Claude Code lets a hook have a person asked; to the others a question would sound like no objection. */
function answerable({ reasons, asks }: Verdict, { dialect }: ToolEvent): Pick<Verdict, "reasons" | "asks"> {
  if (reasons.length > 0 || asks.length === 0 || dialect === "claude") return { reasons, asks };
  return { reasons: [...asks, CANNOT_ASK], asks: [] };
}

const CANNOT_ASK = "A person would have to allow this, and this agent has no way for a hook to ask one.";

function digestOf(
  entries: readonly HookEntry[],
  before: HookDigest | undefined,
  begin: HookBegin,
  remembered: { readonly calls: number; readonly state: JsonObject },
): HookDigest {
  const positions = new Map((before?.open ?? []).map(([position, { id }]) => [id, position]));
  let position = before?.calls ?? 0;
  for (const entry of entries) if (entry.kind === "call") positions.set(entry.id, position++);
  // Long ago and never told how it ended: it will not be told any more.
  const open = openCalls(entries, before, { unsure: true }).slice(-MOST_OPEN);
  return {
    ...remembered,
    begin,
    told: isTold(entries, before),
    open: open.map((call) => [positions.get(call.id)!, call]),
  };
}

const MOST_OPEN = 100;

function judge(
  { event, settings, loaded, rules }: HookSession,
  entries: readonly HookEntry[],
  digest: HookDigest | undefined,
  input: Json,
) {
  const calls = (digest?.calls ?? 0) + entries.filter(({ kind }) => kind === "call").length;
  const id = event.callId ?? `call-${calls}`;
  const { now, blockFrom } = settings;
  const asked = { id, tool: event.tool, input, agent: event.agent, at: now.toISOString() };
  return judgeCall(loaded.policy, entries, digest, asked, {
    rules: rules.judged,
    session: event.session,
    now,
    blockFrom,
  });
}

/** Texts are kept whole where a rule goes back to them; a session that writes many files need not keep all of them. */
function remembered(call: HookCall, { rules }: HookSession): HookCall {
  return rules.judged.some((rule) => remembers(rule, call.name)) ? call : { ...call, input: shortened(call.input) };
}

const LONGEST_TEXT = 2_000;

function shortened(value: Json): Json {
  if (typeof value === "string")
    return value.length <= LONGEST_TEXT ? value : `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`;
  if (Array.isArray(value)) return value.map(shortened);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shortened(one)]));
}

function beginOf({ found }: HookSession, transcript: Transcript | undefined): HookBegin {
  return { kind: "begin", policy: found.name, root: found.root, unseen: [...(transcript?.tools ?? [])] };
}

function resultOf(id: string, tool: string, transcript: Transcript | undefined, { rules }: HookSession): HookResult[] {
  const ended = transcript?.ended.get(id);
  if (ended === undefined) return [];
  const output = rules.judged.some((rule) => readsOutput(rule, tool)) ? { output: ended.output } : {};
  return [{ kind: "result", id, status: ended.status, ...output }];
}

/** The agent's own file knows calls that the history does not. */
function forgotten({ tool }: ToolEvent): string {
  return (
    `The session has earlier calls of ${tool} of which the hook knows nothing: its history is gone, or the hook was added ` +
    "in the middle of the session. Counts and orders cannot be judged any more; begin a new session."
  );
}

function untold({ tool }: ToolEvent): string {
  return `Whether ${tool} may run depends on how earlier calls ended. ${TELL_RESULTS}`;
}
