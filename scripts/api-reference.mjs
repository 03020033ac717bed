// The HTTP API of the service, from the declarations that it is made of.
import { code, referencePage, table } from "./reference-page.mjs";

const packages = new URL("../packages/", import.meta.url);

export async function apiReference() {
  const { routes } = await import(new URL("server/dist/routes/routes.js", packages));
  const { LIMITS } = await import(new URL("server/dist/ingest/limits.js", packages));
  return referencePage(
    "HTTP API of the service",
    "What `spoor serve` answers. How to start it, send recordings and make tokens: [the service](../server.md).",
    "",
    "Answers are JSON in camelCase unless a route says otherwise. An error is `{error: {code, message, at?, hint?, consequence?, problems?}}` with",
    "one of the [error codes](errors.md). Requests carry `Authorization: Bearer TOKEN`; the three scopes are separate.",
    "",
    "## Limits",
    "",
    table(
      ["limit", "value", "beyond it"],
      [
        ["a body as it is sent", bytes(LIMITS.wireBytes), "413 `ingest.too-large`"],
        ["a body after unpacking", bytes(LIMITS.decodedBytes), "413 `ingest.too-large`"],
        ["spans of one OTLP request", LIMITS.spans, "413 `ingest.too-large`"],
        ["requests under way", LIMITS.requests, "429 `ingest.busy`, `Retry-After`"],
        ["bytes that these hold", bytes(LIMITS.heldBytes), "429 `ingest.busy`, `Retry-After`"],
        [
          "requests of one token a second",
          `${LIMITS.perSecond}, ${LIMITS.burst} at once`,
          "429 `ingest.busy`, `Retry-After`",
        ],
        ["the head of a request", seconds(LIMITS.headMs), "408"],
        ["all of a request", seconds(LIMITS.bodyMs), "408"],
        ["free space on the disk", `${bytes(LIMITS.freeBytes)} and ${LIMITS.freeShare * 100} %`, "503 `store.full`"],
        ["clients that listen to events", LIMITS.listeners, "429 `ingest.busy`, `Retry-After`"],
      ],
    ),
    "## Routes",
    "",
    ...routes.flatMap(routeText),
  );
}

function routeText({ method, path, scope, summary, query = {}, body, content, answer }) {
  const parameters = [...rows(query, "query"), ...rows(body ?? {}, "body")];
  return [
    `### ${method} ${path}`,
    "",
    `${summary} ${scope === undefined ? "Needs no token." : `Scope: ${code(scope)}.`}`,
    "",
    ...(parameters.length === 0 ? [] : table(["parameter", "in", "type", "meaning"], parameters)),
    ...(content === undefined ? [] : [`Body: ${content}.`, ""]),
    `Answer: ${answer}`,
    "",
  ];
}

function rows(parameters, where) {
  return Object.entries(parameters).map(([name, { type, help, isRequired }]) => [
    code(name),
    where,
    isRequired ? `${type}, required` : type,
    help,
  ]);
}

function bytes(amount) {
  return amount >= 1024 ** 3 ? `${amount / 1024 ** 3} GiB` : `${amount / 1024 ** 2} MiB`;
}

function seconds(ms) {
  return `${ms / 1000} s`;
}
