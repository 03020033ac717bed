/**
 * A route says what it is, what it takes and what it gives, then does it. The application, the walls around it and the reference page are made of the
 * declarations.
 */
import type { IncomingMessage } from "node:http";
import type { Json } from "@spoor/core";
import type { SpoorError } from "@spoor/core/internal/errors";
import type { Caller } from "../auth/authenticator.ts";
import type { Scope } from "../store/store.ts";
import type { Parameter, ValuesOf } from "./parameter.ts";
import type { Service } from "./service.ts";

type Parameters = Readonly<Record<string, Parameter<unknown>>>;

interface RouteFacts {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Parts in braces are the route's own: `/api/v1/runs/{id}`. */
  readonly path: string;
  /** What a token must open; absent: anybody may ask. */
  readonly scope?: Scope;
  /** For programs alone: a browser's cookie opens nothing, and no page may ask. */
  readonly programsOnly?: true;
  /** One sentence for the reference. */
  readonly summary: string;
  /** What comes back, in words, and in which statuses. */
  readonly answer: string;
}

export interface RouteDefinition<Q extends Parameters, B extends Parameters> extends RouteFacts {
  readonly query?: Q;
  /** A JSON body of these members. */
  readonly body?: B;
  /** A body that is none of ours, in words; the route reads it itself. */
  readonly content?: string;
  run(asked: Asked<Q, B>, service: Service): Promise<Answer>;
  /** Where errors have a shape of their own: what a protocol of others asks for. */
  readonly refuse?: Refuse;
}

type Refuse = (error: SpoorError, request: IncomingMessage, service: Service) => Promise<Answer> | Answer;

export interface Asked<Q, B> {
  readonly caller: Caller;
  /** The parts of the address that are in braces, decoded. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: ValuesOf<Q>;
  readonly body: ValuesOf<B>;
  readonly request: IncomingMessage;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written with `stringifyJson`: numbers may be larger than a double. */
  readonly json?: Json;
  readonly content?: string | Uint8Array | ReadableStream<Uint8Array>;
}

/** A definition whose types have been forgotten. */
export interface Route extends RouteFacts {
  readonly query?: Parameters;
  readonly body?: Parameters;
  readonly content?: string;
  readonly refuse?: Refuse;
  run(asked: Asked<never, never>, service: Service): Promise<Answer>;
}

export function defineRoute<
  const Q extends Parameters = Record<string, never>,
  const B extends Parameters = Record<string, never>,
>(definition: RouteDefinition<Q, B>): Route {
  return definition as unknown as Route;
}

export function json(value: Json, status = 200): Answer {
  return { status, json: value };
}
