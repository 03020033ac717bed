import type { Json } from "@spoor/core";
import type { StoreEngine } from "./engine/engine.ts";
import { cleanText } from "./engine/values.ts";
import { readJson, writeJson } from "./rows.ts";

export interface Projects {
  /** Makes it when it is not there. */
  ensure(name: string): Promise<Project>;
  list(): Promise<readonly Project[]>;
  configure(projectId: number, settings: Json): Promise<void>;
}

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly createdAt: number;
  /** Sections of a spoor.config file: policy, baseline, cohort. */
  readonly settings: Json;
}

export function createProjects({ db }: StoreEngine, now: () => number): Projects {
  const named = (name: string) =>
    db.selectFrom("projects").selectAll().where("name", "=", cleanText(name)).executeTakeFirst();
  return {
    async ensure(name) {
      const known = await named(name);
      if (known !== undefined) return projectOf(known);
      await db
        .insertInto("projects")
        .values({ name, created_at: now(), settings: "{}" })
        .onConflict((conflict) => conflict.column("name").doNothing())
        .execute();
      const made = await named(name);
      if (made === undefined) throw new Error(`The project ${name} was not kept.`);
      return projectOf(made);
    },
    async list() {
      return (await db.selectFrom("projects").selectAll().orderBy("id").execute()).map(projectOf);
    },
    async configure(projectId, settings: Json) {
      await db
        .updateTable("projects")
        .set({ settings: writeJson(settings) })
        .where("id", "=", projectId)
        .execute();
    },
  };
}

function projectOf(row: { id: number; name: string; created_at: number; settings: string }): Project {
  return { id: row.id, name: row.name, createdAt: row.created_at, settings: readJson(row.settings) };
}
