/**
 * A redaction that goes on as long as a recording does: patterns, values under keys that name secrets (also in JSON that stands in a
 * text, as arguments do), values of query strings, and values that are known to be secret. It works on whole texts: a secret that
 * came in two chunks is looked for after they were joined.
 *
 * What nothing matched is the very same value again. Linear in the text, whatever the text.
 */
import { isObject, type Json, type JsonObject, member, setMember, stringifyJson } from "../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";
import { createKnownSecrets, type KnownSecrets } from "./known-secrets.ts";
import { type RedactOptions, Redactor } from "./redactor.ts";
import { isSecretKey } from "./secret-names.ts";
import { isPlaceholder, isTooPlain } from "./secret-values.ts";

export interface RedactionOptions extends RedactOptions {
  /** Values under these keys are secret, whatever they look like; beside the usual names. */
  readonly secretKeys?: readonly string[];
  /**
   * Keys may be names of tools, rules or files, as in a report: what stands under one is secret only if it looks like one. Below
   * arguments and results keys mean what they say.
   */
  readonly keysAreNames?: boolean;
  /** Values that are secret wherever they stand, with the name of what they are. */
  readonly known?: ReadonlyMap<string, string>;
  /** What is given never changes, as what was parsed: requests repeat the messages before them, and each is looked at once. */
  readonly isSettled?: boolean;
}

export interface Redaction {
  text(text: string): string;
  json<T extends Json>(value: T): T;
}

export function createRedaction(options: RedactionOptions = {}): Redaction {
  const walker = new SecretWalker(options);
  return { text: (text) => walker.text(text), json: (value) => walker.json(value) as typeof value };
}

/**
 * For what is said about traces and leaves the machine: keys, tokens and passwords go; what belongs to people stays, because changes of it are what
 * is told.
 */
export function createReportRedaction(): Redaction {
  return createRedaction({ personal: false, keysAreNames: true });
}

const SECRET = "[REDACTED:secret]";
/** Longer JSON in a text is a document: its strings are looked at as text. */
const LONGEST_JSON = 1 << 20;
const MOST_KEYS = 2_000;
/** Longer texts hardly come twice. */
const LONGEST_KEPT = 100;

class SecretWalker {
  private readonly patterns: Redactor;
  private readonly known: KnownSecrets | undefined;
  private readonly secretKeys: ReadonlySet<string>;
  private readonly allowed: ReadonlySet<string>;
  private readonly texts = new Map<string, string>();
  private readonly secrets = new Map<string, boolean>();
  /** For what a trace said, where this one walks through what somebody says about it. */
  private readonly recorded: SecretWalker | undefined;
  /** Items of lists: messages, and their parts. */
  private readonly items: WeakMap<object, Json> | undefined;

  constructor({ keysAreNames, ...options }: RedactionOptions) {
    this.items = options.isSettled ? new WeakMap() : undefined;
    this.recorded = keysAreNames ? new SecretWalker(options) : undefined;
    this.patterns = new Redactor(options);
    this.known = createKnownSecrets(options.known ?? new Map(), (name) => `[REDACTED:${name}]`);
    this.secretKeys = new Set(options.secretKeys ?? []);
    this.allowed = new Set(options.allowKeys ?? []);
  }

  json(value: Json): Json {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return this.list(value);
    return isObject(value) ? this.object(value) : value;
  }

  /** Names, codes and short sentences come again and again in a report: each is looked at once. */
  text(text: string): string {
    if (text.length > LONGEST_KEPT) return this.redacted(text);
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    const redacted = this.redacted(text);
    if (this.texts.size < MOST_KEYS) this.texts.set(text, redacted);
    return redacted;
  }

  private redacted(text: string): string {
    const inside = this.jsonInside(text);
    const known = this.known?.text(inside) ?? inside;
    return this.patterns.redactText(redactWords(known));
  }

