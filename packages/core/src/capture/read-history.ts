/**
 * The messages of requests, each read, redacted, spelled out and hashed once: every request repeats those before it, and doing that
 * anew would cost more with every turn. A message is known again by its whole text, in whichever conversation it stands.
 */
import { canonicalJson } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import { UnknownCounter } from "../providers/count-unknown.ts";
import { messageOf, type ProviderApi, systemOf } from "../providers/provider-api.ts";
import type { Redaction } from "../redact/redaction.ts";
import { isObject, type Json, type JsonObject, setMember, stringifyJson } from "../trace/json.ts";
import { boundRecord } from "./read-body.ts";

/** A message of the history in `.agentlog` shape; equal messages are the same object as long as they are remembered. */
export interface ReadMessage {
  readonly value: JsonObject;
  /** Its canonical JSON. */
  readonly text: string;
  /** What it is known again by: without marks for caches, without ids that are given anew. */
  readonly digest: string;
  readonly redacted: boolean;
}

export interface HistoryReader {
  /** The messages of a request, a system prompt first. */
  read(api: ProviderApi, body: JsonObject): readonly ReadMessage[];
  /** Another part of requests that is repeated: tools, parameters. */
  part(value: Json): ReadPart;
}

export interface ReadPart {
  readonly value: Json;
  readonly text: string;
  readonly redacted: boolean;
}

/** What is remembered may hold so many characters. */
const MAX_CHARS = 32_000_000;

export function createHistoryReader(redaction: Redaction | undefined, maxChars = MAX_CHARS): HistoryReader {
  const memory = new Memory(maxChars);
  const redact = <T extends Json>(value: T): T => (redaction === undefined ? value : redaction.json(value));

  return {
    read(api, body) {
      const system = systemOf(body, api);
      const opening = system === undefined ? [] : [readSystem(system)];
      return [...opening, ...joinItems((api.messages(body) ?? []).flatMap((message) => readSpoken(api, message)))];
    },
    part(value) {
      return memory.recall("part", keyOf(value), () => {
        const kept = redact(value);
        return { value: kept, text: canonicalJson(kept), redacted: kept !== value };
      });
    },
  };

  function readSystem(system: Json): ReadMessage {
    return memory.recall("system", keyOf(system), () => {
      const kept = redact(system);
      return readMessage({ role: "system", content: kept }, kept !== system);
    });
  }

  function readSpoken(api: ProviderApi, message: Json): readonly ReadSpoken[] {
    return memory.recall(api.name, keyOf(message), () => {
      const kept = redact(message);
      const redacted = kept !== message;
      return api.parse(kept, new UnknownCounter()).map((spoken) => {
        const read = readMessage(boundRecord(messageOf(spoken)), redacted);
        return spoken.kind === "model" && spoken.fields === undefined
          ? { message: read, isItem: true }
          : { message: read };
      });
    });
  }

  /** Items of one response that follow each other are one message. */
  function joinItems(list: readonly ReadSpoken[]): ReadMessage[] {
    const joined: ReadMessage[] = [];
    for (let index = 0; index < list.length; index++) {
      const items = [list[index]!.message];
      while (list[index]!.isItem && list[index + 1]?.isItem) items.push(list[++index]!.message);
      joined.push(items.length === 1 ? items[0]! : joinMessages(items));
    }
    return joined;
  }

  function joinMessages(items: readonly ReadMessage[]): ReadMessage {
    return memory.recall("items", items.map(({ text }) => text).join(), () =>
      readMessage(
        { role: "assistant", content: items.flatMap(({ value }) => value["content"] as readonly Json[]) },
        items.some(({ redacted }) => redacted),
      ),
    );
  }
}

interface ReadSpoken {
  readonly message: ReadMessage;
  readonly isItem?: true;
}

export function readMessage(value: JsonObject, redacted = false): ReadMessage {
  const text = canonicalJson(value);
  const lasting = value["role"] === "tool" ? value : withoutVolatile(value);
  return { value, text, redacted, digest: digestText(lasting === value ? text : canonicalJson(lasting), 32) };
}

const VOLATILE: ReadonlySet<string> = new Set(["cache_control", "id", "status"]);

/** The very same value where there is nothing to leave out. Values of the agent's own (arguments, results) are left alone. */
function withoutVolatile(value: Json): Json {
  if (Array.isArray(value)) {
    const kept = value.map(withoutVolatile);
    return kept.every((item, index) => item === value[index]) ? value : kept;
  }
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  let changed = false;
  for (const key of Object.keys(value)) {
    const item = value[key]!;
    const lasting = key === "input" ? item : withoutVolatile(item);
    if (VOLATILE.has(key)) changed = true;
    else setMember(kept, key, lasting);
    if (lasting !== item) changed = true;
  }
  return changed ? kept : value;
}

function keyOf(value: Json): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}

/**
 * What texts were read as. Two generations: what was not asked for while the younger one filled up is forgotten with the older one,
 * and asking again for what is young costs one look-up.
 */
class Memory {
  private young = new Map<string, Map<string, unknown>>();
  private old = new Map<string, Map<string, unknown>>();
  private chars = 0;
  private readonly maxChars: number;

  constructor(maxChars: number) {
    this.maxChars = maxChars;
  }

  recall<T>(kind: string, text: string, read: () => T): T {
    let young = this.young.get(kind);
    const known = young?.get(text);
    if (known !== undefined) return known as T;
    const made = (this.old.get(kind)?.get(text) as T | undefined) ?? read();
    if (this.chars > this.maxChars / 2) {
      this.old = this.young;
      this.young = new Map();
      this.chars = 0;
      young = undefined;
    }
    if (young === undefined) {
      young = new Map();
      this.young.set(kind, young);
    }
    young.set(text, made);
    this.chars += text.length;
    return made;
  }
}
