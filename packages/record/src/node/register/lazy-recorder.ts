/**
 * A recorder that is loaded when it is first needed: a program that calls no model pays next to nothing for it. The first call that
 * may be one of a model waits for it, once, so that its request is on disk before it is sent. A recorder that cannot be loaded is a
 * warning; the program goes on.
 */
import type { Fetch } from "../../recorder/fetch/wrap-fetch.ts";
import type { RecorderCore } from "../../recorder/recorder-core.ts";
import type { Replayer } from "../../recorder/replay/replayer.ts";
import type { RunningTool, StartedTool, ToolLog } from "../../recorder/tools/tool-log.ts";
import type { Environment } from "./environment-options.ts";

export interface LazyRecorder {
  /** Loads it now: what stands before tools and models must be there before they are. */
  ready(): Promise<RecorderCore | undefined>;
  /** There once it is loaded. */
  readonly core: () => RecorderCore | undefined;
  /** The program made one itself: there is one for all of the process, so that tools and calls stand in one recording. */
  adopt(made: RecorderCore): void;
  /** For lines that are added to frameworks: the class that is to be watched. */
  hook: (framework: string, target: unknown) => void;
  readonly tools: ToolLog;
  /** `passing`: told of every call that goes through. */
  watchFetch(fetch: Fetch, passing: (method: string, url: string) => void): Fetch;
  /** Calls of models that went past the watched `fetch`. */
  missed(count: number): void;
  close(): void;
}

export function createLazyRecorder(env: Environment, replayer?: Replayer): LazyRecorder {
  let core: RecorderCore | undefined;
  let loading: Promise<RecorderCore | undefined> | undefined;
  let missedCalls = 0;

  const load = (): Promise<RecorderCore | undefined> => {
    loading ??= Promise.all([import("../../recorder/recorder-core.ts"), import("./environment-options.ts")]).then(
      ([{ createRecorderCore }, { environmentOptions }]) => {
        const { options, setting } = environmentOptions(env);
        core = createRecorderCore(options, { ...setting, replayer });
        return core;
      },
    );
    return loading.catch((error: unknown) => {
      // Without the recorder nothing is recorded; without the replay everything would be real.
      if (replayer !== undefined) throw error;
      process.emitWarning(`Nothing is recorded: ${String(error)}`, { type: "SpoorWarning" });
      loading = Promise.resolve(undefined);
      return undefined;
    });
  };

  const recorder: LazyRecorder = {
    ready: load,
    core: () => core,
    adopt(made) {
      core = made;
      loading = Promise.resolve(made);
    },
    hook: () => {},
    tools: {
      start(tool) {
        if (core !== undefined) return core.tools.start(tool);
        return startLater(tool, load());
      },
    },
    watchFetch(fetch, passing) {
      let watched: Fetch | undefined;
      async function recordedFetch(this: unknown, input: string | URL | Request, init?: RequestInit) {
        const method = methodOf(input, init);
        if (method !== "POST") return fetch.call(this, input, init);
        if (watched === undefined) watched = (await load())?.watchFetch(fetch) ?? fetch;
        passing(method, urlOf(input));
        return watched.call(this, input, init);
      }
      /** For a recorder of the program's own, which looks on in this one's place: its calls are no others'. */
      const unwatched: Fetch = function unwatchedFetch(this: unknown, input, init) {
        const method = methodOf(input, init);
        if (method === "POST") passing(method, urlOf(input));
        return fetch.call(this, input, init);
      };
      return Object.defineProperties(recordedFetch as Fetch, {
        name: { value: fetch.name, configurable: true },
        length: { value: fetch.length, configurable: true },
        [Symbol.for("spoor.watched-fetch")]: { value: unwatched },
      });
    },
    missed(count) {
      missedCalls += count;
      void load();
    },
    close() {
      if (core === undefined) return;
      if (missedCalls > 0) tellMissed(core, missedCalls);
      core.close();
    },
  };
  return recorder;
}

function methodOf(input: string | URL | Request, init: RequestInit | undefined): string {
  const method = init?.method ?? (typeof input === "object" && "method" in input ? input.method : "GET");
  return String(method).toUpperCase();
}

function urlOf(input: string | URL | Request): string {
  return typeof input === "object" && "url" in input ? input.url : String(input);
}

/** What began before the recorder was there began then. */
function startLater(tool: StartedTool, loading: Promise<RecorderCore | undefined>): RunningTool {
  const sinceMs = performance.timeOrigin + performance.now();
  const running = loading.then((core) => core?.tools.start({ sinceMs, ...tool }));
  return {
    ended: (output) => void running.then((started) => started?.ended(output)),
    failed: (error) => void running.then((started) => started?.failed(error)),
  };
}

function tellMissed({ capture, problems, context, now }: RecorderCore, calls: number): void {
  const { session } = context.current();
  const attributes = { calls, why: "another HTTP client" };
  capture.event({ category: "recording", name: "gap", severity: "warning", attributes, session, atMs: now() });
  problems.tell("not_seen", `${calls} calls of models went through an HTTP client that is not recorded`);
}
