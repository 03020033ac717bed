/**
 * No file stands on both sides of a comparison: a run compared with itself never differs, and would hide what the other runs
 * show. When one side holds all files of another (a folder and a folder inside it), the inner files are taken out of the outer
 * side, and the report says so. Everything else that is on two sides is an error, because nobody can tell which one was meant.
 *
 * A file is known by its place on the disk, so `./a`, `a`, a symbolic and a hard link are one file. A copy is another file.
 */
import { statSync } from "node:fs";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Coverage, TakenOut } from "@spoor/core/internal/report/report";
import { givenTrace } from "./fence.ts";
import { findFiles } from "./find-files.ts";

/** One side as it was asked for, with the files that were found. */
export interface SideFiles {
  /** As the user wrote it. */
  readonly paths: readonly string[];
  readonly files: readonly string[];
}

export interface SeparatedSides {
  /** The files of each side, in the order given. */
  readonly files: readonly (readonly string[])[];
  readonly takenOut: readonly TakenOut[];
}

export function findSide(paths: readonly string[]): SideFiles {
  return { paths, files: paths.flatMap(findFiles) };
}

export function separateSides(sides: readonly SideFiles[]): SeparatedSides {
  const places = sides.map(({ files }) => new Map(files.map((file) => [placeOf(file), file])));
  const out = sides.map(() => new Set<string>());
  for (let one = 0; one < sides.length; one++) {
    for (let other = one + 1; other < sides.length; other++) {
      const common = [...places[one]!.keys()].filter((place) => place !== STANDARD_INPUT && places[other]!.has(place));
      if (common.length === 0) continue;
      const outer = outerOf(places[one]!, places[other]!, common);
      const named = common.find((place) => isNamed(sides[one]!, place) && isNamed(sides[other]!, place));
      if (outer === undefined || named !== undefined) {
        throw onBothSides(places[one]!.get(named ?? common[0]!)!, common.length, sides[one]!, sides[other]!);
      }
      for (const place of common) out[outer === 0 ? one : other]!.add(place);
    }
  }
  return {
    files: sides.map((_, side) =>
      [...places[side]!].filter(([place]) => !out[side]!.has(place)).map(([, file]) => file),
    ),
    takenOut: sides.flatMap(({ paths }, side) =>
      out[side]!.size === 0 ? [] : [{ from: paths.join(", "), files: out[side]!.size }],
    ),
  };
}

/** The coverage with what was taken out of a side. */
export function withTakenOut(coverage: Coverage, takenOut: readonly TakenOut[]): Coverage {
  return takenOut.length === 0 ? coverage : { ...coverage, takenOut: [...(coverage.takenOut ?? []), ...takenOut] };
}

const STANDARD_INPUT = "-";

/** The same for every path to one file. */
export function placeOf(file: string): string {
  if (file === STANDARD_INPUT || givenTrace(file) !== undefined) return file;
  const { dev, ino } = statSync(file, { bigint: true });
  return `${dev}:${ino}`;
}

/** 0 or 1: the side that holds more than the common files, when the other holds nothing else; undefined when there is none. */
function outerOf(
  one: ReadonlyMap<string, string>,
  other: ReadonlyMap<string, string>,
  common: readonly string[],
): 0 | 1 | undefined {
  if (one.size > common.length && other.size === common.length) return 0;
  return other.size > common.length && one.size === common.length ? 1 : undefined;
}

function isNamed({ paths }: SideFiles, place: string): boolean {
  return paths.some((path) => {
    if (givenTrace(path) !== undefined) return path === place;
    const status = path === STANDARD_INPUT ? undefined : statSync(path, { throwIfNoEntry: false });
    return status?.isFile() === true && placeOf(path) === place;
  });
}

function onBothSides(file: string, files: number, one: SideFiles, other: SideFiles): SpoorError {
  const more = files === 1 ? "" : ` and ${files - 1} more`;
  const [left, right] = [one.paths.join(", "), other.paths.join(", ")];
  return new SpoorError("input.both-sides", `${file}${more} would stand on both sides: ${left} and ${right}.`, {
    at: { file },
    consequence: "A run compared with itself never differs, so nothing was compared.",
    hint: "Keep the runs to compare with and the runs to judge apart, for example in traces/baseline and traces/candidate.",
  });
}
