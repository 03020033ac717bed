/**
 * The thirteen built-in patterns, in the order in which they run. Tokens of single vendors: vendor-tokens.ts.
 *
 * Each is linear on any input, which is not a matter of course with a backtracking engine: a pattern either has a fixed
 * maximal length, or can only begin where a run of its characters begins, or is written as a scan. Tool outputs are large
 * and hostile.
 */
import { passesLuhn } from "./luhn.ts";
import { replaceEmails } from "./replace-emails.ts";
import { replaceIpv6 } from "./replace-ipv6.ts";
import { replacePrivateKeys } from "./replace-private-keys.ts";

export interface RedactionPattern {
  readonly name: string;
  replace(text: string, replacement: string): string;
}

/** Keys, tokens and passwords: what opens something. */
export const secretPatterns: readonly RedactionPattern[] = [
  { name: "private_key", replace: replacePrivateKeys },
  { name: "jwt", replace: replaceJwts },
  plain("anthropic_api_key", "sk-ant-", /sk-ant-[A-Za-z0-9_-]{20,}/g),
  plain("openai_api_key", "sk-", /sk-(?!ant-)(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/g),
  plain("aws_access_key_id", "A", /\b(?:AKIA|ASIA|ABIA|ACCA|AIDA|AROA)[0-9A-Z]{16}\b/g),
  plain("github_token", "gh", /\bgh[pousr]_[A-Za-z0-9]{36,251}\b/g),
];

/** What belongs to a person. */
export const personalPatterns: readonly RedactionPattern[] = [
  plain("iban", undefined, /\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7} ?[A-Z0-9]{1,4}\b/g),
  { name: "email", replace: replaceEmails },
  plain("phone", "+", /\+[1-9][0-9]{9,14}(?![0-9])/g),
  { name: "credit_card", replace: replaceCards },
  plain("us_ssn", "-", /\b[0-9]{3}-[0-9]{2}-[0-9]{4}\b/g),
  { name: "ipv6", replace: replaceIpv6 },
  plain(
    "ipv4",
    ".",
    /\b(?:(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\b/g,
  ),
];

export const defaultPatterns: readonly RedactionPattern[] = [...secretPatterns, ...personalPatterns];

/** `hint` is a text without which there is no match: most strings are passed over by looking for it alone. */
function plain(name: string, hint: string | undefined, expression: RegExp): RedactionPattern {
  return {
    name,
    replace: (text, replacement) =>
      hint === undefined || text.includes(hint) ? text.replace(expression, replacement) : text,
  };
}

/** Three runs of base64url joined by dots; the lookbehind lets a match begin only where a run begins. */
const THREE_RUNS = /(?<![A-Za-z0-9_-])([A-Za-z0-9_-]{13,})\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}/g;

function replaceJwts(text: string, replacement: string): string {
  if (!text.includes("eyJ")) return text;
  return text.replace(THREE_RUNS, (match, first: string) => {
    const at = /\beyJ[A-Za-z0-9_-]{10}/.exec(first)?.index;
    return at === undefined ? match : match.slice(0, at) + replacement;
  });
}

const CARD =
  /(?<![0-9])(?:[0-9]{13,19}|([0-9]{4}[ -][0-9]{4}[ -][0-9]{4})([ -][0-9]{4})?([ -]?[0-9]{1,3})?|[0-9]{4}[ -][0-9]{6}[ -][0-9]{5})(?![0-9])/g;

/** Only numbers with a right check digit; of a grouped one, what follows may be something else. */
function replaceCards(text: string, replacement: string): string {
  if (!/[0-9]{4}/.test(text)) return text;
  return text.replace(CARD, (match, three?: string, fourth = "", extra = "") => {
    if (passesLuhn(match)) return replacement;
    if (three === undefined) return match;
    const longest = three + fourth;
    if (extra !== "" && passesLuhn(longest)) return replacement + extra;
    return match;
  });
}
