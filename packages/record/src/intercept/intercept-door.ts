/** A function that first asks whoever stands around the tool. */
import { inStyle, styleOf, throwInStyle, waitInStyle } from "./function-kind.ts";
import { type AnyFunction, type Door, type Intercept, memberOf, type ReturnStyle, type ToolUse } from "./tool-use.ts";

/**
 * `name` is the tool's own where a door does not name its uses. The original runs on `receiver`, so that what it calls on
 * itself is not asked about a second time, and members that are private to its class are found.
 */
export function interceptDoor(
  run: () => AnyFunction,
  door: Omit<Door, "method">,
  name: string,
  { around, onUnseen }: Pick<Intercept, "around" | "onUnseen">,
  receiver: (self: unknown) => unknown = (self) => self,
): AnyFunction {
  return function intercepted(this: unknown, ...args: unknown[]): unknown {
    const original = run();
    const runIt = () => original.apply(receiver(this), args);
    const style = door.style ?? styleOf(original);
    let use: ToolUse;
    try {
      const read = door.read(args);
      if (read === undefined) return runIt();
      use = {
        name: read.name ?? name,
        input: read.input,
        ...(read.callId === undefined || read.callId === "" ? {} : { callId: read.callId }),
        run: runIt,
        answer: (value) => inStyle(style, value),
        refuse: (text) => inStyle(style, door.refusal === undefined ? text : door.refusal(text)),
        fail: (error) => throwInStyle(style, error),
        ...(door.awaited === true || WAITING.has(style)
          ? { wait: (promise, goOn) => waitInStyle(style, promise, goOn) }
          : {}),
        failureOf: (output) => door.failureOf?.(output),
      };
    } catch (error) {
      if (onUnseen !== undefined) {
        onUnseen(error);
        return runIt();
      }
      // Arguments that cannot be read cannot be judged: the tool does not run.
      return throwInStyle(style, error);
    }
    return around(use);
  };
}

const WAITING: ReadonlySet<ReturnStyle> = new Set(["promise", "async_generator"]);

/** The first text of an object under one of several names. */
export function idIn(value: unknown, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = memberOf(value, key);
    if (typeof found === "string" && found !== "") return found;
  }
  return undefined;
}
