/**
 * aider's chat history (`.aider.chat.history.md`): a trace for each chat. aider has no tool calls; it applies the edits that stand in an answer and runs
 * the commands a person agreed to, and says so. What it says it did is a call (`edit`, `shell`) of the answer before it; a block of code that
 * nobody ran stays text. Counts of tokens are rounded and clocks have no zone, so neither is used.
 */
import type { JsonObject, TraceRecord } from "@spoor/core";
import { Conversation, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { counted } from "@spoor/core/internal/providers/count-unknown";
import { type AiderBlock, cutAiderText } from "./aider-text.ts";
import { type Format, type ImportedTrace, NOT_RECOGNISED, type Sample } from "./format.ts";

export const aider: Format = {
  name: "aider",
  title: "aider chat history",
  origin: ".aider.chat.history.md in the root of the repository",
  tells: ["results", "errors"],
  marks: [],
  recognise,
  readText,
};

function recognise({ text }: Sample) {
  const begins = text !== undefined && /^\s*# aider chat started at \d/.test(text);
  return begins ? { score: 0.95, has: ["# aider chat started at"] } : NOT_RECOGNISED;
}

function readText(text: string): ImportedTrace[] {
  const { blocks, trimmed } = cutAiderText(text);
  const chats: Chat[] = [];
  for (const block of blocks) {
    if (block.kind === "chat") chats.push(new Chat(block.text));
    else {
      if (chats.length === 0) chats.push(new Chat(undefined));
      chats.at(-1)!.add(block);
    }
  }
  const notes = trimmed
    ? ["its line ends were trimmed: a prompt after an answer is told from a heading only by aider's own lines"]
    : [];
  return chats.filter((chat) => chat.happened).map((chat) => chat.finish(notes));
}

/** What aider says it did, or did not do, with an answer. */
interface Deed {
  readonly name: "edit" | "shell";
  readonly input: JsonObject;
  readonly output?: string;
  readonly outcome: "done" | "failed" | "refused";
}

interface Answer {
  readonly text: string;
  readonly model: string | undefined;
  readonly deeds: Deed[];
}

class Chat {
  private readonly startedAt: string | undefined;
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  private model: string | undefined;
  private answer: Answer | undefined;
  /** Typed as `/ask …`: aider types what follows once more for itself. */
  private asked: string | undefined;
  /** What aider said last: the commands, if it asks next whether to run them. */
  private proposed: readonly string[] = [];
  private agreed: ReadonlySet<string> = new Set();
  private commands = 0;
  private calls = 0;
  happened = false;

  constructor(startedAt: string | undefined) {
    this.startedAt = startedAt;
  }

  add(block: AiderBlock): void {
    if (block.kind === "said") this.hear(block.text);
    if (block.kind === "typed") this.type(block.text);
    if (block.kind === "answer") {
      this.tell();
      if (this.asked !== undefined) this.say(this.asked);
      this.answer = { text: block.text, model: this.model, deeds: [] };
      this.happened = true;
    }
  }

  finish(notes: readonly string[]): ImportedTrace {
    this.tell();
    const all = [
      ...notes,
      ...(this.commands === 0
        ? []
        : [`${counted(this.commands, "command")} typed to aider (/add, /run …), which no model saw`]),
      ...this.conversation.notes(),
    ];
    const started = this.startedAt === undefined ? {} : { started_at: this.startedAt };
    return {
      records: [metadataRecord(undefined, { agent: "aider", ...started }), ...this.records],
      ...(this.startedAt === undefined ? {} : { entry: this.startedAt }),
      ...(all.length === 0 ? {} : { notes: all }),
    };
  }

  private type(text: string): void {
    this.tell();
    if (this.asked === text) this.asked = undefined;
    const command = /^[/!](\S*)\s*(.*)$/s.exec(text);
    if (command === null) {
      if (text !== "<blank>") this.say(text);
    } else if (/^(?:ask|code|architect|context)$/.test(command[1]!) && command[2] !== "") this.asked = command[2];
    else this.commands++;
  }

  private say(text: string): void {
    this.conversation.say("user", text);
    this.asked = undefined;
    this.happened = true;
  }

  private hear(text: string): void {
    const model = /^(?:Main model|Model): (\S+)/.exec(text)?.[1];
    if (model !== undefined) this.model = model;
    const deeds = this.deedsOf(text);
    this.proposed = text.split("\n").map((line) => line.trim());
    if (this.answer !== undefined) this.answer.deeds.push(...deeds);
    else for (const deed of deeds) this.doAlone(deed);
  }

  private deedsOf(text: string): Deed[] {
    const applied = /^Applied edit to (.+)$/.exec(text);
    if (applied !== null) return [{ name: "edit", input: { path: applied[1]! }, output: text, outcome: "done" }];
    const unmatched = /^## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in (.+)$/.exec(
      text,
    );
    if (unmatched !== null)
      return [{ name: "edit", input: { path: unmatched[1]! }, output: text.slice(3), outcome: "failed" }];
    const skipped =
      /^(?:Did not apply edit to (.+?)(?: \(--dry-run\))?|Skipping edits to (.+?)(?: that matches gitignore.*)?)$/.exec(
        text,
      );
    if (skipped !== null) {
      return [{ name: "edit", input: { path: (skipped[1] ?? skipped[2])! }, output: text, outcome: "refused" }];
    }
    const asked = /^Run shell commands?\?.*[\]:]\s*(\w+)$/.exec(text);
    if (asked !== null) return this.decide(/^[ya]/i.test(asked[1]!));
    const ran = /^Running (.+)$/s.exec(text)?.[1];
    if (ran !== undefined && this.agreed.has(ran)) return [{ name: "shell", input: { command: ran }, outcome: "done" }];
    if (/^litellm\.\w+/.test(text)) {
      this.tell();
      this.records.push(errorRecord({ code: /^litellm\.(\w+)/.exec(text)![1]!, message: text }));
      this.happened = true;
      return [];
    }
    return [];
  }

  /** What was agreed to runs next, and aider says so for each; what was not is known to have been asked for. */
  private decide(isAgreed: boolean): Deed[] {
    if (isAgreed) this.agreed = new Set([...this.agreed, ...this.proposed]);
    const output = "not run: the answer was no";
    return isAgreed
      ? []
      : this.proposed.map((command) => ({ name: "shell", input: { command }, output, outcome: "refused" }));
  }

  /** Writes down the answer at hand: what was done with it is known only when the next thing happens. */
  private tell(): void {
    if (this.answer === undefined) return;
    const { text, model, deeds } = this.answer;
    this.answer = undefined;
    this.agreed = new Set();
    const { said, thought } = partsOf(text);
    const calls = deeds.map((deed) => ({ deed, id: `aider-${this.calls++}` }));
    this.conversation.respond({
      parts: [
        ...thought.map((thinking) => ({ type: "thinking", text: thinking })),
        ...(said === "" ? [] : [{ type: "text", text: said }]),
        ...calls.map(({ deed, id }) => ({ type: "tool_use", id, name: deed.name, input: deed.input })),
      ],
      model,
      sequential: true,
    });
    for (const { deed, id } of calls) this.result(deed, id);
  }

  /** aider acts without an answer too: edits of a person's command. */
  private doAlone(deed: Deed): void {
    const id = `aider-${this.calls++}`;
    this.conversation.call(id, deed.name, deed.input, undefined);
    this.result(deed, id);
    this.happened = true;
  }

  /** What a command printed is not in the history; that it ran is. */
  private result({ outcome, output }: Deed, callId: string): void {
    if (output === undefined) return;
    this.conversation.result({ callId, output, isError: outcome !== "done", refused: outcome === "refused" });
  }
}

function partsOf(text: string): { said: string; thought: string[] } {
  const thought: string[] = [];
  const opening = /^<(thinking-content-[0-9a-f]+)>$/m.exec(text);
  if (opening === null) return { said: text, thought };
  const end = text.indexOf(`</${opening[1]}>`, opening.index);
  const inside = text.slice(opening.index + opening[0].length, end < 0 ? undefined : end).trim();
  if (inside !== "") thought.push(inside);
  const after = end < 0 ? "" : text.slice(end + opening[1]!.length + 3);
  return { said: `${text.slice(0, opening.index)}${after}`.trim(), thought };
}
