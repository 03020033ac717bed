/** What Spoor and its relatives write themselves, and bare calls. */
import { type FormatDocument, lines, type Run, whole } from "./run.ts";

export const own: readonly FormatDocument[] = [
  lines("agentlog", (run) => [
    agentlogRecord(run, 0, "m", "metadata", {}),
    ...run.each((n) => agentlogRecords(run, n)),
  ]),
  lines("agentv", (run) =>
    run.inConversations(({ index, first, turns }) => ({
      timestamp: run.iso(first),
      eval_id: `case-${index}`,
      dataset: "d",
      score: 1,
      target: "t",
      output_messages: turns.map((n) => ({
        role: "assistant",
        content: "The next step.",
        tool_calls: [
          {
            tool: "shell",
            input: run.input(n),
            output: run.result,
            id: `c${n}`,
            timestamp: run.iso(n),
            duration_ms: 9,
          },
        ],
        duration_ms: 880,
      })),
    })),
  ),
  lines("interactions", (run) =>
    run.inConversations(({ index, turns }) => ({
      run_id: `run-${index}`,
      agent_id: "desk",
      status: "ok",
      interactions: turns.flatMap((n) => [
        { type: "llm", model: "m", usage: { input_tokens: 40, output_tokens: 12 }, latency_ms: 878 },
        { type: "tool", name: "shell", arguments: run.input(n), output: run.result, latency_ms: 400.5 },
      ]),
    })),
  ),
  whole("tool-calls", (run) => run.each((n) => [{ name: "shell", arguments: run.input(n), result: run.result }])),
  lines("decision-log", (run) => run.each((n) => decisionLines(run, n))),
];

function agentlogRecord(run: Run, n: number, id: string, kind: string, payload: unknown, parent: string | null = null) {
  return { version: "0.1", id: `sha256:${id.padStart(64, "0")}`, kind, ts: run.iso(n), parent, payload };
}

/** Requests as the recorder keeps them, with what is new in each; the result stands in a record of its own. */
function agentlogRecords(run: Run, n: number): unknown[] {
  const call = { type: "tool_use", id: `c${n}`, name: "shell", input: run.input(n) };
  const messages = [{ role: "user", content: "Go" }];
  const usage = { input_tokens: 30, output_tokens: 9 };
  return [
    agentlogRecord(run, n, `1${n}`, "chat_request", { model: "m", messages, params: {} }),
    agentlogRecord(run, n, `2${n}`, "chat_response", {
      model: "m",
      content: [call],
      stop_reason: "tool_use",
      usage,
      latency_ms: 9,
    }),
    agentlogRecord(run, n, `3${n}`, "tool_result", { tool_call_id: `c${n}`, output: run.result, is_error: false }),
  ];
}

/** The guard keeps digests of what it saw, so these lines are short. */
function decisionLines(run: Run, n: number): unknown[] {
  const common = {
    version: 1,
    time: run.iso(n),
    door: "hook",
    session: "s",
    agent: "main",
    tool: "shell",
    call: `t${n}`,
  };
  const digest = `sha256:${"a8655c9e".repeat(8)}`;
  return [
    {
      id: `d${n}`,
      spoor: "decision",
      ...common,
      decision: "none",
      rule: null,
      violations: [],
      policy: { name: "policy.yaml", digest },
      arguments_digest: digest,
      arguments: run.input(n),
    },
    { id: `o${n}`, spoor: "outcome", ...common, status: "ok" },
  ];
}
