/** The environment of a recorded command: where the doors are, and what the recorder within a Node program needs to know. */

type Environment = Readonly<Record<string, string | undefined>>;

export interface DoorsForChild {
  /** Base-URL variables; empty without the proxy. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** `SPOOR_…` variables. */
  readonly own: Readonly<Record<string, string | undefined>>;
  /** The module that records from within; absent when the child is not Node. */
  readonly register?: string | undefined;
  /** Where OTLP is taken. */
  readonly otlpUrl?: string | undefined;
}

export function childEnvironment(env: Environment, doors: DoorsForChild): Record<string, string | undefined> {
  const made: Record<string, string | undefined> = { ...env, ...doors.baseUrls, ...doors.own };
  if (doors.register !== undefined) made["NODE_OPTIONS"] = withImport(env["NODE_OPTIONS"], doors.register);
  if (doors.otlpUrl !== undefined) Object.assign(made, telemetryVariables(env, doors.otlpUrl));
  const usesLoopback = Object.keys(doors.baseUrls).length > 0 || doors.otlpUrl !== undefined;
  if (usesLoopback) Object.assign(made, noProxyVariables(env));
  return made;
}

/** Only where nobody has decided: telemetry that goes somewhere already keeps going there. */
function telemetryVariables(env: Environment, url: string): Record<string, string> {
  const isSet = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"].some((name) => env[name]);
  if (isSet) return {};
  return { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" };
}

/** A proxy of the environment is asked for 127.0.0.1, too, unless it is told not to; there is nothing of ours behind it. */
function noProxyVariables(env: Environment): Record<string, string> {
  const names = ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"];
  if (!names.some((name) => env[name])) return {};
  const list = [env["no_proxy"] ?? env["NO_PROXY"], "127.0.0.1"].filter(Boolean).join(",");
  return { NO_PROXY: list, no_proxy: list };
}

function withImport(options: string | undefined, module: string): string {
  // A path with a space would be two words.
  const word = `--import=${/[\s"\\]/.test(module) ? `"${module.replace(/["\\]/g, "\\$&")}"` : module}`;
  return options === undefined || options.trim() === "" ? word : `${options} ${word}`;
}
