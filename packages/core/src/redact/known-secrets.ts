/**
 * Values that are known to be secret, wherever they stand and however they are spelled: as they are, as in JSON, as in a URL, in
 * base64. Longest first, so that no part of one survives.
 */
import { isSecretVariable } from "./secret-names.ts";

/** Shorter values stand in texts by chance. */
const MIN_LENGTH = 8;

export interface KnownSecrets {
  text(text: string): string;
}

/** `secrets`: value → name. Undefined when there is none. */
export function createKnownSecrets(
  secrets: ReadonlyMap<string, string>,
  replacement: (name: string) => string,
): KnownSecrets | undefined {
  const nameOf = new Map<string, string>();
  for (const [value, name] of secrets) for (const spelling of spellingsOf(value)) nameOf.set(spelling, name);
  nameOf.delete("");
  if (nameOf.size === 0) return undefined;
  const spellings = [...nameOf.keys()].sort((left, right) => right.length - left.length);
  const expression = new RegExp(
    spellings.map((spelling) => spelling.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|"),
    "g",
  );
  return { text: (text) => text.replace(expression, (found) => replacement(nameOf.get(found) ?? "secret")) };
}

/** The secrets of an environment: value → name. `isHarmless` tells what is none although its name says so. */
export function secretsOfEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  isHarmless: (name: string, value: string) => boolean = () => false,
): Map<string, string> {
  const secrets = new Map<string, string>();
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || value.length < MIN_LENGTH || secrets.has(value)) continue;
    if (isSecretVariable(name) && !isHarmless(name, value)) secrets.set(value, name);
  }
  return secrets;
}

function spellingsOf(value: string): string[] {
  const wellFormed = value.toWellFormed();
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(wellFormed), base64(wellFormed)];
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Of the UTF-8 bytes; the language has no such function everywhere this runs. */
function base64(text: string): string {
  const bytes = [...encodeURIComponent(text).matchAll(/%([0-9A-F]{2})|./gs)].map(([char, hex]) =>
    hex === undefined ? char.charCodeAt(0) : Number.parseInt(hex, 16),
  );
  let encoded = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [one, two, three] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
    encoded += ALPHABET[one >> 2]! + ALPHABET[((one & 3) << 4) | ((two ?? 0) >> 4)]!;
    encoded += two === undefined ? "=" : ALPHABET[((two & 15) << 2) | ((three ?? 0) >> 6)]!;
    encoded += three === undefined ? "=" : ALPHABET[three & 63]!;
  }
  return encoded;
}
