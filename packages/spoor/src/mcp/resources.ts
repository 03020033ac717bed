/** What can be read beside the answers: shapes of files and reports, kinds of rules; and whatever else the place has. */
import type { Json, JsonObject } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { loadExplanations } from "../load/load-explanations.ts";
import { loadSchemas } from "../load/load-schemas.ts";
import { INVALID_PARAMS, RpcError } from "./rpc.ts";

const SCHEMA = "spoor://schema/";
export const REPORT = "spoor://report/";
const KINDS = "spoor://policy/kinds";
export const JSON_TYPE = "application/json";
/** What the protocol has for a resource that is not there. */
const NOT_FOUND = -32002;

export interface Resource {
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
}

export interface ResourceTemplate extends Omit<Resource, "uri"> {
  readonly uriTemplate: string;
}

/** What a place has beside what comes with Spoor; every text of it is data, and fit to be sent. */
export interface PlaceResources {
  list(): readonly Resource[] | Promise<readonly Resource[]>;
  readonly templates: readonly ResourceTemplate[];
  /** Undefined when it has no such thing. */
  read(uri: string): string | undefined | Promise<string | undefined>;
}

export async function listResources(place: PlaceResources): Promise<JsonObject> {
  const schemas = loadSchemas().map(({ name, title, description }) => ({
    uri: SCHEMA + name,
    name: `schema/${name}`,
    title,
    description,
    mimeType: "application/schema+json",
  }));
  const kinds = {
    uri: KINDS,
    name: "policy/kinds",
    title: "Kinds of rules",
    description: "Every kind of rule that a policy may hold, with what it takes.",
    mimeType: JSON_TYPE,
  };
  return { resources: [kinds, ...schemas, ...(await place.list()).map((one) => ({ ...one }))] };
}

export function listTemplates({ templates }: PlaceResources): JsonObject {
  return { resourceTemplates: templates.map((one) => ({ ...one })) };
}

export async function readResource(uri: Json | undefined, place: PlaceResources): Promise<JsonObject> {
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, "resources/read needs a uri.");
  const own = ownText(uri);
  const text = own ?? (await place.read(uri));
  if (text === undefined) throw new RpcError(NOT_FOUND, `There is no resource ${JSON.stringify(uri)}.`);
  const data = own === undefined ? { _meta: { untrusted: true } } : {};
  return { contents: [{ uri, mimeType: JSON_TYPE, text, ...data }] };
}

function ownText(uri: string): string | undefined {
  if (uri === KINDS)
    return stringifyJson(loadExplanations().filter(({ kind }) => kind === "rule kind") as unknown as Json, 1);
  if (!uri.startsWith(SCHEMA)) return undefined;
  return loadSchemas().find(({ name }) => name === uri.slice(SCHEMA.length))?.text;
}
