/** Damaged files through the program as it is installed, in a process of its own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Area, RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";
import { program, seedsBelow } from "../repository-files.ts";
import { formats } from "../run-command.ts";
import { startForReal } from "../stub-world.ts";
import { recordings } from "./read.ts";

/** Of processor time; a shell sets it, so that a busy machine does not look like a hang. Only waiting is bounded by the clock. */
const LONGEST_CPU_S = 60;
const LONGEST_MS = 900_000;

const LIMITED = ["-c", `ulimit -t ${LONGEST_CPU_S}; exec "$0" "$@"`, process.execPath];

export const programArea: Area = {
  name: "program",
  about: "recordings and policies through the installed command: exit code 0, 1 or 2, no stack",
  share: 1,
  async open(scratch) {
    const policies = seedsBelow("packages/spoor/policies", /\.yaml$/);
    return {
      seeds: [...recordings(), ...policies],
      async drive({ seed, bytes, choice }) {
        const isPolicy = seed.endsWith(".yaml");
        const file = join(scratch, isPolicy ? "input.yaml" : "input.json");
        writeFileSync(file, bytes);
        const format = ["--format", formats[choice % formats.length]!];
        const check = ["check", file, "--policy", "spoor:coding-agent", ...format];
        const words = isPolicy ? ["policy", "explain", file] : choice % 2 === 0 ? ["show", file] : check;
        const { status, stderr, signal } = startForReal("/bin/sh", [...LIMITED, program, ...words], {
          cwd: scratch,
          encoding: "utf8",
          timeout: LONGEST_MS,
        });
        if (status === null || status > 2 || /\n {4}at /.test(stderr))
          throw new BrokenPromise(`spoor ${words.join(" ")} ended with ${status ?? signal}\n${stderr}`);
        return status < 2 ? RESULT : (/([a-z0-9-]+\.[a-z0-9.-]+) +exit code 2/.exec(stderr)?.[1] ?? "not_evaluated");
      },
    };
  },
};
