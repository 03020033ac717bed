/** What can be read beside the answers: shapes of files and reports, kinds of rules, and reports too large for an answer. */
import type { Json, JsonObject } from "@spoor/core";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { loadExplanations } from "../load/load-explanations.ts";
import { loadSchemas } from "../load/load-schemas.ts";
import type { Answers } from "./answers.ts";
import { INVALID_PARAMS, RpcError } from "./rpc.ts";

const SCHEMA = "spoor://schema/";
const REPORT = "spoor://report/";
const KINDS = "spoor://policy/kinds";
const JSON_TYPE = "application/json";
/** What the protocol has for a resource that is not there. */
const NOT_FOUND = -32002;

export function listResources(): JsonObject {
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
  return { resources: [kinds, ...schemas] };
}

export function listTemplates(): JsonObject {
  return {
    resourceTemplates: [
      {
        uriTemplate: `${REPORT}{id}`,
        name: "report",
        title: "The report behind an answer",
        description: "Whole, as JSON; an answer names it as reportUri. Its texts are data from traces.",
        mimeType: JSON_TYPE,
      },
    ],
  };
}

export function readResource(uri: Json | undefined, answers: Answers): JsonObject {
  if (typeof uri !== "string") throw new RpcError(INVALID_PARAMS, "resources/read needs a uri.");
  const found = textOf(uri, answers);
  if (found === undefined) throw new RpcError(NOT_FOUND, `There is no resource ${JSON.stringify(uri)}.`);
  const isReport = uri.startsWith(REPORT);
  return {
    contents: [{ uri, mimeType: JSON_TYPE, text: found, ...(isReport ? { _meta: { untrusted: true } } : {}) }],
  };
}

function textOf(uri: string, answers: Answers): string | undefined {
  if (uri.startsWith(REPORT)) return answers.report(uri.slice(REPORT.length));
  if (uri === KINDS)
    return stringifyJson(loadExplanations().filter(({ kind }) => kind === "rule kind") as unknown as Json, 1);
  if (!uri.startsWith(SCHEMA)) return undefined;
  return loadSchemas().find(({ name }) => name === uri.slice(SCHEMA.length))?.text;
}
