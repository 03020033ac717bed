/**
 * Recorded traces instead of a running agent: any file, folder or glob in any format Spoor reads. A case gets the
 * recording whose case id, file name or trace id is the case's own; with one recording only, every case gets that one.
 */
import { isAbsolute, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { oneOrMany } from "@spoor/core/internal/read/collections";
import { optional, required } from "@spoor/core/internal/read/field";
import type { ValuesOf } from "@spoor/core/internal/read/mapping";
import { text } from "@spoor/core/internal/read/scalars";
import { loadTraces } from "../../load/load-traces.ts";
import { settingText } from "../target-shapes.ts";
import { type AgentRequest, defineProvider, type Provider, ProviderError } from "./provider.ts";
import { recordingNames } from "./recording-names.ts";

const fields = {
  traces: required(oneOrMany(text, { min: 1 }), "files, folders or globs", { alias: ["path", "file", "fixtures"] }),
  from: optional(settingText, "their format; without it, recognised by content"),
};

export const replayProvider = defineProvider({
  names: ["replay", "transcript"],
  summary: "recorded traces",
  fields,
  open: openReplay,
});

function openReplay({ traces, from }: ValuesOf<typeof fields>, folder: string): Provider {
  const paths = traces.map((path) => (isAbsolute(path) ? path : resolve(folder, path)));
  let loading: Promise<Trace[]> | undefined;
  return {
    isRecorded: true,
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
  const own = traces.filter((trace) => recordingNames(trace).includes(request.caseId));
  const matches = own.length > 0 ? own : traces.length === 1 ? traces : [];
  // Several recordings of one case serve its repetitions in turn.
  const trace = matches[(request.run - 1) % Math.max(1, matches.length)];
  if (trace !== undefined) return trace;
  const known = [...new Set(traces.flatMap((candidate) => recordingNames(candidate).slice(0, 1)))]
    .slice(0, 10)
    .join(", ");
  throw new ProviderError(
    "bad-output",
    `no recording belongs to case "${request.caseId}"; there are ${traces.length}: ${known}`,
  );
}
