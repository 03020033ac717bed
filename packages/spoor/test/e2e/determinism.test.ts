/**
 * The same inputs give the same bytes: whatever the time zone, the language, the folder, the order in which a folder is listed, the number of
 * threads. `scripts/test-on-node.mjs` compares the same commands between versions of Node.
 */
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { deterministicCommands } from "./deterministic-commands.ts";
import { exampleFolder } from "./every-report.ts";

type Digests = Readonly<Record<string, Readonly<Record<string, string | number>>>>;

function digests(env: Readonly<Record<string, string>>, node = process.execPath): Digests {
  const script = fileURLToPath(new URL("./print-digests.mjs", import.meta.url));
  const {
    LC_ALL: _all,
    LANG: _lang,
    LANGUAGE: _language,
    TZ: _zone,
    NODE_OPTIONS: _options,
    ...inherited
  } = process.env;
  const run = spawnSync(node, [script, exampleFolder()], {
    input: JSON.stringify(deterministicCommands),
    env: { ...inherited, ...env },
    encoding: "utf8",
  });
  expect(run.stderr).toBe("");
  return JSON.parse(run.stdout) as Digests;
}

const usual = { LC_ALL: "C.UTF-8", TZ: "UTC", SPOOR_THREADS: "1" };
let known: Digests | undefined;

/** Computed by the first test that asks. */
function expected(): Digests {
  known ??= digests(usual);
  return known;
}

it("the commands are those that were meant: they judge, and none fails to run", () => {
  expect(Object.keys(expected())).toEqual(deterministicCommands.map(({ name }) => name));
  expect(new Set(Object.values(expected()).map(({ code }) => code))).toEqual(new Set([0, 1]));
});

it.each([
  [
    "in Tokyo, in Turkish, with folders listed backwards and two threads",
    { LC_ALL: "tr_TR.UTF-8", LANG: "tr_TR.UTF-8", TZ: "Asia/Tokyo", SPOOR_TEST_ORDER: "reversed", SPOOR_THREADS: "2" },
  ],
  [
    "in Lima, in Arabic",
    { LC_ALL: "ar_EG.UTF-8", LANG: "ar_EG.UTF-8", LANGUAGE: "ar", TZ: "America/Lima", SPOOR_THREADS: "1" },
  ],
])("every command writes the same bytes in another folder, %s", (_where, env) => {
  expect(digests(env)).toEqual(expected());
});

/** `scripts/test-on-node.mjs` names them. */
const others = (process.env["SPOOR_OTHER_NODES"] ?? "").split(delimiter).filter((path) => path !== "");

it.each(others)("every command writes the same bytes with %s", (node) => {
  expect(digests(usual, node)).toEqual(expected());
});
