/** The areas of a run: all of them, or those of a module that exports the same two names, with which the fuzzer itself is tried. */
import type { Area } from "./area.ts";

export interface AreaList {
  readonly areas: readonly Area[];
  /** Which area has which input. */
  areaOf(number: number): Area;
}

export async function loadAreas(module?: string): Promise<AreaList> {
  return module === undefined ? await import("./areas.ts") : ((await import(module)) as AreaList);
}

export function areaNamed({ areas }: Pick<AreaList, "areas">, name: string): Area {
  const found = areas.find((area) => area.name === name);
  if (found === undefined)
    throw new Error(`no area is called ${name}; there are ${areas.map((area) => area.name).join(", ")}`);
  return found;
}
