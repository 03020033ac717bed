/**
 * The calls that answers of a model asked for: to join what ran, what a request tells, and what a sub-agent was started with, to the
 * answer that asked for it.
 */
import { contentText } from "../trace/content.ts";
import { isObject, type Json, member } from "../trace/json.ts";
import type { ReadMessage } from "./read-history.ts";

export interface Asked {
  readonly id: string;
  readonly name: string;
  readonly input: Json | undefined;
  /** Stands for the name and the arguments. */
  readonly key: string;
  /** When the answer that asks for it had come. */
  readonly askedMs: number;
}

export interface OpenCall<T> extends Asked {
  readonly turn: T;
  /** Whether it began to run in this process. */
  running: boolean;
  answered: boolean;
  /** What it gave, where it was seen to run. */
  ran: { readonly output: Json } | undefined;
}

export class OpenCalls<T> {
  private readonly byId = new Map<string, Set<OpenCall<T>>>();
  private readonly byKey = new Map<string, Set<OpenCall<T>>>();
  /** Some servers count their calls anew in every answer: of those with one id, the latest is the one that may be meant. */
  private readonly answered = new Map<string, OpenCall<T>>();
  /** Calls that may start a sub-agent: those with a prompt. */
  private readonly prompting = new Map<OpenCall<T>, readonly string[]>();
  /** Those that were answered before the agent they started had said anything: it goes on by itself. */
  private readonly goingOn = new Map<OpenCall<T>, readonly string[]>();

  add(asked: Asked, turn: T): OpenCall<T> {
    const call: OpenCall<T> = { ...asked, turn, running: false, answered: false, ran: undefined };
    put(this.byId, call.id, call);
    put(this.byKey, call.key, call);
    const prompts = promptsOf(call.input);
    if (prompts.length > 0) this.prompting.set(call, prompts);
    return call;
  }

  /** The calls of an id that wait for their result; where none waits, the latest that was answered. */
  withId(id: string): readonly OpenCall<T>[] {
    const waiting = this.byId.get(id);
    if (waiting !== undefined) return [...waiting];
    const answered = this.answered.get(id);
    return answered === undefined ? [] : [answered];
  }

  /** The call that a tool which begins to run answers. */
  begin(tool: { readonly id?: string | undefined; readonly key: string }): OpenCall<T> | undefined {
    const calls = tool.id === undefined ? this.byKey.get(tool.key) : this.byId.get(tool.id);
    for (const call of calls ?? []) {
      if (call.running || call.answered) continue;
      call.running = true;
      return call;
    }
    return undefined;
  }

  answer(call: OpenCall<T>): void {
    call.answered = true;
    drop(this.byId, call.id, call);
    drop(this.byKey, call.key, call);
    this.answered.set(call.id, call);
    const prompts = this.prompting.get(call);
    this.prompting.delete(call);
    if (prompts !== undefined) this.goingOn.set(call, prompts);
  }

  /**
   * The call whose prompt stands in what was said to a conversation before it answered. `isStarted`: the client says that another
   * agent started it; then a call that was answered already may have done so.
   */
  callerOf(messages: readonly ReadMessage[], isStarted: boolean): OpenCall<T> | undefined {
    if (this.prompting.size === 0 && !(isStarted && this.goingOn.size > 0)) return undefined;
    const texts = openingTexts(messages);
    const found = callWith(this.prompting, texts) ?? (isStarted ? callWith(this.goingOn, texts) : undefined);
    if (found !== undefined) this.goingOn.delete(found);
    return found;
  }

  remove(call: OpenCall<T>): void {
    drop(this.byId, call.id, call);
    drop(this.byKey, call.key, call);
    if (this.answered.get(call.id) === call) this.answered.delete(call.id);
    this.prompting.delete(call);
    this.goingOn.delete(call);
  }
}

/** What is said before the first answer: programs put notes about the surroundings before the task. */
function openingTexts(messages: readonly ReadMessage[]): string[] {
  const answer = messages.findIndex(({ value }) => value["role"] === "assistant");
  const opening = answer < 0 ? messages : messages.slice(0, answer);
  const said = opening.filter(({ value }) => value["role"] === "user");
  return said.map(({ value }) => contentText(value).trim()).filter((text) => text !== "");
}

function callWith<T>(calls: ReadonlyMap<OpenCall<T>, readonly string[]>, texts: readonly string[]) {
  for (const [call, prompts] of calls) if (texts.some((text) => prompts.includes(text))) return call;
  for (const [call, prompts] of calls) {
    const long = prompts.filter((prompt) => prompt.length >= LONG_ENOUGH);
    if (texts.some((text) => long.some((prompt) => text.includes(prompt)))) return call;
  }
  return undefined;
}

/** What a sub-agent is named after: the kind of agent a call asks for, else the tool. */
export function agentOfCall({ name, input }: Asked): string {
  for (const key of ["subagent_type", "agent_type", "agent", "agent_name", "role", "name"]) {
    const value = member(input, key);
    if (typeof value === "string" && value !== "") return value;
  }
  return name;
}

/** Under these names calls carry what another agent is to do. */
const PROMPT_KEY = /prompt|task|message|instruction|request|question|query|goal|objective|input|items|text/i;
/** A shorter text may stand in any other by chance. */
const LONG_ENOUGH = 20;

/** What a call may tell another agent to do. */
export function promptsOf(input: Json | undefined): string[] {
  if (!isObject(input)) return [];
  return Object.keys(input)
    .filter((key) => PROMPT_KEY.test(key))
    .map((key) => textOf(input[key]!).trim())
    .filter((text) => text !== "");
}

function textOf(value: Json): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? contentText({ content: value }) : "";
}

function put<T>(lists: Map<string, Set<T>>, key: string, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, new Set([item]));
  else list.add(item);
}

function drop<T>(lists: Map<string, Set<T>>, key: string, item: T): void {
  const list = lists.get(key);
  list?.delete(item);
  if (list?.size === 0) lists.delete(key);
}
