/** What tells one defect from another: what was thrown, without the values in it, and where in our own code. */
import { BrokenPromise } from "./broken-promise.ts";

export function signatureOf(error: unknown): string {
  if (!(error instanceof Error)) return `thrown: ${String(error).slice(0, 80)}`;
  const text = error instanceof BrokenPromise ? error.message : (error.stack ?? error.message);
  const [first = ""] = text.split("\n").filter((line) => /^\w*(Error|Promise)\b/.test(line));
  const frame = /\n {4}at (?:async )?([^\n]*?)(?: \(|$)[^\n]*?([\w-]+\.[jt]s)/m.exec(text);
  const what = (first === "" ? text.split("\n")[0]! : first).replace(/\/\S+/g, "PATH").replace(/\d+/g, "N");
  return `${what.slice(0, 160)}${frame === null ? "" : ` in ${frame[1]} ${frame[2]}`}`;
}
