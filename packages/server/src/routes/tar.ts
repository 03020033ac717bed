/** Files one after the other in a tar: what `tar -x` unpacks anywhere. Only what a set of recordings needs. */
const BLOCK = 512;

/** Names must be plain ASCII of at most 100 characters. `modifiedAt` in milliseconds. */
export function tarEntry(name: string, content: Uint8Array, modifiedAt: number): Uint8Array {
  const head = Buffer.alloc(BLOCK);
  head.write(name, 0, 100, "ascii");
  head.write("0000644\0", 100, "ascii");
  head.write("0000000\0", 108, "ascii");
  head.write("0000000\0", 116, "ascii");
  head.write(`${content.length.toString(8).padStart(11, "0")}\0`, 124, "ascii");
  head.write(
    `${Math.floor(modifiedAt / 1000)
      .toString(8)
      .padStart(11, "0")}\0`,
    136,
    "ascii",
  );
  // The sum counts its own field as spaces.
  head.write("        ", 148, "ascii");
  head.write("0", 156, "ascii");
  head.write("ustar\u000000", 257, "ascii");
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148, "ascii");
  const padding = Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK);
  return Buffer.concat([head, content, padding]);
}

/** Two empty blocks say that nothing follows. */
export const TAR_END: Uint8Array = Buffer.alloc(2 * BLOCK);
