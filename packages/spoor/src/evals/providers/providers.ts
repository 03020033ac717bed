/** Every provider, in the order in which the documentation lists them. */
import { anthropicProvider } from "./anthropic.ts";
import { claudeProvider } from "./claude.ts";
import { cliProvider } from "./cli.ts";
import { codexProvider } from "./codex.ts";
import { copilotProvider } from "./copilot.ts";
import { functionProvider } from "./function.ts";
import { httpProvider } from "./http.ts";
import { mockProvider } from "./mock.ts";
import { openaiCompatibleProvider, openaiProvider } from "./openai.ts";
import type { ProviderDefinition } from "./provider.ts";
import { replayProvider } from "./replay.ts";
import { vscodeInsidersProvider, vscodeProvider } from "./vscode.ts";

export const providers: readonly ProviderDefinition[] = [
  cliProvider,
  codexProvider,
  claudeProvider,
  copilotProvider,
  vscodeProvider,
  vscodeInsidersProvider,
  openaiProvider,
  anthropicProvider,
  openaiCompatibleProvider,
  httpProvider,
  functionProvider,
  replayProvider,
  mockProvider,
];
