/** Every format Spoor reads, in the order in which ties are decided. */
import { adk } from "./adk.ts";
import { agentdojo } from "./agentdojo.ts";
import { agentlog } from "./agentlog.ts";
import { agentv } from "./agentv.ts";
import { aiSdk } from "./ai-sdk.ts";
import { aider } from "./aider.ts";
import { anthropic } from "./anthropic.ts";
import { autogen } from "./autogen.ts";
import { bedrock } from "./bedrock.ts";
import { bedrockLog } from "./bedrock-log.ts";
import { claudeCode } from "./claude-code.ts";
import { codexExec } from "./codex-exec.ts";
import { codexRollout } from "./codex-rollout.ts";
import { copilot } from "./copilot.ts";
import { cursor } from "./cursor.ts";
import { decisionLog } from "./decision-log.ts";
import type { Format, Recognition, Sample } from "./format.ts";
import { gemini } from "./gemini.ts";
import { geminiCli } from "./gemini-cli.ts";
import { goose } from "./goose.ts";
import { gptme } from "./gptme.ts";
import { har } from "./har.ts";
import { iflow } from "./iflow.ts";
import { inspect } from "./inspect.ts";
import { interactions } from "./interactions.ts";
import { langchain } from "./langchain.ts";
import { langfuse } from "./langfuse.ts";
import { langsmith } from "./langsmith.ts";
import { mastra } from "./mastra.ts";
import { mlflow } from "./mlflow.ts";
import { openaiAgents } from "./openai-agents.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiResponses } from "./openai-responses.ts";
import { opencode } from "./opencode.ts";
import { openhands } from "./openhands.ts";
import { jaeger } from "./otel/jaeger.ts";
import { otlpJson } from "./otel/otlp-json.ts";
import { otlpProtobuf } from "./otel/otlp-protobuf.ts";
import { phoenix } from "./otel/phoenix.ts";
import { sdkSpans } from "./otel/sdk-spans.ts";
import { tempo } from "./otel/tempo.ts";
import { pi } from "./pi.ts";
import { pydanticAi } from "./pydantic-ai.ts";
import { qwenCode } from "./qwen-code.ts";
import { sweAgent } from "./swe-agent.ts";
import { tauBench } from "./tau-bench.ts";
import { tau2Bench } from "./tau2-bench.ts";
import { toolCalls } from "./tool-calls.ts";
import { vscodeChat } from "./vscode-chat.ts";
import { weave } from "./weave.ts";

export const formats: readonly Format[] = [
  agentlog,
  claudeCode,
  qwenCode,
  iflow,
  geminiCli,
  opencode,
  vscodeChat,
  codexRollout,
  codexExec,
  copilot,
  cursor,
  pi,
  goose,
  gptme,
  openhands,
  aider,
  sweAgent,
  inspect,
  tauBench,
  tau2Bench,
  agentdojo,
  adk,
  otlpJson,
  otlpProtobuf,
  tempo,
  jaeger,
  sdkSpans,
  phoenix,
  langfuse,
  langsmith,
  openaiAgents,
  mlflow,
  weave,
  har,
  agentv,
  interactions,
  openaiResponses,
  anthropic,
  bedrockLog,
  bedrock,
  langchain,
  pydanticAi,
  autogen,
  mastra,
  aiSdk,
  gemini,
  openaiChat,
  toolCalls,
  decisionLog,
];

export interface RankedFormat {
  readonly format: Format;
  readonly recognition: Recognition;
}

/** Formats by how well they fit the content, best first. */
export function rankFormats(sample: Sample): RankedFormat[] {
  return formats
    .map((format) => ({ format, recognition: format.recognise(sample) }))
    .sort((left, right) => right.recognition.score - left.recognition.score);
}
