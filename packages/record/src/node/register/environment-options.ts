/** How a recorder is told to behave by the environment. */
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import type { RecorderSetting } from "../../recorder/recorder-core.ts";
import type { RecorderOptions } from "../../recorder/recorder-options.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export function environmentOptions(env: Environment): { options: RecorderOptions; setting: RecorderSetting } {
  const agent = env["SPOOR_AGENT"] || undefined;
  const tags = readTags(env["SPOOR_TAGS"]);
  const scenario = env["SPOOR_SCENARIO"] || undefined;
  // One scenario is one run: all the process does belongs to it.
  const id = env["SPOOR_SESSION"] || scenario;
  const session: StatedSession | undefined =
    id === undefined
      ? undefined
      : { id, ...(scenario ? { scenario } : {}), ...(agent ? { agent } : {}), ...readRun(env["SPOOR_RUN"]) };
  return {
    options: {
      ...(env["SPOOR_DIR"] ? { dir: env["SPOOR_DIR"] } : {}),
      ...(agent === undefined ? {} : { agent }),
      ...(tags === undefined ? {} : { tags }),
      ...(env["SPOOR_CONTENT"] === "blind" ? { content: "blind" } : {}),
      ...(isDurable(env["SPOOR_DURABLE"]) ? { durable: env["SPOOR_DURABLE"] } : {}),
    },
    setting: {
      door: "register",
      ...(session === undefined ? {} : { outside: { session } }),
      proxyUrl: env["SPOOR_PROXY"] || undefined,
    },
  };
}

function readRun(text: string | undefined): { readonly run?: number } {
  const run = Number(text);
  return text && Number.isSafeInteger(run) && run > 0 ? { run } : {};
}

function isDurable(word: string | undefined): word is "os" | "second" | "record" {
  return word === "os" || word === "second" || word === "record";
}

function readTags(text: string | undefined): Readonly<Record<string, string>> | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    return Object.fromEntries(Object.entries(value).map(([key, tag]) => [key, String(tag)]));
  } catch {
    return undefined;
  }
}
