/** Builders for tests of shapes: a few lines of YAML in, the value or its problems out. */
import { Problems } from "../src/read/located.ts";
import { parseYaml } from "../src/read/parse-yaml.ts";
import type { Shape } from "../src/read/shape.ts";

export interface Reading<T> {
  readonly value: T | undefined;
  /** As `line:column message`. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

export function problemsIn(yaml: string): Problems {
  return new Problems(parseYaml(yaml, "f.yaml"));
}

export function readYaml<T>(shape: Shape<T>, yaml: string): Reading<T> {
  const problems = problemsIn(yaml);
  const value = shape.read(problems.root());
  const said = (all: Problems["errors"]) => all.map(({ at, message }) => `${at.line}:${at.column} ${message}`);
  return { value, problems: said(problems.errors), notes: said(problems.notes) };
}
