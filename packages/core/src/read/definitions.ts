import type { JsonObject } from "../trace/json.ts";

/** The named parts of one schema. */
export class Definitions {
  private readonly parts = new Map<string, JsonObject>();

  /** A reference to the part of this name, which is described the first time it is asked for. */
  refer(name: string, describe: () => JsonObject): JsonObject {
    if (!this.parts.has(name)) {
      this.parts.set(name, {});
      this.parts.set(name, describe());
    }
    return { $ref: `#/$defs/${name}` };
  }

  toJson(): JsonObject {
    return Object.fromEntries([...this.parts].sort(([left], [right]) => (left < right ? -1 : 1)));
  }
}
