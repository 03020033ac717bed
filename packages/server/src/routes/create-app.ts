/** The routes as one application over a store. Everything it says about a request it says as JSON, errors included. */
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { type Context, Hono } from "hono";
import { collectBody } from "spoor/internal/record/otlp/otlp-body";
import type { Store } from "../store/store.ts";
import { admit } from "./admit.ts";
import { errorAnswer, notFound, saidAloud } from "./error-answer.ts";
import { type AskedFile, createPages, pagePaths } from "./pages.ts";
import { invalidRequest, readParameters } from "./parameter.ts";
import type { Answer, Asked, Route } from "./route.ts";
import { routes } from "./routes.ts";
import { createService, type Service, type ServiceOptions } from "./service.ts";

export interface App {
  readonly fetch: Hono<Env>["fetch"];
  readonly service: Service;
  /** Ends what would go on for ever, streams of events, and keeps no connection open after its answer. */
  close(): void;
}

interface Env {
  Bindings: HttpBindings;
}

/** What people write in a body of members. */
const MOST_MEMBERS_BYTES = 1024 * 1024;

/** Needs Node's own request beside the standard one: bodies are read from the socket within their limits. */
export function createApp(store: Store, options: ServiceOptions): App {
  const service = createService(store, options);
  const app = new Hono<Env>();
  for (const route of routes) app.on(route.method, patternOf(route.path), (context) => respond(context, route));
  const pages = createPages();
  for (const path of pagePaths) app.get(patternOf(path), (context) => show(context, pages.page));
  app.get("/assets/:name", (context) => show(context, (asked) => pages.asset(context.req.param("name"), asked)));
  for (const path of new Set(routes.map((route) => route.path))) app.all(patternOf(path), () => notAllowed(path));
  app.notFound(() => responseOf(errorAnswer(notFound("such address"))));
  let isClosing = false;
  return { fetch: app.fetch, service, close };

  function close(): void {
    isClosing = true;
    service.listeners.close();
  }

  async function respond(context: Context<Env>, route: Route): Promise<Response> {
    const answer = await answerTo(context, route).catch((error: unknown) => {
      const said = saidAloud(error, service.onProblem);
      if (route.scope === "ingest") service.metrics.count("spoor_ingest_total", { result: "refused", code: said.code });
      return route.refuse === undefined ? errorAnswer(said) : route.refuse(said, context.env.incoming, service);
    });
    service.metrics.count("spoor_requests_total", { status: String(answer.status) });
    // What was not read of a body would be taken for the next request.
    const last = context.env.incoming.complete && !isClosing ? {} : { connection: "close" };
    return sent(context.env.outgoing, { ...answer, headers: { ...answer.headers, ...last } });
  }

  async function answerTo(context: Context<Env>, route: Route): Promise<Answer> {
    const request = context.env.incoming;
    const caller = await admit(request, route, service);
    const asked: Asked<unknown, unknown> = {
      caller,
      path: context.req.param() as Readonly<Record<string, string>>,
      query: readParameters(route.query ?? {}, queryOf(context), "the query"),
      body: route.body === undefined ? {} : readParameters(route.body, await bodyOf(context), "the body"),
      request,
    };
    return route.run(asked as Asked<never, never>, service);
  }
}

/** Files that are the same for everybody. */
function show(context: Context<Env>, read: (asked: AskedFile) => Answer): Response {
  const { "accept-encoding": acceptEncoding, "if-none-match": ifNoneMatch } = context.env.incoming.headers;
  try {
    return responseOf(read({ acceptEncoding: String(acceptEncoding ?? ""), ifNoneMatch }));
  } catch (error) {
    if (error instanceof SpoorError) return responseOf(errorAnswer(error));
    throw error;
  }
}

function patternOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}

/** Each name once: which of two would count is nobody's to guess. */
function queryOf(context: Context<Env>): Json {
  return Object.fromEntries(
    Object.entries(context.req.queries()).map(([name, values]) => {
      if (values.length > 1) throw invalidRequest(`The query has ${name} several times.`);
      return [name, values[0]!];
    }),
  );
}

async function bodyOf(context: Context<Env>): Promise<Json> {
  const bytes = await collectBody(context.env.incoming, MOST_MEMBERS_BYTES);
  try {
    return parseJson(bytes.toString("utf8"));
  } catch (error) {
    if (error instanceof JsonSyntaxError) throw invalidRequest(`The body is not JSON: ${error.message}.`);
    throw error;
  }
}

function notAllowed(path: string): Response {
  const methods = routes.filter((route) => route.path === path).map((route) => route.method);
  const answer = errorAnswer(
    new SpoorError("request.invalid", `This address takes ${methods.join(" and ")} alone.`, {}),
  );
  return responseOf({ ...answer, status: 405, headers: { allow: methods.join(", ") } });
}

const SAFE_HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
};

const JSON_TYPE = { "content-type": "application/json; charset=utf-8" };

/** What is short and whole is written to the socket at once: made into a stream and read from it again it would cost more than to make it. */
function sent(outgoing: HttpBindings["outgoing"], answer: Answer): Response {
  const { status, headers = {}, json } = answer;
  if (json === undefined) return responseOf(answer);
  const body = Buffer.from(`${stringifyJson(json)}\n`, "utf8");
  outgoing.writeHead(status, { ...SAFE_HEADERS, ...JSON_TYPE, ...headers, "content-length": body.length });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

function responseOf({ status, headers = {}, json, content }: Answer): Response {
  const body = json === undefined ? (content ?? null) : `${stringifyJson(json)}\n`;
  return new Response(body as ConstructorParameters<typeof Response>[0], {
    status,
    headers: { ...SAFE_HEADERS, ...(json === undefined ? {} : JSON_TYPE), ...headers },
  });
}
