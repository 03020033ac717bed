/**
 * Tells when a tool has ended, and with what, while its caller gets exactly what the tool returned. A promise ends when it is
 * settled; a generator when it is used up, thrown or left, with the last value it gave.
 */
import { hasMethod } from "./tool-use.ts";

/** A use of a tool, or what runs like one. */
export interface Runs {
  run(): unknown;
}

export interface Ending {
  returned(output: unknown): void;
  threw(error: unknown): void;
}

export function followResult(tool: Runs, ending: Ending): unknown {
  let returned: unknown;
  try {
    returned = tool.run();
  } catch (error) {
    ending.threw(error);
    throw error;
  }
  return follow(returned, ending);
}

function follow(returned: unknown, ending: Ending): unknown {
  if (isThenable(returned)) {
    return returned.then(
      (output) => (isGenerator(output) ? followGenerator(output, ending) : ended(output, ending)),
      (error: unknown) => {
        ending.threw(error);
        throw error;
      },
    );
  }
  if (isGenerator(returned)) return followGenerator(returned, ending);
  if (hasMethod(returned, "getReader")) return ended(returned, ending);
  if (isAsyncIterable(returned)) return followIterable(returned, ending);
  return ended(returned, ending);
}

function ended(output: unknown, ending: Ending): unknown {
  ending.returned(output);
  return output;
}

type AnyIterator = Iterator<unknown> | AsyncIterator<unknown>;
type Step = IteratorResult<unknown>;

/** The same generator for its caller, each of whose steps is looked at. */
function followGenerator(source: object, ending: Ending): object {
  const inner = source as Record<"next" | "return" | "throw", (value?: unknown) => unknown>;
  const watch = watchSteps(ending);
  return new Proxy(source, {
    get(target, key) {
      if (key === "next" || key === "return" || key === "throw") {
        if (typeof inner[key] !== "function") return undefined;
        return (...args: [unknown?]) => watch(() => inner[key](...args), key === "return");
      }
      if (key === Symbol.asyncIterator || key === Symbol.iterator) {
        if (!(key in target)) return undefined;
        return function iterate(this: unknown) {
          return this;
        };
      }
      const value = Reflect.get(target, key, target) as unknown;
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
}

/** Something that gives an iterator when asked: the first one that is asked for is the run. */
function followIterable(source: object, ending: Ending): object {
  return new Proxy(source, {
    get(target, key) {
      const value = Reflect.get(target, key, target) as unknown;
      if (key !== Symbol.asyncIterator)
        return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
      return () => followGenerator((value as () => AnyIterator).call(target) as object, ending);
    },
  });
}

function watchSteps(ending: Ending): (step: () => unknown, leaves: boolean) => unknown {
  let last: unknown;
  let done = false;
  const finish = (end: () => void) => {
    if (!done) end();
    done = true;
  };
  const see = (step: Step, leaves: boolean): Step => {
    if (step.done !== true && !leaves) last = step.value;
    else finish(() => ending.returned(step.value === undefined || leaves ? last : step.value));
    return step;
  };
  const fell = (error: unknown): never => {
    finish(() => ending.threw(error));
    throw error;
  };
  return (step, leaves) => {
    let taken: unknown;
    try {
      taken = step();
    } catch (error) {
      return fell(error);
    }
    if (isThenable(taken)) return taken.then((value) => see(value as Step, leaves), fell);
    return see(taken as Step, leaves);
  };
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return hasMethod(value, "then");
}

/** Values as a stream: `next` and an iterator of its own. A list or a Map has no `next`. */
export function isGenerator(value: unknown): value is object {
  if (!hasMethod(value, "next")) return false;
  return isAsyncIterable(value) || typeof (value as { [Symbol.iterator]?: unknown })[Symbol.iterator] === "function";
}

export function isAsyncIterable(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return typeof (value as { [Symbol.asyncIterator]?: unknown })[Symbol.asyncIterator] === "function";
}
