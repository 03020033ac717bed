import { digestText } from "@spoor/core/internal/canonical/digest";

const HEX_DIGITS = 12;

/** Whether a run is kept: by its name alone, so that every process that sees a part of it decides the same. */
export function isSampled(key: string, share: number): boolean {
  if (share >= 1) return true;
  return Number.parseInt(digestText(key, HEX_DIGITS), 16) / 16 ** HEX_DIGITS < share;
}
