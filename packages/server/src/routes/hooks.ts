/** Webhooks: who is told what happens, and what became of it. */
import { randomBytes, randomUUID } from "node:crypto";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { hostName } from "../auth/own-machine.ts";
import { parseAddress } from "../hooks/address-guard.ts";
import { noKey } from "../hooks/seal.ts";
import { type Delivery, hookEvents, hookFormats } from "../store/hook.ts";
import { notFound } from "./error-answer.ts";
import { invalidRequest, parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";

/** A project tells a few; each finding is written once for every one of them. */
const MOST_HOOKS = 20;
const SHORTEST_SECRET = 16;
const SHOWN_DELIVERIES = 100;

export const listHooks = defineRoute({
  method: "GET",
  path: "/api/v1/hooks",
  scope: "admin",
  summary: "The webhooks of the project, without their secrets.",
  answer:
    "200 `{hooks: [{id, name, url, format, events, base, createdAt, waiting, dead}]}`; `dead` is what was given up.",
  async run({ caller: { projectId } }, { store }) {
    return json({ hooks: (await store.hooks.list(projectId)).map((hook) => ({ ...hook, events: [...hook.events] })) });
  },
});

export const addHook = defineRoute({
  method: "POST",
  path: "/api/v1/hooks",
  scope: "admin",
  summary: "Tells an address what happens. Its secret, with which every request is signed, is shown once.",
  body: {
    url: parameter.requiredText(
      "an http or https address on the internet; hosts inside only where the operator allows them",
    ),
    name: parameter.requiredText("what people call it"),
    events: parameter.words(hookEvents, "what it is told"),
    format: parameter.text("plain (default) or slack"),
    secret: parameter.text(`at least ${SHORTEST_SECRET} characters (default: made)`),
    base: parameter.text("where people reach the service, for links (default: as this request did)"),
  },
  answer: "201 `{id, name, url, format, events, base, createdAt, secret}`; 400 `webhook.address` where it may not go.",
  async run({ caller: { projectId }, body, request }, { store, now, hooks }) {
    const format = hookFormats.find((known) => known === (body.format ?? "plain"));
    if (format === undefined) throw invalidRequest(`format is ${hookFormats.join(" or ")}.`);
    const secret = body.secret ?? randomBytes(24).toString("base64url");
    if (secret.length < SHORTEST_SECRET)
      throw invalidRequest(`The secret is shorter than ${SHORTEST_SECRET} characters.`);
    const sealer = await hooks?.sealer();
    if (hooks === undefined || sealer === undefined)
      throw noKey("There is no key with which the secret could be kept.");
    const url = (await hooks.guard.resolve(body.url)).url.href;
    const base = baseOf(body.base ?? `http://${hostOf(request.headers.host)}`);
    if ((await store.hooks.list(projectId)).length >= MOST_HOOKS)
      throw new SpoorError("request.conflict", `A project has at most ${MOST_HOOKS} webhooks.`);
    const sealed = sealer.seal(secret);
    const { name, events } = body;
    const hook = await store.hooks.add(projectId, {
      name,
      url,
      format,
      events,
      base,
      secret: sealed,
      createdAt: now(),
    });
    return json({ ...hook, events: [...hook.events], secret }, 201);
  },
});

/** With its port. */
function hostOf(header: string | undefined): string {
  return hostName(header) === undefined ? "127.0.0.1" : header!;
}

function baseOf(text: string): string {
  return parseAddress(text).href.replace(/\/+$/, "");
}

export const removeHook = defineRoute({
  method: "DELETE",
  path: "/api/v1/hooks/{id}",
  scope: "admin",
  summary: "Removes a webhook, with what it was still to be told.",
  answer: "204; 404 where there is none.",
  async run({ caller: { projectId }, path }, { store }) {
    if (!(await store.hooks.remove(projectId, numberOf(path["id"]!)))) throw notFound("such webhook");
    return { status: 204 };
  },
});

export const testHook = defineRoute({
  method: "POST",
  path: "/api/v1/hooks/{id}/test",
  scope: "admin",
  summary: "Tells a webhook that this is a test.",
  answer: "202 `{key}`: what became of it stands in its deliveries; 404 where there is none.",
  async run({ caller: { projectId }, path }, { store, now }) {
    const id = numberOf(path["id"]!);
    const key = `${id} test ${randomUUID()}`;
    const sentence = "This is a test of a webhook of Spoor.";
    const letter = { key, event: "test", body: { event: "test", state: "raised", sentence, at: now() } };
    if (!(await store.hooks.send(projectId, id, letter, now()))) throw notFound("such webhook");
    return json({ key }, 202);
  },
});

export const listDeliveries = defineRoute({
  method: "GET",
  path: "/api/v1/hooks/{id}/deliveries",
  scope: "admin",
  summary: `What a webhook was told last, at most ${SHOWN_DELIVERIES}, newest first; also what was given up.`,
  answer:
    "200 `{deliveries: [{key, event, sentence, state, attempts, nextAt?, error?, createdAt, doneAt?}]}`; `state` is waiting, delivered or dead; 404 where there is no such webhook.",
  async run({ caller: { projectId }, path }, { store }) {
    const id = numberOf(path["id"]!);
    if (!(await store.hooks.list(projectId)).some((hook) => hook.id === id)) throw notFound("such webhook");
    return json({ deliveries: (await store.hooks.deliveries(projectId, id, SHOWN_DELIVERIES)).map(shown) });
  },
});

function shown({ id: _, body, nextAt, state, ...delivery }: Delivery): Json {
  const sentence = isObject(body) ? stringMember(body, "sentence") : undefined;
  return present({ ...delivery, state, sentence, nextAt: state === "waiting" ? nextAt : undefined }) as Json;
}

/** What is no number is none of ours. */
function numberOf(text: string): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : -1;
}
