import fc from "fast-check";
import { expect, it } from "vitest";
import { followScript } from "./follow-script.ts";
import { parseScript } from "./parse-script.ts";
import { readPlainLine } from "./plain-line.ts";
import { ShellSyntaxError } from "./script.ts";

function followed(text: string, folders: readonly string[]) {
  try {
    return followScript(parseScript(text), folders);
  } catch (error) {
    if (error instanceof ShellSyntaxError) return "no script";
    throw error;
  }
}

const word = fc.oneof(
  fc.constantFrom(
    "ls",
    "-l",
    "/bin/rm",
    "-rf",
    "a=b",
    "a.b/c",
    "x:y",
    "@scope/p@1.2",
    "+main",
    "100%",
    "2",
    "a,b",
    "--",
    "~",
  ),
  fc.constantFrom("if", "then", "time", "!", "{", "done", "function", "[[", "coproc", "case", "in"),
  fc.constantFrom(
    "cd",
    "/usr/bin/cd",
    "source",
    ".",
    "trap",
    "eval",
    "export",
    "read",
    "unset",
    "printf",
    "bash",
    "/bin/sh",
  ),
  fc.constantFrom(
    "sudo",
    "env",
    "xargs",
    "find",
    "-exec",
    "ssh",
    "watch",
    "nice",
    "npx",
    "su",
    "-c",
    "command",
    "alias",
  ),
  fc.stringMatching(/^[\w./+@%,:=$*?~#'"{}-]{1,6}$/),
);

it("says of every line that it reads what following it as a script says", () => {
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(word, { minLength: 1, maxLength: 5 }),
      fc.constantFrom(["."], ["/a", "/b"]),
      (words, folders) => {
        const text = words.join(" ");
        const plain = readPlainLine(text, folders);
        if (plain === undefined) return;
        read++;
        expect(plain).toEqual(followed(text, folders));
      },
    ),
    { numRuns: 5000, seed: 14 },
  );
  expect(read).toBeGreaterThan(500);
});

it.each([
  "cd sub",
  "sudo rm -rf x",
  "X=1",
  "X=1 ls",
  "time ls",
  "if a",
  "ls  -l",
  " ls",
  "ls *",
  "ls $HOME",
  "ls ~",
  "",
  "a#b",
  "a\nb",
])("leaves %j to the reader of scripts", (text) => {
  expect(readPlainLine(text, ["."])).toBeUndefined();
});
