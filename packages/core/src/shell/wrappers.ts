/** Programs that run another program: what they take for themselves, and where the other one begins. */
import { isKnown, type ShellWord } from "./command.ts";

interface Wrapper {
  /** Options that are followed by a value of their own. */
  readonly valued?: readonly string[];
  /** How many words stand before the program (the seconds of `timeout`). */
  readonly operands?: number;
  /** `NAME=value` may stand before the program. */
  readonly setsVariables?: true;
  /** The rest is a script in one or several words, for a shell to read. */
  readonly isScript?: true;
}

const wrappers: Readonly<Record<string, Wrapper>> = {
  sudo: {
    valued: [
      "-u",
      "-g",
      "-h",
      "-p",
      "-C",
      "-T",
      "-R",
      "-D",
      "-r",
      "-t",
      "-U",
      "--user",
      "--group",
      "--chdir",
      "--prompt",
    ],
    setsVariables: true,
  },
  doas: { valued: ["-u", "-C"] },
  env: { valued: ["-u", "--unset", "-C", "--chdir"], setsVariables: true },
  command: {},
  builtin: {},
  exec: { valued: ["-a"] },
  nohup: {},
  setsid: {},
  time: { valued: ["-o", "-f"] },
  nice: { valued: ["-n", "--adjustment"] },
  ionice: { valued: ["-c", "-n", "-p"] },
  chrt: { operands: 1 },
  taskset: { operands: 1 },
  timeout: { valued: ["-k", "-s", "--kill-after", "--signal"], operands: 1 },
  gtimeout: { valued: ["-k", "-s", "--kill-after", "--signal"], operands: 1 },
  stdbuf: { valued: ["-i", "-o", "-e"] },
  unbuffer: {},
  caffeinate: { valued: ["-t", "-w"] },
  busybox: {},
  chroot: { operands: 1 },
  flock: { valued: ["-w", "-E"], operands: 1 },
  npx: { valued: ["-p", "--package"] },
  bunx: {},
  watch: { valued: ["-n", "--interval"], isScript: true },
  ssh: {
    valued: [..."bcDEeFIiJLlmOopQRSWw"].map((letter) => `-${letter}`),
    operands: 1,
    isScript: true,
  },
  xargs: {
    valued: ["-a", "-d", "-E", "-I", "-L", "-n", "-P", "-s", "--arg-file", "--delimiter", "--max-args", "--max-procs"],
  },
  parallel: { valued: ["-j", "--jobs", "-I"] },
};

export interface Wrapped {
  readonly words: readonly ShellWord[];
  readonly variables: readonly string[];
  readonly isScript: boolean;
}

export function isWrapper(program: string): boolean {
  return Object.hasOwn(wrappers, program);
}

/** The program that runs inside; undefined when it is no wrapper, or runs nothing. */
export function unwrap(program: string, words: readonly ShellWord[]): Wrapped | undefined {
  const wrapper = isWrapper(program) ? wrappers[program]! : undefined;
  if (wrapper === undefined) return undefined;
  const variables: string[] = [];
  let at = 0;
  let operands = wrapper.operands ?? 0;
  for (; at < words.length; at++) {
    const { text } = words[at]!;
    if (!isKnown(text)) break;
    if (text === "--") {
      at++;
      break;
    }
    if (program === "env" && (text === "-S" || text === "--split-string"))
      return { words: words.slice(at + 1), variables, isScript: true };
    if (text.startsWith("-") && text !== "-") {
      if (wrapper.valued?.includes(text)) at++;
    } else if (wrapper.setsVariables && /^[A-Za-z_]\w*=/.test(text)) variables.push(text);
    else if (operands-- <= 0) break;
  }
  const rest = words.slice(at);
  return rest.length === 0 ? undefined : { words: rest, variables, isScript: wrapper.isScript === true };
}
