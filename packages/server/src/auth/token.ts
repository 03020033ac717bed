/**
 * What a token looks like: `spoor_<scopes>_<22 base62>_<crc>`. The first word lets scanners of repositories find one that leaked, the scopes let
 * people see what it opens, and the checksum tells a mistyped one from an unknown one without asking the store.
 */
import { createHash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";
import { type Scope, scopes } from "../store/tokens.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 22 digits of 62 are 131 bits. */
const SECRET_DIGITS = 22;
/** 62^6 is more than 2^32. */
const SUM_DIGITS = 6;
/** As much of the secret as is kept in the open: enough to find the row, and to tell tokens apart. */
const SHOWN_DIGITS = 6;
const PATTERN = /^(spoor_([a-z]+(?:-[a-z]+)*)_[0-9A-Za-z]{22})_([0-9A-Za-z]{6})$/;

/** A new token; only its hash may be kept. `random` gives that many unpredictable bytes. */
export function createToken(granted: readonly Scope[], random: (size: number) => Uint8Array = randomBytes): string {
  const names = scopes.filter((scope) => granted.includes(scope)).join("-");
  const head = `spoor_${names}_${secretDigits(random)}`;
  return `${head}_${checksum(head)}`;
}

/** Each digit as likely as any other: bytes from 248 on are thrown away, because 256 is no multiple of 62. */
function secretDigits(random: (size: number) => Uint8Array): string {
  let digits = "";
  while (digits.length < SECRET_DIGITS) {
    for (const byte of random(SECRET_DIGITS)) {
      if (byte < 248 && digits.length < SECRET_DIGITS) digits += DIGITS[byte % 62];
    }
  }
  return digits;
}

/** Whether it may be a token at all; nothing is said about whether anybody knows it. */
export function isToken(text: string): boolean {
  const [, head, , sum] = PATTERN.exec(text) ?? [];
  return head !== undefined && checksum(head) === sum;
}

/** By which it is found and shown: everything up to the first digits of its secret. */
export function prefixOf(token: string): string {
  return token.slice(0, token.indexOf("_", "spoor_".length) + 1 + SHOWN_DIGITS);
}

/** A token has 131 unpredictable bits, so that a plain digest cannot be guessed backwards. */
export function hashToken(token: string): Uint8Array {
  return createHash("sha256").update(token).digest();
}

function checksum(head: string): string {
  let rest = crc32(head);
  let digits = "";
  for (let at = 0; at < SUM_DIGITS; at++) {
    digits = DIGITS[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
