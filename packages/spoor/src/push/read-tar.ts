/** The files of a tar as the service writes it. Names are file names and nothing else: what would lead anywhere is refused, not followed. */
import { SpoorError } from "@spoor/core/internal/errors";

export interface TarFile {
  readonly name: string;
  readonly content: Uint8Array;
}

const BLOCK = 512;

export function* readTar(bytes: Uint8Array): Generator<TarFile> {
  for (let at = 0; ; ) {
    const head = Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(BLOCK, bytes.length - at));
    if (head.length < BLOCK) throw damaged("it ends early");
    if (head.every((byte) => byte === 0)) return;
    const name = head.toString("latin1", 0, 100).replace(/\0.*$/s, "");
    const size = Number.parseInt(head.toString("latin1", 124, 136), 8);
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(name)) throw damaged(`it names a file ${JSON.stringify(name)}`);
    const end = at + BLOCK + size;
    if (!(size >= 0) || end > bytes.length) throw damaged("it ends early");
    yield { name, content: bytes.subarray(at + BLOCK, end) };
    at = end + ((BLOCK - (size % BLOCK)) % BLOCK);
  }
}

function damaged(why: string): SpoorError {
  return new SpoorError("server.refused", `What the service sent cannot be used: ${why}.`, {
    consequence: "Nothing was compared.",
  });
}
