const MARKER = /-----(BEGIN|END) (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|PGP) )?PRIVATE KEY(?: BLOCK)?-----/g;
const BODY = /^(?:[A-Za-z0-9+/=\s]|\\[nr]|(?:Proc-Type|DEK-Info|Version|Comment): [^\n]{0,100})*/;
/** Less between the two lines is no key. */
const MIN_BODY = 20;

/** PEM blocks of private keys, from the BEGIN line to the first END line after it, in one walk over the markers. */
export function replacePrivateKeys(text: string, replacement: string): string {
  if (!text.includes("-----BEGIN")) return text;
  let result = "";
  let copied = 0;
  let open: { start: number; body: number } | undefined;
  for (const match of text.matchAll(MARKER)) {
    const end = match.index + match[0].length;
    if (match[1] === "BEGIN") open ??= { start: match.index, body: end };
    else if (open !== undefined && match.index - open.body >= MIN_BODY) {
      result += text.slice(copied, open.start) + replacement;
      copied = end;
      open = undefined;
    }
  }
  if (open !== undefined) {
    // A key that was cut off before its END line is most of a key.
    const [body] = BODY.exec(text.slice(open.body))!;
    if (body.length >= MIN_BODY) {
      result += text.slice(copied, open.start) + replacement;
      copied = open.body + body.length;
    }
  }
  return copied === 0 ? text : result + text.slice(copied);
}
