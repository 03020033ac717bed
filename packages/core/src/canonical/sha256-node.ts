import { createHash, hash } from "node:crypto";
import type { Sha256 } from "./sha256-pure.ts";

/** SHA-256 of a text's UTF-8 bytes as 64 lower-case hex digits: Node's one-shot hash. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** The same for a text that comes in pieces. */
export function createSha256(state = createHash("sha256")): Sha256 {
  return {
    update: (text) => void state.update(text),
    copy: () => createSha256(state.copy()),
    hex: () => state.copy().digest("hex"),
  };
}
