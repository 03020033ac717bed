/**
 * Baselines on disk: one JSON file per agent in a folder made to be committed, earlier generations beside it. Writes are
 * whole or not at all and one at a time; whoever updates sees what the writer before left.
 */
import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline, Decision } from "@spoor/core/internal/fingerprint/baseline";
import { renderBaselineFile } from "@spoor/core/internal/fingerprint/baseline-json";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { makeFolder } from "../load/make-folder.ts";
import { MOST_DOCUMENT_BYTES, readTextIfThere } from "../load/read-text.ts";
import { whyUnreadable } from "../load/why-unreadable.ts";
import { writeWhole } from "../load/write-file.ts";
import { withFileLock } from "./file-lock.ts";
import type { FileChange } from "./write-together.ts";

export interface BaselineStore {
  /** Where the baseline of an agent lives. */
  fileOf(agent: string): string;
  /** Undefined when the agent has no baseline. */
  load(agent: string): Promise<Baseline | undefined>;
  /** Every agent that has a baseline. */
  agents(): Promise<string[]>;
  /** Changes a baseline under a lock. Returning undefined writes nothing. */
  update(
    agent: string,
    change: (current: Baseline | undefined) => Baseline | undefined,
    options?: UpdateOptions,
  ): Promise<void>;
  /** Generations that can be rolled back to, oldest first. */
  archived(agent: string): Promise<number[]>;
  /** Puts an earlier generation back; the displaced one is kept. */
  rollback(agent: string, generation: number | undefined, decision: Decision): Promise<Baseline>;
}

export interface UpdateOptions {
  /** Keep the replaced generation for a rollback; on by default. */
  readonly archive?: boolean;
  /** Writes the files instead of the store, together with others; the lock is held until it is done. */
  readonly write?: (changes: readonly FileChange[]) => Promise<void>;
}

export interface FileStoreOptions {
  readonly toolVersion: string;
  /** Generations kept for rollbacks. */
  readonly keep?: number;
  readonly lockTimeoutMs?: number;
}

/** A store over a folder of baselines, or over the one file that a path ending in `.json` names. */
export function createFileStore(path: string, options: FileStoreOptions): BaselineStore {
  return new FileStore(path, options);
}

class FileStore implements BaselineStore {
  private readonly path: string;
  private readonly options: FileStoreOptions;

  constructor(path: string, options: FileStoreOptions) {
    this.path = path;
    this.options = options;
  }

  fileOf(agent: string): string {
    return this.isSingleFile() ? this.path : join(this.path, `${safeFileName(agent)}.json`);
  }

  async load(agent: string): Promise<Baseline | undefined> {
    const file = this.fileOf(agent);
    const text = textOf(file);
    return text === undefined ? undefined : this.parse(text, file);
  }

  async agents(): Promise<string[]> {
    const files = this.isSingleFile() ? [this.path] : await jsonFiles(this.path);
    const names: string[] = [];
    for (const file of files) {
      const text = textOf(file);
      if (text !== undefined) names.push(this.parse(text, file).agent);
    }
    return names;
  }

  async update(
    agent: string,
    change: (current: Baseline | undefined) => Baseline | undefined,
    options: UpdateOptions = {},
  ): Promise<void> {
    const file = this.fileOf(agent);
    await this.locked(file, async () => {
      const text = textOf(file);
      const current = text === undefined ? undefined : this.parse(text, file);
      const generation = current?.generation ?? 0;
      const next = change(current);
      if (next === undefined) return;
      next.generation = generation + 1;
      if (options.write !== undefined) {
        const kept = text === undefined ? [] : [{ file: archiveFile(file, generation), content: text }];
        await options.write([{ file, content: renderBaselineFile(next) }, ...kept]);
        await this.prune(file);
        return;
      }
      if (text !== undefined && options.archive !== false) await this.archive(file, generation, text);
      await writeBaseline(file, renderBaselineFile(next));
    });
  }

  async archived(agent: string): Promise<number[]> {
    const files = await jsonFiles(archiveFolder(this.fileOf(agent)));
    return files
      .map((file) => Number(basename(file, ".json")))
      .filter(Number.isInteger)
      .sort((left, right) => left - right);
  }

  async rollback(agent: string, generation: number | undefined, decision: Decision): Promise<Baseline> {
    const file = this.fileOf(agent);
    return this.locked(file, async () => {
      const wanted = await this.generationToRestore(agent, generation);
      const archive = archiveFile(file, wanted);
      const restored = this.parse(textOf(archive)!, archive);
      const text = textOf(file);
      const current = text === undefined ? undefined : this.parseIfWhole(text, file);
      const last = current?.generation ?? Math.max(...(await this.archived(agent)));
      restored.history.splice(0, restored.history.length, ...(current?.history ?? restored.history), {
        ...decision,
        generation: last + 1,
        action: "rollback",
        change: `back to generation ${wanted}`,
      });
      restored.generation = last + 1;
      restored.updatedAt = decision.at;
      if (text !== undefined) await this.archive(file, last, text, current === undefined ? ".broken" : "");
      await writeBaseline(file, renderBaselineFile(restored));
      return restored;
    });
  }

