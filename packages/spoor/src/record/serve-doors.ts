/** The doors without a command: prints the variables that lead to them, and waits until it is told to end. */
import { shellWord } from "../document/shell-word.ts";
import type { RecordSettings } from "./open-doors.ts";
import { noteRun, type Recorded, withDoors } from "./record-command.ts";

export interface ServeOptions {
  /** Gets the lines for a shell. */
  readonly out: (text: string) => void;
  /** Resolves when it is time to end. */
  readonly ended: Promise<unknown>;
}

export function serveDoors(settings: RecordSettings, { out, ended }: ServeOptions): Promise<Recorded> {
  return withDoors(settings, async (doors) => {
    noteRun(settings, doors, {});
    const variables = {
      ...doors.baseUrls,
      ...(doors.otlpUrl === undefined
        ? {}
        : { OTEL_EXPORTER_OTLP_ENDPOINT: doors.otlpUrl, OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf" }),
    };
    out(
      Object.entries(variables)
        .map(([name, value]) => `export ${name}=${shellWord(value)}\n`)
        .join(""),
    );
    await ended;
    return { inProcess: false };
  });
}

/** The first of the signals with which people and systems end a program. */
export function endSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  });
}
