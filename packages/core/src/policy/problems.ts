/** Problems of a policy file, each with its place. All are collected, so that one run shows everything there is to fix. */
import { isObject, type JsonObject } from "../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";

export type PathKey = string | number;

export interface FileProblem {
  /** Address inside the document: `["rules", 0, "when", 1, "op"]`. */
  readonly path: readonly PathKey[];
  /** The problem is the key itself, not the value under it. */
  readonly onKey: boolean;
  readonly message: string;
}

/** Reads a file that the policy file names, relative to it; returns the text, or a sentence that says why not. */
export type ReadReferenced = (name: string) => { text: string } | { problem: string };

export class Problems {
  readonly errors: FileProblem[] = [];
  readonly warnings: FileProblem[] = [];
  readonly readReferenced: ReadReferenced;

  constructor(readReferenced: ReadReferenced) {
    this.readReferenced = readReferenced;
  }

  at(...path: PathKey[]): Place {
    return new Place(this, path);
  }
}

/** A place in the document under inspection, able to complain. */
export class Place {
  readonly path: readonly PathKey[];
  private readonly problems: Problems;

  constructor(problems: Problems, path: readonly PathKey[]) {
    this.problems = problems;
    this.path = path;
  }

  child(key: PathKey): Place {
    return new Place(this.problems, [...this.path, key]);
  }

  /** Reports a problem with the value here; returns undefined so that a parser can `return place.problem(…)`. */
  problem(message: string): undefined {
    this.problems.errors.push({ path: this.path, onKey: false, message });
    return undefined;
  }

  /** Reports a problem with a key of the mapping here. */
  keyProblem(key: PathKey, message: string): undefined {
    this.problems.errors.push({ path: [...this.path, key], onKey: true, message });
    return undefined;
  }

  /** Something that loads but is probably not what was meant. */
  warning(message: string): void {
    this.problems.warnings.push({ path: this.path, onKey: false, message });
  }

  /** The JSON object in a file that the policy names; a sentence when there is none. */
  readJson(name: string): JsonObject | string {
    const read = this.problems.readReferenced(name);
    if ("problem" in read) return read.problem;
    try {
      const value = parseJson(read.text);
      return isObject(value) ? value : `${name} does not hold a JSON object.`;
    } catch (error) {
      if (error instanceof JsonSyntaxError) return `${name} is not valid JSON: ${error.message}.`;
      throw error;
    }
  }

  /** How many errors there are so far: a parser can tell whether its part was sound. */
  get errorCount(): number {
    return this.problems.errors.length;
  }
}

/** `rules[0].when[1].op` */
export function formatPath(path: readonly PathKey[]): string {
  let text = "";
  for (const key of path) {
    if (typeof key === "number") text += `[${key}]`;
    else text += text === "" ? key : `.${key}`;
  }
  return text;
}
