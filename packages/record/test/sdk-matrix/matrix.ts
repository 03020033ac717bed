/**
 * The SDK matrix for any door: `runMatrixProgram` starts a program with an environment of the door's making and returns when it has
 * ended; `expectRecorded` holds a folder of recordings to what the scripted model knows.
 */
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { installPackages } from "../../../spoor/test/e2e/agent-cache.ts";
import type { MatrixProgram } from "./programs.mjs";

/** The command line of a program, and the folder to run it in. */
export interface MatrixCommand {
  readonly args: readonly string[];
  readonly cwd: string;
}

/** Absent `command`: the packages could not be installed, for the reason given. */
export function prepareProgram(
  program: MatrixProgram,
  kind: "esm" | "cjs",
): { readonly command?: MatrixCommand; readonly why: string } {
  const { modules, why } = installPackages(program.packages);
  if (modules === undefined) return { why };
  const cwd = dirname(modules);
  const loader = join(cwd, kind === "esm" ? "load.mjs" : "load.cjs");
  const source =
    kind === "esm" ? "export const load = (name) => import(name);" : "exports.load = (name) => require(name);";
  writeFileSync(loader, `${source}\n`);
  const script = fileURLToPath(new URL("run-program.mjs", import.meta.url));
  return { command: { args: [script, program.name, kind, loader], cwd }, why: "" };
}

/** The base URLs as the SDKs read them, for a server or a door at this address. */
export function baseUrls(url: string): Record<string, string> {
  return { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url, GOOGLE_GEMINI_BASE_URL: url };
}

export interface Ended {
  readonly code: number | null;
  /** What each case threw; most do not. */
  readonly failures: Readonly<Record<string, string>>;
  readonly stderr: string;
}

/** `words`: the program that is started, by default Node itself. */
export function runMatrixProgram(
  { args, cwd }: MatrixCommand,
  env: Readonly<Record<string, string>>,
  words: readonly string[] = [process.execPath],
): Promise<Ended> {
  const clean = { ...process.env, NODE_OPTIONS: "", OPENAI_AGENTS_DISABLE_TRACING: "1", LANGSMITH_TRACING: "false" };
  const [command, ...before] = words;
  const child = spawn(command!, [...before, ...args], { cwd, env: { ...clean, ...env } });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const last = stdout.trim().split("\n").at(-1) ?? "";
      const failures = last.startsWith("{") ? (JSON.parse(last) as Record<string, string>) : {};
      resolve({ code, failures, stderr });
    });
  });
}
