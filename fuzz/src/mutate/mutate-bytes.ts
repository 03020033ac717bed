/** Damages bytes: bits flip, pieces go, come twice or are cut off. */
import type { Random } from "@spoor/core/internal/stats/random";

export function mutateBytes(bytes: Uint8Array, random: Random): Buffer {
  let damaged = Buffer.from(bytes);
  for (let change = random.below(6); change >= 0; change--) damaged = damage(damaged, random);
  return damaged;
}

function damage(bytes: Buffer<ArrayBuffer>, random: Random): Buffer<ArrayBuffer> {
  if (bytes.length === 0) return Buffer.from([random.below(256)]);
  const at = random.below(bytes.length);
  const until = Math.min(bytes.length, at + 1 + random.below(64));
  const how = random.below(8);
  if (how === 0) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(until)]);
  if (how === 1) return Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
  if (how === 2) return Buffer.from(bytes.subarray(0, at));
  if (how === 3) return Buffer.from(bytes.fill(random.below(2) * 255, at, until));
  bytes[at] = how < 6 ? bytes[at]! ^ (1 << random.below(8)) : random.below(256);
  return bytes;
}
