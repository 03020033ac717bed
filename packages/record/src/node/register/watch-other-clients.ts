/**
 * Calls of models that go past the watched `fetch`: a copy of undici that a program brings, a client that kept an earlier `fetch`. All
 * of undici tells its channel about requests, without their bodies, so such calls can be counted but not recorded.
 */
import { subscribe } from "node:diagnostics_channel";
import type { LazyRecorder } from "./lazy-recorder.ts";

export interface OtherClients {
  /** A call is about to go through the watched `fetch`. */
  expect(method: string, url: string): void;
}

/** The paths of the model APIs; a call of another address is nobody's loss. */
const MODEL_PATH = /\/(?:chat\/completions|responses|messages)$|:(?:stream)?generateContent$|\/converse(?:-stream)?$/i;

export function watchOtherClients(recorder: Pick<LazyRecorder, "missed">): OtherClients {
  const expected = new Map<string, number>();
  subscribe("undici:request:create", (message) => {
    const { request } = message as { request?: { origin?: unknown; path?: unknown; method?: unknown } };
    const key = keyOf(String(request?.method), `${String(request?.origin)}${String(request?.path)}`);
    if (key === undefined) return;
    const count = expected.get(key) ?? 0;
    if (count === 0) recorder.missed(1);
    else if (count === 1) expected.delete(key);
    else expected.set(key, count - 1);
  });
  return {
    expect(method, url) {
      const key = keyOf(method, url);
      if (key !== undefined) expected.set(key, (expected.get(key) ?? 0) + 1);
    },
  };
}

function keyOf(method: string, url: string): string | undefined {
  if (method !== "POST" || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return MODEL_PATH.test(pathname) ? origin + pathname : undefined;
}
