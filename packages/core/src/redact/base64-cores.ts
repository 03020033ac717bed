/**
 * What of a text stands in every base64 text that holds it, in whichever of the three places of a group it begins: the characters that
 * its own bytes decide alone. `user:KEY` in base64 holds one of the three cores of `KEY`.
 */
export function base64Cores(text: string): string[] {
  const bytes = utf8(text);
  const cores = [0, 1, 2].map((before) => {
    const encoded = encode([...new Array<number>(before).fill(0), ...bytes]);
    return encoded.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
  });
  return [
    ...new Set(
      cores.flatMap((core) => [
        core,
        core.replaceAll("+", "-").replaceAll("/", "_"),
        core.replaceAll("+", "%2B").replaceAll("/", "%2F"),
      ]),
    ),
  ];
}

/** Of either alphabet. */
export function isBase64Char(text: string, at: number): boolean {
  return /[A-Za-z0-9+/_-]/.test(text[at]!);
}

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** The language has no such function everywhere this runs. */
function utf8(text: string): number[] {
  return [...encodeURIComponent(text).matchAll(/%([0-9A-F]{2})|./gs)].map(([char, hex]) =>
    hex === undefined ? char.charCodeAt(0) : Number.parseInt(hex, 16),
  );
}

function encode(bytes: readonly number[]): string {
  let encoded = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [one, two = 0, three = 0] = [bytes[at]!, bytes[at + 1], bytes[at + 2]];
    encoded += ALPHABET[one >> 2]! + ALPHABET[((one & 3) << 4) | (two >> 4)]!;
    encoded += ALPHABET[((two & 15) << 2) | (three >> 6)]! + ALPHABET[three & 63]!;
  }
  return encoded;
}
