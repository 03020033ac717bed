/**
 * What the diff knows of each turn, worked out once: its text, its stop reason and its calls, all as small numbers, so that
 * comparing two turns is comparing integers. One table serves both sides of a diff.
 */
import { Interner } from "../stats/intern.ts";
import { joinText } from "../trace/content.ts";
import { type Json, member, stringifyJson, stringMember } from "../trace/json.ts";
import type { ToolCall, Turn } from "../trace/trace.ts";
import { type CallContent, callIdentity, callShape } from "./call-token.ts";
import { Shingler, type ShingleSet } from "./shingles.ts";

/** One turn as the diff sees it. Two turns with equal `key` say, call and end the same. */
export interface TurnFacts {
  readonly turn: Turn;
  /** The text parts joined with a space. */
  readonly text: string;
  readonly textId: number;
  /** Empty when none was recorded. */
  readonly stopReason: string;
  /** Each call's number; equal numbers are equal tokens (name and argument values). */
  readonly calls: Int32Array;
  /** Equal when the calls are equal, in order. */
  readonly callsId: number;
  readonly key: number;
}

export class FactsTable {
  private readonly texts = new Interner<string>();
  private readonly stops = new Interner<string>();
  private readonly identities = new Interner<string>();
  private readonly spellings = new Map<string, number>();
  private readonly callLists = new Interner<string>();
  private readonly acts = new Interner<number>();
  private readonly keys = new Interner<number>();
  private readonly shapes = new Interner<string>();
  private readonly contents: CallContent[] = [];
  private readonly shapeOfCall: number[] = [];
  private readonly shapeNames: string[] = [];
  private readonly shapeSets = new Map<number, Int32Array>();
  private readonly foldedTexts = new Map<number, ShingleSet>();
  private readonly foldedIds = new Interner<string>();
  private readonly shingler = new Shingler();

  /** The facts of every turn of a trace; calls before any response count with the first. Cost: linear in the responses. */
  addTurns(turns: readonly Turn[], before: readonly ToolCall[] = []): TurnFacts[] {
    return turns.map((turn, index) => this.addTurn(turn, index === 0 ? before : []));
  }

  /** The content of a call by its number. */
  call(id: number): CallContent {
    return this.contents[id]!;
  }

  /** `name(key,key)` of a call. */
  shapeOf(callId: number): string {
    return this.shapeNames[this.shapeOfCall[callId]!]!;
  }

  /** The distinct shapes of a turn's calls, ascending by number. */
  shapeSet(facts: TurnFacts): Int32Array {
    let set = this.shapeSets.get(facts.callsId);
    if (set === undefined) {
      const distinct = new Set<number>();
      for (const id of facts.calls) distinct.add(this.shapeOfCall[id]!);
      set = Int32Array.from(distinct).sort();
      this.shapeSets.set(facts.callsId, set);
    }
    return set;
  }

  shapeName(shape: number): string {
    return this.shapeNames[shape]!;
  }

  /** How alike two turns' texts are, in [0, 1]: shared runs of four characters, white space folded. */
  textSimilarity(left: TurnFacts, right: TurnFacts): number {
    if (left.textId === right.textId) return 1;
    const leftText = this.folded(left);
    const rightText = this.folded(right);
    return leftText.id === rightText.id ? 1 : this.shingler.similarity(leftText, rightText);
  }

  /** Made only for turns whose texts differ from their partner's. */
  private folded(facts: TurnFacts): ShingleSet {
    let folded = this.foldedTexts.get(facts.textId);
    if (folded === undefined) {
      const text = facts.text.replace(/\s+/gu, " ").trim();
      folded = this.shingler.find(this.foldedIds.intern(text), text);
      this.foldedTexts.set(facts.textId, folded);
    }
    return folded;
  }

  private addTurn(turn: Turn, before: readonly ToolCall[]): TurnFacts {
    const text = joinText(turn.parts, " ");
    const textId = this.texts.intern(text);
    const stopReason = turn.stopReason ?? "";
    const calls = this.addCalls(turn, before);
    const callsId = this.callLists.intern(calls.length === 1 ? String(calls[0]) : calls.join(","));
    const actId = this.acts.intern(this.stops.intern(stopReason) * ID_SPACE + callsId);
    const key = this.keys.intern(textId * ID_SPACE + actId);
    return { turn, text, textId, stopReason, calls, callsId, key };
  }

  private addCalls(turn: Turn, before: readonly ToolCall[]): Int32Array {
    if (turn.toolCalls.length + before.length === 0) return NO_CALLS;
    const ids = before.map((call) => this.addCall(call.name, call.input));
    for (const part of turn.parts) {
      if (member(part, "type") !== "tool_use") continue;
      ids.push(this.addCall(stringMember(part, "name") ?? "_", member(part, "input")));
    }
    for (const call of turn.toolCalls) {
      if (call.standalone) ids.push(this.addCall(call.name, call.input));
    }
    return Int32Array.from(ids);
  }

  private addCall(name: string, input: Json | undefined): number {
    // Most calls are written letter for letter as one seen before: only a new spelling needs the canonical form.
    const spelling = `${name}\u0000${spell(input)}`;
    const known = this.spellings.get(spelling);
    if (known !== undefined) return known;
    const content: CallContent = input === undefined ? { name } : { name, input };
    const id = this.identities.intern(callIdentity(content));
    this.spellings.set(spelling, id);
    if (id === this.contents.length) {
      const shape = callShape(content);
      const shapeId = this.shapes.intern(shape);
      if (shapeId === this.shapeNames.length) this.shapeNames.push(shape);
      this.contents.push(content);
      this.shapeOfCall.push(shapeId);
    }
    return id;
  }
}

/** JSON as the engine writes it; integers beyond 2^53 need the slower writer. */
function spell(input: Json | undefined): string | undefined {
  try {
    return JSON.stringify(input);
  } catch {
    return input === undefined ? undefined : stringifyJson(input);
  }
}

/** Two numbers below this make one exact double; no run has 67 million distinct texts. */
const ID_SPACE = 2 ** 26;

const NO_CALLS = new Int32Array(0);
