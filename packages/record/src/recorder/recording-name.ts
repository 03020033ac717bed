/** The folder of a recording is named after the moment it began: `20261115T040000.123Z-k3f9`. Sorted by name is sorted by time. */
import { randomBytes } from "node:crypto";

/** To the millisecond: which of two recordings of one second is the newer one decides what `spoor gate` judges. */
export function recordingName(began: Date): string {
  const stamp = began.toISOString().replace(/[-:]/g, "");
  return `${stamp}-${randomBytes(4).readUInt32BE().toString(36).padStart(4, "0").slice(-4)}`;
}

/** When a recording of this name began; undefined when nobody we know gave it its name. Older ones end with the second. */
export function beginOf(name: string): Date | undefined {
  const stamp = STAMP.exec(name);
  if (stamp === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = ""] = stamp;
  const began = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`);
  return Number.isNaN(began.getTime()) ? undefined : began;
}

const STAMP = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\.\d{3})?Z-[0-9a-z]{4}$/;
