/**
 * Runs a tool and hands on what is allowed of its result: nothing reaches the caller before it is judged. A promise is waited for; of
 * a stream all chunks are held until its end, because a text may be forbidden that no single chunk shows.
 */
import { isAsyncIterable, isGenerator, isThenable, type Runs } from "./follow-result.ts";
import { hasMethod } from "./tool-use.ts";

export interface Held {
  /** What is handed on in place of the result; `awaited`: whoever gets it waits for a promise. */
  returned(output: unknown, awaited: boolean): unknown;
  threw(error: unknown, awaited: boolean): unknown;
  /** The same for all chunks of a stream, the last of which is its result. */
  streamed(chunks: readonly unknown[], awaited: boolean): readonly unknown[] | Promise<readonly unknown[]>;
}

export function holdResult(tool: Runs, held: Held): unknown {
  let returned: unknown;
  try {
    returned = tool.run();
  } catch (error) {
    return held.threw(error, false);
  }
  if (isThenable(returned)) {
    return returned.then(
      (output) => (isStream(output) ? holdStream(output, held) : held.returned(output, true)),
      (error: unknown) => held.threw(error, true),
    );
  }
  return isStream(returned) ? holdStream(returned, held) : held.returned(returned, false);
}

function isStream(value: unknown): value is object {
  return !hasMethod(value, "getReader") && (isGenerator(value) || isAsyncIterable(value));
}

function holdStream(source: object, held: Held): unknown {
  return isAsyncIterable(source)
    ? holdAsync(source as unknown as AsyncIterable<unknown>, held)
    : holdSync(source as unknown as Iterator<unknown>, held);
}

async function* holdAsync(source: AsyncIterable<unknown>, held: Held): AsyncGenerator<unknown> {
  const chunks: unknown[] = [];
  try {
    const iterator = source[Symbol.asyncIterator]();
    for (let step = await iterator.next(); ; step = await iterator.next()) {
      if (step.value !== undefined || step.done !== true) chunks.push(step.value);
      if (step.done === true) break;
    }
  } catch (error) {
    yield await held.threw(error, true);
    return undefined;
  }
  const free = await held.streamed(chunks, true);
  yield* free;
  return free.at(-1);
}

function* holdSync(source: Iterator<unknown>, held: Held): Generator<unknown> {
  const chunks: unknown[] = [];
  try {
    for (let step = source.next(); ; step = source.next()) {
      if (step.value !== undefined || step.done !== true) chunks.push(step.value);
      if (step.done === true) break;
    }
  } catch (error) {
    yield held.threw(error, false);
    return undefined;
  }
  const free = held.streamed(chunks, false);
  // Whoever takes chunks at once cannot wait for a person.
  if (free instanceof Promise) throw new TypeError("An approval takes time, and this stream cannot wait for it.");
  yield* free;
  return free.at(-1);
}
