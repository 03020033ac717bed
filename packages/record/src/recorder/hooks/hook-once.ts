import type { AnyFunction } from "../../intercept/tool-use.ts";

const hooked = Symbol.for("spoor.hooked");

/** Exchanges a method, unless that was done before, by whichever copy of this package. False when nothing was changed. */
export function hookOnce(target: object, method: string, around: (original: AnyFunction) => AnyFunction): boolean {
  const original: unknown = Reflect.get(target, method);
  if (typeof original !== "function" || hooked in original) return false;
  const replaced = around(original as AnyFunction);
  Object.defineProperties(replaced, {
    name: { value: original.name, configurable: true },
    length: { value: original.length, configurable: true },
    [hooked]: { value: true },
  });
  const descriptor = Object.getOwnPropertyDescriptor(target, method);
  const enumerable = descriptor?.enumerable ?? false;
  return Reflect.defineProperty(target, method, { value: replaced, writable: true, configurable: true, enumerable });
}
