/** The public list of the tool as a library: every name is spelled out. The lenses themselves are in @spoor/core. */
export { type Config, type ConfigInput, defineConfig } from "./config/config.ts";
export { loadConfig } from "./config/load-config.ts";
export { writeAgentlog } from "./formats/agentlog.ts";
export { loadPolicy } from "./load/load-policy.ts";
export { loadTrace, loadTraces } from "./load/load-traces.ts";
export { type ReadOptions, readTrace } from "./load/read-trace.ts";
export type { LoadOptions } from "./load/read-trace-file.ts";
