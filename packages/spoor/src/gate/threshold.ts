/** Thresholds per trace: the first override whose pattern fits the trace's name or path, else the lens's own. */
import type { Trace } from "@spoor/core";
import { traceName } from "@spoor/core/diff/pair-traces";
import type { Severity } from "@spoor/core/judgement/severity";
import type { Config } from "../config/config.ts";
import { globMatches } from "../load/glob.ts";

type Override = Config["overrides"][number];

export function overrideFor(config: Config, name: string, path: string | undefined): Override | undefined {
  return config.overrides.find(
    ({ traces }) => globMatches(traces, name) || (path !== undefined && globMatches(traces, path)),
  );
}

/** The severity from which a lens trips for this trace. */
export function failOnFor(config: Config, lens: "diff" | "policy", name: string, path: string | undefined): Severity {
  return overrideFor(config, name, path)?.[lens]?.failOn ?? config[lens]?.failOn ?? "severe";
}

export function failOnForTrace(config: Config, lens: "diff" | "policy", trace: Trace): Severity {
  return failOnFor(config, lens, traceName(trace), trace.source.path);
}
