import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { migrations } from "../src/store/migrations/migrations.ts";
import { migrateStore, openStore } from "../src/store/open-store.ts";
import { fileEngine, postgresEngines } from "./stores.ts";

const bin = join(import.meta.dirname, "../../spoor/bin/spoor.js");

function spoorMigrate(store: string): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, "migrate", "--store", store], {
    encoding: "utf8",
  });
  return `${status} ${stdout}${/\S+(?= +exit code)/.exec(stderr)?.[0] ?? ""}`;
}

it.each([fileEngine, ...postgresEngines])(
  "spoor migrate brings a store in $name up to date, once, and leaves a newer one alone",
  async (engine) => {
    const store = await engine.address();
    expect(spoorMigrate(store)).toBe(`0 Done: ${migrations.map(({ name }) => name).join(", ")}.\n`);
    expect(spoorMigrate(store)).toBe("0 The tables are up to date.\n");
    await migrateStore(store, { migrations: [...migrations, { name: "9999-later", statements: [] }] });
    expect(spoorMigrate(store)).toBe("2 store.newer");
  },
);

it.each([fileEngine, ...postgresEngines])(
  "a store in $name of every earlier step is brought up to date with what it holds",
  async (engine) => {
    for (let steps = 1; steps < migrations.length; steps++) {
      const address = await engine.address();
      const old = await openStore(address, { migrate: true, migrations: migrations.slice(0, steps) });
      const { id } = await old.projects.ensure("shop");
      await old.configs.put(id, "policy", "main", "rules: []", 1);
      await old.close();
      const names = migrations.slice(steps).map(({ name }) => name);
      expect(await migrateStore(address)).toEqual(names);
      const store = await openStore(address);
      expect(await store.projects.ensure("shop")).toMatchObject({ id });
      expect(await store.configs.current(id, "policy", "main")).toMatchObject({ body: "rules: []" });
      await store.close();
    }
  },
);
