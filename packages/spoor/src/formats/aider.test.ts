import { describe, expect, it } from "vitest";
import { formatNamed, importFixture, importSample } from "../../test/fixtures.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import { cutAiderText } from "./aider-text.ts";

describe("aider's chat history", () => {
  const [fixed, unreachable] = importFixture("aider/chat-history.md");

  it("is a trace for each chat in which something happened", () => {
    expect(importFixture("aider/chat-history.md")).toHaveLength(2);
    expect(fixed!.metadata).toMatchObject({ agent: "aider", started_at: "2026-03-02 09:15:04" });
    expect(unreachable!.turns).toEqual([]);
    expect(unreachable!.records.filter(({ kind }) => kind === "error")).toHaveLength(1);
  });

  it("has an answer of the model for each turn, its thoughts apart, and what was typed before it", () => {
    expect(fixed!.turns.map(({ model, toolCalls }) => [model, toolCalls.length])).toEqual([
      ["openai/gpt-5-mini", 1],
      ["openai/gpt-5-mini", 4],
      ["openai/gpt-5-mini", 0],
    ]);
    expect(fixed!.turns[0]!.text).toMatch(/^The limit stands in `limits.py`:\n\n#### What changes\n\n> Refunds above/);
    expect(fixed!.turns[0]!.text).not.toContain("another file");
    const [first] = fixed!.records.filter(({ kind }) => kind === "chat_request");
    expect(first!.payload).toMatchObject({
      messages: [
        { role: "user", content: "Refunds above the limit must be refused.\n\nKeep the name of the function." },
      ],
    });
    const asked = fixed!.records.filter(({ kind }) => kind === "chat_request").at(-1)!.payload;
    expect(asked).toMatchObject({
      messages: expect.arrayContaining([{ role: "user", content: "why is the limit 500?" }]),
    });
  });

  it("has as calls what aider says it did: applied, did not match, ran, was told not to", () => {
    expect(
      fixed!.toolCalls.map(({ name, input, status, output }) => [name, input, status, output !== undefined]),
    ).toEqual([
      ["edit", { path: "src/refund.py" }, "error", true],
      ["edit", { path: "src/refund.py" }, "ok", true],
      ["edit", { path: "tests/test_refund.py" }, "ok", true],
      ["shell", { command: "pytest tests/test_refund.py" }, "unknown", false],
      ["shell", { command: "git push" }, "error", true],
    ]);
    expect(fixed!.toolCalls.map(({ refused }) => refused === true)).toEqual([false, false, false, false, true]);
  });

  it("makes no call of a block of code that nobody ran, and counts what was typed to aider alone", () => {
    const text = [
      "# aider chat started at 2026-01-01 00:00:00",
      "",
      "#### /run ls  ",
      "",
      "#### how?  ",
      "",
      "Do this:",
      "",
      "```bash",
      "rm -rf build",
      "```",
      "",
      "> Tokens: 10 sent, 5 received.  ",
    ];
    const [trace] = importSample(formatNamed("aider"), { text: text.join("\n") });
    expect(trace!.notes).toEqual(["1 command typed to aider (/add, /run …), which no model saw"]);
    expect(JSON.stringify(trace!.records)).not.toContain("tool_use");
  });

  it("in a block of code, lines that look like aider's are the model's, until aider counts the tokens", () => {
    const text = [
      "#### write it  ",
      "",
      "````md",
      "",
      "#### Title  ",
      "> quoted  ",
      "",
      "> Tokens: 1 sent, 1 received.  ",
      "",
      "#### next  ",
      "",
      "Yes.",
    ];
    expect(cutAiderText(text.join("\n")).blocks.map(({ kind }) => kind)).toEqual([
      "typed",
      "answer",
      "said",
      "typed",
      "answer",
    ]);
  });

  it("what aider says in several lines is not taken for an answer", () => {
    const text = [
      "> /usr/bin/aider --message ",
      "   1. Read.",
      "   2. Write.  ",
      "> npm ci      ",
      "  npm test",
      "",
      "#### go  ",
      "",
      "Gone.",
    ];
    expect(cutAiderText(text.join("\r\n")).blocks).toEqual([
      { kind: "said", text: "/usr/bin/aider --message\n   1. Read.\n   2. Write." },
      { kind: "said", text: "npm ci\n  npm test" },
      { kind: "typed", text: "go" },
      { kind: "answer", text: "Gone." },
    ]);
  });

  it("whose line ends were trimmed is read by aider's own lines, with a note", () => {
    const text = [
      "# aider chat started at 2026-01-01 00:00:00",
      "",
      "#### first",
      "Plan:",
      "",
      "#### Step 1",
      "Loop.",
      "",
      "> Applied edit to a.py",
      "",
      "#### second",
      "Done.",
    ];
    const [trace] = importSample(formatNamed("aider"), { text: text.join("\n") });
    expect(trace!.notes).toEqual([expect.stringContaining("line ends were trimmed")]);
    expect(cutAiderText(text.join("\n")).blocks.map(({ kind, text: said }) => [kind, said.split("\n")[0]])).toEqual([
      ["chat", "2026-01-01 00:00:00"],
      ["typed", "first"],
      ["answer", "Plan:"],
      ["said", "Applied edit to a.py"],
      ["typed", "second"],
      ["answer", "Done."],
    ]);
  });

  it("is recognised by how it begins, whatever its name; other Markdown is refused", async () => {
    const bytes = Buffer.from("\n# aider chat started at 2026-01-01 00:00:00\n\n#### hi  \n\nHello.\n");
    expect((await loadTraceFile("notes.txt", { bytes }))[0]!.source.format).toBe("aider");
    await expect(loadTraceFile("notes.md", { bytes: Buffer.from("# Notes\n\ntext\n") })).rejects.toMatchObject({
      code: "trace.bad-line",
    });
    const empty = Buffer.from("# aider chat started at 2026-01-01 00:00:00\n\n> Aider v0.86.2  \n");
    await expect(loadTraceFile("empty.md", { bytes: empty })).rejects.toMatchObject({ code: "trace.empty" });
  });

  it("that lost its beginning is read when it is named", async () => {
    const bytes = Buffer.from("#### hi  \n\nHello.\n\n> Tokens: 1 sent, 1 received.  \n");
    expect((await loadTraceFile("rest.md", { bytes, from: "aider" }))[0]!.turns.map(({ text }) => text)).toEqual([
      "Hello.",
    ]);
  });
});
