/**
 * What a value says about itself: that it is a secret, whatever its name; that it is too plain to be torn out of every text; and
 * which parts of it are secrets on their own.
 */
import { isObject, type Json } from "../trace/json.ts";
import { isSecretKey } from "./secret-names.ts";

/** Keys as their issuers make them, private keys, signed tokens, and addresses that carry a password or are themselves one. */
const SHAPES: readonly RegExp[] = [
  /^sk-[A-Za-z0-9_-]{16,}$/,
  /^(?:gh[pousr]_|github_pat_|glpat-|npm_|hf_|pypi-|gsk_|xai-|pplx-|r8_|lsv2_|shpat_|dop_v1_|whsec_|rk_live_|sk_live_|sk_test_|xox[abeprs]-|xapp-)[A-Za-z0-9_-]{10,}$/,
  /^(?:AKIA|ASIA)[0-9A-Z]{16}$/,
  /^AIza[0-9A-Za-z_-]{30,}$/,
  /^SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}$/,
  /^eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}$/,
  /^-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i,
  /^https:\/\/hooks\.slack\.com\/services\/./,
  /^(?:Bearer|Basic)\s+\S{8,}$/i,
];

export function hasSecretShape(value: string): boolean {
  return SHAPES.some((shape) => shape.test(value));
}

const SHORTEST = 6;
const LONGEST_NUMBER = 9;
/** Everybody's words: no secret is kept by removing them, and every text is spoiled. */
const EVERYDAY =
  /^(?:true|false|null|none|undefined|unset|default|enabled|disabled|localhost|required|optional|password|passwd|secret|token|changeme|change-me|example|development|production|staging|testing|public|private|internal|anonymous|postgres|mysql|redis|mongodb|basic|bearer|string|number|object)$/i;

/** A beginning and dots, as documentation writes a key: `sk-or-...`. */
export function isPlaceholder(value: string): boolean {
  return /^[\w-]{0,8}(?:\.{3}|…)$/.test(value);
}

/** Short values, numbers, placeholders and everyday words stand in texts by chance: they are not replaced. */
export function isTooPlain(value: string): boolean {
  const trimmed = value.trim();
  if (trimmed.length < SHORTEST || EVERYDAY.test(trimmed) || isPlaceholder(trimmed)) return true;
  return /^[+-]?[\d.,:_-]+$/.test(trimmed) && trimmed.replace(/\D/g, "").length <= LONGEST_NUMBER;
}

/** Whether somebody who knows nothing else would take it for a key: a long run of mixed characters, no word, path or address. */
export function looksRandom(value: string): boolean {
  if (value.length < 16 || /[\s:]|^[./~]|^[A-Za-z]+(?:[-_ ][A-Za-z]+)*$/.test(value)) return false;
  const digits = value.replace(/\D/g, "").length;
  if (/[a-z]/.test(value) && /[A-Z]/.test(value) && digits > 0) return true;
  return digits >= 4 && /[A-Za-z0-9]{20,}/.test(value);
}

/** The parts of a secret that are secrets without the rest: a password in an address, a credential after its scheme, lines of a key. */
export function partsOfSecret(value: string): string[] {
  const parts = [...wordsInside(value), ...membersInside(value)];
  return parts.map((part) => part.trim()).filter((part) => part !== value && !isTooPlain(part));
}

function wordsInside(value: string): string[] {
  const password = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i.exec(value)?.[1];
  const credential = /^[A-Za-z]+\s+(\S{6,})$/.exec(value)?.[1];
  const settings = /^[^=;\s]+=[^;]*(?:;\s*[^=;\s]+=[^;]*)*;?$/.test(value)
    ? value.split(";").flatMap((setting) => {
        const [, name, held] = /^\s*([^=]+)=(.*)$/.exec(setting) ?? [];
        return name !== undefined && held !== undefined && isSecretKey(name) ? [held] : [];
      })
    : [];
  const lines = value.includes("\n")
    ? value.split(/\r?\n/).filter((line) => line.length >= 16 && !/^-----/.test(line))
    : [];
  return [
    ...(password === undefined ? [] : [password, decoded(password)]),
    ...(credential === undefined ? [] : [credential]),
    ...settings,
    ...lines,
  ];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A key file as one variable: `{"private_key": "…"}`. */
function membersInside(value: string): string[] {
  if (!/^\s*\{/.test(value)) return [];
  try {
    return secretMembers(JSON.parse(value) as Json, false);
  } catch {
    return [];
  }
}

function secretMembers(value: Json, isSecret: boolean): string[] {
  if (typeof value === "string") return isSecret ? [value, ...wordsInside(value)] : [];
  if (Array.isArray(value)) return value.flatMap((item) => secretMembers(item, isSecret));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => secretMembers(item, isSecret || isSecretKey(key)));
}
