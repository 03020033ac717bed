/**
 * A JSON text that carries its own digest, for what is kept between two runs and must come back as it was: where a part is missing or
 * changed, by a crash, a full disk or an editor, all of it is refused, and nobody has to look at every value. It is no signature: whoever
 * may write the text may seal it again.
 */
import { digestText } from "./digest.ts";

const SEAL = /,"seal":"([0-9a-f]{16})"\}$/;

/** `json` is the text of an object that is not empty. */
export function sealText(json: string): string {
  return `${json.slice(0, -1)},"seal":"${digestOf(json)}"}`;
}

/** The text that was sealed; undefined when this is not what was sealed. */
export function unsealText(sealed: string): string | undefined {
  const found = SEAL.exec(sealed);
  if (found === null) return undefined;
  const json = `${sealed.slice(0, found.index)}}`;
  return digestOf(json) === found[1] ? json : undefined;
}

function digestOf(json: string): string {
  return digestText(json, 16);
}
