/**
 * What went in: the requests of the two sides, compared turn by turn. A changed prompt, model, tool or setting is the likely cause
 * of what came out; that nothing changed is worth knowing too.
 */

import { lcsPairs } from "../stats/lcs.ts";
import { hasRequest } from "../trace/has-request.ts";
import { EMPTY_OBJECT, type Json, type JsonObject, jsonEqual, member } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { OfferedTool, Turn } from "../trace/trace.ts";
import { splitLines } from "./text-difference.ts";

export interface GoingIn {
  /** Turn pairs in which both sides recorded their request. */
  readonly compared: number;
  readonly pairs: number;
  readonly system: SystemComparison;
  readonly model: {
    readonly status: GoingInStatus;
    readonly baseline: readonly string[];
    readonly candidate: readonly string[];
  };
  readonly tools: ToolsComparison;
  readonly settings: { readonly status: GoingInStatus; readonly changed: readonly SettingChange[] };
}

/** `none`: neither side recorded it. */
export type GoingInStatus = "none" | "same" | "changed";

/** `none`: neither side has a system prompt. `rewritten`: too long to compare by line. */
export interface SystemComparison {
  readonly status: "none" | "same" | "changed" | "rewritten";
  /** Turn pairs whose system prompts differ. */
  readonly changedPairs: number;
  /** Lines of the first pair that differs. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

export interface ToolsComparison {
  readonly status: GoingInStatus;
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Offered by both, with another description or schema. */
  readonly changed: readonly string[];
}

export interface SettingChange {
  readonly name: string;
  readonly baseline?: Json;
  readonly candidate?: Json;
}

const MAX_LINES = 2000;

export function compareGoingIn(pairs: Iterable<{ readonly baseline: Turn; readonly candidate: Turn }>): GoingIn {
  const comparison = new Comparison();
  for (const pair of pairs) comparison.add(pair.baseline, pair.candidate);
  return comparison.finish();
}

class Comparison {
  private pairs = 0;
  private compared = 0;
  private prompts = 0;
  private changedPrompts = 0;
  private firstChanged: { readonly before: string; readonly after: string } | undefined;
  private readonly models = { baseline: new Set<string>(), candidate: new Set<string>() };
  private sameModels = true;
  private toolsSeen = false;
  private settingsSeen = false;
  private readonly tools = { added: new Set<string>(), removed: new Set<string>(), changed: new Set<string>() };
  private readonly settings = new Map<string, SettingChange>();
  private lastTools: { before: Offer; after: Offer } | undefined;

  add(before: Turn, after: Turn): void {
    this.pairs++;
    if (!hasRequest(before) || !hasRequest(after)) return;
    this.compared++;
    this.addPrompt(before.system ?? "", after.system ?? "");
    this.addModel(before.requestedModel, after.requestedModel);
    this.addTools(before.offeredTools, after.offeredTools);
    this.addSettings(before.settings, after.settings);
  }

  finish(): GoingIn {
    const tools = {
      added: [...this.tools.added].sort(),
      removed: [...this.tools.removed].sort(),
      changed: [...this.tools.changed].sort(),
    };
    return {
      compared: this.compared,
      pairs: this.pairs,
      system: this.finishPrompt(),
      model: {
        status: statusOf(this.models.baseline.size + this.models.candidate.size > 0, this.sameModels),
        baseline: [...this.models.baseline],
        candidate: [...this.models.candidate],
      },
      tools: {
        status: statusOf(
          this.toolsSeen,
          Object.values(tools).every((names) => names.length === 0),
        ),
        ...tools,
      },
      settings: { status: statusOf(this.settingsSeen, this.settings.size === 0), changed: [...this.settings.values()] },
    };
  }

  private addPrompt(before: string, after: string): void {
    if (before !== "" || after !== "") this.prompts++;
    if (before === after) return;
    this.changedPrompts++;
    this.firstChanged ??= { before, after };
  }

  private finishPrompt(): SystemComparison {
    if (this.firstChanged === undefined) {
      return { status: this.prompts === 0 ? "none" : "same", changedPairs: 0, added: [], removed: [] };
    }
    const before = splitLines(this.firstChanged.before);
    const after = splitLines(this.firstChanged.after);
    if (before.length > MAX_LINES || after.length > MAX_LINES) {
      return { status: "rewritten", changedPairs: this.changedPrompts, added: [], removed: [] };
    }
    const kept = lcsPairs(before, after);
    const keptBefore = new Set(kept.map(([index]) => index));
    const keptAfter = new Set(kept.map(([, index]) => index));
    return {
      status: "changed",
      changedPairs: this.changedPrompts,
      added: after.filter((_, index) => !keptAfter.has(index)),
      removed: before.filter((_, index) => !keptBefore.has(index)),
    };
  }

  private addModel(before: string | undefined, after: string | undefined): void {
    if (before !== undefined) this.models.baseline.add(before);
    if (after !== undefined) this.models.candidate.add(after);
    if (before !== after) this.sameModels = false;
  }

  private addTools(before: Offer, after: Offer): void {
    if (before !== undefined || after !== undefined) this.toolsSeen = true;
    if (sameOffer(before, after)) return;
    // The same two lists stand in every request of a conversation: what equals the last pair says nothing new.
    const last = this.lastTools;
    if (last !== undefined && sameOffer(last.before, before) && sameOffer(last.after, after)) return;
    this.lastTools = { before, after };
    const offeredBefore = toolsByName(before);
    const offeredAfter = toolsByName(after);
    for (const [name, tool] of offeredAfter) {
      const known = offeredBefore.get(name);
      if (known === undefined) this.tools.added.add(name);
      else if (!jsonEqual(known, tool)) this.tools.changed.add(name);
    }
    for (const name of offeredBefore.keys()) if (!offeredAfter.has(name)) this.tools.removed.add(name);
  }

  private addSettings(left: JsonObject = EMPTY_OBJECT, right: JsonObject = EMPTY_OBJECT): void {
    if (hasMembers(left) || hasMembers(right)) this.settingsSeen = true;
    if (jsonEqual(left, right)) return;
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const one = member(left, name);
      const other = member(right, name);
      if (this.settings.has(name) || jsonEqual(one, other)) continue;
      this.settings.set(name, present({ name, baseline: one, candidate: other }));
    }
  }
}

function statusOf(seen: boolean, same: boolean): GoingInStatus {
  return seen ? (same ? "same" : "changed") : "none";
}

function hasMembers(value: JsonObject): boolean {
  for (const _key in value) return true;
  return false;
}

type Offer = readonly OfferedTool[] | undefined;

function sameOffer(left: Offer, right: Offer): boolean {
  if (left === right) return true;
  if (left === undefined || right === undefined || left.length !== right.length) return false;
  return left.every((tool, index) => jsonEqual(tool.definition, right[index]!.definition));
}

function toolsByName(tools: Offer): Map<string, Json> {
  return new Map(tools?.map((tool) => [tool.name, tool.definition]));
}
