/**
 * Recorded traces instead of a running agent: any file, folder or glob in any format Spoor reads. A case gets the
 * recording whose case id, file name or trace id is the case's own; with one recording only, every case gets that one.
 */
import { basename, isAbsolute, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { loadTraces } from "../../load/load-traces.ts";
import type { TargetReader } from "../target-reader.ts";
import { type AgentRequest, type Provider, type ProviderDefinition, ProviderError } from "./provider.ts";

export const replayProvider: ProviderDefinition = {
  names: ["replay", "transcript"],
  title: "recorded traces",
  open: openReplay,
};

function openReplay(target: TargetReader): Provider {
  const raw = target.texts("traces", "path", "file", "fixtures") ?? [];
  const from = target.text("from");
  if (raw.length === 0) target.problem([], `target "${target.name}" needs "traces": files, folders or globs.`);
  const paths = raw.map((path) => (isAbsolute(path) ? path : resolve(target.folder, path)));
  let loading: Promise<Trace[]> | undefined;
  return {
    async ask(request) {
      loading ??= load(paths, from);
      // How long it took and what it cost stands in the recording, or nowhere.
      return { output: { trace: choose(await loading, request) }, durationMs: null };
    },
  };
}

async function load(paths: readonly string[], from: string | undefined): Promise<Trace[]> {
  try {
    return await loadTraces(paths, from === undefined ? {} : { from });
  } catch (error) {
    if (error instanceof SpoorError) throw new ProviderError("missing", error.message, { cause: error });
    throw error;
  }
}

function choose(traces: readonly Trace[], request: AgentRequest): Trace {
  const own = traces.filter((trace) => namesOf(trace).includes(request.caseId));
  const matches = own.length > 0 ? own : traces.length === 1 ? traces : [];
  // Several recordings of one case serve its repetitions in turn.
  const trace = matches[(request.run - 1) % Math.max(1, matches.length)];
  if (trace !== undefined) return trace;
  const known = [...new Set(traces.flatMap((candidate) => namesOf(candidate).slice(0, 1)))].slice(0, 10).join(", ");
  throw new ProviderError(
    "bad-output",
    `no recording belongs to case "${request.caseId}"; there are ${traces.length}: ${known}`,
  );
}

function namesOf(trace: Trace): string[] {
  const { path, entry } = trace.source;
  const file = path === undefined ? undefined : basename(path).replace(/(\.[A-Za-z0-9]+)+$/, "");
  return [trace.scenario, entry, file, file?.replace(/_attempt-[0-9]+$/, ""), trace.id].filter(
    (name): name is string => name !== undefined && name !== "",
  );
}
