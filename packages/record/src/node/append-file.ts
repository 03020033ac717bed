/**
 * A file that lines are appended to, each with one write: what was acknowledged is in the system's hands and outlives the process,
 * however it ends. A full disk writes a part and reports no error: the length is checked, and a line that does not fit is taken
 * back whole, so that the next one does not run into it.
 */
import { close, closeSync, fdatasync, fdatasyncSync, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";

export interface AppendFile {
  readonly path: string;
  readonly size: number;
  /** Throws when the line could not be written whole; nothing of it stays then. */
  append(line: string): void;
  /** Asks the disk to keep what was written, without waiting for it. */
  sync(): void;
  /** The same, and waits. */
  syncNow(): void;
  close(): void;
  /** Asks the disk to keep what was written, and closes when it does, without waiting for either. */
  closeLater(): void;
}

export interface AppendFileOptions {
  /** Fails with EEXIST when the file is there: it is another process's. */
  readonly exclusive?: boolean;
  /** Only its owner may read it, unless told otherwise. */
  readonly mode?: number;
}

export function openAppendFile(path: string, { exclusive = false, mode = 0o600 }: AppendFileOptions = {}): AppendFile {
  const handle = openSync(path, exclusive ? "ax" : "a", mode);
  let size = fstatSync(handle).size;
  let open = true;
  return {
    path,
    get size() {
      return size;
    },
    append(line) {
      if (!open) throw new Error(`${path} is closed`);
      const bytes = Buffer.from(line);
      try {
        writeWhole(handle, bytes);
      } catch (error) {
        takeBack(handle, size);
        throw error;
      }
      size += bytes.length;
    },
    sync() {
      // Nobody waits for it: a disk that cannot keep it says so at the next write or at the end.
      if (open) fdatasync(handle, () => {});
    },
    syncNow() {
      if (open) fdatasyncSync(handle);
    },
    close() {
      if (open) closeSync(handle);
      open = false;
    },
    closeLater() {
      if (open) fdatasync(handle, () => close(handle, () => {}));
      open = false;
    },
  };
}

/** A second write is only needed where the first was cut short; on a full disk it gives the error the first did not. */
function writeWhole(handle: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) {
    const more = writeSync(handle, bytes, written);
    if (more === 0) throw new Error("nothing could be written");
    written += more;
  }
}

function takeBack(handle: number, size: number): void {
  try {
    ftruncateSync(handle, size);
  } catch {
    // What cannot be cut (a device, a pipe) keeps its torn line; the error of the write is the one to tell.
  }
}
