/**
 * The shared service is a package of its own, because its dependencies weigh more than all of the command line. It depends on this one and never the
 * reverse: what is used of it is declared here, and it is imported by name when somebody asks for it.
 */
import { SpoorError } from "@spoor/core/internal/errors";

export interface ServerModule {
  serve(options: {
    readonly store: string;
    readonly host: string;
    readonly port: number;
    readonly project: string;
    readonly otlpPort?: number;
    readonly trustProxy?: boolean;
    readonly onProblem?: (error: unknown) => void;
  }): Promise<{ readonly url: string; readonly otlpUrl?: string; stop(): Promise<void> }>;
  work(options: {
    readonly store: string;
    readonly onProblem?: (error: unknown) => void;
  }): Promise<{ stop(): Promise<void> }>;
  /** The names of the steps that were missing. */
  migrateStore(store: string): Promise<readonly string[]>;
  /** Whether the store is whole; with `repair`, figures are worked out again first. */
  examineStore(
    store: string,
    options: { readonly repair: boolean },
  ): Promise<{
    readonly findings: readonly {
      readonly status: "ok" | "warning" | "problem";
      readonly what: string;
      readonly details?: readonly string[];
      readonly fix?: string;
    }[];
    readonly repaired?: { readonly rollups: number; readonly behaviours: number };
  }>;
  newToken(options: {
    readonly store: string;
    readonly project: string;
    readonly name: string;
    readonly scopes: readonly string[];
  }): Promise<string>;
}

/** A store that many machines share; anything else is a file of this one. */
export function isDatabase(store: string): boolean {
  return /^postgres(ql)?:\/\//.test(store);
}

const PACKAGE = "@spoor/server";

export async function loadServer(load: (name: string) => Promise<unknown> = importNamed): Promise<ServerModule> {
  try {
    return (await load(PACKAGE)) as ServerModule;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new SpoorError("server.not-installed", "The service is a package of its own, and it is not installed.", {
      hint: "npm i @spoor/server",
      cause: error,
    });
  }
}

/** By a name that the bundler does not know: it would take the service in. */
function importNamed(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ name);
}

/** The package itself, not something that it lacks. */
function isMissing(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === "ERR_MODULE_NOT_FOUND" && (message ?? "").includes(`'${PACKAGE}'`);
}
