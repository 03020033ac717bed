/** What a function shows of how it returns: an async one is asked for promises, a generator for a stream. */
import type { AnyFunction, ReturnStyle } from "./tool-use.ts";

const STYLES: Readonly<Record<string, ReturnStyle>> = {
  AsyncFunction: "promise",
  AsyncGeneratorFunction: "async_generator",
  GeneratorFunction: "generator",
};

export function styleOf(run: AnyFunction): ReturnStyle {
  // By tag, not by constructor: a function of another realm has another constructor.
  return STYLES[Object.prototype.toString.call(run).slice("[object ".length, -1)] ?? "value";
}

/** A value in that style. */
export function inStyle(style: ReturnStyle, value: unknown): unknown {
  switch (style) {
    case "promise":
      return Promise.resolve(value);
    case "async_generator":
      return (async function* () {
        yield value;
        return value;
      })();
    case "generator":
      return (function* () {
        yield value;
        return value;
      })();
    case "value":
      return value;
  }
}

/** What comes of a value that takes time, in that style. */
export function waitInStyle<T>(style: ReturnStyle, promise: Promise<T>, goOn: (value: T) => unknown): unknown {
  if (style !== "async_generator") return promise.then(goOn);
  return (async function* () {
    return yield* goOn(await promise) as AsyncGenerator<unknown, unknown>;
  })();
}

/** Something thrown in that style. */
export function throwInStyle(style: ReturnStyle, error: unknown): unknown {
  if (style === "promise") return Promise.reject(error);
  throw error;
}
