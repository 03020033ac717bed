/**
 * What waits while a transaction runs shares the next one: under load many callers pay for one synchronisation of the disk, and a lone caller waits
 * for nobody. No timer: the disk itself sets the pace. When a shared transaction fails, each caller's part is tried alone, so that one bad part fails alone.
 */
export function createGroupCommit<Item, Result>(
  commit: (items: readonly Item[]) => Promise<readonly Result[]>,
  mostItems: number,
): (items: readonly Item[]) => Promise<readonly Result[]> {
  interface Caller {
    readonly items: readonly Item[];
    readonly resolve: (results: readonly Result[]) => void;
    readonly reject: (error: unknown) => void;
  }
  let waiting: Caller[] = [];
  let running = false;

  async function run(): Promise<void> {
    running = true;
    while (waiting.length > 0) {
      // The embedded engine does not yield while it writes: what came meanwhile is read from its sockets first, and shares this transaction.
      await nextTurn();
      const group = takeGroup();
      try {
        const results = await commit(group.flatMap(({ items }) => items));
        let at = 0;
        for (const { items, resolve } of group) {
          resolve(results.slice(at, at + items.length));
          at += items.length;
        }
      } catch (error) {
        if (group.length === 1) group[0]?.reject(error);
        else for (const caller of group) await commit(caller.items).then(caller.resolve, caller.reject);
      }
    }
    running = false;
  }

  function takeGroup(): Caller[] {
    let size = 0;
    let count = 0;
    for (const { items } of waiting) {
      size += items.length;
      if (count > 0 && size > mostItems) break;
      count += 1;
    }
    const group = waiting.slice(0, count);
    waiting = waiting.slice(count);
    return group;
  }

  return (items) =>
    new Promise((resolve, reject) => {
      waiting.push({ items, resolve, reject });
      if (!running) void run();
    });
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
