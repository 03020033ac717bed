/**
 * Any command. The answer is read from `{OUTPUT_FILE}` when the template names it, else from standard output: whatever it
 * is, the one reader recognises it (../read-printed.ts).
 */
import { readFile, stat, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { list, oneOf } from "@spoor/core/internal/read/collections";
import { ignored, optional, preset, required } from "@spoor/core/internal/read/field";
import { mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { boolean, filledText, text } from "@spoor/core/internal/read/scalars";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { readWholeText } from "../../load/read-text.ts";
import { processFailure, runProcess } from "../run-process.ts";
import { settingText } from "../target-shapes.ts";
import { makeFolder, removeFolder } from "../workspace.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  defineProvider,
  MAX_OUTPUT_BYTES,
  type Provider,
  ProviderError,
  repeatingSession,
} from "./provider.ts";

const healthcheck = mapping(
  "healthcheck",
  {
    url: optional(settingText, "answers GET with success"),
    command: optional(settingText, "exits with 0", { alias: "command_template" }),
    type: ignored("url or command says which it is"),
    timeoutSeconds: ignored("the time of the run counts"),
    cwd: ignored("it runs where the agent does"),
  },
  { alsoCamelCase: true, emptyIsAbsent: true, exactlyOne: [["url", "command"]] },
);

const fields = {
  command: required(oneOf(filledText, list(text, { min: 1 })), "a shell command as text, or a list of words", {
    alias: "command_template",
  }),
  cwd: optional(settingText, "the folder it runs in, where the case has no workspace"),
  filesFormat: preset(settingText, "{path}", "how `{FILES}` writes each file: `{path}`, `{basename}`", {
    alias: "attachments_format",
  }),
  healthcheck: optional(healthcheck, "asked once, before the first case"),
  providerBatching: preset(boolean, false, "the command runs once and answers for all cases"),
  keepTempFiles: preset(boolean, false, "leave `{PROMPT_FILE}` and `{OUTPUT_FILE}` where they are"),
  verbose: ignored("there is nothing more to say"),
};
type CliSettings = ValuesOf<typeof fields>;

export const cliProvider = defineProvider({
  names: ["cli"],
  summary: "any command",
  fields,
  open: openCli,
});

function openCli(options: CliSettings, from: string): Provider {
  const { cwd } = options;
  const settings: CliSettings = { ...options, ...(cwd === undefined ? {} : { cwd: resolve(from, cwd) }) };
  let healthy: Promise<void> | undefined;
  const batches = new Map<number, Promise<AgentAnswer>>();

  const ask: Provider["ask"] = async (request, context) => {
    healthy ??= checkHealth(settings, request, context);
    await healthy;
    if (!settings.providerBatching) return run(settings, request, context);
    // One command answers for all cases; every case of the same repetition shares its output.
    let batch = batches.get(request.run);
    if (batch === undefined) {
      batch = run(settings, { ...request, prompt: "", caseId: "batch" }, context);
      batches.set(request.run, batch);
      batch.catch(() => batches.delete(request.run));
    }
    return await batch;
  };
  const tellsAll = mentions(settings.command, "{MESSAGES_FILE}") && !settings.providerBatching;
  return tellsAll ? { ask, converse: () => repeatingSession(ask) } : { ask };
}

async function checkHealth(settings: CliSettings, request: AgentRequest, context: AgentContext): Promise<void> {
  const check = settings.healthcheck;
  if (check?.url !== undefined) {
    const response = await fetch(check.url, { signal: context.signal }).catch((error: unknown) => {
      throw new ProviderError("unreachable", `the health check GET ${check.url} failed: ${causeOf(error)}`, {
        cause: error,
      });
    });
    await response.body?.cancel();
    if (!response.ok)
      throw new ProviderError("unreachable", `the health check GET ${check.url} answered ${response.status}`);
  } else if (check?.command !== undefined) {
    const result = await runProcess(check.command, {
      cwd: request.folder,
      env: context.env,
      signal: context.signal,
    });
    const failure = processFailure(result);
    if (failure !== undefined) throw new ProviderError("unreachable", `the health check failed: ${failure.message}`);
  }
}

async function run(settings: CliSettings, request: AgentRequest, context: AgentContext): Promise<AgentAnswer> {
  const folder = await makeFolder("cli", settings.keepTempFiles);
  try {
    const outputFile = join(folder, "output.json");
    const promptFile = join(folder, "prompt.txt");
    const usesFile = mentions(settings.command, "{OUTPUT_FILE}");
    if (mentions(settings.command, "{PROMPT_FILE}")) await writeFile(promptFile, request.prompt);
    const messagesFile = join(folder, "messages.json");
    if (mentions(settings.command, "{MESSAGES_FILE}"))
      await writeFile(messagesFile, stringifyJson(request.messages.map(({ role, content }) => ({ role, content }))));
    const command = fill(settings, request, { outputFile, promptFile, messagesFile });
    context.activity("running");
    const cwd = request.isolated ? request.folder : (settings.cwd ?? request.folder);
    const { signal, env } = context;
    const result = await runProcess(command, { cwd, env, signal, input: request.prompt, partial: true });
    const failure = result.stopped
      ? new ProviderError("timeout", "the command was stopped", { cause: signal.reason })
      : processFailure(result);
    if (failure === undefined) return { output: { text: usesFile ? await readOutput(outputFile) : result.stdout } };
    const left = wholeEvents(usesFile ? await readFile(outputFile, "utf8").catch(() => "") : result.stdout);
    if (left === "") throw failure;
    return { output: { text: left }, failure };
  } finally {
    if (!settings.keepTempFiles) await removeFolder(folder);
  }
}

/** What a command that was cut short had told of what it did: whole lines of JSON, or a whole document. */
function wholeEvents(text: string): string {
  if (!/^\s*[{[]/.test(text)) return "";
  if (isJson(text)) return text;
  const lines = text.split("\n");
  return (isJson(lines.at(-1)!) ? lines : lines.slice(0, -1)).join("\n").trim();
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

async function readOutput(file: string): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) throw new ProviderError("bad-output", "the command ended without writing {OUTPUT_FILE}");
  if (info.size > MAX_OUTPUT_BYTES) throw new ProviderError("too-large", "the output is larger than 64 MiB");
  return readWholeText(file);
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
  paths: { outputFile: string; promptFile: string; messagesFile: string },
): string | string[] {
  const values: Readonly<Record<string, string | readonly string[]>> = {
    PROMPT: request.prompt,
    GUIDELINES: "",
    EVAL_ID: request.caseId,
    ATTEMPT: String(request.attempt),
    RUN: String(request.run),
    OUTPUT_FILE: paths.outputFile,
    PROMPT_FILE: paths.promptFile,
    MESSAGES_FILE: paths.messagesFile,
    TURN: String(request.turn ?? 1),
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
