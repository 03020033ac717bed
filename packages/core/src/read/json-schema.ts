/** A shape as JSON Schema. Parts that have a name stand once, under `$defs`; a part may so contain itself. */
import type { Json, JsonObject } from "../trace/json.ts";
import { Definitions } from "./definitions.ts";
import type { Shape } from "./shape.ts";

export interface SchemaHead {
  /** `policy.schema.json` */
  readonly id: string;
  readonly title: string;
  readonly description: string;
}

/** The JSON Schema of a whole file. */
export function buildSchema(shape: Shape<unknown>, { id, title, description }: SchemaHead): JsonObject {
  const definitions = new Definitions();
  const { description: _, ...body } = shape.schema(definitions);
  const $defs = definitions.toJson();
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: id,
    title,
    description,
    ...body,
    ...(Object.keys($defs).length === 0 ? {} : { $defs }),
  };
}

/** A shape that stands under its own name in the schema. */
export function named<T, W>(name: string, shape: Shape<T, W>): Shape<T, W> {
  return { ...shape, schema: (definitions) => definitions.refer(name, () => shape.schema(definitions)) };
}

/** A shape that is made when it is first needed: for parts that contain themselves. */
export function lazily<T>(name: string, make: () => Shape<T>): Shape<T> {
  let made: Shape<T> | undefined;
  const shape = () => {
    made ??= make();
    return made;
  };
  return {
    get wants() {
      return shape().wants;
    },
    get type() {
      return shape().type;
    },
    get kinds() {
      return shape().kinds;
    },
    read: (at) => shape().read(at),
    schema: (definitions) => definitions.refer(name, () => shape().schema(definitions)),
  };
}

/** The same, or nothing at all. */
export function orNull(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (Array.isArray(schema["enum"])) return { ...schema, enum: [...(schema["enum"] as readonly Json[]), null] };
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  if (Array.isArray(type)) return type.includes("null") ? schema : { ...schema, type: [...type, "null"] };
  if (Object.keys(schema).every((key) => key === "description" || key === "default")) return schema;
  const { description, default: fallback, ...rest } = schema;
  const anyOf =
    Object.keys(rest).length === 1 && Array.isArray(rest["anyOf"]) ? (rest["anyOf"] as readonly Json[]) : [rest];
  return {
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : { default: fallback }),
    anyOf: [...anyOf, { type: "null" }],
  };
}
