/** Files of this repository that are in order: what is damaged begins with them. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readSeed, type Seed } from "./mutate/mutate.ts";

/** Both from `src` and from `dist`. */
export const repository = fileURLToPath(new URL("../../", import.meta.url));
export const examples = join(repository, "examples");

const LARGEST = 200_000;

/** Every file below a folder whose path ends like this, in one order everywhere. */
export function seedsBelow(folder: string, ending: RegExp): Seed[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => ending.test(path) && !/README\.md$|node_modules/.test(path))
    .map((path) => path.slice(repository.length).replaceAll("\\", "/"))
    .sort()
    .map((name) => readSeed(name, readFileSync(join(repository, name))))
    .filter(({ bytes }) => bytes.length <= LARGEST);
}

export function seedOf(name: string): Seed {
  return readSeed(name, readFileSync(join(repository, name)));
}

/** A program of this package; needs a build. */
export const compiled = (name: string) => join(repository, "fuzz/dist", name);

/** The program as it is installed; needs a build. */
export const program = join(repository, "packages/spoor/bin/spoor.js");
