// Exit codes and every stable error code, found where the code raises them.
import { readdirSync, readFileSync } from "node:fs";
import { code, referencePage, table } from "./reference-page.mjs";

const packages = new URL("../packages/", import.meta.url);

export async function errorReference() {
  const { exitCode } = await import(new URL("spoor/dist/cli/exit-code.js", packages));
  const meanings = {
    ok: "passed, or nothing was asked to block",
    gateTripped: "a gate tripped: the report says what and where",
    couldNotRun: "could not run: usage, configuration, unreadable input, or nothing to evaluate",
    internal: "no verdict: a bug of Spoor's, or a provider that could not be reached",
  };
  const errors = collectErrors();
  return referencePage(
    "Exit codes and error codes",
    "What to do with them: [exit codes](../exit-codes.md).",
    "",
    table(
      ["exit code", "meaning"],
      Object.entries(exitCode).map(([name, number]) => [number, meanings[name]]),
    ),
    "## Error codes",
    "",
    "The last line of an error ends with one of these. They do not change between releases; the words around them may. `…` stands for",
    "what differs from case to case. Codes that begin with `provider.` exit with 3, all others with 2; a judge that cannot be reached also",
    "ends a run with 3.",
    "",
    table(
      ["code", "says"],
      [...errors]
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([name, says]) => [code(name), [...says].join(" / ")]),
    ),
  );
}

/** code → the first sentence of each message that is written out beside it. */
function collectErrors() {
  const errors = new Map();
  for (const file of ["core", "record", "spoor"].flatMap(sourceFiles)) {
    const text = readFileSync(file, "utf8");
    for (const raised of text.matchAll(/(?:new SpoorError|\.throwIfAny)\(/g)) {
      const [first = "", second = ""] = argumentsAt(text, raised.index + raised[0].length);
      for (const [, name] of first.matchAll(/"([a-z]+(?:[.-][a-z]+)*)"/g)) {
        if (!name.includes(".") && name !== "usage") continue;
        const says = errors.get(name) ?? new Set();
        errors.set(name, says);
        const sentence = raised[0].startsWith("new")
          ? messageOf(second)
          : "problems of a file, all listed with their lines";
        if (sentence !== undefined) says.add(sentence);
      }
    }
  }
  return errors;
}

function sourceFiles(name) {
  const folder = new URL(`${name}/src/`, packages);
  return readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
    .sort()
    .map((path) => new URL(path, folder));
}

/** The first two arguments of a call, as written, from just behind its opening parenthesis. */
function argumentsAt(text, start) {
  const found = [];
  let depth = 0;
  let begin = start;
  for (let index = start; index < text.length && found.length < 2; index++) {
    const character = text[index];
    if (character === '"' || character === "`" || character === "'") index = endOfText(text, index);
    else if ("([{".includes(character)) depth++;
    else if (")]}".includes(character) && depth-- === 0) {
      found.push(text.slice(begin, index).trim());
      break;
    } else if (character === "," && depth === 0) {
      found.push(text.slice(begin, index).trim());
      begin = index + 1;
    }
  }
  return found;
}

function endOfText(text, start) {
  const quote = text[start];
  let depth = 0;
  for (let index = start + 1; index < text.length; index++) {
    if (text[index] === "\\") index++;
    else if (quote === "`" && text.startsWith("${", index)) depth++;
    else if (depth > 0 && text[index] === "}") depth--;
    else if (depth === 0 && text[index] === quote) return index;
  }
  return text.length;
}

/** The words of a message that is written out where it is raised; others are made elsewhere. */
function messageOf(argument) {
  const start = argument.search(/["`]/);
  if (start < 0) return undefined;
  const written = argument.slice(start + 1, endOfText(argument, start));
  const words = withoutValues(written).replaceAll('\\"', '"').replaceAll("\\n", " ").replaceAll("`", "").trim();
  return /\p{L}{3}/u.test(words) ? words : undefined;
}

/** `${…}` → `…`, nested ones included. */
function withoutValues(text) {
  let result = "";
  let depth = 0;
  for (let index = 0; index < text.length; index++) {
    if (text.startsWith("${", index)) {
      if (depth++ === 0) result += "…";
      index++;
    } else if (depth > 0 && text[index] === "{") depth++;
    else if (depth > 0 && text[index] === "}") depth--;
    else if (depth === 0) result += text[index];
  }
  return result;
}
