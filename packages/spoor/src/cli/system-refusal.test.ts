import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { systemRefusal } from "./system-refusal.ts";

const caught = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};
const refused = (code: string, path?: string) =>
  Object.assign(new Error(`${code}: refused`), { code, syscall: "open", ...(path === undefined ? {} : { path }) });

it.each([
  { error: caught(() => readFileSync("/work-of-nobody/a")), says: "/work-of-nobody/a does not exist." },
  { error: refused("EMFILE", "/here/t/a.json"), says: /^t\/a\.json cannot be opened: .*\(ulimit -n\)\.$/ },
  { error: refused("ENOSPC", "/here/r.jsonl"), says: "r.jsonl cannot be written: the disk is full." },
  { error: refused("ENOSPC"), says: "A file cannot be written: the disk is full." },
  { error: caught(() => Buffer.alloc(2 ** 29).toString()), says: /a text would be longer than this program can hold/ },
  { error: caught(() => readFileSync("a\0b")), says: /NUL character/ },
  {
    error: Object.assign(new Error("Cannot find package 'kysely'\nmore"), { code: "ERR_MODULE_NOT_FOUND" }),
    says: "A part of Spoor cannot be loaded: Cannot find package 'kysely'.",
  },
])("a refusal of the system is no defect: $says", ({ error, says }) => {
  const told = systemRefusal(error, "/here");
  expect(told?.code).toBe("system.refused");
  expect(told?.message).toMatch(says);
});

it.each([new TypeError("x is not a function"), new Error("no code"), "text", undefined])(
  "%s stays what it is",
  (error) => {
    expect(systemRefusal(error, "/here")).toBeUndefined();
  },
);
