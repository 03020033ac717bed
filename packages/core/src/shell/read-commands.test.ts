import { describe, expect, it } from "vitest";
import { isKnown, type ShellCommand, UNKNOWN } from "./command.ts";
import { readCommands } from "./read-commands.ts";

function commands(text: string): readonly ShellCommand[] {
  const read = readCommands(text);
  if ("problem" in read) throw new Error(read.problem);
  return read.commands;
}

/** One line per command: its program and words, with `?` for what is unknown. */
function lines(text: string): string[] {
  return commands(text).map(({ program, words }) =>
    [program, ...words.map((word) => word.text)].join(" ").replaceAll(UNKNOWN, "?"),
  );
}

it("a folder that no file system has is an unknown one, and grows no further", () => {
  let folders: readonly string[] = ["."];
  for (let step = 0; step < 3000; step++) {
    const read = readCommands("cd sub", folders);
    if ("folders" in read) folders = read.folders;
  }
  expect(folders.join().length).toBeLessThanOrEqual(4096);
  expect(isKnown(folders[0]!)).toBe(false);
});

describe("what runs", () => {
  it.each<[string, string[]]>([
    ["a 'b c' \"d e\" f\\ g", ["a b c d e f g"]],
    ["a; b && c || d & e", ["a", "b", "c", "d", "e"]],
    ["a | b |& c", ["a", "b", "c"]],
    ["! a", ["a"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
    ["for x in 1 2; do a $x; done", ["a 1", "a 2"]],
    ["for ((i=0;i<3;i++)); do a; done", ["a"]],
    ["case x in a|b) c ;; (*) d; e ;; esac", [": x", "c", "d", "e"]],
    ["{ a; b; }; (c)", ["a", "b", "c"]],
    ["f() { a; }; function g { b; }", ["a", "b"]],
    ["a <<X; b\nnot a command\nX\nc", ["a", "b", "c"]],
    ["a <<-X\n\tb\n\tX\nc", ["a", "c"]],
    ["a > x 2>&1 < y >> z", ["a"]],
    ["a # b; c\nd", ["a", "d"]],
    ["a#b", ["a#b"]],
    ["a \\\n  b", ["a b"]],
    ["x=1 y=2 a $x", ["a ?"]],
    ["x=1; a $x", ["a 1"]],
    ["x='1 2'; a $x \"$x\"", ["a 1 2 1 2"]],
    ["x=; a $x b", ["a b"]],
    ["a {b,c}d x{1,2}", ["a bd cd x1 x2"]],
    ["a '{b,c}' {b}", ["a {b,c} {b}"]],
    ["a $(b c) `d`", ["b c", "d", "a ? ?"]],
    ["a $(echo b c)", ["echo b c", "a b c"]],
    [
      "sudo -u x env A=1 nice -n 5 a b",
      ["sudo -u x env A=1 nice -n 5 a b", "env A=1 nice -n 5 a b", "nice -n 5 a b", "a b"],
    ],
    ["bash -c 'a; b' x", ["bash -c a; b x", "a", "b"]],
    ["echo a b | xargs -n 1 c", ["echo a b", "xargs -n 1 c", "c a b"]],
    ["ssh host 'a | b'", ["ssh host a | b", "a", "b"]],
    ["find d -name x -exec a {} \\;", ["find d -name x -exec a {} ;", "a d/…"]],
    ["cat <<X | sh\na b\nX", ["cat", "sh", "a b"]],
    ["[[ a < b || $(c) ]]", ["c", "[[ a b ?"]],
    ["a <(b) >(c)", ["b", "c", "a /dev/fd/63 /dev/fd/63"]],
    ['echo ~ "~" ~/x', ["echo ~ ./~ ~/x"]],
    ["$'a\\tb' $'\\x41\\u00e9\\101'", ["a\tb AéA"]],
  ])("%s", (text, expected) => expect(lines(text)).toEqual(expected));

  it("follows cd, and forgets what a subshell did", () => {
    expect(commands("cd a; (cd /b; c); cd ../d; e").map(({ program, folder }) => `${folder} ${program}`)).toEqual([
      ". cd",
      "a cd",
      "/b c",
      "a cd",
      "d e",
    ]);
  });

  it("knows where output goes and input comes from", () => {
    const [first, second] = commands("a 2> x | b > $HOME/y");
    expect(first!.writes).toEqual(["x"]);
    expect(second).toMatchObject({ writes: ["~/y"], fedBy: [{ program: "a" }] });
  });

  it("keeps every value that a variable may have", () => {
    expect(lines("x=1; if a; then x=2; fi; b $x")).toEqual(["a", "b 1", "b 2"]);
  });
});

describe("what no shell runs", () => {
  it.each([
    ["a 'b", "a single quote is not closed (character 3)"],
    ['a "b', "a double quote is not closed (character 3)"],
    ["a $(b", '")" is missing (character 5)'],
    ["a ${b", "${ is not closed (character 3)"],
    ["a `b", "a backtick is not closed (character 3)"],
    ["if a; then b", '"if" is not closed by "fi" (character 13)'],
    ["a | | b", '"|" is not expected here (character 5)'],
    [") a", '")" is not expected here (character 1)'],
    ["done", '"done" is not expected here (character 1)'],
  ])("%s", (text, problem) => expect(readCommands(text)).toEqual({ problem }));
});

/** Texts that would take a careless reader for ever, or its stack. */
describe("hostile texts", () => {
  const many = 5_000;
  it.each([
    ["braces", "{".repeat(many)],
    ["pairs of braces", "{a,".repeat(many)],
    ["products of braces", "a ".concat("{1,2}".repeat(60))],
    ["parameters", "${a-".repeat(many)],
    ["substitutions", "$(".repeat(many)],
    ["brackets", "(".repeat(many)],
    ["quotes in substitutions", '"$('.repeat(many)],
    ["extended globs", "!(".repeat(many)],
    ["backslashes", "\\".repeat(many)],
    ["shells in shells", `${"bash -c ".repeat(many)}x`],
    ["a variable that grows", `x=aaaaaaaa; ${"x=$x$x; ".repeat(40)}a $x`],
    ["loops in loops", `${"for i in 1 2 3 4 5 6 7 8; do ".repeat(20)}a $i; ${"done; ".repeat(20)}`],
    ["here-documents", "a <<X\n".repeat(500)],
  ])("%s", (_name, text) => {
    const read = readCommands(text);
    expect("problem" in read || read.commands.length < 6_000).toBe(true);
  });
});
