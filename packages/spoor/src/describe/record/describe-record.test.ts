import type { RecordedRun, RecordReport } from "@spoor/core/internal/capture/record-report";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { expect, it } from "vitest";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfRecord, describeRecord } from "./describe-record.ts";

const FOLDER = ".spoor/recordings/20261115T040000Z-k3f9";
const refund: RecordedRun = {
  file: `${FOLDER}/damaged-item.run1.agentlog`,
  name: "damaged-item.run1",
  agent: "support_agent",
  scenario: "damaged-item",
  models: ["gpt-4.1"],
  modelCalls: 4,
  failedCalls: 1,
  toolCalls: 3,
  tools: ["look_up_order", "issue_refund"],
  subAgents: 0,
};

function reportOf(given: Partial<RecordReport> = {}): RecordReport {
  return {
    schema: "spoor.record/1",
    tool: { name: "spoor", version: "0" },
    inputs: [],
    coverage: coverageOf([]),
    gate: { failOn: "none", tripped: false, reasons: [] },
    command: { words: ["node", "agent.mjs"], added: [], exitCode: 0, signal: null, shellCode: 0 },
    folder: FOLDER,
    content: "full",
    runs: [refund],
    doors: { inProcess: true, proxy: { forwarded: 4, calls: 4, otherPaths: [], upgradesRefused: 0, refused: 0 } },
    missing: [],
    causes: [],
    ...given,
  };
}

const onTerminal = (report: RecordReport, exitCode = 0) =>
  writeTerminal(describeRecord(report, { exitCode, verbose: false }), createTerminalStyle());

it("one run: what was recorded, where, and what to type next", () => {
  expect(onTerminal(reportOf())).toMatchInlineSnapshot(`
    "✓ Recorded 1 run: 4 model calls (1 failed), 3 tool calls.

      run                calls  tools                                 model
      damaged-item.run1      4  3 calls: look_up_order, issue_refund  gpt-4.1

      Where  .spoor/recordings/20261115T040000Z-k3f9

      Next: spoor show .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog
                                                                         exit code 0
    "
  `);
});

it("several runs of an adapted program, with what is missing and what was only passed on", () => {
  const proxy = {
    forwarded: 9,
    calls: 6,
    otherPaths: [
      { path: "/v1/models", count: 2 },
      { path: "/v1/embeddings", count: 1 },
    ],
    upgradesRefused: 1,
    refused: 0,
  };
  const report = reportOf({
    command: {
      words: ["codex", "exec", "do it"],
      added: ["-c", 'openai_base_url="http://127.0.0.1:45123/t/…/openai/v1"'],
      exitCode: null,
      signal: "SIGTERM",
      shellCode: 143,
    },
    runs: [refund, { ...refund, name: "run2", file: `${FOLDER}/run 2.agentlog`, subAgents: 2 }],
    doors: { inProcess: false, proxy },
    missing: [
      { code: "unclosed", count: 1 },
      { code: "unreadable", count: 2, detail: "zstd" },
    ],
    gate: { failOn: "incomplete", tripped: true, reasons: [{ code: "unclosed", subject: FOLDER }] },
  });
  expect(onTerminal(report, 2)).toMatchInlineSnapshot(`
    "? Recorded 2 runs: 8 model calls (2 failed), 6 tool calls.

      run                calls  tools                                        model
      damaged-item.run1      4  3 calls: look_up_order, issue_refund         gpt-4.1
      run2                   4  3 calls: look_up_order, issue_refund (2      gpt-4.1
                                sub-agents)

      Added      -c openai_base_url="http://127.0.0.1:45123/t/…/openai/v1" so that
                 it uses the proxy (--no-adapt)
      Where      .spoor/recordings/20261115T040000Z-k3f9
      Missing    1 file without an end, because the program was ended
                 2 bodies too large, or packed in an unknown way: zstd
      Passed on  no calls of a model: 2 × /v1/models, 1 × /v1/embeddings

      No pass: --require-complete asks for a recording that lacks nothing.
                                                                         exit code 2
      Next: spoor show .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog
      Next: spoor fingerprint .spoor/recordings/20261115T040000Z-k3f9
    "
  `);
  expect(checksOfRecord(report).map(({ name, mark }) => [name, mark])).toEqual([
    ["damaged-item.run1", "passed"],
    ["run2", "passed"],
    ["unclosed", "unknown"],
    ["unreadable", "unknown"],
  ]);
});

it("nothing: a warning that names the likely causes, and no next command", () => {
  const report = reportOf({
    runs: [],
    missing: [{ code: "nothing", count: 1 }],
    causes: ["command_failed", "codex_not_adapted", "upgrade_refused", "no_request"],
  });
  expect(onTerminal(report, 1)).toMatchInlineSnapshot(`
    "! Nothing was recorded: no call of a model came by.

      Likely causes
      ? The command failed before it asked a model: see what it printed.
      ? Codex reads no variable: it needs -c openai_base_url=…, which spoor adds
        when the command begins with codex.
      ? It asked for a WebSocket, which cannot be recorded, and did not fall back to
        HTTP.
      ? Its base URL is fixed in code, or it uses gRPC or an HTTP client that reads
        no variable: give it OPENAI_BASE_URL, ANTHROPIC_BASE_URL or
        GOOGLE_GEMINI_BASE_URL, or record from within (@spoor/record/recorder).

                                                                         exit code 1
    "
  `);
});

it("the same on a page", () => {
  const report = reportOf({ content: "blind" });
  expect(writeMarkdown(describeRecord(report, { exitCode: 0, verbose: false }))).toMatchInlineSnapshot(`
    "### ✓ Recorded 1 run: 4 model calls (1 failed), 3 tool calls

    | run | calls | tools | model |
    |---|---:|---|---|
    | \`damaged-item.run1\` | 4 | 3 calls: \`look_up_order\`, \`issue_refund\` | \`gpt-4.1\` |

    - Where: \`.spoor/recordings/20261115T040000Z-k3f9\` (names, sizes and times only)

    Next: \`npx spoor show .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog\`

    <sub>0 traces, 0 turns · spoor 0</sub>
    "
  `);
});
