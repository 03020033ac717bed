/** A recording tells each request by what it adds to the one before; every command reads it like one that repeats everything. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCapture } from "@spoor/core/internal/capture/capture";
import { chat } from "@spoor/core/internal/providers/chat";
import { openRecordingFiles } from "@spoor/record/internal/node/recording-files";
import { expect, it } from "vitest";
import { exchange } from "../../../core/test/capture.ts";
import { runSpoor, temporaryFolder } from "./run-spoor.ts";

/** A run of five turns; every turn but the last looks up an order. */
function record(folder: string): string {
  const files = openRecordingFiles(folder);
  const capture = createCapture({ write: files.write, metadata: { door: "test" }, newId: () => "trace-1" });
  const messages: object[] = [{ role: "user", content: "Where are my orders?" }];
  const session = { id: "s", agent: "support", scenario: "orders" };
  for (let turn = 0; turn < 5; turn++) {
    const call = {
      type: "tool_use",
      id: `call_0123456789ab${turn}`,
      name: "lookup_order",
      input: { order: `A-${turn}` },
    };
    const content = turn < 4 ? [call] : [{ type: "text", text: "All on their way." }];
    const payload = { model: "m-1", content, stop_reason: turn < 4 ? "tool_use" : "end_turn" };
    const request = chat.encodeRequest({
      model: "m-1",
      messages: messages as never,
      tools: [{ name: "lookup_order" }],
    });
    exchange(capture, chat, request, chat.encodeResponse(payload), { atMs: 1_000 * (turn + 1), session });
    messages.push({ role: "assistant", content }, { role: "tool", tool_call_id: call.id, content: `shipped ${turn}` });
  }
  capture.close(9_000);
  return files.close().traces[0]!;
}

it("the same in every command, whole in convert, checked by verify", async () => {
  const folder = temporaryFolder();
  const recording = record(join(folder, "recorded"));
  expect(recording.endsWith("orders.run1.agentlog")).toBe(true);
  expect(readFileSync(recording, "utf8").match(/"kind":"chat_request_delta"/g)).toHaveLength(4);

  const whole = join(folder, "orders.run1.agentlog");
  expect(await runSpoor(["convert", recording, "--to", "agentlog", "-o", whole])).toMatchObject({ code: 0 });
  const converted = readFileSync(whole, "utf8");
  expect(converted).not.toContain("chat_request_delta");
  expect(converted.match(/"kind":"chat_request"/g)).toHaveLength(5);

  for (const path of [recording, whole]) expect(await runSpoor(["verify", path])).toMatchObject({ code: 0 });
  for (const command of [["show"], ["fingerprint"], ["show", "--format", "json"]]) {
    const [left, right] = await Promise.all([recording, whole].map((path) => runSpoor([...command, path])));
    expect(left!.code).toBe(0);
    expect(left!.stdout.replaceAll(recording, "FILE")).toBe(right!.stdout.replaceAll(whole, "FILE"));
  }
  expect(await runSpoor(["diff", recording, whole, "--fail-on", "minor"])).toMatchObject({ code: 0 });
});

it("a request whose beginning was cut out of the file is an error, or left out and counted", async () => {
  const folder = temporaryFolder();
  const lines = readFileSync(record(folder), "utf8").split("\n");
  const name = readdirSync(folder).find((file) => file.endsWith(".agentlog"))!;
  writeFileSync(join(folder, name), lines.filter((line) => !line.includes('"kind":"chat_request",')).join("\n"));
  const strict = await runSpoor(["show", name], { cwd: folder });
  expect(strict.code).toBe(2);
  expect(strict.stderr).toContain("trace.missing-base");
  const lenient = await runSpoor(["show", name, "--lenient"], { cwd: folder });
  expect(lenient.code).toBe(0);
  expect(lenient.stdout).toContain("request whose beginning is missing");
  const verified = await runSpoor(["verify", name], { cwd: folder });
  expect(verified.code).toBe(1);
  expect(verified.stdout).toContain("the earlier request that this one goes on from is not in the file");
});
