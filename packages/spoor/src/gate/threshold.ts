/** Thresholds per trace: the first override whose pattern fits anything the trace is called, else the lens's own. */
import type { Trace } from "@spoor/core";
import type { Severity } from "@spoor/core/internal/judgement/severity";
import { globMatches } from "@spoor/core/internal/text/glob";
import { spokenNames } from "@spoor/core/internal/trace/trace-name";
import type { Config } from "../config/config.ts";

type Override = Config["overrides"][number];

export function overrideFor(config: Config, trace: Trace): Override | undefined {
  if (config.overrides.length === 0) return undefined;
  const names = spokenNames(trace);
  return config.overrides.find(({ traces }) => names.some((name) => globMatches(traces, name)));
}

/** The severity from which a lens trips for this trace. */
export function failOnFor(config: Config, lens: "diff" | "policy", trace: Trace): Severity {
  return overrideFor(config, trace)?.[lens]?.failOn ?? config[lens]?.failOn ?? "severe";
}
