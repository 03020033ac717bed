import type { ReplayReport } from "@spoor/core/internal/cassette/replay-report";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import { expect, it } from "vitest";
import { createTerminalStyle } from "../../write/terminal/terminal-style.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { writeMarkdown } from "../../write/write-markdown.ts";
import { checksOfReplay, describeReplay } from "./describe-replay.ts";

const FOLDER = ".spoor/recordings/20261115T040000Z-k3f9";

function reportOf(given: Partial<ReplayReport> = {}): ReplayReport {
  return {
    schema: "spoor.replay/1",
    tool: { name: "spoor", version: "0" },
    inputs: [],
    coverage: coverageOf([]),
    gate: { failOn: "none", tripped: false, reasons: [] },
    folder: FOLDER,
    runs: [
      {
        file: `${FOLDER}/damaged-item.run1.agentlog`,
        name: "damaged-item.run1",
        models: ["gpt-4.1"],
        modelCalls: 4,
        failedCalls: 0,
        toolCalls: 5,
        tools: ["look_up_order", "issue_refund"],
        subAgents: 0,
      },
    ],
    missing: [],
    settings: { model: "live", tools: "recorded", miss: "refuse", strict: false },
    cassette: { paths: ["cassettes"], recordings: 6, used: ["damaged-item.run1", "damaged-item.run2"] },
    tools: { asked: 5, served: 3, ways: { exact: 2, stale: 1, miss: 2 } },
    models: { asked: 0, served: 0, ways: {} },
    misses: [
      {
        name: "issue_refund",
        reason: "other_arguments",
        decision: "refuse",
        nearest: { differences: [{ path: "refund.amount", outcome: "different", expected: 40, actual: 89 }] },
      },
      { name: "get_weather", reason: "never_recorded", decision: "run" },
    ],
    modelMisses: [],
    neverAsked: { tools: [{ name: "issue_refund", count: 2 }], modelAnswers: 0 },
    stale: [{ name: "look_up_order", count: 1 }],
    redacted: 1,
    openTools: [],
    providerTools: ["web_search"],
    drift: { addedTools: ["close_ticket"], removedTools: [], changedTools: ["issue_refund"], tooOldDays: 45 },
    stopped: false,
    unheard: 0,
    ...given,
  };
}

const onTerminal = (report: ReplayReport, exitCode = 0) =>
  writeTerminal(describeReplay(report, { exitCode, verbose: false }), createTerminalStyle());

it("a changed agent: what was served, missed, left over and is not to be trusted", () => {
  expect(onTerminal(reportOf())).toMatchInlineSnapshot(`
    "! The recordings served 3 of 5 tool calls.

      Missed
      ! issue_refund: refund.amount 89, recorded with 40
      ! get_weather: never recorded; it only reads, and ran for real

      Tools         2 exact, 1 with other effects before them, 2 missed
      Model         live
      Never asked   issue_refund (2)
      Stale         look_up_order: other effects came before than when recorded
      Redacted      1 served value had been redacted when it was recorded
      Not replayed  web_search: run by the provider
      Changed       tools since the recording: close_ticket added, issue_refund
                    changed
      Old           the recordings are 45 days old
      From          cassettes: 2 of 6 recordings
      Where         .spoor/recordings/20261115T040000Z-k3f9

      Next: spoor show .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog
      Next: spoor diff cassettes .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog
                                                                         exit code 0
    "
  `);
});

it("offline: a request that differs is a failure", () => {
  const report = reportOf({
    settings: { model: "recorded", tools: "recorded", miss: "refuse", strict: false },
    gate: {
      failOn: "any_difference",
      tripped: true,
      reasons: [{ code: "replay.miss", subject: FOLDER }],
    },
    models: { asked: 1, served: 0, ways: { miss: 1 } },
    tools: { asked: 0, served: 0, ways: {} },
    misses: [],
    modelMisses: [
      {
        reason: "other_request",
        nearest: {
          from: { trace: "damaged-item.run1", turn: 0 },
          differences: [
            { what: "model", asked: "gpt-5", recorded: "gpt-4.1" },
            { what: "tools", added: ["close_ticket"], removed: [], changed: [] },
          ],
        },
      },
    ],
    neverAsked: { tools: [], modelAnswers: 3 },
    stale: [],
    redacted: 0,
    providerTools: [],
    drift: { addedTools: [], removedTools: [], changedTools: [] },
  });
  expect(onTerminal(report, 1)).toMatchInlineSnapshot(`
    "✗ The recordings served 0 of 1 model call.

      Missed
      ✗ No recorded answer fits a request: model "gpt-5", recorded with "gpt-4.1";
        close_ticket added.

      Model        1 missed
      Never asked  3 answers of the model
      From         cassettes: 2 of 6 recordings
      Where        .spoor/recordings/20261115T040000Z-k3f9

      Failed: with everything recorded, the same program does the same again.
                                                                         exit code 1
      Next: spoor show .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog
    "
  `);
  expect(checksOfReplay(report).map(({ name, mark }) => [name, mark])).toEqual([
    ["damaged-item.run1", "passed"],
    ["replay.miss", "failed"],
    ["replay.unused", "warning"],
  ]);
});

it("a tool that nothing stands before is no verdict, and no next comparison", () => {
  const report = reportOf({
    openTools: ["issue_refund"],
    gate: { failOn: "none", tripped: true, reasons: [{ code: "replay.tools-open", subject: FOLDER }] },
    misses: [],
  });
  const text = onTerminal(report, 2);
  expect(text).toContain("? issue_refund would have run for real: its call was not handed on.");
  expect(text).not.toContain("spoor diff");
  expect(checksOfReplay(report).find(({ name }) => name === "replay.tools-open")?.mark).toBe("unknown");
});

it("the same on a page", () => {
  expect(writeMarkdown(describeReplay(reportOf(), { exitCode: 0, verbose: false }))).toMatchInlineSnapshot(`
    "### ! The recordings served 3 of 5 tool calls

    **Missed**

    - ! \`issue_refund\`: \`refund.amount\` \`89\`, recorded with \`40\`
    - ! \`get_weather\`: never recorded; it only reads, and ran for real

    - Tools: 2 exact, 1 with other effects before them, 2 missed
    - Model: live
    - Never asked: \`issue_refund\` (2)
    - Stale: \`look_up_order\`: other effects came before than when recorded
    - Redacted: 1 served value had been redacted when it was recorded
    - Not replayed: \`web_search\`: run by the provider
    - Changed: tools since the recording: \`close_ticket\` added, \`issue_refund\` changed
    - Old: the recordings are 45 days old
    - From: \`cassettes\`: 2 of 6 recordings
    - Where: \`.spoor/recordings/20261115T040000Z-k3f9\`

    Next: \`npx spoor show .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog\`

    Next: \`npx spoor diff cassettes .spoor/recordings/20261115T040000Z-k3f9/damaged-item.run1.agentlog\`

    <sub>0 traces, 0 turns · spoor 0</sub>
    "
  `);
});
