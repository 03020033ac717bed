/** The longest text of an address: eight groups of four, or six and a dotted quad. */
const MAX_LENGTH = 45;
const QUAD = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)$/;

/**
 * Whether the whole text is one IPv6 address (RFC 4291 section 2.2): eight groups of 1 to 4 hex digits, of which one `::`
 * may stand for one or more zero groups, and the last two may be a dotted quad. The unspecified address `::` alone says
 * nothing about anybody and is left out.
 */
export function isIpv6(text: string): boolean {
  if (text.length > MAX_LENGTH || text === "::" || text.length < 3) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  let count = groups.length;
  const last = groups.at(-1) ?? "";
  if (last.includes(".")) {
    if (!QUAD.test(last) || text.endsWith("::")) return false;
    groups.pop();
    count++;
  }
  if (!groups.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  return halves.length === 2 ? count <= 7 : count === 8;
}
