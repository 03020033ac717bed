/**
 * What the texts of policies say, kept from one start of the hook to the next under the hash of the text: reading YAML takes
 * longer than judging a call. Examples are left out, a hook does not try them.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import type { KnownTexts } from "@spoor/core/internal/policy/parse-policy";
import { isObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { makeFolderSync } from "@spoor/record/internal/node/make-folder";
import { temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { version } from "../tool-info.ts";

export interface KeptTexts extends KnownTexts {
  /** Keeps what was read. To be called when all of it was found right: what is wrong must say so every time. */
  keep(): void;
}

export function keepTexts(folder: string): KeptTexts {
  const fileOf = (text: string) => join(folder, `policy-${digestText(`${version}\n${text}`, 32)}.json`);
  const read: { file: string; value: Json }[] = [];
  return {
    get: (text) => readKept(fileOf(text)),
    read: (text, value) => read.push({ file: fileOf(text), value }),
    keep() {
      for (const { file, value } of read) writeKept(folder, file, withoutExamples(value));
    },
  };
}

/** A damaged file is none. */
function readKept(file: string): Json | undefined {
  try {
    return parseJson(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof JsonSyntaxError || "code" in (error as object)) return undefined;
    throw error;
  }
}

function writeKept(folder: string, file: string, value: Json): void {
  try {
    makeFolderSync(folder, { mode: 0o700 });
    const draft = temporaryBeside(file);
    writeFileSync(draft, stringifyJson(value), { mode: 0o600 });
    renameSync(draft, file);
  } catch {
    // The next start reads the text again.
  }
}

function withoutExamples(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== "examples"));
}
