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
    const style = door.style ?? styleOf(original);
    const useOf = (given: readonly unknown[]): ToolUse | undefined => {
      const read = door.read(given);
      if (read === undefined) return undefined;
      return {
        name: read.name ?? name,
        input: read.input,
        ...(read.callId === undefined || read.callId === "" ? {} : { callId: read.callId }),
        rewrite(input) {
          const changed = read.rewrite?.(input);
          return changed === undefined ? undefined : useOf(changed);
        },
        run: () => original.apply(receiver(this), [...given]),
        answer: (value) => inStyle(style, value),
        refuse: (text) => inStyle(style, refusal(text)),
        refusal,
        fail: (error) => throwInStyle(style, error),
        ...(door.awaited === true || WAITING.has(style)
          ? { wait: (promise, goOn) => waitInStyle(style, promise, goOn) }
          : {}),
        failureOf: (output) => door.failureOf?.(output),
      };
    };
    const refusal = (text: string) => (door.refusal === undefined ? text : door.refusal(text));
    let use: ToolUse | undefined;
    try {
      use = useOf(args);
    } catch (error) {
      if (onUnseen !== undefined) {
        onUnseen(error);
        return original.apply(receiver(this), args);
      }
      // Arguments that cannot be read cannot be judged: the tool does not run.
      return throwInStyle(style, error);
    }
    return use === undefined ? original.apply(receiver(this), args) : around(use);
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