  /** Arguments and results are often JSON in a text: what stands under a secret's name is found only by reading it. */
  private jsonInside(text: string): string {
    if (text.length > LONGEST_JSON || !looksLikeJson(text)) return text;
    try {
      const value = parseJson(text);
      const redacted = (this.recorded ?? this).json(value);
      return redacted === value ? text : stringifyJson(redacted);
    } catch (error) {
      if (error instanceof JsonSyntaxError) return text;
      throw error;
    }
  }

  private list(list: readonly Json[]): Json {
    for (let index = 0; index < list.length; index++) {
      const kept = this.item(list[index]!);
      // A copy only from the first item on that changes: nearly no list has one.
      if (kept !== list[index])
        return [...list.slice(0, index), kept, ...list.slice(index + 1).map((item) => this.item(item))];
    }
    return list;
  }

  private item(item: Json): Json {
    if (this.items === undefined || !isObject(item)) return this.json(item);
    const known = this.items.get(item);
    if (known !== undefined) return known;
    const redacted = this.object(item);
    this.items.set(item, redacted);
    return redacted;
  }

  private object(object: JsonObject): Json {
    const isPair = namesSecret(object);
    const keys = Object.keys(object);
    let kept: Record<string, Json> | undefined;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]!;
      const value = object[key]!;
      const redacted = this.member(key, value, isPair);
      // A key may be a secret too: a table of users by their address.
      const name = this.text(key);
      if (kept === undefined && (redacted !== value || name !== key)) {
        kept = {};
        for (let before = 0; before < index; before++) setMember(kept, keys[before]!, object[keys[before]!]!);
      }
      if (kept !== undefined) setMember(kept, name, redacted);
    }
    return kept ?? object;
  }

  private member(key: string, value: Json, isPair: boolean): Json {
    if (this.allowed.has(key) && typeof value === "string") return value;
    if (this.recorded !== undefined && RECORDED.has(key)) return this.recorded.json(value);
    if (this.namesSecret(key) || (isPair && key === "value")) return this.secret(key, value);
    return this.json(value);
  }

  private namesSecret(key: string): boolean {
    const known = this.secrets.get(key);
    if (known !== undefined) return known;
    const isSecret = this.secretKeys.has(key) || isSecretKey(key);
    if (this.secrets.size < MOST_KEYS) this.secrets.set(key, isSecret);
    return isSecret;
  }

  /** Everything under a secret's name but what describes such values: the schema of an argument. */
  private secret(key: string, value: Json): Json {
    if (this.recorded !== undefined && !(typeof value === "string" && mayBeSecret(value))) return this.json(value);
    if (typeof value === "string") return value === "" || isRedacted(value) ? value : SECRET;
    if (typeof value === "number" || typeof value === "bigint") return /token/i.test(key) ? value : SECRET;
    if (Array.isArray(value)) return value.map((item) => this.secret(key, item));
    if (!isObject(value) || isSchema(value)) return this.json(value);
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [this.text(name), this.secret(key, item)]));
  }
}

/** Where reports keep what a trace said. */
const RECORDED: ReadonlySet<string> = new Set(["arguments", "args", "input", "result", "output", "value", "content"]);

/** No word, no sentence, no digest. */
function mayBeSecret(value: string): boolean {
  return /^\S{6,400}$/.test(value) && /[^a-z_.-]/.test(value) && !isTooPlain(value) && !value.startsWith("sha256:");
}

function looksLikeJson(text: string): boolean {
  const trimmed = text.trim();
  return (trimmed.startsWith("{") && trimmed.endsWith("}")) || (trimmed.startsWith("[") && trimmed.endsWith("]"));
}

function isRedacted(value: string): boolean {
  return /^\[REDACTED:[^\]]*\]$/.test(value);
}

