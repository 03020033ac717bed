/** How a Content-Security-Policy names a style or script that is allowed by its content: `'sha256-…'`. */
import { digestText } from "@spoor/core/internal/canonical/digest";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function styleHash(text: string): string {
  return `'sha256-${base64OfHex(digestText(text))}'`;
}

/** 32 bytes: three hex digits make two digits of base64, and the last group is filled up with "=". */
function base64OfHex(hex: string): string {
  let base64 = "";
  for (let at = 0; at < hex.length; at += 6) {
    const group = hex.slice(at, at + 6);
    const bits = Number.parseInt(group.padEnd(6, "0"), 16);
    const digits = [18, 12, 6, 0].map((shift) => DIGITS[(bits >> shift) & 63]!);
    const kept = Math.ceil((group.length * 4) / 6);
    base64 += digits.slice(0, kept).join("").padEnd(4, "=");
  }
  return base64;
}
