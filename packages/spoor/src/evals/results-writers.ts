/**
 * Who writes a results file right now. Several processes may append to one (shards of a suite); only the last of them may put it in
 * order, because what others append to a file that is being replaced would be lost. Each writer leaves a mark with its process; the mark of
 * a process that is gone counts for nothing and is taken away.
 */
import { readdir, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isDead, type Owner, ownerOfThisProcess, readOwner, withFileLock } from "../store/file-lock.ts";

export interface Writers {
  /** The others that are still at work; ask under the lock. */
  others(): Promise<readonly Owner[]>;
  /** Takes this one's mark away. */
  leave(): Promise<void>;
  /** Nobody comes or goes while `work` runs. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

/** `enter` runs under the lock, before the mark is set. */
export async function joinWriters(path: string, enter: (others: readonly Owner[]) => Promise<void>): Promise<Writers> {
  const owner = await ownerOfThisProcess();
  const prefix = `.${basename(path)}.writer-`;
  const mark = join(dirname(path), `${prefix}${owner.token}`);
  const alone = <T>(work: () => Promise<T>) => withFileLock(path, work, { code: "eval.results-in-use" });
  const others = async () => {
    const found: Owner[] = [];
    for (const name of await readdir(dirname(path))) {
      const other = join(dirname(path), name);
      if (!name.startsWith(prefix) || other === mark) continue;
      const holder = await readOwner(other);
      if (holder === undefined || (await isDead(holder))) await rm(other, { force: true });
      else found.push(holder);
    }
    return found;
  };
  await alone(async () => {
    await enter(await others());
    await writeFile(mark, JSON.stringify(owner));
  });
  return { others, alone, leave: () => rm(mark, { force: true }) };
}
