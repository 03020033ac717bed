/**
 * The recorder inside an application.
 *
 *     const recorder = createRecorder({ agent: "support" });
 *     const openai = recorder.wrapClient(new OpenAI());
 *     const tools = recorder.wrapTools({ lookup_order, issue_refund });
 *     await recorder.session({ scenario: "damaged-item" }, () => agent.run());
 *
 * Recording fails open: whatever goes wrong here, the application's call goes on and the gap is counted. The guard, where there is
 * one, fails closed all the same: it is judged first and knows nothing of the recording.
 */
import { randomUUID } from "node:crypto";
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import { present } from "@spoor/core/internal/trace/present";
import { interceptTools } from "../intercept/intercept-tools.ts";
import type { Around } from "../intercept/tool-use.ts";
import { closeAtExit } from "../node/close-at-exit.ts";
import { environmentOptions } from "../node/register/environment-options.ts";
import type { LazyRecorder } from "../node/register/lazy-recorder.ts";
import { aiMiddleware } from "./ai/ai-middleware.ts";
import { type Fetch, unwatched } from "./fetch/wrap-fetch.ts";
import { agentsProcessor } from "./hooks/agents-processor.ts";
import { langchainHandler } from "./hooks/langchain-handler.ts";
import { createRecorderCore, type RecorderCore } from "./recorder-core.ts";
import type { RecorderOptions, RecordSummary, SessionOptions } from "./recorder-options.ts";
import { environmentReplayer } from "./replay/environment-replayer.ts";
import { openReplayer } from "./replay/open-replayer.ts";
import { guardOf } from "./tools/guard-of.ts";
import { guardedAround, recordAround, startTool } from "./tools/record-around.ts";
import { wrapClient } from "./wrap-client.ts";

export type { RecorderOptions, RecordProblem, RecordSummary, SessionOptions } from "./recorder-options.ts";
export type { ReplayOptions } from "./replay/replay-options.ts";

export interface Recorder {
  /** The folder that traces are written to. */
  readonly dir: string;
  /** Everything that is called inside, however late, is one run: one trace. */
  session<T>(options: SessionOptions, run: () => T): T;
  /** A `fetch` that records calls of models, and is the one given in all else; by default the global one. */
  wrapFetch(fetch?: Fetch): Fetch;
  /** A client of OpenAI or Anthropic (changed in place), or of MCP. What is neither is an error (`record.client-shape`). */
  wrapClient<C extends object>(client: C): C;
  /** The same tools, each recorded as it runs, in every shape that the guard's `wrapTools` takes. */
  wrapTools<T>(tools: T, options?: { readonly agent?: string }): T;
  /** For `wrapLanguageModel` of the AI SDK: models whose calls do not go through a `fetch` that is recorded. */
  aiMiddleware(): object;
  /** For `addTraceProcessor` of OpenAI Agents: its tools. */
  agentsProcessor(): object;
  /** For `callbacks` of LangChain and LangGraph: its tools. */
  langchainHandler(): object;
  /** Nothing that is called inside is recorded. */
  pause<T>(run: () => T): T;
  /** What was recorded so far is on disk. */
  flush(): void;
  /** Ends the recording; also done when the process exits. */
  close(): RecordSummary;
}

export function createRecorder(options: RecorderOptions = {}): Recorder {
  const core = openCore(options);
  const owner = {};
  const recorder: Recorder = {
    dir: core.dir,
    session: (session, run) => core.context.with({ session: statedSession(session, options) }, run),
    wrapFetch: (fetch = globalThis.fetch) => core.watchFetch(unwatched(fetch)),
    wrapClient: (client) => wrapClient(client, recorder),
    wrapTools: (tools, { agent } = {}) => wrapTools(tools, core, { owner, guard: options.guard, agent }),
    aiMiddleware: () => aiMiddleware({ ...core, request: core.capture.request, problem: core.problems.caught }),
    agentsProcessor: () => agentsProcessor(core.tools),
    langchainHandler: () => langchainHandler(core.tools),
    pause: (run) => core.context.with({ paused: true }, run),
    flush: core.flush,
    close() {
      atExit.cancel();
      return core.close();
    },
  };
  // The one chance to say that calls are still open. A signal that ends the process is the application's own business.
  const atExit = closeAtExit(core.close);
  return recorder;
}

/**
 * Under `spoor record` a program that records itself, and names no folder, adds to that recording; the proxy leaves its calls alone.
 * Where a recorder looks on already, it is the one: tools wrapped here stand beside the calls that it sees. Under `spoor replay` the
 * recordings that stand before model and tools are those of the command.
 */
function openCore(options: RecorderOptions): RecorderCore {
  const around = environmentOptions(process.env);
  const replayer = environmentReplayer(process.env) ?? (options.replay && openReplayer(options.replay));
  const { proxyUrl } = around.setting;
  if (options.dir !== undefined) return createRecorderCore(options, { replayer, ...(replayer && { proxyUrl }) });
  const registered = (globalThis as { [REGISTERED]?: LazyRecorder })[REGISTERED];
  const known = registered?.core();
  if (known !== undefined && known.replayer === replayer) return known;
  const isJoined = around.options.dir !== undefined;
  const made = isJoined
    ? createRecorderCore({ ...around.options, ...options }, { ...around.setting, door: "fetch", replayer })
    : createRecorderCore(options, { replayer });
  if (isJoined && known === undefined) registered?.adopt(made);
  return made;
}

/** Where a recorder that was put into the process stands, known to every copy of this package. */
const REGISTERED = Symbol.for("spoor.recorder");

function statedSession(session: SessionOptions, { agent, tags }: RecorderOptions): StatedSession {
  const { id = randomUUID(), ...rest } = session;
  return { id, ...present({ agent, tags }), ...rest };
}

interface WrapToolsOptions {
  readonly owner: object;
  readonly guard: RecorderOptions["guard"];
  readonly agent: string | undefined;
}

function wrapTools<T>(tools: T, core: RecorderCore, { owner, guard, agent }: WrapToolsOptions): T {
  const start = startTool(core.tools, "tools", agent);
  const { replayer, context } = core;
  const listed = (names: readonly string[]) => {
    for (const name of names) replayer?.announce(name);
  };
  const replayed = (around: Around): Around =>
    replayer === undefined ? around : (use) => around(replayer.standBefore(use, context.current().session));
  if (guard === undefined) {
    const onTool = (name: string | undefined) => listed(name === undefined ? [] : [name]);
    const common = { around: replayed(recordAround(start)), owner, allowDefinitions: true };
    // Under replay what is not recognised is an error: it would run for real.
    return replayer === undefined
      ? interceptTools(tools, { ...common, onUnseen: core.problems.caught })
      : interceptTools(tools, { ...common, onTool, onListed: listed });
  }
  // With a guard what is not recognised is an error: recorded or not, it would run unjudged.
  const standing = guardOf(guard, core);
  const guarded = guardedAround(start, standing.current, standing.refused, agent);
  const onTool = (name: string | undefined) => {
    standing.onTool(name);
    if (name !== undefined) replayer?.announce(name);
  };
  return interceptTools(tools, { around: replayed(guarded), owner, onTool, onListed: listed });
}
