/** Messages that go into an agent: text, a list of texts and `{type: text | file, value}`, or any structured content. */
import type { Json } from "@spoor/core";
import type { YamlPath } from "@spoor/core/read/parse-yaml";
import { isObject, member, stringMember } from "@spoor/core/trace/json";
import type { ProblemList } from "@spoor/core/yaml/problem-list";
import { contentText } from "../formats/content-text.ts";
import type { InputMessage } from "./providers/provider.ts";

/** The absolute path of a file that an eval file mentions; undefined when it is nowhere. */
export type FileFinder = (name: string) => string | undefined;

const ROLES = ["system", "developer", "user", "assistant", "tool"];

export function parseInput(raw: Json, path: YamlPath, problems: ProblemList, findFile: FileFinder): InputMessage[] {
  if (typeof raw === "string") return [{ role: "user", content: raw, text: raw, files: [] }];
  if (isObject(raw) && member(raw, "role") === undefined) {
    const text = contentText(raw);
    return [{ role: "user", content: raw, text, files: [] }];
  }
  const list = isObject(raw) ? [raw] : raw;
  if (!Array.isArray(list)) {
    problems.add(
      path,
      raw === null
        ? "the input is empty (null); write a text or a list of messages."
        : "the input must be a text or a list of messages.",
    );
    return [];
  }
  if (list.length === 0) problems.add(path, "the input has no message.");
  return list.flatMap((message: Json, index) =>
    parseMessage(message, isObject(raw) ? path : [...path, index], problems, findFile),
  );
}

function parseMessage(message: Json, path: YamlPath, problems: ProblemList, findFile: FileFinder): InputMessage[] {
  if (typeof message === "string") return [{ role: "user", content: message, text: message, files: [] }];
  const role = stringMember(message, "role");
  if (!isObject(message) || role === undefined) {
    problems.add(path, "a message needs a role (system, user, assistant or tool) and content.");
    return [];
  }
  if (!ROLES.includes(role)) problems.add([...path, "role"], `unknown role "${role}"; known are ${ROLES.join(", ")}.`);
  const content = member(message, "content");
  if (content === undefined || content === null) {
    problems.add(path, "a message needs content.");
    return [];
  }
  return [{ role, content, ...flatten(content, [...path, "content"], problems, findFile) }];
}

function flatten(
  content: Json,
  path: YamlPath,
  problems: ProblemList,
  findFile: FileFinder,
): { text: string; files: string[] } {
  if (
    !Array.isArray(content) ||
    !content.every((part) => typeof part === "string" || typeof member(part, "type") === "string")
  ) {
    return { text: contentText(content), files: [] };
  }
  const texts: string[] = [];
  const files: string[] = [];
  for (const [index, part] of content.entries()) {
    const value =
      typeof part === "string"
        ? part
        : (stringMember(part, "value") ?? stringMember(part, "text") ?? stringMember(part, "path"));
    const type = typeof part === "string" ? "text" : stringMember(part, "type");
    if (value === undefined) {
      problems.add([...path, index], `a ${type} part needs "value".`);
    } else if (type === "file") {
      const found = findFile(value);
      if (found === undefined)
        problems.add(
          [...path, index],
          `the file "${value}" was not found beside the eval file, in a folder above it or in the working folder.`,
        );
      else files.push(found);
    } else if (type === "text") {
      texts.push(value);
    } else {
      problems.add([...path, index, "type"], `unknown type "${type}"; known are text and file.`);
    }
  }
  return { text: texts.join("\n"), files };
}

/** The whole conversation as one text: a single user message as it is, several with their roles. */
export function promptOf(messages: readonly InputMessage[]): string {
  const texts = messages.filter((message) => message.text !== "");
  if (texts.length <= 1 && (texts[0]?.role ?? "user") === "user") return texts[0]?.text ?? "";
  const title = (role: string) => `@[${role.slice(0, 1).toUpperCase()}${role.slice(1)}]:`;
  return texts.map((message) => `${title(message.role)}\n${message.text}`).join("\n\n");
}
