/**
 * What users and tools told two runs, side by side: messages one after the other, results call by call. Each conversation is read once,
 * whatever number of divergences ask about it.
 */
import { contentText } from "../trace/content.ts";
import { isObject, type Json, jsonEqual, member, stringifyJson, stringMember } from "../trace/json.ts";
import type { ToolCall, Turn } from "../trace/trace.ts";
import type { AlignedStep } from "./align/alignment.ts";
import type { InputDifference, InputPlace } from "./input-difference.ts";
import { pairCalls } from "./pair-calls.ts";
import { firstLineDifference } from "./text-difference.ts";
import { firstValueDifference, readResult } from "./value-difference.ts";

export interface PlacedInput {
  readonly difference: InputDifference;
  /** Ascending along the conversation. */
  readonly order: number;
}

export interface Heard {
  /** The first message that differs, the first result that differs. */
  readonly found: readonly PlacedInput[];
  readonly resultsMissing: boolean;
  readonly volatile: boolean;
}

export interface Talk {
  readonly matches: readonly { readonly left: Turn; readonly right: Turn }[];
  /** What both sides were told before a turn of each. */
  before(at: Required<InputPlace>): Heard;
}

interface Sides {
  readonly baseline: readonly Turn[];
  readonly candidate: readonly Turn[];
  readonly steps: readonly AlignedStep[];
}

export function createTalk(sides: Sides, leftSession: number, rightSession: number): Talk {
  const rows = rowsOf(sides, leftSession, rightSession);
  const messages = lazily(() => compareMessages(rows));
  const results = lazily(() => compareResults(rows));
  return {
    matches: rows.flatMap(({ left, right }) => (left === undefined || right === undefined ? [] : [{ left, right }])),
    before({ baselineTurn, candidateTurn }) {
      const said = firstSaid(messages(), baselineTurn, candidateTurn);
      const { first, missing, volatile } = results();
      const isBefore = ({ left, right }: Row) =>
        (left === undefined || left.index < baselineTurn) && (right === undefined || right.index < candidateTurn);
      return {
        found: [
          ...(said.found === undefined ? [] : [said.found]),
          ...(first !== undefined && isBefore(first.row) ? [first] : []),
        ],
        resultsMissing: missing !== undefined && isBefore(missing),
        volatile: said.volatile || (volatile !== undefined && isBefore(volatile)),
      };
    },
  };
}

function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** A step of the alignment: two turns, or one that only one side has. */
interface Row {
  readonly left?: Turn;
  readonly right?: Turn;
}

function rowsOf({ baseline, candidate, steps }: Sides, leftSession: number, rightSession: number): Row[] {
  const rows: Row[] = [];
  for (const step of steps) {
    const left = step.kind === "insert" ? undefined : baseline[step.baseline]!;
    const right = step.kind === "delete" ? undefined : candidate[step.candidate]!;
    const own = {
      ...(left?.sessionIndex === leftSession ? { left } : {}),
      ...(right?.sessionIndex === rightSession ? { right } : {}),
    };
    if (own.left !== undefined || own.right !== undefined) rows.push(own);
  }
  return rows;
}

interface Message {
  readonly role: string;
  readonly text: string;
  readonly turn: number;
}

interface Messages {
  readonly left: readonly Message[];
  readonly right: readonly Message[];
  /** Position of the first two that differ; the shorter length when none do. */
  readonly parts: number;
  /** Position of the first two that differ in ids or times alone. */
  readonly volatile: number;
  /** Differences that were asked for before, by position and by the sides that heard it. */
  readonly told: Map<string, PlacedInput>;
}

function compareMessages(rows: readonly Row[]): Messages {
  const left = heardBy(rows.flatMap((row) => row.left ?? []));
  const right = heardBy(rows.flatMap((row) => row.right ?? []));
  let volatile = Number.POSITIVE_INFINITY;
  let at = 0;
  for (; at < Math.min(left.length, right.length); at++) {
    const one = left[at]!;
    const other = right[at]!;
    if (one.role === other.role && one.text === other.text) continue;
    if (one.role !== other.role || firstLineDifference(one.text, other.text) !== undefined) break;
    volatile = Math.min(volatile, at);
  }
  return { left, right, parts: at, volatile, told: new Map() };
}

/** Everything but what the model said and what tools returned; of the first request also what it says was said before. */
function heardBy(turns: readonly Turn[]): Message[] {
  return turns.flatMap((turn, index) => {
    const { messages } = turn;
    if (messages === undefined) return [];
    const from = index === 0 ? afterLeadingSystem(messages) : afterLastAnswer(messages);
    return messages.slice(from).flatMap((message) => {
      const text = spokenText(message);
      const role = member(message, "role");
      return text === "" || typeof role !== "string" || role === "tool" ? [] : [{ role, text, turn: turn.index }];
    });
  });
}

type MessageList = NonNullable<Turn["messages"]>;

function afterLeadingSystem(messages: MessageList): number {
  let at = 0;
  while (at < messages.length && ["system", "developer"].includes(stringMember(messages.at(at), "role") ?? "")) at++;
  return at;
}

function afterLastAnswer(messages: MessageList): number {
  for (let at = messages.length - 1; at >= 0; at--) if (member(messages.at(at), "role") === "assistant") return at + 1;
  return afterLeadingSystem(messages);
}

