/**
 * E-mail addresses, `[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}`, found from each `@` outwards. Written as a scan
 * because the expression is quadratic on a backtracking engine; here no character is visited twice.
 */
export function replaceEmails(text: string, replacement: string): string {
  let result = "";
  let copied = 0;
  for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
    let start = at;
    while (start > copied && isLocal(text.charCodeAt(start - 1))) start--;
    if (start === at) continue;
    const end = domainEnd(text, at + 1);
    if (end < 0) continue;
    result += text.slice(copied, start) + replacement;
    copied = end;
    at = end - 1;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Where the longest domain that ends in a dot and two letters or more ends; -1 when there is none. */
function domainEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && isDomain(text.charCodeAt(end))) end++;
  for (let dot = end - 1; dot > from; dot--) {
    if (text[dot] !== ".") continue;
    let letters = dot + 1;
    while (letters < end && isLetter(text.charCodeAt(letters))) letters++;
    if (letters - dot > 2) return letters;
  }
  return -1;
}

function isLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function isDomain(code: number): boolean {
  return isLetter(code) || (code >= 48 && code <= 57) || code === 45 || code === 46;
}

/** Beside the characters of a domain: `_`, `%` and `+`. */
function isLocal(code: number): boolean {
  return isDomain(code) || code === 95 || code === 37 || code === 43;
}
