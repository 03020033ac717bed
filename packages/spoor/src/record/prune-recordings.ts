/** Which recordings go and which stay, and how they go. Nothing is deleted that is not a recording, or that may still be written. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { type ListedRecordings, listRecordings, type NoRecording, REMOVED, type Recording } from "./list-recordings.ts";

export interface PruneRule {
  /** The newest so many stay. */
  readonly keep?: number | undefined;
  /** Those that began less than so many milliseconds ago stay. */
  readonly olderMs?: number | undefined;
  readonly now: Date;
  /** Files and folders that the project works with; the recordings they lie in stay. */
  readonly named?: readonly string[];
}

export interface PrunePlan {
  readonly folder: string;
  readonly remove: readonly Recording[];
  readonly keep: readonly Recording[];
  readonly others: readonly {
    readonly name: string;
    readonly why: NoRecording | "in_use" | "named";
    readonly file?: string;
  }[];
  readonly leftovers: readonly string[];
}

/** Something was written so lately that its recorder may be at work. */
const IN_USE_MS = 60_000;

/** With both rules a recording goes only when both let it go. */
export function planPrune(folder: string, { keep, olderMs, now, named = [] }: PruneRule): PrunePlan {
  if (existsSync(join(folder, ".run", "run.json")))
    throw new SpoorError("usage.bad-argument", `${folder} is a recording itself.`, {
      consequence: "Nothing was deleted.",
      hint: "Name the folder that holds recordings: spoor prune --keep 10 .spoor/recordings",
    });
  const { recordings, others, leftovers }: ListedRecordings = listRecordings(folder);
  const goes = recordings.filter(({ startedAt }, index) => {
    const beyond = keep === undefined || index >= keep;
    return beyond && (olderMs === undefined || now.getTime() - startedAt.getTime() >= olderMs);
  });
  const left = goes.flatMap((one): PrunePlan["others"] => {
    if (now.getTime() - one.changedAt.getTime() < IN_USE_MS) return [{ name: one.name, why: "in_use" }];
    return named.some((path) => isWithin(path, join(folder, one.name))) ? [{ name: one.name, why: "named" }] : [];
  });
  const remove = goes.filter(({ name }) => !left.some((one) => one.name === name));
  const stays = recordings.filter((one) => !goes.includes(one));
  return { folder, remove, keep: stays, others: [...left, ...others], leftovers };
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder + sep);
}

/** Each whole: it loses its name first, so that a removal that is interrupted leaves no half recording behind. */
export async function removeRecordings({ folder, remove, leftovers }: PrunePlan): Promise<void> {
  try {
    for (const { name } of remove) {
      const removed = join(folder, `${REMOVED}${name}-${randomUUID().slice(0, 8)}`);
      await rename(join(folder, name), removed);
      await rm(removed, { recursive: true, force: true });
    }
    for (const name of leftovers) await rm(join(folder, name), { recursive: true, force: true });
  } catch (error) {
    throw new SpoorError("output.unwritable", `A recording cannot be deleted: ${(error as Error).message}.`, {
      at: { file: folder },
      consequence: "What was deleted before it is gone; the rest is untouched.",
      cause: error,
    });
  }
}
