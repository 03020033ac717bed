/** A key that some release knows and nobody runs here: it changes what is tested, so reading it over would be a lie. */
import { custom } from "@spoor/core/internal/read/collections";
import { optional } from "@spoor/core/internal/read/field";
import { json } from "@spoor/core/internal/read/scalars";
import type { Field, Shape } from "@spoor/core/internal/read/shape";

export function refused(why: string): Field<never, "optional"> {
  return optional(custom(json, (_, at) => at.problem(`${at.name}: ${why}.`)) as Shape<never>, `refused: ${why}`);
}
