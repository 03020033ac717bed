/** An area whose damaged file stands in a project and is put through commands, run in this process. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Area } from "./area.ts";
import type { Seed } from "./mutate/mutate.ts";
import { examples } from "./repository-files.ts";
import { formats, runCommand } from "./run-command.ts";

export interface CommandArea extends Omit<Area, "open"> {
  /** Asked when the project stands; may add to it. */
  seeds(project: string): readonly Seed[] | Promise<readonly Seed[]>;
  /** Where the damaged file is put, from the project's folder. */
  readonly place: string;
  /** Words of command lines: FILE is the damaged file, FORMAT one of all formats, @ the project, FRESH a folder that is not there. */
  readonly forms: readonly string[];
  /** The damaged text is what the command hears, not a file. */
  readonly heard?: boolean;
}

export function defineCommandArea({ seeds, place, forms, heard = false, ...area }: CommandArea): Area {
  return {
    ...area,
    async open(project) {
      buildProject(project);
      const file = join(project, place);
      const fresh = join(project, "fresh");
      mkdirSync(dirname(file), { recursive: true });
      return {
        seeds: await seeds(project),
        drive({ bytes, choice }) {
          const form = forms[choice % forms.length]!;
          const format = formats[Math.floor(choice / forms.length) % formats.length]!;
          const words = form.split(" ").map((word) => {
            if (word === "FORMAT") return format;
            return word.replace("FILE", file).replace("FRESH", fresh).replace("@", project);
          });
          const changes = /FRESH|--resume|--update/.test(form);
          if (changes) rmSync(fresh, { recursive: true, force: true });
          if (!heard) writeFileSync(file, bytes);
          const twice = !changes && !heard && choice % TWICE_EVERY === 0;
          return runCommand({ words, cwd: project, twice, ...(heard ? { stdin: bytes.toString("utf8") } : {}) });
        },
      };
    },
  };
}

const TWICE_EVERY = 37;

/** The example of the README with everything a project can have. */
export function buildProject(project: string): void {
  cpSync(join(examples, "refund"), project, { recursive: true });
  cpSync(join(examples, "evals"), join(project, "evals"), { recursive: true });
  const one = { traces: "input.json", mode: "block", diff: { baseline: "baseline/ticket-1042.agentlog" } };
  const all = {
    ...one,
    policy: { files: ["policies/refunds.yaml"] },
    baseline: { file: "baselines/support_agent.json" },
    trajectory: { evaluators: "path.yaml" },
    cohort: { relabellings: 99 },
  };
  writeFileSync(join(project, "one.config.json"), JSON.stringify(one));
  writeFileSync(join(project, "all.config.json"), JSON.stringify(all));
  const kept = { traces: "candidate/*.agentlog", baseline: { file: "kept/support_agent.json" } };
  writeFileSync(join(project, "kept.config.json"), JSON.stringify(kept));
  writeFileSync(
    join(project, "path.yaml"),
    "- { type: tool_trajectory, mode: in_order, expected: [lookup_order, issue_refund] }\n- { type: latency, threshold: 5 }\n",
  );
}
