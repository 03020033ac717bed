/** A folder in which the commands of a page run as a reader would run them: `spoor` and `npx spoor` are the built binary. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { spoorBin } from "../e2e/run-spoor.ts";
import { root } from "./page.ts";

export interface CommandRun {
  readonly command: string;
  readonly code: number;
  /** Standard output and standard error, as a terminal would show them. */
  readonly output: string;
}

export interface DocsProject {
  write(file: string, text: string): void;
  /** Runs the commands as one shell session: the next block starts where this one ends. */
  run(commands: readonly string[]): CommandRun[];
  remove(): void;
}

/** `source` is a folder of the repository to copy, `nothing` for an empty folder, or `repository` for one with `examples/`. */
export function createDocsProject(source: string): DocsProject {
  const base = mkdtempSync(join(tmpdir(), "spoor-docs-"));
  const folder = join(base, "project");
  mkdirSync(folder);
  if (source === "repository") cpSync(join(root, "examples"), join(folder, "examples"), { recursive: true });
  else if (source !== "nothing") cpSync(join(root, source), folder, { recursive: true });
  if (!existsSync(join(folder, "node_modules"))) symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const bin = join(base, "bin");
  mkdirSync(bin);
  symlinkSync(spoorBin, join(bin, "spoor"));
  writeProgram(
    join(bin, "npx"),
    '[ "$1" = spoor ] || { echo "only npx spoor runs here" >&2; exit 127; }\nshift\nexec spoor "$@"',
  );
  writeProgram(join(bin, "node"), `exec "${process.execPath}" "$@"`);
  const { NO_COLOR: _noColor, FORCE_COLOR: _force, CI: _ci, ...inherited } = process.env;
  const env = {
    ...Object.fromEntries(
      Object.entries(inherited).filter(
        ([name]) => !/^(GITHUB_|SPOOR_|SPOOLED_|npm_|NODE_OPTIONS|COLUMNS|GIT_)/.test(name),
      ),
    ),
    PATH: `${bin}:${process.env["PATH"] ?? ""}`,
    LC_ALL: "C.UTF-8",
    TERM: "xterm",
    TZ: "UTC",
    HOME: base,
  };

  let cwd = folder;
  return {
    write(file, text) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    },
    run(commands) {
      const results = mkdtempSync(join(base, "run-"));
      const script = commands.map(
        (command, index) =>
          `{ ${command}\n} >"${results}/${index}.out" 2>&1 </dev/null\necho $? >"${results}/${index}.code"`,
      );
      const shell = spawnSync("bash", ["-c", [...script, `pwd >"${results}/cwd"`].join("\n")], {
        cwd,
        env,
        encoding: "utf8",
        timeout: 240_000,
      });
      if (shell.error) throw shell.error;
      if (shell.status !== 0 && !existsSync(join(results, `${commands.length - 1}.code`)))
        throw new Error(`The shell cannot run this block: ${shell.stderr}`);
      cwd = readFileSync(join(results, "cwd"), "utf8").trim();
      return commands.map((command, index) => ({
        command,
        code: Number(readFileSync(join(results, `${index}.code`), "utf8")),
        output: readFileSync(join(results, `${index}.out`), "utf8"),
      }));
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

function writeProgram(file: string, body: string): void {
  writeFileSync(file, `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}
