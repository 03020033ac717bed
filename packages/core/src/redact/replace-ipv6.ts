import { isIpv6 } from "./ipv6.ts";

/**
 * Whole, valid IPv6 addresses: a clock time and a hardware address are none. Found from each `:` outwards, over the run of
 * characters an address can have; every run is looked at once.
 */
export function replaceIpv6(text: string, replacement: string): string {
  let result = "";
  let copied = 0;
  let end = 0;
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", end)) {
    let start = colon;
    while (start > end && isAddressPart(text.charCodeAt(start - 1))) start--;
    end = colon + 1;
    while (end < text.length && isAddressPart(text.charCodeAt(end))) end++;
    const found = addressIn(text, start, end);
    if (found === undefined) continue;
    result += text.slice(copied, found.start) + replacement;
    copied = found.end;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** The address a run is, without the dot or colon of the sentence around it; a run that touches a word is none. */
function addressIn(text: string, runStart: number, runEnd: number): { start: number; end: number } | undefined {
  if (runEnd - runStart < 3 || runEnd - runStart > 48) return undefined;
  if (isWord(text.charCodeAt(runStart - 1)) || isWord(text.charCodeAt(runEnd))) return undefined;
  const start = text[runStart] === "." ? runStart + 1 : runStart;
  const last = text[runEnd - 1];
  const end = last === "." || (last === ":" && text[runEnd - 2] !== ":") ? runEnd - 1 : runEnd;
  return isIpv6(text.slice(start, end)) ? { start, end } : undefined;
}

/** Letters, digits and `_`; what is outside of the text (NaN) is none. */
function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95 || (code >= 97 && code <= 122);
}

/** Hex digits, `:` and `.` (of a dotted quad). */
function isAddressPart(code: number): boolean {
  return (code >= 48 && code <= 58) || code === 46 || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}
