/** The real shell as the judge: every command that bash runs must be among those that were read. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { UNKNOWN } from "./command.ts";
import { readCommands } from "./read-commands.ts";

const hasBash = spawnSync("bash", ["-c", "exit 0"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "spoor-bash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.skipIf(!hasBash)(hasBash ? "beside real bash" : "beside real bash (skipped: there is no bash)", () => {
  it("misses no command that bash runs, and agrees on what can run at all", () => {
    const random = seeded(20261115);
    let ran = 0;
    for (let round = 0; round < 100; round++) {
      const script = makeScript(random, 3);
      const real = runInBash(script);
      const read = readCommands(script);
      if ("problem" in read) {
        expect(spawnSync("bash", ["-n", "-c", script]).status, `${read.problem}: ${script}`).not.toBe(0);
        continue;
      }
      const listed = read.commands.map(({ program, words }) => ({ program, words }));
      for (const [program, ...words] of real) {
        ran++;
        const isListed = listed.some((one) => fits(one.program, program!) && wordsFit(one.words, words));
        expect(isListed, `${script}\nbash ran: ${JSON.stringify([program, ...words])}`).toBe(true);
      }
    }
    // A generator that makes nothing run would prove nothing.
    expect(ran).toBeGreaterThan(100);
  });

  it.each([
    "a | | b",
    "if a; then b",
    "a 'b",
    'a "b',
    "a $(b",
    "done",
    "a )",
    "for in x; do a; done",
    "case x in a) b",
  ])("refuses what bash refuses: %s", (script) => {
    expect(spawnSync("bash", ["-n", "-c", script]).status).not.toBe(0);
    expect(readCommands(script)).toHaveProperty("problem");
  });
});

/** Runs a script with programs `p`, `q` and `r` that only write down how they were called. */
function runInBash(script: string): string[][] {
  const bin = join(folder, "bin");
  const log = join(folder, "log");
  mkdirSync(bin, { recursive: true });
  for (const name of ["p", "q", "r"]) {
    writeFileSync(
      join(bin, name),
      `#!/bin/sh\nprintf '%s\\0' ${name} "$@" >> '${log}'\nprintf '\\001\\0' >> '${log}'\n`,
    );
    chmodSync(join(bin, name), 0o755);
  }
  writeFileSync(log, "");
  spawnSync("bash", ["-c", script], {
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: "/nonexistent" },
    cwd: folder,
    input: "",
  });
  return readFileSync(log, "utf8")
    .split("\u0001\0")
    .filter((call) => call !== "")
    .map((call) => call.split("\0").slice(0, -1));
}

function fits(listed: string, real: string): boolean {
  const pattern = listed.split(UNKNOWN).map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${pattern.join("[\\s\\S]*")}$`).test(real);
}

/** Words against words; an open one stands for any number of them. */
function wordsFit(listed: readonly { text: string; isOpen: boolean }[], real: readonly string[]): boolean {
  const [first, ...rest] = listed;
  if (first === undefined) return real.length === 0;
  if (first.isOpen) return real.some((_word, at) => wordsFit(rest, real.slice(at))) || wordsFit(rest, []);
  return real.length > 0 && fits(first.text, real[0]!) && wordsFit(rest, real.slice(1));
}

type Random = <T>(choices: readonly T[]) => T;

function seeded(seed: number): Random {
  let state = seed;
  return (choices) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return choices[Math.floor((state / 2 ** 32) * choices.length)]!;
  };
}

function makeWord(random: Random): string {
  const piece = () =>
    random([
      "a",
      "-f",
      "'b c'",
      '"d e"',
      "\\ ",
      "$x",
      '"$x"',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
      "${y}",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a shell's
      '"${z:-u v}"',
      "{1,2}",
      "$(echo g h)",
      '"`echo i`"',
      "$'\\x41'",
      "k\\\nl",
      '"m\\"n"',
      "''",
      "%",
    ]);
  return random([piece(), piece(), piece() + piece(), piece() + piece() + piece()]);
}

function makeCommand(random: Random): string {
  const words = random([[], [0], [0, 0], [0, 0, 0]]).map(() => makeWord(random));
  return [random(["p", "q", "r", "'p'", "\\r"]), ...words].join(" ");
}

function makeScript(random: Random, depth: number): string {
  const inner = () => {
    const script = depth === 0 ? makeCommand(random) : makeScript(random, depth - 1);
    // What ends in a line end (a comment, a here-document) is held together where something follows.
    return script.endsWith("\n") ? `{ ${script}}` : script;
  };
  return random([
    () => makeCommand(random),
    () => `${inner()}; ${inner()}`,
    () => `${inner()} && ${inner()}`,
    () => `! ${makeCommand(random)} || ${inner()}`,
    () => `x=${random(["1", "'2 3'", '"$y"', "$(echo w)"])}; ${inner()}`,
    () => `y='s t' x=9 ${makeCommand(random)}`,
    () => `(${inner()})`,
    () => `{ ${inner()}; }`,
    () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
    () => `for x in ${makeWord(random)} ${makeWord(random)}; do ${inner()}; done`,
    () => `case b in a) ${inner()};; b|c) ${inner()};; esac`,
    () => `echo ${makeWord(random)} | ${inner()}`,
    () => `echo j -k | xargs ${makeCommand(random)}`,
    () => `env V=1 ${makeCommand(random)}`,
    () => `nice -n 1 ${makeCommand(random)}`,
    () => `bash -c ${quote(inner())}`,
    () => `eval ${quote(inner())}`,
    () => `bash <<'END'\n${inner()}\nEND\n`,
    () => `echo ${quote(makeCommand(random))} | bash`,
    () => `f() { ${inner()}; }; f`,
    () => `p "$( ${inner()})"`,
    () => `${inner()} # ; p no\n`,
    () => `[[ a < b ]] && ${inner()}`,
    () => `: $((1 + 2)) && ${inner()} > /dev/null 2>&1`,
  ])();
}

function quote(script: string): string {
  return `'${script.replaceAll("'", `'\\''`)}'`;
}