  private async generationToRestore(agent: string, wanted: number | undefined): Promise<number> {
    const known = await this.archived(agent);
    const found = wanted === undefined ? known.at(-1) : known.find((generation) => generation === wanted);
    if (found !== undefined) return found;
    throw new SpoorError(
      "baseline.no-such-generation",
      wanted === undefined
        ? `${agent} has no earlier baseline to go back to.`
        : `${agent} has no generation ${wanted}.`,
      {
        consequence: "Nothing was written.",
        hint: known.length === 0 ? "Git may still have one." : `There are ${known.join(", ")}: spoor baseline history.`,
      },
    );
  }

  private async locked<T>(file: string, work: () => Promise<T>): Promise<T> {
    const { lockTimeoutMs } = this.options;
    try {
      await makeFolder(dirname(file));
      return await withFileLock(file, work, lockTimeoutMs === undefined ? {} : { timeoutMs: lockTimeoutMs });
    } catch (error) {
      if (error instanceof SpoorError || !(error instanceof Error && "syscall" in error)) throw error;
      throw new SpoorError("baseline.unwritable", `${file} cannot be written: ${error.message}.`, {
        at: { file },
        consequence: "Nothing was written.",
        hint: "Name a folder that can be written with --baseline.",
        cause: error,
      });
    }
  }

  private async archive(file: string, generation: number, text: string, suffix = ""): Promise<void> {
    await makeFolder(archiveFolder(file));
    await writeBaseline(`${archiveFile(file, generation)}${suffix}`, text);
    await this.prune(file);
  }

  private async prune(file: string): Promise<void> {
    const all = (await jsonFiles(archiveFolder(file))).sort();
    const keep = this.options.keep ?? 20;
    for (const old of all.slice(0, Math.max(0, all.length - keep))) await rm(old, { force: true });
  }

  private parse(text: string, file: string): Baseline {
    return parseBaseline(text, { file, toolVersion: this.options.toolVersion });
  }

  private parseIfWhole(text: string, file: string): Baseline | undefined {
    try {
      return this.parse(text, file);
    } catch (error) {
      if (error instanceof SpoorError) return undefined;
      throw error;
    }
  }

  private isSingleFile(): boolean {
    return this.path.endsWith(".json");
  }
}

/** `history/<name>/0007.json` beside the baseline. */
function archiveFolder(file: string): string {
  return join(dirname(file), "history", basename(file, ".json"));
}

function archiveFile(file: string, generation: number): string {
  return join(archiveFolder(file), `${String(generation).padStart(4, "0")}.json`);
}

/** Names of agents come from traces: anything that is no plain file name is replaced and told apart by a hash. */
export function safeFileName(agent: string): string {
  const safe = agent
    .replace(/[^A-Za-z0-9._-]+/g, "_")
    .replace(/^\.+/, "_")
    .slice(0, 80);
  return safe === agent && safe !== ""
    ? safe
    : `${safe || "agent"}-${createHash("sha256").update(agent).digest("hex").slice(0, 8)}`;
}

async function jsonFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder);
    return names
      .filter((name) => name.endsWith(".json") && !name.startsWith("."))
      .sort()
      .map((name) => join(folder, name));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    const isNoFolder = errorCode(error) === "ENOTDIR";
    throw new SpoorError("baseline.unreadable", `${folder} ${isNoFolder ? "is no folder" : whyUnreadable(error)}.`, {
      at: { file: folder },
      hint: "Name a folder of baselines, or one that ends in .json.",
      cause: error,
    });
  }
}

/** Undefined when there is none. */
function textOf(file: string): string | undefined {
  const fail = (why: string, cause: unknown) => {
    const isFolder = errorCode(cause) === "EISDIR";
    return new SpoorError(isFolder ? "baseline.is-folder" : "baseline.unreadable", `${file} ${why}.`, {
      at: { file },
      consequence: "Nothing was compared.",
      cause,
    });
  };
  return readTextIfThere(file, fail, MOST_DOCUMENT_BYTES);
}

function errorCode(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.code;
}

async function writeBaseline(file: string, text: string): Promise<void> {
  try {
    await writeWhole(file, text, { durable: true });
  } catch (error) {
    throw new SpoorError("baseline.unwritable", `${file} cannot be written: ${(error as Error).message}.`, {
      at: { file },
      consequence: "The baseline is as it was.",
      hint: "Check that the folder may be written to and the disk is not full.",
      cause: error,
    });
  }
}
