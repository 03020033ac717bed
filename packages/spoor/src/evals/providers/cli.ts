/**
 * Any command. The answer is read from `{OUTPUT_FILE}` when the template names it, else from standard output: whatever it
 * is, the one reader recognises it (../read-printed.ts).
 */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { isObject, stringMember } from "@spoor/core/internal/trace/json";
import { processFailure, runProcess } from "../run-process.ts";
import type { TargetReader } from "../target-reader.ts";
import {
  type AgentContext,
  type AgentRequest,
  MAX_OUTPUT_BYTES,
  type Provider,
  type ProviderDefinition,
  ProviderError,
} from "./provider.ts";

export const cliProvider: ProviderDefinition = {
  names: ["cli"],
  title: "any command",
  open: openCli,
};

interface CliSettings {
  readonly command: string | readonly string[];
  readonly filesFormat: string;
  readonly cwd: string | undefined;
  readonly keepTempFiles: boolean;
  readonly batching: boolean;
  readonly healthcheck: Healthcheck | undefined;
}

interface Healthcheck {
  readonly url?: string;
  readonly command?: string;
}

function openCli(target: TargetReader): Provider {
  const cwd = target.text("cwd");
  const settings: CliSettings = {
    command: readCommand(target),
    filesFormat: target.text("files_format", "attachments_format") ?? "{path}",
    cwd: cwd === undefined ? undefined : resolve(target.folder, cwd),
    keepTempFiles: target.flag("keep_temp_files") ?? false,
    batching: target.flag("provider_batching") ?? false,
    healthcheck: readHealthcheck(target),
  };
  target.flag("verbose");
  let healthy: Promise<void> | undefined;
  const batches = new Map<number, Promise<string>>();

  return {
    async ask(request, context) {
      healthy ??= checkHealth(settings, request, context);
      await healthy;
      if (!settings.batching) return { output: { text: await run(settings, request, context) } };
      // One command answers for all cases; every case of the same repetition shares its output.
      let batch = batches.get(request.run);
      if (batch === undefined) {
        batch = run(settings, { ...request, prompt: "", caseId: "batch" }, context);
        batches.set(request.run, batch);
        batch.catch(() => batches.delete(request.run));
      }
      return { output: { text: await batch } };
    },
  };
}

function readCommand(target: TargetReader): string | readonly string[] {
  const raw = target.json("command", "command_template");
  if (Array.isArray(raw) && raw.length > 0 && raw.every((word) => typeof word === "string")) return raw as string[];
  if (typeof raw === "string" && raw.trim() !== "") return raw;
  target.problem([], `target "${target.name}" needs "command": a shell command as text, or a list of words.`);
  return "";
}

function readHealthcheck(target: TargetReader): Healthcheck | undefined {
  const raw = target.json("healthcheck");
  if (raw === undefined) return undefined;
  const url = stringMember(raw, "url");
  const command = stringMember(raw, "command") ?? stringMember(raw, "command_template");
  if (!isObject(raw) || (url === undefined) === (command === undefined)) {
    target.problem(["healthcheck"], '"healthcheck" needs either "url" or "command".');
    return undefined;
  }
  return url === undefined ? { command: command! } : { url };
}

async function checkHealth({ healthcheck }: CliSettings, request: AgentRequest, context: AgentContext): Promise<void> {
  if (healthcheck?.url !== undefined) {
    const response = await fetch(healthcheck.url, { signal: context.signal }).catch((error: unknown) => {
      throw new ProviderError("unreachable", `the health check GET ${healthcheck.url} failed: ${causeOf(error)}`, {
        cause: error,
      });
    });
    await response.body?.cancel();
    if (!response.ok)
      throw new ProviderError("unreachable", `the health check GET ${healthcheck.url} answered ${response.status}`);
  } else if (healthcheck?.command !== undefined) {
    const result = await runProcess(healthcheck.command, {
      cwd: request.folder,
      env: context.env,
      signal: context.signal,
    });
    const failure = processFailure(result);
    if (failure !== undefined) throw new ProviderError("unreachable", `the health check failed: ${failure.message}`);
  }
}

async function run(settings: CliSettings, request: AgentRequest, context: AgentContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "spoor-cli-"));
  try {
    const outputFile = join(folder, "output.json");
    const promptFile = join(folder, "prompt.txt");
    const usesFile = mentions(settings.command, "{OUTPUT_FILE}");
    if (mentions(settings.command, "{PROMPT_FILE}")) await writeFile(promptFile, request.prompt);
    const command = fill(settings, request, { outputFile, promptFile });
    context.activity("running");
    const cwd = request.isolated ? request.folder : (settings.cwd ?? request.folder);
    const result = await runProcess(command, { cwd, env: context.env, signal: context.signal, input: request.prompt });
    const failure = processFailure(result);
    if (failure !== undefined) throw failure;
    return usesFile ? await readOutput(outputFile) : result.stdout;
  } finally {
    if (!settings.keepTempFiles) await rm(folder, { recursive: true, force: true });
  }
}

async function readOutput(file: string): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) throw new ProviderError("bad-output", "the command ended without writing {OUTPUT_FILE}");
  if (info.size > MAX_OUTPUT_BYTES) throw new ProviderError("too-large", "the output is larger than 64 MiB");
  return readFile(file, "utf8");
}

function mentions(command: string | readonly string[], placeholder: string): boolean {
  return typeof command === "string"
    ? command.includes(placeholder)
    : command.some((word) => word.includes(placeholder));
}

/** Placeholders are quoted for the shell in a text, and taken as they are in a list of words; others are left alone. */
function fill(
  settings: CliSettings,
  request: AgentRequest,
  paths: { outputFile: string; promptFile: string },
): string | string[] {
  const values: Readonly<Record<string, string | readonly string[]>> = {
    PROMPT: request.prompt,
    GUIDELINES: "",
    EVAL_ID: request.caseId,
    ATTEMPT: String(request.attempt),
    RUN: String(request.run),
    OUTPUT_FILE: paths.outputFile,
    PROMPT_FILE: paths.promptFile,
    FILES: request.files.map((file) =>
      settings.filesFormat.replaceAll("{path}", file).replaceAll("{basename}", basename(file)),
    ),
  };
  const { command } = settings;
  if (typeof command === "string") return substitute(command, (value) => [value].flat().map(quote).join(" "));
  return command.flatMap((word) =>
    word === "{FILES}" ? [...(values["FILES"] as string[])] : [substitute(word, (value) => [value].flat().join(" "))],
  );

  function substitute(text: string, write: (value: string | readonly string[]) => string): string {
    return text.replace(/\{([A-Z_]+)\}/g, (placeholder, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      return value === undefined ? placeholder : write(value);
    });
  }
}

function quote(text: string): string {
  return process.platform === "win32" ? `"${text.replaceAll('"', '\\"')}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

function causeOf(error: unknown): string {
  const cause = (error as { cause?: { code?: string; message?: string } }).cause;
  return cause?.code ?? cause?.message ?? (error as Error).message;
}
