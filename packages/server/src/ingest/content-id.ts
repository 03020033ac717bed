/** What makes two arrivals the same: the digest of their bytes, before they were packed. */
import { createHash } from "node:crypto";

export function contentIdOf(bytes: Uint8Array): Uint8Array {
  return createHash("sha256").update(bytes).digest();
}

/** The id as people see it and addresses have it. */
export function shownId(contentId: Uint8Array): string {
  return Buffer.from(contentId).toString("hex", 0, 16);
}

/** 32 hex digits. */
export function isShownId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}
