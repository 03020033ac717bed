/** Tool calls as they are looked up: arguments read, redacted as recordings are, and masked. */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import type { Redaction } from "../redact/redaction.ts";
import { parseArguments } from "../trace/call-shape.ts";
import { isObject, type Json, setMember } from "../trace/json.ts";
import { valueAt } from "../trajectory/match-args.ts";
import type { AskedCall, ToolReplay } from "./cassette.ts";
import type { MaskedToken, Masks } from "./masks.ts";

export interface ReadCall {
  readonly name: string;
  readonly args: Json;
  /** Equal for calls that differ only in what is masked. */
  readonly key: string;
  readonly literal: string;
  readonly tokens: readonly MaskedToken[];
}

export type CallReader = (call: Pick<AskedCall, "name" | "args">) => ReadCall;

export function createCallReader(masks: Masks, redaction: Redaction | undefined): CallReader {
  return ({ name, args: given }) => {
    const parsed = parseArguments(given) ?? {};
    const args = redaction === undefined ? parsed : redaction.json(parsed);
    const literal = keyOf(name, args);
    const tokens: MaskedToken[] = [];
    const masked = masks.json(args, tokens);
    return { name, args, literal, key: masked === args ? literal : keyOf(name, masked), tokens };
  };
}

/** The key under which calls are near each other; undefined where the configuration names no paths. */
export function nearKey({ name, args }: ReadCall, masks: Masks, tool: ToolReplay | undefined): string | undefined {
  if (tool?.match !== undefined) {
    const picked = tool.match.map((path) => valueAt(args, path.split(".")) ?? null);
    return keyOf(name, masks.json(picked));
  }
  if (tool?.ignore === undefined) return undefined;
  const rest = tool.ignore.reduce((left, path) => without(left, path.split(".")), args);
  return keyOf(name, masks.json(rest));
}

function keyOf(name: string, args: Json): string {
  const text = `${name} ${canonicalJson(args)}`;
  return text.length <= LONGEST_KEY ? text : `${name} #${digestText(text)}`;
}

const LONGEST_KEY = 200;

function without(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined || typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return value;
  if (!isObject(value))
    return (value as readonly Json[]).flatMap((item: Json, index) => {
      if (String(index) !== step) return [item];
      return rest.length === 0 ? [] : [without(item, rest)];
    });
  const kept: Record<string, Json> = {};
  for (const key of Object.keys(value)) {
    if (key !== step) setMember(kept, key, value[key]!);
    else if (rest.length > 0) setMember(kept, key, without(value[key]!, rest));
  }
  return kept;
}
