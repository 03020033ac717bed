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
  let groups = 0;
  let begin = 0;
  let compressed = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === DOT) return QUAD.test(text.slice(begin)) && fits(groups + 2, compressed);
    if (code !== COLON) {
      if (!isHex(code) || at - begin === 4) return false;
      continue;
    }
    const isDouble = text.charCodeAt(at + 1) === COLON;
    if (isDouble && compressed) return false;
    // A group stands before every colon but a `::` that begins the address, and after every single one.
    if (at > begin) groups++;
    else if (!isDouble || at > 0) return false;
    if (!isDouble && at === text.length - 1) return false;
    compressed ||= isDouble;
    if (isDouble) at++;
    begin = at + 1;
  }
  return fits(begin < text.length ? groups + 1 : groups, compressed);
}

function fits(groups: number, compressed: boolean): boolean {
  return compressed ? groups <= 7 : groups === 8;
}

const COLON = 58;
const DOT = 46;

function isHex(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 70) || (code >= 97 && code <= 102);
}
