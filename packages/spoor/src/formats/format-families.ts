/**
 * Which formats belong together, and what each reader was tried on. `files` were read by it as they are; where there is none, `from`
 * says what its shape was taken from. Lists, help and documentation follow this order; a test holds it to the registry.
 */
export interface FormatFamily {
  readonly title: string;
  /** The page of docs/ that says what is taken from such files. */
  readonly page: string;
  readonly formats: readonly TriedFormat[];
}

export interface TriedFormat {
  readonly name: string;
  /** How many real files were read. */
  readonly files: number;
  /** Repository and path they come from, or what the shape was taken from. */
  readonly from: string;
}

export const formatFamilies: readonly FormatFamily[] = [
  {
    title: "Coding agents",
    page: "formats-coding-agents.md",
    formats: [
      tried(
        "claude-code",
        10,
        "DRMacIver/claude-reliability and obra/episodic-memory (7); mlflow/mlflow, libs/typescript/integrations (1); two runs of Claude Code 2.1",
      ),
      tried(
        "codex-rollout",
        3,
        "mlflow/mlflow, libs/typescript/integrations; kenn-io/agentsview, internal/parser/testdata/traex (Trae); a run of Codex 0.166",
      ),
      tried("codex-exec", 1, "a run of Codex 0.166"),
      tried("copilot", 0, "lines of a stream of Copilot CLI 1.0, published shortened"),
      tried(
        "cursor",
        0,
        "one real message in a public note on Cursor's storage, shortened; tables, keys and members as told in michaeldhood/chatrxiv, docs/cursor/storage-reference.md, and hanzoai/agents, docs/desktop/CURSOR_MESSAGE_HISTORY.md",
      ),
      tried(
        "gemini-cli",
        2,
        "kenn-io/agentsview, internal/parser/testdata; the newer lines after google-gemini/gemini-cli, packages/core/src/services/chatRecordingService.ts",
      ),
      tried("qwen-code", 1, "mlflow/mlflow, libs/typescript/integrations"),
      tried("iflow", 1, "kenn-io/agentsview, internal/parser/testdata"),
      tried(
        "opencode",
        1,
        "sudo-tee/opencode.nvim, tests/data/simple-session.json (events), two more of it shortened; shape of froggy744/picasa-iphoto-clone, opencode-session.json (version 1.18); the database by anomalyco/opencode, packages/opencode/src/session/session.sql.ts",
      ),
      tried("vscode-chat", 0, "shape of bunty1981/AI-copilot-vibe-app, copilot-chat.json"),
      tried("pi", 1, "badlogic/pi-mono, packages/coding-agent/test/fixtures"),
      tried(
        "goose",
        0,
        "one message of block/goose, shortened, ui/desktop/src/components/ChatView.tsx; shape of exports of goose 1.37, told field by field in entireio/external-agents, agents/entire-agent-goose/AGENT.md; types of aaif-goose/goose, crates/goose/src/conversation/message.rs; the database by block/goose, crates/goose/src/session/session_manager.rs",
      ),
      tried("gptme", 1, "kenn-io/agentsview, internal/parser/testdata"),
      tried(
        "openhands",
        0,
        "shape of OpenHands/OpenHands, evaluation/benchmarks/multi_swe_bench/examples/output.jsonl (version 0.35); version 1 by types of OpenHands/software-agent-sdk, openhands-sdk/openhands/sdk/event",
      ),
      tried(
        "aider",
        1,
        "kenn-io/agentsview, internal/parser/testdata; shape of BartoshMaxim/TradePirates and BeauCranston/car-game, .aider.chat.history.md",
      ),
      tried("swe-agent", 10, "SWE-agent/SWE-agent, trajectories/demonstrations and tests/test_data/trajectories"),
      tried("decision-log", 0, "our own: spoor hook writes it"),
    ],
  },
  {
    title: "Benchmarks and evals",
    page: "formats-evals.md",
    formats: [
      tried(
        "inspect",
        7,
        "UKGovernmentBEIS/inspect_ai, tests/log and tests/analysis (5); two written by inspect_ai 0.3.285",
      ),
      tried("tau-bench", 6, "sierra-research/tau-bench, xuanfeiren/tau-bench"),
      tried("tau2-bench", 6, "bogoliubon/tau2-bench, evaluations"),
      tried("agentdojo", 4, "SaFo-Lab/DRIFT, runs"),
      tried("agentv", 0, "files of AgentV's own documentation and vectors"),
    ],
  },
  {
    title: "Observability",
    page: "formats-otel.md",
    formats: [
      tried("otlp", 1, "agentevals-dev/agentevals, samples"),
      tried("otlp-protobuf", 1, "the same trace, encoded with OpenTelemetry's own definitions"),
      tried("tempo", 1, "agentevals-dev/agentevals, samples"),
      tried("jaeger", 2, "agentevals-dev/agentevals, samples"),
      tried(
        "otel-spans",
        2,
        "Arize-ai/openinference, js/packages/openinference-vercel; Python's envelope by console output of azure-ai-agents",
      ),
      tried("phoenix", 0, "shape of Arize-ai/phoenix, tests/unit/pxi/evals/online_evals/fixtures/pxi_turn_trace.json"),
      tried("langfuse", 11, "langfuse/langfuse, worker/src/__tests__/chatml/framework-traces"),
      tried("langsmith", 2, "langchain-ai/langsmith-sdk, test data"),
      tried("openai-agents", 0, "export() of the SDK's spans"),
      tried("mlflow", 1, "a trace of ours, written by mlflow 3.17"),
      tried(
        "weave",
        0,
        "types of wandb/weave, weave/trace_server/trace_server_interface.py, and calls its tests expect, tests/trace/test_weave_client.py; no export was found",
      ),
      tried("interactions", 0, "our own, and what spoor convert writes"),
    ],
  },
  {
    title: "Model APIs",
    page: "formats-model-apis.md",
    formats: [
      tried("openai-chat", 1, "kenn-io/agentsview, internal/parser/testdata (messages of Mistral Vibe)"),
      tried("openai-responses", 0, "OpenAI's API reference"),
      tried("anthropic", 0, "Anthropic's API reference; Cline's api_conversation_history.json"),
      tried("gemini", 0, "Google's API reference"),
      tried("bedrock", 0, "AWS's API reference"),
      tried(
        "bedrock-log",
        0,
        "shape of the entry in dheerajoruganty/aws-bedrock-logs-mcp-server, setup.md (Converse); other bodies by the schema in aws-samples/amazon-bedrock-samples, custom-models/model_distillation/dataset-validation/README.md",
      ),
      tried("har", 1, "an agent of ours, kept by mitmproxy 11.0"),
      tried("tool-calls", 0, "lists of calls as tests and notebooks write them"),
    ],
  },
  {
    title: "Frameworks",
    page: "formats-frameworks.md",
    formats: [
      tried("ai-sdk", 6, "runs of ours, written by ai 4.3, 5 and 6.0"),
      tried("langchain", 4, "runs of ours, written by langchain-core"),
      tried("pydantic-ai", 1, "a run of ours, written by pydantic-ai"),
      tried(
        "autogen",
        2,
        "runs of ours, written by autogen-agentchat 0.7; version 0.2 by results printed in fw-ai/cookbook, archived/learn/function-calling/notebooks_firefunction_openai/fw_autogen_stock_chart.ipynb, and langfuse/langfuse-docs, pages/docs/integrations/autogen.md, shortened",
      ),
      tried("mastra", 2, "runs of ours, written by @mastra/core 0.24"),
      tried("adk", 3, "google/adk-samples, python/agents/*/eval"),
    ],
  },
  {
    title: "Recordings",
    page: "formats.md",
    formats: [tried("agentlog", 0, "our own: spoor record and @spoor/record write it")],
  },
];

function tried(name: string, files: number, from: string): TriedFormat {
  return { name, files, from };
}
