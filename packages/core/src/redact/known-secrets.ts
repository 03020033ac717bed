/**
 * Values that are known to be secret, wherever they stand and however they are spelled: as they are, as in JSON, in a URL, in a page,
 * in base64 – alone, unpadded, or inside a longer base64 text such as that of `user:key`. Longest first, so that no part of one survives.
 */
import { base64Cores, isBase64Char } from "./base64-cores.ts";
import { isSecretVariable, isSurroundings } from "./secret-names.ts";
import { hasSecretShape, isTooPlain, partsOfSecret } from "./secret-values.ts";

export interface KnownSecrets {
  text(text: string): string;
}

interface Spelling {
  readonly name: string;
  /** Part of a base64 text, which is taken out with it. */
  readonly isBase64: boolean;
}

/** How far a base64 text is followed to both sides of a secret in it. */
const LONGEST_AROUND = 200;
/** What is shorter has no base64 that is its own. */
const SHORTEST_ENCODED = 6;

/** `secrets`: value → name. Undefined when there is none. */
export function createKnownSecrets(
  secrets: ReadonlyMap<string, string>,
  replacement: (name: string) => string,
): KnownSecrets | undefined {
  const spellings = new Map<string, Spelling>();
  for (const [value, name] of secrets) {
    for (const core of value.length < SHORTEST_ENCODED ? [] : base64Cores(value.toWellFormed()))
      if (!spellings.has(core)) spellings.set(core, { name, isBase64: true });
    for (const spelling of spellingsOf(value)) spellings.set(spelling, { name, isBase64: false });
  }
  spellings.delete("");
  if (spellings.size === 0) return undefined;
  const texts = [...spellings.keys()].sort((left, right) => right.length - left.length);
  const expression = new RegExp(texts.map(escaped).join("|"), "g");
  return { text: (text) => replaceAll(text, expression, spellings, replacement) };
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, "\\$&");
}

function replaceAll(
  text: string,
  expression: RegExp,
  spellings: ReadonlyMap<string, Spelling>,
  replacement: (name: string) => string,
): string {
  let result = "";
  let done = 0;
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const { name, isBase64 } = spellings.get(match[0])!;
    let start = match.index;
    let end = start + match[0].length;
    if (isBase64) {
      const first = Math.max(done, start - LONGEST_AROUND);
      const last = Math.min(text.length, end + LONGEST_AROUND);
      while (start > first && isBase64Char(text, start - 1)) start--;
      while (end < last && isBase64Char(text, end)) end++;
      while (end < last && text[end] === "=") end++;
    }
    result += text.slice(done, start) + replacement(name);
    done = end;
    expression.lastIndex = end;
  }
  return done === 0 ? text : result + text.slice(done);
}

/**
 * The secrets of an environment, by the name of a variable and by the shape of its value: value → name. `isHarmless` tells what is
 * none although its name says so.
 */
export function secretsOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  isHarmless: (name: string, value: string) => boolean = () => false,
): Map<string, string> {
  const secrets = new Map<string, string>();
  const plain = new Set(Object.entries(env).flatMap(([name, value]) => (isSurroundings(name) ? (value ?? []) : [])));
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || isTooPlain(value) || isSurroundings(name)) continue;
    // A password that is the user's name, or a folder, is no secret that removing it could keep.
    if (plain.has(value)) continue;
    if (hasSecretShape(value) || (isSecretVariable(name) && !isHarmless(name, value))) addSecret(secrets, value, name);
  }
  return secrets;
}

/** A secret and what in it is one by itself. */
export function addSecret(secrets: Map<string, string>, value: string, name: string): void {
  for (const part of [value, ...partsOfSecret(value)]) if (!secrets.has(part)) secrets.set(part, name);
}

function spellingsOf(value: string): string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inUrl = encodeURIComponent(value.toWellFormed());
  const strict = inUrl.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  const inPage = value.replace(/[&<>"']/g, (char) => PAGE[char]!);
  return [
    value,
    inJson,
    inJson.replaceAll("/", "\\/"),
    JSON.stringify(inJson).slice(1, -1),
    ...[inUrl, strict].flatMap((url) => [url, lowered(url), url.replaceAll("%20", "+")]),
    inPage,
  ];
}

const PAGE: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function lowered(url: string): string {
  return url.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
}
