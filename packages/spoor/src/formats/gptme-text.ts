/**
 * What stands in an answer of gptme: what was said, what was thought, and calls, written as a fenced block whose language is a tool, as `<tool-use>`, or as
 * `@tool(id): {…}`. Line by line, so that no text takes more than linear time; a block that is not closed is text.
 */
import type { Json, JsonObject } from "@spoor/core";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";

export interface GptmeText {
  readonly text: string;
  readonly thoughts: readonly string[];
  readonly calls: readonly GptmeCall[];
}

interface GptmeCall {
  readonly id?: string;
  readonly name: string;
  readonly input: Json;
}

/** Languages of blocks that gptme runs; any other block is only shown. */
const TOOLS =
  /^(?:shell|bash|sh|ipython|python|py|save|append|patch|morph|tmux|gh|browser|read|screenshot|vision|subagent|choice|form|computer|rag|todoread|todowrite|complete|mcp)$/;
const FENCE = /^(`{3,})([^\s`]*)([^`]*)$/;
const AT = /^@([\w-]+)\(([^)\s]*)\): ?(\{.*)$/;
const XML = /^<([\w-]+)(?: args=(?:'([^']*)'|"([^"]*)"))?>$/;
/** How a line begins that may open a block; `<tool-use>` alone may be indented. */
const BEGINS_BLOCK = /^(?:`{3}|@|\s*<t)/;
const NONE: readonly never[] = [];

export function parseGptmeText(content: string): GptmeText {
  if (!mayHoldBlock(content)) return { text: content.trim(), thoughts: NONE, calls: NONE };
  const lines = content.split("\n");
  const thoughts: string[] = [];
  const calls: GptmeCall[] = [];
  let said = "";
  /** Where in the content what was said last begins, and where the line begins. */
  let from = 0;
  let offset = 0;
  for (let at = 0; at < lines.length; at++) {
    const block = blockAt(lines, at);
    const begin = offset;
    const end = block?.end ?? at;
    for (; at < end; at++) offset += lines[at]!.length + 1;
    offset += lines[at]!.length + 1;
    if (block === undefined || "shown" in block) continue;
    if ("thought" in block) thoughts.push(block.thought);
    else calls.push(block.call);
    said += content.slice(from, begin);
    from = offset;
  }
  return { text: (said + content.slice(from)).trim(), thoughts, calls };
}

/** Most answers only say something. */
function mayHoldBlock(content: string): boolean {
  return content.includes("```") || content.includes("@") || content.includes("<t");
}

type Block = { readonly end: number } & (
  | { readonly thought: string }
  | { readonly shown: true }
  | { readonly call: GptmeCall }
);

function blockAt(lines: readonly string[], at: number): Block | undefined {
  const line = lines[at]!;
  if (!BEGINS_BLOCK.test(line)) return undefined;
  const fence = FENCE.exec(line);
  if (fence !== null) return fencedAt(lines, at, fence[1]!, fence[2]!, fence[3]!);
  const called = AT.exec(line);
  if (called !== null) return calledAt(lines, at, called[1]!, called[2]!, called[3]!);
  if (line.trim() === "<tool-use>") return toolUseAt(lines, at);
  if (/^<think(?:ing)?>/.test(line)) return thoughtAt(lines, at);
  return undefined;
}

/** To its end also when it is not closed: looking again from every line would take the square of the time. */
function fencedAt(lines: readonly string[], at: number, fence: string, tool: string, args: string): Block {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trimEnd() !== fence) end++;
  if (end === lines.length || !TOOLS.test(tool)) {
    return { end: Math.min(end, lines.length - 1), shown: true };
  }
  return { end, call: { name: tool, input: inputOf(args, lines.slice(at + 1, end)) } };
}

function calledAt(lines: readonly string[], at: number, name: string, id: string, first: string): Block {
  let end = at + 1;
  while (end < lines.length && !AT.test(lines[end]!)) end++;
  const text = [first, ...lines.slice(at + 1, end)].join("\n").trim();
  return { end: end - 1, call: { ...(id === "" ? {} : { id }), name, input: parseJsonText(text) ?? text } };
}

function toolUseAt(lines: readonly string[], at: number): Block {
  let end = at + 1;
  while (end < lines.length && lines[end]!.trim() !== "</tool-use>") end++;
  const opening = XML.exec(lines[at + 1]?.trim() ?? "");
  const isWhole = end < lines.length && lines[end - 1]?.trim() === `</${opening?.[1]}>`;
  if (opening === null || !isWhole) return { end: Math.min(end, lines.length - 1), shown: true };
  const args = opening[2] ?? opening[3] ?? "";
  return { end, call: { name: opening[1]!, input: inputOf(args, lines.slice(at + 2, end - 1)) } };
}

function thoughtAt(lines: readonly string[], at: number): Block {
  let end = at;
  while (end < lines.length && !/<\/think(?:ing)?>\s*$/.test(lines[end]!)) end++;
  const text = lines.slice(at, end + 1).join("\n");
  return { end: Math.min(end, lines.length - 1), thought: text.replace(/<\/?think(?:ing)?>/g, "").trim() };
}

function inputOf(args: string, body: readonly string[]): JsonObject {
  const content = body.join("\n");
  return args.trim() === "" ? { content } : { args: args.trim(), content };
}
