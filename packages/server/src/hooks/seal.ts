/**
 * Secrets of webhooks lie in the store sealed (AES-256-GCM): who has a copy of the store alone can forge nothing. The key is `SPOOR_KEY`; beside a file
 * it is made by itself, in a file of its own that only its owner reads.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { SpoorError } from "@spoor/core/internal/errors";
import { writeWhole } from "spoor/internal/load/write-file";

export interface Sealer {
  seal(text: string): Uint8Array;
  /** Throws `webhook.key` for what another key sealed. */
  open(sealed: Uint8Array): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;
const SHORTEST_KEY = 32;

export function createSealer(key: string): Sealer {
  const secret = createHash("sha256").update(`spoor webhooks\n${key}`).digest();
  return {
    seal(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, iv);
      const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
    },
    open(sealed) {
      try {
        const bytes = Buffer.from(sealed);
        const decipher = createDecipheriv("aes-256-gcm", secret, bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
        return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
      } catch (cause) {
        throw noKey("The secret of the webhook was sealed with another key.", cause);
      }
    },
  };
}

/** `store`: the address of the store; undefined where there is no key, and no place to make one. */
export async function openSealer(
  store: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Sealer | undefined> {
  const given = env["SPOOR_KEY"];
  if (given !== undefined && given !== "") {
    if (given.length >= SHORTEST_KEY) return createSealer(given);
    throw noKey(`SPOOR_KEY is shorter than ${SHORTEST_KEY} characters.`);
  }
  if (/^postgres(ql)?:/.test(store)) return undefined;
  if (store === ":memory:") return createSealer(randomBytes(32).toString("hex"));
  return createSealer(await keyBeside(`${store.replace(/^file:/, "")}.key`));
}

/** Only the owner of the file's lock comes here; a file that is there is never written over. */
async function keyBeside(file: string): Promise<string> {
  try {
    // Whole or not at all: half a key, or none, would be taken for one by the next start.
    if (!existsSync(file)) await writeWhole(file, randomBytes(32).toString("hex"), { durable: true, mode: 0o600 });
  } catch (error) {
    throw noKey(
      `No key can be made beside the store: the system says ${(error as NodeJS.ErrnoException).code}.`,
      error,
    );
  }
  const key = await readFile(file, "utf8");
  if (key.trim().length >= SHORTEST_KEY) return key;
  throw noKey(`${file} holds no whole key: it is shorter than ${SHORTEST_KEY} characters.`);
}

export function noKey(message: string, cause?: unknown): SpoorError {
  return new SpoorError("webhook.key", message, {
    hint: "Set SPOOR_KEY (32 characters or more) to the same value for every server and worker.",
    ...(cause === undefined ? {} : { cause }),
  });
}
