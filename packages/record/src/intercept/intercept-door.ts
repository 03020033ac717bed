/** A function that first asks whoever stands around the tool. */
import { DoorUse, type WatchedDoor } from "./door-use.ts";
import { styleOf, throwInStyle } from "./function-kind.ts";
import { type AnyFunction, type Door, type Intercept, memberOf, type ToolUse } from "./tool-use.ts";

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
  const at: WatchedDoor = { door, name, receiver };
  return function intercepted(this: unknown, ...args: unknown[]): unknown {
    const original = run();
    let use: ToolUse | undefined;
    try {
      const read = door.read(args);
      if (read !== undefined) use = new DoorUse(at, { original, self: this }, args, read);
    } catch (error) {
      if (onUnseen !== undefined) {
        onUnseen(error);
        return original.apply(receiver(this), args);
      }
      // Arguments that cannot be read cannot be judged: the tool does not run.
      return throwInStyle(door.style ?? styleOf(original), error);
    }
    return use === undefined ? original.apply(receiver(this), args) : around(use);
  };
}

/** The first text of an object under one of several names. */
export function idIn(value: unknown, ...keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const found = memberOf(value, key);
    if (typeof found === "string" && found !== "") return found;
  }
  return undefined;
}