/** `{name: "Authorization", value: "…"}`: a header, a variable, a cookie. */
function namesSecret(object: JsonObject): boolean {
  if (typeof member(object, "value") !== "string") return false;
  const name = member(object, "name") ?? member(object, "key");
  return typeof name === "string" && isSecretKey(name);
}

const SCHEMA_KEYS = ["$ref", "anyOf", "oneOf", "allOf", "properties", "description"];
const SCHEMA_TYPE = /^(?:string|number|integer|boolean|object|array|null)$/i;

function isSchema(value: JsonObject): boolean {
  const type = member(value, "type");
  return (typeof type === "string" && SCHEMA_TYPE.test(type)) || SCHEMA_KEYS.some((key) => Object.hasOwn(value, key));
}

/** Secrets that the word before them gives away. */
function redactWords(text: string): string {
  let result = text;
  if (result.includes("=")) result = result.replace(QUERY, redactQuery);
  if (result.includes("://")) result = result.replace(USER, `$1${SECRET}@`);
  if (result.includes(":")) result = result.replace(SETTING, redactSetting);
  if (result.includes('"')) result = result.replace(QUOTED, redactQuoted);
  if (/bearer|basic/i.test(result)) result = result.replace(AUTHORIZATION, redactCredential);
  return result;
}

/** A parameter of an address, or a line of an environment file. Its name has a limit, so that every place costs as little. */
const QUERY = /(^|[?&;\s"'])([A-Za-z0-9_.[\]-]{2,60})=([^&#;\s"'<>\\]{4,})/gm;
/** A line of YAML, or a member of an object that stands in a sentence. */
const SETTING = /(^|[\s{,(])(["']?)([A-Za-z0-9_.-]{2,60})\2\s{0,2}:\s{1,2}(["']?)([^\s"'<>\\,;)}]{6,})\4/gm;
/** As calls are written in sentences: `login(user "bob", password "…")`. */
const QUOTED = /(^|[\s({,])([A-Za-z0-9_.-]{2,60})( {0,2}[:=] {0,2}| )"([^"\n]{4,400})"/gm;
const USER = /(:\/\/[^/\s:@"']{1,100}:)[^/\s@"']{1,200}@/g;
const AUTHORIZATION = /\b(Bearer|Basic)\s{1,4}([A-Za-z0-9._~+/-]{12,}={0,2})/gi;

/** Code that fetches it: `Authorization: request.headers.get("Authorization")`, `apiKey: this.config.apiKey`. */
const CODE =
  /^(?:[A-Za-z_$][\w$]{0,60}(?:(?:\.[\w$]{1,60}){1,6}\(|\($)|(?:this|self|process|config|env|os|options|props|context|ctx|request|req|settings|params|args|state)(?:\.[A-Za-z_$][\w$]{0,60}){1,6}$)/;

/** "basic understanding" is none. */
function redactCredential(whole: string, scheme: string, value: string): string {
  return /[0-9=]/.test(value) ? `${scheme} ${SECRET}` : whole;
}

/** "password: required" tells of no password, and "the token: see below" of no token. */
function redactSetting(
  whole: string,
  before: string,
  quote: string,
  name: string,
  open: string,
  value: string,
): string {
  if (!isSecretKey(name) || isTooPlain(value) || /^[A-Za-z]?[a-z]*[.!?]?$/.test(value) || value.startsWith("[REDACTED"))
    return whole;
  if (open === "" && CODE.test(value)) return whole;
  return `${before}${quote}${name}${quote}: ${open}${SECRET}${open}`;
}

function redactQuoted(whole: string, before: string, name: string, between: string, value: string): string {
  if (!isSecretKey(name) || isTooPlain(value) || value.startsWith("[REDACTED")) return whole;
  return `${before}${name}${between}"${SECRET}"`;
}

function redactQuery(whole: string, before: string, name: string, value: string): string {
  if (!isSecretKey(name) || isPlaceholder(value) || value.startsWith("[REDACTED")) return whole;
  return `${before}${name}=${SECRET}`;
}
