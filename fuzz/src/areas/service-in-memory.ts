/** The shared service over a store in memory, asked through its own application; no socket is opened. What goes wrong inside is a defect, whatever it answers. */
import { Readable } from "node:stream";
import { createAddressGuard } from "@spoor/server/internal/hooks/address-guard";
import { createSealer } from "@spoor/server/internal/hooks/seal";
import { closeTraces, OPEN_MS } from "@spoor/server/internal/ingest/close-traces";
import { createApp } from "@spoor/server/internal/routes/create-app";
import { evaluateWaiting } from "@spoor/server/internal/stages/evaluator";
import { openStore } from "@spoor/server/internal/store/open-store";
import { RESULT } from "../area.ts";
import { BrokenPromise } from "../broken-promise.ts";

interface AskedRequest {
  readonly method: string;
  /** Path and query. */
  readonly address: string;
  readonly type?: string | undefined;
  readonly body?: Buffer | undefined;
}

export interface ServiceInMemory {
  /** What it says; everything that came is evaluated then. */
  ask(request: AskedRequest): Promise<{ readonly status: number; readonly said: string }>;
  close(): Promise<void>;
}

export const JSON_TYPE = "application/json";
const OWN_TOKEN = '{"name":"fuzz","scopes":["ingest","read","admin"]}';

export async function openServiceInMemory(): Promise<ServiceInMemory> {
  const store = await openStore(":memory:");
  const { id: projectId } = await store.projects.ensure("default");
  const problems: unknown[] = [];
  let clock = Date.UTC(2026, 0, 5);
  // Names lead nowhere: nobody is asked about them.
  const guard = createAddressGuard(new Set(), () => Promise.resolve([{ address: "192.0.2.1", family: 4 }]));
  const app = createApp(store, {
    projectId,
    isLoopback: true,
    now: () => clock,
    onProblem: (error) => problems.push(error),
    hooks: { guard, sealer: () => Promise.resolve(createSealer("k".repeat(32))) },
  });

  let token: string | undefined;
  const opened: ServiceInMemory = { close: () => store.close(), ask };
  // Of its own: where a token was made nobody is let in without one.
  const made = await ask({ method: "POST", address: "/api/v1/tokens", type: JSON_TYPE, body: Buffer.from(OWN_TOKEN) });
  token = (JSON.parse(made.said) as { readonly token: string }).token;
  return opened;

  async function ask({ method, address, type, body }: AskedRequest): Promise<{ status: number; said: string }> {
    clock += 1_000;
    const headers: Record<string, string> = {
      host: "127.0.0.1",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(type === undefined ? {} : { "content-type": type }),
    };
    const incoming = Object.assign(Readable.from(body === undefined ? [] : [body]), {
      ...{ headers, method, url: address, complete: true },
    });
    const request = new Request(`http://127.0.0.1${address}`, { method, headers });
    const direct = directAnswer();
    const answer = await app.fetch(request, { incoming, outgoing: direct.outgoing } as never);
    const { status, said } = direct.heard() ?? { status: answer.status, said: await textOf(answer) };
    if (status >= 500) throw problems.at(-1) ?? new BrokenPromise(`the service answers ${status}: ${said}`);
    clock += OPEN_MS;
    await closeTraces(store.spans, clock);
    while ((await evaluateWaiting(store, { now: () => new Date(clock) })) > 0);
    if (problems.length > 0) throw problems.at(-1);
    return { status, said };
  }
}

/** What is short the service writes to the socket itself. */
function directAnswer() {
  let status: number | undefined;
  let said = "";
  return {
    outgoing: {
      writeHead: (code: number) => {
        status = code;
      },
      end: (body: Uint8Array) => {
        said = Buffer.from(body).toString("utf8");
      },
    },
    heard: () => (status === undefined ? undefined : { status, said }),
  };
}

/** A stream of events never ends. */
async function textOf(answer: Response): Promise<string> {
  if (!/^text\/event-stream/.test(answer.headers.get("content-type") ?? "")) return answer.text();
  await answer.body?.cancel();
  return "";
}

/** "result", or the code of the refusal. */
export function outcomeOf({ status, said }: { readonly status: number; readonly said: string }): string {
  if (status < 400) return RESULT;
  return /"code":\s*"([a-z0-9-]+\.[a-z0-9.-]+)"/.exec(said)?.[1] ?? "otlp.refused";
}

/** Whatever a client can put into an address; what is no address at all never leaves it. */
export function addressOf(text: string): string {
  try {
    const { pathname, search } = new URL(text, "http://127.0.0.1");
    return `${pathname.startsWith("/") ? pathname : "/"}${search}`;
  } catch {
    return "/api/v1/runs";
  }
}

/** What was taken stays in memory, and the rules that were put judge what comes after: a fresh service now and then. */
export function createRenewed(
  every: number,
  open: () => Promise<ServiceInMemory>,
): { next(): Promise<ServiceInMemory> } {
  let service: ServiceInMemory | undefined;
  let asked = 0;
  return {
    async next() {
      if (service === undefined || asked++ % every === 0) {
        await service?.close();
        service = undefined;
        service = await open();
      }
      return service;
    },
  };
}
