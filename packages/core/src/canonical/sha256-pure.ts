import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** The hash of a text that comes in pieces, none of which ends within a character. */
export interface Sha256 {
  update(text: string): void;
  /** A state of its own: what is added to it is not added here. */
  copy(): Sha256;
  /** Of everything so far; more may be added. */
  hex(): string;
}

/** SHA-256 of a text's UTF-8 bytes as 64 lower-case hex digits: an audited library, for everything that is not Node. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

/** The same for a text that comes in pieces. */
export function createSha256(state = sha256.create()): Sha256 {
  return {
    update: (text) => void state.update(utf8ToBytes(text)),
    copy: () => createSha256(state.clone()),
    hex: () => bytesToHex(state.clone().digest()),
  };
}
