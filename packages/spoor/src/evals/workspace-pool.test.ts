/** Folders of runs: fresh for every attempt, sharing nothing with what they were made from, and gone at every end. */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../test/e2e/run-spoor.ts";
import type { WorkspaceConfig } from "./eval-suite.ts";
import type { Target } from "./load-targets.ts";
import type { PlannedRun } from "./plan-runs.ts";
import { type AgentContext, type AgentRequest, ProviderError } from "./providers/provider.ts";
import { runEvals } from "./run-evals.ts";

type Work = (request: AgentRequest, context: AgentContext) => string | Promise<string>;

interface Given {
  readonly workspace?: Partial<WorkspaceConfig>;
  readonly target?: Partial<Target>;
  readonly worksInFolder?: boolean;
  readonly signal?: AbortSignal;
  readonly runs?: number;
}

async function make(work: Work, given: Given = {}) {
  const { workspace, worksInFolder = false, runs = 1 } = given;
  const provider = {
    worksInFolder,
    ask: async (request: AgentRequest, context: AgentContext) => ({ output: { text: await work(request, context) } }),
  };
  const target: Target = {
    name: "t",
    providerName: "test",
    provider,
    retry: { initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
    digest: "",
    ...given.target,
  };
  const file = join(temporary(), "f.yaml");
  const planned = Array.from({ length: runs }, (_, index): PlannedRun => {
    const config = workspace === undefined ? {} : { workspace: { setup: [], teardown: [], env: {}, ...workspace } };
    return {
      suite: { file, name: "f", targets: [], cases: [], diagnostics: [] },
      case: { id: `c${index}`, input: [], expectedMessages: [], evaluators: [], at: {}, digest: "", ...config },
      evaluators: [],
      target,
      env: process.env,
      run: 1,
      threshold: 0.8,
      timeoutMs: 60_000,
      index,
      key: `c${index}`,
      inputKey: "",
    };
  });
  const records = new Map<number, RunRecord>();
  const outcome = await runEvals(planned, {
    cwd: "/",
    signal: given.signal ?? new AbortController().signal,
    maxRetries: 2,
    includeTrace: false,
    keepWorkspaces: false,
    workers: 1,
    now: () => new Date(0),
    clock: () => 0,
    evaluate: async () => [],
    onActivity: () => undefined,
    onFinish: ({ index }, { record }) => void records.set(index, record),
  });
  return { outcome, record: records.get(0) };
}

const temporary = temporaryFolder;

/** A template with a file, and what else is asked for. */
function template(fill: (folder: string) => void = () => undefined): string {
  const folder = join(temporary(), "tpl");
  mkdirSync(folder);
  writeFileSync(join(folder, "data.txt"), "kept");
  fill(folder);
  return folder;
}

describe("an attempt", () => {
  it.each(["unavailable", "rate-limit", "timeout"] as const)(
    "begins in a fresh folder after an attempt that ended in %s",
    async (kind) => {
      const seen: string[][] = [];
      const folders = new Set<string>();
      await make(
        ({ folder, attempt }) => {
          seen.push(readdirSync(folder).sort());
          folders.add(folder);
          writeFileSync(join(folder, `left-by-${attempt}`), "");
          writeFileSync(join(folder, "data.txt"), "changed");
          if (attempt < 3) throw new ProviderError(kind, "again");
          return "done";
        },
        { workspace: { template: template() } },
      );
      expect(seen).toEqual([["data.txt"], ["data.txt"], ["data.txt"]]);
      expect(folders.size).toBe(3);
      expect([...folders].filter(existsSync)).toEqual([]);
    },
  );

  it("has its teardown also when the run is stopped, and leaves no folder", async () => {
    const stop = new AbortController();
    const log = join(temporary(), "log");
    let worked = "";
    const { outcome } = await make(
      ({ folder }, { signal }) => {
        worked = folder;
        stop.abort(new Error("stopped"));
        return new Promise((_resolve, reject) => {
          if (signal.aborted) reject(signal.reason as Error);
        });
      },
      { workspace: { teardown: [`echo gone >> ${log}`] }, signal: stop.signal },
    );
    expect(outcome.interrupted).toBe(true);
    expect(readFileSync(log, "utf8")).toBe("gone\n");
    expect([worked !== "", existsSync(worked)]).toEqual([true, false]);
  });

  it("is an outage when its folder cannot be made ready, and the setup's own mess goes too", async () => {
    const log = join(temporary(), "log");
    const { record } = await make(() => "never", {
      workspace: { setup: ["echo no network >&2; exit 7"], teardown: [`pwd >> ${log}`] },
    });
    expect(record).toMatchObject({ status: "outage", error: { kind: "workspace" } });
    expect(record!.error!.message).toContain("no network (exit code 7)");
    expect(existsSync(readFileSync(log, "utf8").trim())).toBe(false);
  });
});

describe("a template", () => {
  it("is never written through, whatever links it has", async () => {
    const outside = temporary();
    writeFileSync(join(outside, "shared.txt"), "kept");
    mkdirSync(join(outside, "folder"));
    writeFileSync(join(outside, "folder", "deep.txt"), "kept");
    symlinkSync(join(outside, "folder"), join(outside, "folder", "loop"));
    const from = template((folder) => {
      symlinkSync(join(folder, "data.txt"), join(folder, "absolute"));
      symlinkSync("data.txt", join(folder, "relative"));
      symlinkSync("../tpl/data.txt", join(folder, "roundabout"));
      symlinkSync(join(outside, "shared.txt"), join(folder, "away"));
      symlinkSync(join(outside, "folder"), join(folder, "folder-away"));
      symlinkSync(join(outside, "not-yet.txt"), join(folder, "to-nothing"));
      symlinkSync(folder, join(folder, "itself"));
    });
    let contents: string[] = [];
    await make(
      ({ folder }) => {
        for (const name of ["absolute", "relative", "roundabout", "away", "folder-away/deep.txt", "to-nothing"])
          writeFileSync(join(folder, name), `written by ${name}`);
        writeFileSync(join(folder, "itself", "data.txt"), "through itself");
        contents = ["data.txt", "absolute", "away"].map((name) => readFileSync(join(folder, name), "utf8"));
        return "done";
      },
      { workspace: { template: from } },
    );
    // Links within the template still lead to the same file of the copy.
    expect(contents).toEqual(["through itself", "through itself", "written by away"]);
    expect(readFileSync(join(from, "data.txt"), "utf8")).toBe("kept");
    expect(readFileSync(join(outside, "shared.txt"), "utf8")).toBe("kept");
    expect(readFileSync(join(outside, "folder", "deep.txt"), "utf8")).toBe("kept");
    expect(existsSync(join(outside, "not-yet.txt"))).toBe(false);
    expect(lstatSync(join(from, "absolute")).isSymbolicLink()).toBe(true);
  });

  it("is made ready once by before_all, and every run has a copy of that", async () => {
    const log = join(temporary(), "log");
    const seen: string[] = [];
    const { outcome } = await make(
      ({ folder }) => {
        seen.push(readFileSync(join(folder, "ready"), "utf8"));
        writeFileSync(join(folder, "ready"), "spoiled");
        return "done";
      },
      {
        runs: 3,
        workspace: {
          template: template(),
          beforeAll: [`cp data.txt ready; echo before >> ${log}`],
          afterAll: [`echo after >> ${log}`],
        },
      },
    );
    expect(seen).toEqual(["kept", "kept", "kept"]);
    expect(readFileSync(log, "utf8")).toBe("before\nafter\n");
    expect(outcome.problems).toEqual([]);
  });
});

describe("an agent that writes into its folder", () => {
  it("gets an empty one where the case has none", async () => {
    let place = "";
    await make(
      ({ folder, isolated }) => {
        place = folder;
        expect([isolated, readdirSync(folder)]).toEqual([true, []]);
        return "done";
      },
      { worksInFolder: true },
    );
    expect(existsSync(place)).toBe(false);
  });

  it("works where the eval file is when it does not", async () => {
    await make(({ folder, isolated }) => {
      expect([isolated, existsSync(folder)]).toEqual([false, true]);
      return "done";
    });
  });

  it("has a home of its own when the target says so, and the usual one otherwise", async () => {
    const homes: (string | undefined)[] = [];
    const look: Work = (_request, { env }) => {
      homes.push(env["HOME"]);
      if (env["HOME"] !== process.env["HOME"]) {
        expect(readdirSync(env["HOME"]!).sort()).toEqual([".cache", ".config", ".local"]);
        expect(env["XDG_CONFIG_HOME"]).toBe(join(env["HOME"]!, ".config"));
      }
      return "done";
    };
    await make(look, { target: { home: "fresh" } });
    await make(look, { target: { home: "fresh" }, workspace: {} });
    await make(look);
    expect(new Set(homes).size).toBe(3);
    expect(homes[2]).toBe(process.env["HOME"]);
    expect(homes.slice(0, 2).filter((home) => existsSync(home!))).toEqual([]);
  });
});

describe("a repository", () => {
  /** Two commits, of which the first is tagged. */
  function repository(): string {
    const folder = join(temporary(), "it's a repo");
    mkdirSync(folder);
    const git = (...words: string[]) => {
      const name = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "init.defaultBranch=main"];
      const { status, stderr } = spawnSync("git", [...name, ...words], { cwd: folder, encoding: "utf8" });
      if (status !== 0) throw new Error(stderr);
    };
    git("init", "-q");
    writeFileSync(join(folder, "file.txt"), "first");
    git("add", ".");
    git("commit", "-qm", "first");
    git("tag", "v1");
    writeFileSync(join(folder, "file.txt"), "second");
    git("commit", "-qam", "second");
    return folder;
  }

  it.each([
    ["v1", "first"],
    [undefined, "second"],
    ["main", "second"],
  ])("is there at %s", async (commit, content) => {
    const source = repository();
    let text = "";
    const { record } = await make(
      ({ folder }) => {
        text = readFileSync(join(folder, "sub/repo/file.txt"), "utf8");
        writeFileSync(join(folder, "sub/repo/file.txt"), "changed");
        return "done";
      },
      { workspace: { repos: [{ source, path: "sub/repo", ...(commit === undefined ? {} : { commit }) }] } },
    );
    expect(record).toMatchObject({ ended: "answered" });
    expect([text, readFileSync(join(source, "file.txt"), "utf8")]).toEqual([content, "second"]);
  });

  it.each([
    [{ source: "/no/such/repository", path: "r" }, "does not exist"],
    [{ source: ".", path: "../out" }, "leads out of the workspace"],
  ])("that cannot be had is an outage: %j", async (repo, words) => {
    const { record } = await make(() => "never", { workspace: { repos: [repo] } });
    expect(record).toMatchObject({ status: "outage", error: { kind: "workspace" } });
    expect(record!.error!.message).toContain(words);
  });
});
