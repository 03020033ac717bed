/** The names under which a function takes its arguments, as far as they are plain: `(amount, to = "me")`. */
import type { AnyFunction } from "./tool-use.ts";

const known = new WeakMap<AnyFunction, readonly string[]>();

export function parameterNames(run: AnyFunction): readonly string[] {
  let names = known.get(run);
  if (names === undefined) {
    names = readNames(Function.prototype.toString.call(run));
    known.set(run, names);
  }
  return names;
}

const LIST = /^(?:async\s+)?(?:function\s*\*?\s*[\w$]*|\*?\s*[\w$]+)?\s*\(([^(){}[\]]*)\)/;
const SINGLE = /^(?:async\s+)?([A-Za-z_$][\w$]*)\s*=>/;

/** Anything out of the ordinary (patterns, nested defaults, native code) has no names: its arguments are numbered. */
function readNames(source: string): readonly string[] {
  const text = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "").trim();
  const single = SINGLE.exec(text)?.[1];
  if (single !== undefined) return [single];
  const list = LIST.exec(text)?.[1];
  if (list === undefined) return [];
  const names = list.split(",").map((part) => part.split("=")[0]!.trim());
  return names.every((name) => /^[A-Za-z_$][\w$]*$/.test(name)) ? names : [];
}
