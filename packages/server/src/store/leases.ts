import type { StoreEngine } from "./engine/engine.ts";
import { ranOut } from "./ran-out.ts";

/** Work that one process at a time does, of however many there are. */
export interface Leases {
  /** True for one of all who ask before `until`. */
  take(name: string, until: number, now: number): Promise<boolean>;
}

/** One row per name: whoever finds it run out and writes a later time first has it. A process that dies keeps nothing for longer than that. */
export function createLeases({ db }: StoreEngine): Leases {
  return {
    async take(name, until, now) {
      const row = await db
        .insertInto("leases")
        .values({ name, until_at: until })
        .onConflict((conflict) =>
          conflict
            .column("name")
            .doUpdateSet({ until_at: until })
            .where(ranOut("leases.until_at", now, until - now)),
        )
        .returning("name")
        .executeTakeFirst();
      return row !== undefined;
    },
  };
}
