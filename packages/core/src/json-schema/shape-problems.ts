/**
 * Holds a value to one of our own schemas by walking both together. Those are large and use few keywords, so that compiling one
 * (compile-schema.ts) takes longer than everything else a command does with the value. Linear in the value; a keyword that is not
 * known here is refused, because what is not looked at must not pass.
 */
import { isObject, type Json, type JsonObject } from "../trace/json.ts";
import { isOfType, type JsonType } from "../trace/json-types.ts";
import type { SchemaProblem } from "./compile-schema.ts";

export type ShapeProblem = Pick<SchemaProblem, "path" | "message">;

/** Every way in which the value breaks the schema, in the words of compile-schema.ts; empty when it is valid. */
export function shapeProblems(schema: JsonObject, value: Json): ShapeProblem[] {
  const problems: ShapeProblem[] = [];
  new ShapeWalk(schema, problems).walk(schema, value, undefined);
  return problems;
}

/** Where a value stands, from the inside out: written as a path only when something is wrong there. */
interface Place {
  readonly outer: Place | undefined;
  readonly step: string | number;
}

type Check = (walk: ShapeWalk, asked: Json, value: Json, place: Place | undefined, schema: JsonObject) => void;

class ShapeWalk {
  /** The schema that `#` means: a report of several lenses holds those of the others, each a document of its own. */
  private document: JsonObject;
  private readonly documents: ReadonlyMap<string, JsonObject>;
  private problems: ShapeProblem[];

  constructor(root: JsonObject, problems: ShapeProblem[]) {
    this.document = root;
    const inner = Object.values((root["$defs"] ?? {}) as JsonObject).filter(isObject);
    this.documents = new Map(inner.map((schema) => [String(schema["$id"]), schema]));
    this.problems = problems;
  }

  walk(schema: Json, value: Json, place: Place | undefined): void {
    if (schema === true) return;
    if (!isObject(schema)) {
      this.found(place, "boolean schema is false");
      return;
    }
    for (const keyword in schema) {
      const check = CHECKS[keyword];
      if (check === undefined) throw new Error(`No check for "${keyword}" of a schema.`);
      check(this, schema[keyword]!, value, place, schema);
    }
  }

  /** `#/$defs/Name`, or the name of a document that stands among the definitions. */
  follow(reference: string, value: Json, place: Place | undefined): void {
    const from = this.document;
    const [name, ...steps] = reference.split("/") as [string, ...string[]];
    const document = name === "#" ? from : this.documents.get(name);
    let found: Json | undefined = document;
    for (const step of steps) found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
    if (document === undefined || found === undefined) throw new Error(`${reference} leads nowhere.`);
    this.document = document;
    this.walk(found, value, place);
    this.document = from;
  }

  found(place: Place | undefined, message: string): void {
    this.problems.push({ path: pathOf(place), message });
  }

  /** What is wrong by one of several schemas, without saying so yet. */
  apart(schema: Json, value: Json, place: Place | undefined): readonly ShapeProblem[] {
    const { problems } = this;
    this.problems = [];
    this.walk(schema, value, place);
    const apart = this.problems;
    this.problems = problems;
    return apart;
  }

  say(problems: readonly ShapeProblem[]): void {
    for (const problem of problems) this.problems.push(problem);
  }
}

function nothing(): void {}

const CHECKS: { readonly [keyword: string]: Check } = Object.assign(Object.create(null) as object, {
  $schema: nothing,
  $id: nothing,
  $defs: nothing,
  title: nothing,
  description: nothing,
  $ref: (walk, reference, value, place) => walk.follow(String(reference), value, place),
  type(walk, type, value, place) {
    const types = Array.isArray(type) ? type : [type];
    if (!types.some((one) => isOfType(value, one as JsonType))) walk.found(place, `must be ${types.join(",")}`);
  },
  const(walk, constant, value, place) {
    if (value !== constant) walk.found(place, "must be equal to constant");
  },
  enum(walk, allowed, value, place) {
    if (!(allowed as readonly Json[]).includes(value)) walk.found(place, "must be equal to one of the allowed values");
  },
  anyOf(walk, branches, value, place) {
    const seen: ShapeProblem[] = [];
    for (const branch of branches as readonly Json[]) {
      const problems = walk.apart(branch, value, place);
      if (problems.length === 0) return;
      for (const problem of problems) seen.push(problem);
    }
    walk.say(seen);
    walk.found(place, "must match a schema in anyOf");
  },
  required(walk, names, value, place) {
    if (!isObject(value)) return;
    for (const name of names as readonly string[])
      if (!Object.hasOwn(value, name)) walk.found(place, `must have required property '${name}'`);
  },
  properties(walk, properties, value, place) {
    if (!isObject(value)) return;
    for (const name in properties as JsonObject)
      if (Object.hasOwn(value, name))
        walk.walk((properties as JsonObject)[name]!, value[name]!, { outer: place, step: name });
  },
  additionalProperties(walk, further, value, place, { properties }) {
    if (!isObject(value) || further === true) return;
    for (const name in value) {
      if (isObject(properties) && Object.hasOwn(properties, name)) continue;
      if (further === false) walk.found(place, `must NOT have additional properties (${name})`);
      else walk.walk(further, value[name]!, { outer: place, step: name });
    }
  },
  items(walk, item, value, place) {
    if (Array.isArray(value))
      for (let step = 0; step < value.length; step++) walk.walk(item, value[step]!, { outer: place, step });
  },
  minItems(walk, least, value, place) {
    if (Array.isArray(value) && value.length < (least as number))
      walk.found(place, `must NOT have fewer than ${least} items`);
  },
  maxItems(walk, most, value, place) {
    if (Array.isArray(value) && value.length > (most as number))
      walk.found(place, `must NOT have more than ${most} items`);
  },
} satisfies { [keyword: string]: Check });

/** As a JSON pointer: `/rows/0/delta`. */
function pathOf(place: Place | undefined): string {
  if (place === undefined) return "";
  return `${pathOf(place.outer)}/${String(place.step).replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
