/**
 * Damages a JSON document where it has a structure: values go, come twice, change places, get another type or another name, or are
 * exchanged for a part of another document. What comes out is JSON again, so that it gets past the parser.
 */
import type { Json } from "@spoor/core";
import type { Random } from "@spoor/core/internal/stats/random";
import { hostileValues } from "./hostile-values.ts";
import { copyJson, deleteAt, type JsonNode, listNodes, renameAt, repeatAt, replaceAt, valueAt } from "./json-nodes.ts";

/** How one place was changed, for those who say it themselves. */
type Damage = "delete" | "replace" | "repeat" | "rename" | "swap" | "splice" | "scale" | "lengthen" | "nest";

const DAMAGES: readonly Damage[] = [
  ...(["delete", "delete", "replace", "replace", "replace", "repeat", "rename"] as const),
  ...(["swap", "splice", "splice", "scale", "lengthen", "nest"] as const),
];
const MOST_CHANGES = 5;

/** The document is changed in place. `donors` are documents whose parts may appear; without one its own do. */
export function mutateJson(document: Json, random: Random, donors: readonly Json[] = []): Json {
  const holder: Json[] = [document];
  // Mostly one: what is damaged in many places is refused at the first of them.
  const changes = random.below(2) === 0 ? 1 : 1 + random.below(MOST_CHANGES);
  for (let change = 0; change < changes; change++) {
    const nodes = listNodes(holder);
    const node = nodes[nodes.length === 1 ? 0 : 1 + random.below(nodes.length - 1)]!;
    damageAt(node, pick(DAMAGES, random), random, donors.length === 0 ? holder[0]! : pick(donors, random), nodes);
    if (holder.length !== 1) return null;
  }
  return holder[0]!;
}

export function pick<T>(list: readonly T[], random: Random): T {
  return list[random.below(list.length)]!;
}

function damageAt(node: JsonNode, damage: Damage, random: Random, donor: Json, nodes: readonly JsonNode[]): void {
  if (damage === "delete") deleteAt(node);
  else if (damage === "repeat") repeatAt(node);
  else if (damage === "rename") renameAt(node, otherName(node, random, nodes));
  else if (damage === "swap") swap(node, pick(nodes, random));
  else if (damage === "splice") replaceAt(node, partOf(donor, random));
  else if (damage === "scale") replaceAt(node, scaled(valueAt(node), random));
  else if (damage === "lengthen") replaceAt(node, lengthened(valueAt(node), random));
  else if (damage === "nest") replaceAt(node, nested(valueAt(node), random));
  else replaceAt(node, structuredClone(pick(hostileValues, random)) as Json);
}

/** Mostly the name of another place: a name that is known somewhere is read there. */
function otherName({ key }: JsonNode, random: Random, nodes: readonly JsonNode[]): string {
  const other = pick(nodes, random).key;
  return random.below(4) === 0 || typeof other === "number" ? `${key}s` : other;
}

function swap(left: JsonNode, right: JsonNode): void {
  const [a, b] = [copyJson(valueAt(left)), copyJson(valueAt(right))];
  replaceAt(left, b);
  replaceAt(right, a);
}

function partOf(donor: Json, random: Random): Json {
  const nodes = listNodes(donor);
  return nodes.length === 0 ? donor : copyJson(valueAt(pick(nodes, random)));
}

const FACTORS: readonly number[] = [-1, 0, 1e-9, 0.5, 2, 1000, 1e12, 1e300];

function scaled(value: Json, random: Random): Json {
  if (typeof value === "number") return value * pick(FACTORS, random);
  return typeof value === "string" ? value.slice(0, random.below(value.length + 1)) : value;
}

const LONGEST = 3_000;

function lengthened(value: Json, random: Random): Json {
  const times = 1 + random.below(200);
  if (typeof value === "string") return value === "" ? "a".repeat(times) : value.repeat(times).slice(0, LONGEST);
  if (!Array.isArray(value) || value.length === 0) return Array.from({ length: times }, () => value);
  return Array.from({ length: Math.min(times, 50) }, (_, index) => value[index % value.length] as Json);
}

function nested(value: Json, random: Random): Json {
  let outer = value;
  for (let depth = random.below(random.below(10) === 0 ? 1_500 : 5); depth >= 0; depth--)
    outer = depth % 2 === 0 ? [outer] : { content: outer };
  return outer;
}
