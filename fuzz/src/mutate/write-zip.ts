/** A zip as no program writes it: what its directory claims need not be so. */
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  readonly name: string;
  readonly content: Buffer;
  /** Stored (0), deflated (8, unless said), or one that is only claimed. */
  readonly method?: number;
  /** What the directory claims to come of it. */
  readonly size?: number;
  readonly flags?: number;
}

/** `directory` is where it begins: the entries stand before it. */
export function writeZip(entries: readonly ZipEntry[]): { readonly bytes: Buffer; readonly directory: number } {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content, method = 8, size = content.length, flags = 0 } of entries) {
    const packed = method === 8 ? deflateRawSync(content) : content;
    const title = Buffer.from(name).subarray(0, 0xffff);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(title.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50);
    central.writeUInt16LE(flags, 8);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc32(content), 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(size, 24);
    central.writeUInt16LE(title.length, 28);
    central.writeUInt32LE(offset, 42);
    parts.push(local, title, packed);
    directory.push(central, title);
    offset += local.length + title.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(Math.min(entries.length, 0xfffe), 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return { bytes: Buffer.concat([...parts, listed, end]), directory: offset };
}
