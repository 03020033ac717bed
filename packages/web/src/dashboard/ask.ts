/** Questions to the service. What it refuses comes as its own words. */
import { useCallback, useEffect, useRef, useState } from "preact/hooks";

interface ServiceError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly problems?: readonly { readonly message: string }[];
}

export class AskError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly problems: readonly { readonly message: string }[];

  constructor(status: number, { code, message, hint, problems = [] }: ServiceError) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.problems = problems;
  }
}

const UNREACHABLE: ServiceError = {
  code: "unreachable",
  message: "The service does not answer.",
  hint: "The page shows what it last heard, and asks again.",
};

interface AskOptions {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  readonly body?: unknown;
  /** A body that is no JSON. */
  readonly text?: string;
}

/** Undefined for an answer without content. */
export async function ask<T>(path: string, { method = "GET", body, text }: AskOptions = {}): Promise<T> {
  const response = await fetch(`/api/v1${path}`, {
    method,
    // Says that it is a page of the service that writes: a page elsewhere may not send it.
    headers: { "x-spoor": "1", ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined && text === undefined ? {} : { body: text ?? JSON.stringify(body) }),
  }).catch(() => undefined);
  if (response === undefined) throw new AskError(0, UNREACHABLE);
  const said = await response.text().catch(() => "");
  if (!response.ok) throw new AskError(response.status, errorOf(said));
  if (said === "") return undefined as T;
  return (response.headers.get("content-type")?.includes("json") ? JSON.parse(said) : said) as T;
}

/** What to do when an answer is a refusal: it is told. Anything else is a defect of the page. */
export function troubleTo(tell: (trouble: AskError) => void): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof AskError)) throw error;
    tell(error);
  };
}

function errorOf(said: string): ServiceError {
  try {
    return (JSON.parse(said) as { error: ServiceError }).error ?? UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}

export interface Asked<T> {
  /** The last answer to this question; kept while it is asked again. */
  readonly answer: T | undefined;
  readonly trouble: AskError | undefined;
  again(): void;
}

/** The answer to a question, asked again whenever `version` rises. No question for an undefined path. */
export function useAnswer<T>(path: string | undefined, version = 0): Asked<T> {
  const [state, setState] = useState<{ path: string; answer?: T; trouble?: AskError } | undefined>(undefined);
  const [times, setTimes] = useState(0);
  const last = useRef(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version and the times ask once more
  useEffect(() => {
    if (path === undefined) return;
    last.current++;
    const mine = last.current;
    const keep = (next: (old: typeof state) => typeof state) => {
      if (mine === last.current) setState(next);
    };
    ask<T>(path).then(
      (answer) => keep(() => ({ path, answer })),
      troubleTo((trouble) => keep((old) => (old?.path === path ? { ...old, trouble } : { path, trouble }))),
    );
  }, [path, version, times]);
  const again = useCallback(() => setTimes((old) => old + 1), []);
  const isMine = state !== undefined && state.path === path;
  return { answer: isMine ? state.answer : undefined, trouble: isMine ? state.trouble : undefined, again };
}
