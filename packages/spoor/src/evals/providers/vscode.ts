/**
 * VS Code's chat in agent mode. The editor takes a prompt but prints no answer, so the prompt asks the agent to write its
 * answer to a file when it is done; the tool calls come from the OpenTelemetry file that Copilot Chat writes when it is
 * told to. Without that file the answer has no tool calls, and the result says so.
 */
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { preset } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { hasCalls, readPrinted } from "../read-printed.ts";
import { processFailure, runProcess } from "../run-process.ts";
import { settingNumber, settingText } from "../target-shapes.ts";
import { type CodingAgentSettings, codingAgentFields, resolvePaths } from "./coding-agent.ts";
import { readTelemetry, TELEMETRY_FILE, telemetryVariables } from "./copilot-telemetry.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  defineProvider,
  MAX_OUTPUT_BYTES,
  type Provider,
  ProviderError,
} from "./provider.ts";

export const vscodeProvider = defineEditor("vscode", "code", "VS Code chat");
export const vscodeInsidersProvider = defineEditor("vscode-insiders", "code-insiders", "VS Code Insiders chat");

function defineEditor(name: string, executable: string, summary: string) {
  return defineProvider({ names: [name], summary, fields: editorFields(executable), open: openEditor });
}

function editorFields(executable: string) {
  return {
    ...codingAgentFields(executable),
    mode: preset(settingText, "agent", "the mode of its chat"),
    pollMs: preset(settingNumber({ min: 1 }), 200, "how often to look for the answer"),
  };
}

function openEditor(options: ValuesOf<ReturnType<typeof editorFields>>, from: string): Provider {
  const settings = resolvePaths(options, from);
  const { mode, pollMs } = settings;
  return {
    // One window, one conversation at a time.
    maxWorkers: 1,
    worksInFolder: settings.cwd === undefined,
    async ask(request, context) {
      const folder = await mkdtemp(join(tmpdir(), "spoor-vscode-"));
      try {
        return await converse(folder, settings, mode, pollMs, request, context);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

async function converse(
  folder: string,
  settings: CodingAgentSettings,
  mode: string,
  pollMs: number,
  request: AgentRequest,
  context: AgentContext,
): Promise<AgentAnswer> {
  const requestFile = join(folder, "request.md");
  const responseFile = join(folder, "response.md");
  const telemetryFile = join(folder, "telemetry.json");
  const system = settings.systemPrompt === undefined ? "" : `${settings.systemPrompt}\n\n`;
  await writeFile(
    requestFile,
    `${system}${request.prompt}\n\nWhen you are done, write your final answer, and nothing else, to the file ${responseFile}\n`,
  );
  const env: Readonly<Record<string, string | undefined>> = {
    ...context.env,
    COPILOT_OTEL_CAPTURE_CONTENT: "true",
    ...telemetryVariables(telemetryFile),
    ...settings.env,
  };
  const cwd = request.isolated ? request.folder : (settings.cwd ?? request.folder);
  const words = [
    settings.executable,
    "chat",
    "--mode",
    mode,
    "--add-file",
    requestFile,
    ...settings.args,
    `Do what ${requestFile} asks.`,
  ];
  const failure = processFailure(
    await runProcess(words, { cwd, env, signal: context.signal, leavesOthersRunning: true }),
  );
  if (failure !== undefined) throw failure;
  context.activity("waiting for the editor");
  const answer = await waitForFile(responseFile, pollMs, context.signal);
  return withTelemetry(answer, env[TELEMETRY_FILE] ?? telemetryFile, request.caseId);
}

/** The file counts as complete when it has not grown between two looks. */
async function waitForFile(file: string, pollMs: number, signal: AbortSignal): Promise<string> {
  let size = -1;
  for (;;) {
    signal.throwIfAborted();
    const info = await stat(file).catch(() => undefined);
    if (info !== undefined && info.size > MAX_OUTPUT_BYTES)
      throw new ProviderError("too-large", "the answer is larger than 64 MiB");
    if (info !== undefined && info.size > 0 && info.size === size) return readFile(file, "utf8");
    size = info?.size ?? -1;
    await sleep(pollMs, undefined, { signal });
  }
}

/** The answer says what the agent did, or the editor's telemetry does, followed by the answer. */
async function withTelemetry(answer: string, file: string, caseId: string): Promise<AgentAnswer> {
  const said = readPrinted(answer, caseId);
  if (hasCalls(said)) return { output: { read: said } };
  const seen = await readTelemetry(file);
  if (seen === undefined) {
    const isThere = (await stat(file).catch(() => undefined)) !== undefined;
    const why = isThere ? "the editor's telemetry could not be read" : "the editor wrote no telemetry file";
    return { output: { read: said }, problems: [`${why}, so there are no tool calls`] };
  }
  if (!hasCalls(seen) && seen.unknown !== undefined) {
    const what = Object.keys(seen.unknown).slice(0, 5).join(", ");
    const problems = [
      `no tool call was found in the editor's telemetry, which has spans that are not understood: ${what}`,
    ];
    return { output: { read: said }, problems };
  }
  const responses = said.records.filter((record) => record.kind === "chat_response");
  return { output: { read: { ...seen, records: [...seen.records, ...responses] } } };
}
