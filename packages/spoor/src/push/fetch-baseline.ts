/**
 * `diff.baseline: server:AGENT@RELEASE`: the runs to compare with are those of a release at the shared service, three of each scenario unless
 * `?last=N` says otherwise. Which service that is says the environment alone: a configuration comes with a pull request, and a token goes to the
 * address.
 */
import { rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { sweepTemporaries, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { isAtService } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { makeFolder } from "../load/make-folder.ts";
import { safeFileName } from "../store/baseline-store.ts";
import { askService, type SendOptions } from "./ask-service.ts";
import { destinationOf, type Environment } from "./destination.ts";
import { readTar } from "./read-tar.ts";

const LAST = 3;

export interface FetchOptions extends SendOptions {
  readonly env: Environment;
}

/** The same configuration where it names files alone; otherwise with the folder into which the runs were put. */
export async function withFetchedBaseline(loaded: LoadedConfig, options: FetchOptions): Promise<LoadedConfig> {
  const { diff } = loaded.config;
  const paths = diff === undefined ? [] : [diff.baseline].flat();
  if (diff === undefined || !paths.some(isAtService)) return loaded;
  const baseline: string[] = [];
  for (const path of paths) baseline.push(isAtService(path) ? await fetchRuns(path, loaded, options) : path);
  return { ...loaded, config: { ...loaded.config, diff: { ...diff, baseline } } };
}

async function fetchRuns(text: string, { folder, file }: LoadedConfig, options: FetchOptions): Promise<string> {
  const { agent, release, last } = parseSource(text, file);
  const query = new URLSearchParams({ agent, release, last: String(last) });
  const bytes = await askService(destinationOf(options.env), `/api/v1/export?${query}`, options);
  const place = join(folder, ".spoor", "service", safeFileName(`${agent}@${release}`));
  await writeRuns(place, bytes);
  return relative(folder, place);
}

/** Whole or not at all: half of a baseline would be another one. */
async function writeRuns(place: string, bytes: Uint8Array): Promise<void> {
  await makeFolder(dirname(place));
  // What a killed process left of one.
  sweepTemporaries(dirname(place));
  const draft = temporaryBeside(place);
  try {
    await makeFolder(draft);
    for (const { name, content } of readTar(bytes)) await writeFile(join(draft, name), content);
    await rm(place, { recursive: true, force: true });
    await rename(draft, place);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function parseSource(text: string, file: string): { agent: string; release: string; last: number } {
  const found = /^server:(?<agent>[^@?]+)@(?<release>[^?]+)(?:\?last=(?<last>[1-9]\d{0,2}))?$/.exec(text)?.groups;
  if (found !== undefined)
    return { agent: found["agent"]!, release: found["release"]!, last: Number(found["last"] ?? LAST) };
  throw new SpoorError("config.invalid", `${file}: "${text}" names no release at a service.`, {
    at: { file, path: "diff.baseline" },
    consequence: "Nothing was evaluated.",
    hint: "Write server:AGENT@RELEASE, for example server:refunds@main or server:refunds@main?last=5",
  });
}
