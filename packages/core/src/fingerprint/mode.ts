/** Which of the two hashes identifies a behaviour, and who gets to say so. */
import { SpoorError } from "../errors.ts";

export const fingerprintModes = ["sequence", "structural"] as const;
export type FingerprintMode = (typeof fingerprintModes)[number];

/** Bound to field choice, order, separators and hash function: any change of those needs a new tag. */
export const FINGERPRINT_VERSION = "v2";
export const SHAPE_VERSION = "shape1";

/** Where a mode may come from, strongest first. */
export interface ModeSources {
  readonly argument?: string | undefined;
  readonly flag?: string | undefined;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly config?: string | undefined;
}

/** The first source that says anything decides; a value that is no mode is an error that names its source. */
export function chooseMode(sources: ModeSources): FingerprintMode {
  const environment = sources.environment ?? {};
  const candidates: readonly (readonly [string, string | undefined])[] = [
    ["the mode argument", sources.argument],
    ["--mode", sources.flag],
    ["SPOOR_FINGERPRINT_MODE", environment["SPOOR_FINGERPRINT_MODE"]],
    ["SPOOLED_FINGERPRINT_MODE", environment["SPOOLED_FINGERPRINT_MODE"]],
    ["the config file", sources.config],
  ];
  for (const [source, value] of candidates) if (value !== undefined) return parseMode(value, source);
  return "sequence";
}

/** A value that is no mode is an error that names where it came from. */
export function parseMode(value: string, source: string): FingerprintMode {
  const mode = fingerprintModes.find((candidate) => candidate === value);
  if (mode !== undefined) return mode;
  throw new SpoorError("fingerprint.unknown-mode", `${source} says "${value}", which is no fingerprint mode.`, {
    consequence: "No fingerprint was computed.",
    hint: 'Use "sequence" (order counts) or "structural" (only the set of steps counts).',
  });
}
