/** What may be otherwise around a process: streams, limits, folders, the environment. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface World {
  readonly name: string;
  /** Shell before the program, which is `"$@"` and is started in the project. */
  readonly shell?: string;
  readonly env?: (folder: string) => Readonly<Record<string, string>>;
  /** Done to the project before it is run. */
  prepare?(folder: string): void;
  /** Nothing is lacking: the answer is the usual one. */
  readonly isHarmless?: true;
  /** Needs a process that permissions hold for. */
  readonly unprivileged?: true;
}

const RUN = 'exec "$@"';

export const worlds: readonly World[] = [
  ...[20, 24, 32, 48, 64].map((files) => ({
    name: `${files} open files`,
    shell: `ulimit -n ${files}; ${RUN}`,
  })),
  { name: "files of no size", shell: `ulimit -f 0; ${RUN}` },
  { name: "standard input closed", shell: `${RUN} <&-`, isHarmless: true },
  { name: "standard output closed", shell: `${RUN} >&-` },
  { name: "standard error closed", shell: `${RUN} 2>&-`, isHarmless: true },
  { name: "all streams closed", shell: `${RUN} <&- >&- 2>&-` },
  { name: "standard output full", shell: `${RUN} >/dev/full` },
  { name: "both outputs full", shell: `${RUN} >/dev/full 2>/dev/full` },
  { name: "a reader that has gone", shell: '{ "$@"; echo $? >&3; } 3>code | :; read code <code; exit "$code"' },
  { name: "the language of C", env: () => ({ LANG: "C", LC_ALL: "C" }), isHarmless: true },
  { name: "a terminal of one column", env: () => ({ COLUMNS: "1", TERM: "dumb" }), isHarmless: true },
  { name: "no environment", shell: `exec env -i "$@"`, isHarmless: true },
  { name: "no home", env: (folder) => ({ HOME: join(folder, "none/home") }), isHarmless: true },
  { name: "a home that is a file", env: (folder) => ({ HOME: join(folder, "spoor.config.yaml") }), isHarmless: true },
  { name: "a home below /proc", env: () => ({ HOME: "/proc/none", XDG_STATE_HOME: "/proc/none" }), isHarmless: true },
  { name: "no folder for temporary files", env: (folder) => ({ TMPDIR: join(folder, "none/tmp") }) },
  { name: "temporary files in a file", env: (folder) => ({ TMPDIR: join(folder, "spoor.config.yaml") }) },
  { name: "a folder that was removed", shell: `mkdir gone && cd gone && rmdir ../gone && ${RUN}` },
  {
    name: "a folder that may only be read",
    unprivileged: true,
    prepare: (folder) => chmodSync(folder, 0o555),
  },
  { name: "a folder that may not be entered", unprivileged: true, shell: `chmod 0 . ; ${RUN}` },
  {
    name: "a home that may only be read",
    unprivileged: true,
    isHarmless: true,
    env: (folder) => ({ HOME: join(folder, "home") }),
    prepare: (folder) => chmodSync(join(folder, "home"), 0o555),
  },
  {
    name: "temporary files in a folder that may only be read",
    unprivileged: true,
    env: (folder) => ({ TMPDIR: join(folder, "home") }),
    prepare: (folder) => chmodSync(join(folder, "home"), 0o555),
  },
  {
    name: "a folder of 3,000 damaged files",
    prepare(folder) {
      for (const side of ["baseline", "candidate"])
        for (let number = 0; number < 1_500; number++) writeFileSync(join(folder, side, `${number}.agentlog`), "{");
      mkdirSync(join(folder, "candidate/deep/deep/deep"), { recursive: true });
    },
  },
];