/** The text, and what is no text as JSON: another picture is another message. Results and marks for the cache are left out. */
function spokenText(message: Json): string {
  if (!isObject(message)) return "";
  const text = contentText(message);
  const content = member(message, "content");
  if (!Array.isArray(content)) return text;
  const others = content.filter((part: Json) => isObject(part) && !SPOKEN_ELSEWHERE.has(member(part, "type")));
  return [text, ...others.map((part: Json) => stringifyJson(part))].filter((piece) => piece !== "").join("\n");
}

const SPOKEN_ELSEWHERE: ReadonlySet<Json | undefined> = new Set(["text", "tool_result", "tool_use", "thinking"]);

function firstSaid({ left, right, parts, volatile, told }: Messages, baselineTurn: number, candidateTurn: number) {
  const heardLeft = left.filter(({ turn }) => turn <= baselineTurn).length;
  const heardRight = right.filter(({ turn }) => turn <= candidateTurn).length;
  const at = Math.min(parts, heardLeft, heardRight);
  const one = at < heardLeft ? left[at] : undefined;
  const other = at < heardRight ? right[at] : undefined;
  if (one === undefined && other === undefined) return { found: undefined, volatile: volatile < at };
  const key = `${at} ${one === undefined} ${other === undefined}`;
  const found = told.get(key) ?? saidDifference(one, other);
  told.set(key, found);
  return { found, volatile: volatile < at };
}

function saidDifference(one: Message | undefined, other: Message | undefined): PlacedInput {
  const place = {
    ...(one === undefined ? {} : { baselineTurn: one.turn }),
    ...(other === undefined ? {} : { candidateTurn: other.turn }),
  };
  const { line, ...texts } = firstLineDifference(one?.text ?? "", other?.text ?? "") ?? { line: 1 };
  const severalLines = /[\r\n]/.test(`${one?.text ?? ""}${other?.text ?? ""}`);
  const role = (other ?? one)!.role;
  return {
    difference: { code: "said", role, ...place, ...texts, ...(severalLines ? { line } : {}) },
    order: orderOf(place) + 1,
  };
}

function orderOf({ baselineTurn, candidateTurn }: InputPlace): number {
  return Math.min(baselineTurn ?? Number.POSITIVE_INFINITY, candidateTurn ?? Number.POSITIVE_INFINITY) * 3;
}

interface Results {
  readonly first?: PlacedInput & { readonly row: Row };
  /** Where the first result stands that one side did not record. */
  readonly missing?: Row;
  readonly volatile?: Row;
}

function compareResults(rows: readonly Row[]): Results {
  let missing: Row | undefined;
  let volatile: Row | undefined;
  let first: Results["first"];
  for (const row of rows) {
    for (const { one, other } of pairCalls(row.left?.toolCalls ?? [], row.right?.toolCalls ?? [])) {
      const isKnown = (call: ToolCall | undefined) =>
        call === undefined || call.output !== undefined || hasFailed(call);
      if (!isKnown(one) || !isKnown(other)) {
        missing ??= row;
        continue;
      }
      const answer = resultDifference(row, one, other);
      if (answer === "volatile") volatile ??= row;
      else if (answer !== undefined) first ??= { ...answer, row };
    }
    if (first !== undefined) break;
  }
  return { ...(first ? { first } : {}), ...(missing ? { missing } : {}), ...(volatile ? { volatile } : {}) };
}

function resultDifference(row: Row, one: ToolCall | undefined, other: ToolCall | undefined) {
  // Nearly all results are equal as they were recorded, and need not be read.
  if (one !== undefined && other !== undefined && !hasFailed(one) && !hasFailed(other)) {
    if (jsonEqual(one.output, other.output)) return undefined;
  }
  const before = one === undefined ? undefined : resultOf(one);
  const after = other === undefined ? undefined : resultOf(other);
  if (jsonEqual(before, after)) return undefined;
  const found = failureDifference(one, other) ?? firstValueDifference(before, after);
  if (found === undefined) return "volatile" as const;
  const place = {
    ...(one === undefined ? {} : { baselineTurn: row.left!.index }),
    ...(other === undefined ? {} : { candidateTurn: row.right!.index }),
  };
  const tool = (other ?? one)!.name;
  return { difference: { code: "tool_result", tool, ...found, ...place } as const, order: orderOf(place) + 2 };
}

/** Where one of two results is a failure, that is the difference, not what it lacks. */
function failureDifference(one: ToolCall | undefined, other: ToolCall | undefined) {
  if (one === undefined || other === undefined || hasFailed(one) === hasFailed(other)) return undefined;
  const side = hasFailed(one) ? "baseline" : "candidate";
  return { path: "error", [side]: failureOf(hasFailed(one) ? one : other) };
}

function hasFailed({ error, status }: ToolCall): boolean {
  return error !== undefined || status === "error";
}

function failureOf({ output, error }: ToolCall): Json {
  return error?.message ?? (typeof output === "string" ? output : undefined) ?? error?.kind ?? true;
}

/** A failure is a result, too. */
function resultOf(call: ToolCall): Json | undefined {
  return hasFailed(call) ? { error: failureOf(call) } : readResult(call.output);
}
