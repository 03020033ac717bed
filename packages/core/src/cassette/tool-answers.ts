/** The tools of one replayed run: each recorded result once, the very one before one that stands in, and a miss before a lie. */
import { type Json, stringifyJson } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { ServedWay } from "../trace/replay-marks.ts";
import { type CallReader, nearKey, type ReadCall } from "./call-reader.ts";
import type { AskedCall, CassetteOptions, MissedCall, ServedTool, ToolAnswer } from "./cassette.ts";
import { EffectSet } from "./effect-set.ts";
import { groupBy, type Library } from "./library.ts";
import type { Masks } from "./masks.ts";
import { nearestCall } from "./nearest-call.ts";
import { onMiss } from "./on-miss.ts";
import type { SameQuestion } from "./same-question.ts";
import type { RecordedCall, Tape } from "./tape.ts";

export interface ToolWorld {
  readonly library: Library;
  readonly options: CassetteOptions;
  readonly masks: Masks;
  readonly read: CallReader;
  readonly sameQuestion: SameQuestion;
  readonly nowMs: number | undefined;
  readonly isEffect: (name: string) => boolean;
}

export class ToolAnswers {
  readonly counts = new Map<string, number>();
  readonly misses: MissedCall[] = [];
  readonly stale: { name: string; from: RecordedCall["from"] }[] = [];
  masked = 0;
  redacted = 0;
  private readonly world: ToolWorld;
  private readonly effects = new EffectSet();
  private scope: readonly Tape[] = [];
  private inScope = new Set<string>();
  private byKey = new Map<string, RecordedCall[]>();
  private byName = new Map<string, RecordedCall[]>();
  private readonly used = new Set<RecordedCall>();
  private readonly last = new Map<string, RecordedCall>();
  private readonly askedKeys = new Set<string>();
  /** Calls of one response that wait for their answers: id → those that are equal to it, in the response's order. */
  private readonly waiting = new Map<string, AskedCall[]>();
  private readonly reserved = new Map<string, ToolAnswer>();

  constructor(world: ToolWorld) {
    this.world = world;
  }

  /** The recordings of the scenario, the first looked at first. */
  place(scope: readonly Tape[]): void {
    this.scope = scope;
    this.inScope = new Set(scope.map(({ key }) => key));
    const calls = scope.flatMap((tape) => tape.calls);
    this.byKey = groupBy(calls, ({ key }) => key);
    this.byName = groupBy(calls, ({ name }) => name);
  }

  noteCalls(calls: readonly AskedCall[]): void {
    const named = calls.filter(({ id }) => id !== undefined);
    for (const { id } of named) {
      // Some servers count their ids anew in every response: what was kept for an earlier call is not this one's.
      this.waiting.delete(id!);
      this.reserved.delete(id!);
    }
    for (const group of groupBy(named, (call) => this.world.read(call).key).values())
      if (group.length > 1) for (const { id } of group) this.waiting.set(id!, group);
  }

  noteRan(call: AskedCall, succeeded: boolean): void {
    if (succeeded && this.world.isEffect(call.name)) this.effects.add(this.world.read(call).key);
  }

  answer(call: AskedCall): ToolAnswer {
    const before = call.id === undefined ? undefined : this.waiting.get(call.id);
    if (before === undefined) return this.decide(call);
    // Those that the response names before it take their turn first, whichever of them asks first.
    while (before.length > 0 && !this.reserved.has(call.id!)) {
      const next = before.shift()!;
      this.reserved.set(next.id!, this.decide(next));
    }
    this.waiting.delete(call.id!);
    const answer = this.reserved.get(call.id!) ?? this.decide(call);
    this.reserved.delete(call.id!);
    return answer;
  }

  /** Calls of the first recording that nobody asked for. */
  neverAsked(): { name: string; from: RecordedCall["from"] }[] {
    return (this.scope[0]?.calls ?? [])
      .filter((call) => !this.used.has(call) && !this.askedKeys.has(call.key))
      .map(({ name, from }) => ({ name, from }));
  }

  private decide(call: AskedCall): ToolAnswer {
    const asked = this.world.read(call);
    this.askedKeys.add(asked.key);
    const answer = this.find(asked);
    this.counts.set(answer.served, (this.counts.get(answer.served) ?? 0) + 1);
    if (answer.served === "miss")
      this.misses.push(present({ ...answer, served: undefined, name: call.name, args: asked.args }));
    else if (answer.served !== "live") this.noteServed(asked, answer);
    return answer;
  }

