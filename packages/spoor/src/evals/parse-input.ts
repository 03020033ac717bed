/** Messages that go into an agent: text, a list of texts and `{type: text | file, value}`, or any structured content. */

import type { Located } from "@spoor/core/internal/read/located";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { contentText } from "../formats/content-text.ts";
import { messageShape, partShape } from "./eval-file.ts";
import type { InputMessage } from "./providers/provider.ts";

/** The absolute path of a file that an eval file mentions; undefined when it is nowhere. */
export type FileFinder = (name: string) => string | undefined;

export function parseInput(at: Located, findFile: FileFinder): InputMessage[] {
  const { value } = at;
  if (typeof value === "string") return [{ role: "user", content: value, text: value, files: [] }];
  if (isObject(value))
    return member(value, "role") === undefined
      ? [{ role: "user", content: value, text: contentText(value), files: [] }]
      : parseMessage(at, findFile);
  if (!Array.isArray(value)) {
    at.wrong("a text or a list of messages");
    return [];
  }
  if (value.length === 0) at.problem("the input has no message.");
  return at.items().flatMap((message) => parseMessage(message, findFile));
}

function parseMessage(at: Located, findFile: FileFinder): InputMessage[] {
  if (typeof at.value === "string") return [{ role: "user", content: at.value, text: at.value, files: [] }];
  const message = messageShape.read(at);
  if (message === undefined) return [];
  const { role, content } = message;
  return [{ role, content: content.value, ...flatten(content, findFile) }];
}

function flatten(at: Located, findFile: FileFinder): { text: string; files: string[] } {
  const parts = at.items();
  const isParts = parts.every(({ value }) => typeof value === "string" || typeof member(value, "type") === "string");
  if (!Array.isArray(at.value) || !isParts) return { text: contentText(at.value), files: [] };
  const texts: string[] = [];
  const files: string[] = [];
  for (const place of parts) {
    const part = partShape.read(place);
    if (part === undefined) continue;
    const { type, value } = typeof part === "string" ? { type: "text", value: part } : part;
    if (value === undefined) place.problem(`a ${type} part needs value.`);
    else if (type === "text") texts.push(value);
    else {
      const found = findFile(value);
      if (found !== undefined) files.push(found);
      else
        place.problem(
          `the file "${value}" was not found beside the eval file, in a folder above it or in the working folder.`,
        );
    }
  }
  return { text: texts.join("\n"), files };
}

/** `input_files`: files that go with what is asked. */
export function attachedFiles(at: Located, names: readonly string[] | undefined, findFile: FileFinder): InputMessage[] {
  const files = (names ?? []).flatMap((name) => {
    const found = findFile(name);
    if (found === undefined) at.get("input_files")?.problem(`the file "${name}" was not found.`);
    return found === undefined ? [] : [found];
  });
  return files.length === 0 ? [] : [{ role: "user", content: [...names!], text: "", files }];
}

/** The whole conversation as one text: a single user message as it is, several with their roles. */
export function promptOf(messages: readonly InputMessage[]): string {
  const texts = messages.filter((message) => message.text !== "");
  if (texts.length <= 1 && (texts[0]?.role ?? "user") === "user") return texts[0]?.text ?? "";
  const title = (role: string) => `@[${role.slice(0, 1).toUpperCase()}${role.slice(1)}]:`;
  return texts.map((message) => `${title(message.role)}\n${message.text}`).join("\n\n");
}