  private noteServed({ name, key }: ReadCall, answer: ServedTool): void {
    if (answer.error === undefined && this.world.isEffect(name)) this.effects.add(key);
    if (answer.masked) this.masked++;
    if (answer.redacted) this.redacted++;
    if (answer.served === "stale" && answer.from !== undefined) this.stale.push({ name, from: answer.from });
  }

  private find(asked: ReadCall): ToolAnswer {
    const tool = this.world.options.tools?.[asked.name];
    if (tool?.result !== undefined) return { served: "configured", result: tool.result };
    if (tool?.live) return { served: "live" };
    return (
      this.recorded(asked) ?? this.constant(asked) ?? this.elsewhere(asked) ?? this.near(asked) ?? this.miss(asked)
    );
  }

  /** The result of this very call: one not yet served, else the last one again. */
  private recorded(asked: ReadCall): ServedTool | undefined {
    const fitting = (this.byKey.get(asked.key) ?? []).filter((call) => this.isSame(asked, call));
    if (fitting.length === 0) return undefined;
    const now = this.effects.key();
    const fresh = fitting.filter((call) => !this.used.has(call));
    if (fresh.length > 0) {
      const chosen = best(fresh, (call) => (call.literal === asked.literal ? 2 : 0) + (call.effects === now ? 1 : 0));
      this.used.add(chosen);
      this.last.set(asked.key, chosen);
      return this.serve(chosen.effects === now ? "exact" : "stale", chosen, asked);
    }
    const last = this.last.get(asked.key) ?? fitting.at(-1)!;
    // A call that is made again has itself before it, which is no other effect.
    const isSameState = last.effects === now || last.effects === this.effects.keyWithout(asked.key);
    return this.serve(isSameState ? "again" : "stale", last, asked);
  }

  private constant(asked: ReadCall): ServedTool | undefined {
    const call = this.world.library.constants.get(asked.name);
    return call === undefined ? undefined : this.serve("constant", call, asked);
  }

  private elsewhere(asked: ReadCall): ServedTool | undefined {
    if (this.world.isEffect(asked.name)) return undefined;
    const others = (this.world.library.callsByKey.get(asked.key) ?? []).filter(
      (call) => !this.inScope.has(call.from.trace) && this.isSame(asked, call),
    );
    if (others.length === 0) return undefined;
    const now = this.effects.key();
    return this.serve(
      "elsewhere",
      best(others, ({ effects }) => (effects === now ? 2 : effects === NONE ? 1 : 0)),
      asked,
    );
  }

  private near(asked: ReadCall): ServedTool | undefined {
    const { masks, options } = this.world;
    const tool = options.tools?.[asked.name];
    const key = nearKey(asked, masks, tool);
    if (key === undefined) return undefined;
    const near = (this.byName.get(asked.name) ?? []).filter((call) => nearKey(call, masks, tool) === key);
    if (near.length === 0) return undefined;
    const now = this.effects.key();
    const chosen = best(near, (call) => (this.used.has(call) ? 0 : 2) + (call.effects === now ? 1 : 0));
    this.used.add(chosen);
    return this.serve("near", chosen, asked);
  }

  private miss(asked: ReadCall): ToolAnswer {
    const { library, options } = this.world;
    const decision = onMiss(options.miss ?? "refuse", { isEffect: this.world.isEffect(asked.name) });
    const known = this.byName.get(asked.name) ?? library.callsByName.get(asked.name);
    if (known === undefined) return { served: "miss", decision, reason: "never_recorded" };
    const nearest = nearestCall(asked, known);
    return present({ served: "miss" as const, decision, reason: "other_arguments" as const, nearest });
  }

  private isSame(asked: ReadCall, recorded: RecordedCall): boolean {
    return this.world.sameQuestion(asked, recorded, this.world.nowMs);
  }

  private serve(
    served: ServedWay,
    { result, error, from, evidence, literal, key }: RecordedCall,
    asked: ReadCall,
  ): ServedTool {
    return present({
      served,
      result,
      error,
      from,
      evidence,
      masked: key === asked.key && literal !== asked.literal ? (true as const) : undefined,
      redacted: holdsPlaceholder(result) ? (true as const) : undefined,
    });
  }
}

/** No effect at all. */
const NONE = new EffectSet().key();

/** The first of the highest. */
function best<T>(items: readonly T[], scoreOf: (item: T) => number): T {
  return items.reduce((left, right) => (scoreOf(right) > scoreOf(left) ? right : left));
}

export function holdsPlaceholder(value: Json | undefined): boolean {
  if (value === undefined) return false;
  return (typeof value === "string" ? value : stringifyJson(value)).includes("[REDACTED:");
}
