/**
 * Which upstreams the proxy has, and which variables lead clients to it. A base URL that the user has set becomes the upstream:
 * the client gets an address with the same path, so whatever it appends means what it meant before.
 */

import type { Upstream, Upstreams } from "./proxy/routes.ts";
import { usageError } from "./record-errors.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Provider = NonNullable<Upstream["provider"]>;

export interface PlannedUpstreams {
  readonly upstreams: Upstreams;
  /** The variables for a child, given where the proxy is. */
  variables(proxyUrl: string): Record<string, string>;
}

/** Where each provider is unless the user says otherwise. */
const PROVIDERS: Readonly<Record<Provider, string>> = {
  openai: "https://api.openai.com",
  anthropic: "https://api.anthropic.com",
  google: "https://generativelanguage.googleapis.com",
};

/** The variable, its provider, and the path that clients expect in it. */
const VARIABLES: readonly (readonly [name: string, provider: Provider, path: string])[] = [
  ["OPENAI_BASE_URL", "openai", "/v1"],
  ["OPENAI_API_BASE", "openai", "/v1"],
  ["ANTHROPIC_BASE_URL", "anthropic", ""],
  ["ANTHROPIC_API_BASE", "anthropic", ""],
  ["GOOGLE_GEMINI_BASE_URL", "google", ""],
  ["GEMINI_API_BASE", "google", "/v1beta"],
];

/** `named`: the values of `--upstream`, as `name=URL`. */
export function planUpstreams(env: Environment, named: readonly string[]): PlannedUpstreams {
  const given = new Map(named.map(readNamed));
  const upstreams = new Map<string, Upstream>();
  const paths = new Map<string, string>();
  for (const provider of Object.keys(PROVIDERS) as Provider[])
    upstreams.set(provider, { base: given.get(provider) ?? new URL(PROVIDERS[provider]), provider });
  for (const [name, url] of given) {
    if (upstreams.has(name)) continue;
    upstreams.set(`upstream/${name}`, { base: url });
    paths.set(`SPOOR_UPSTREAM_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`, `upstream/${name}`);
  }
  for (const provider of Object.keys(PROVIDERS) as Provider[]) planProvider(provider);
  return {
    upstreams,
    variables: (proxyUrl) =>
      Object.fromEntries([...paths].map(([variable, path]) => [variable, `${proxyUrl}/${path}`])),
  };

  /**
   * Where the user has set one variable of a provider, the others stay unset: clients that know several fall back from one to
   * the next, and must find what they would have found.
   */
  function planProvider(provider: Provider): void {
    const variables = VARIABLES.filter(([, of]) => of === provider);
    const own = given.has(provider) ? [] : variables.flatMap(([name]) => ownVariable(name, env));
    if (own.length === 0) for (const [name, , path] of variables) paths.set(name, `${provider}${path}`);
    for (const [index, { name, url }] of own.entries()) {
      const base = new URL(url.origin);
      const isKnown = index > 0 && upstreams.get(provider)!.base.href === base.href;
      const route = index === 0 || isKnown ? provider : `upstream/${name.toLowerCase()}`;
      upstreams.set(route, { base });
      paths.set(name, `${route}${url.pathname.replace(/\/+$/, "")}${url.search}`);
    }
  }
}

function readNamed(text: string): [string, URL] {
  const [, name, address] = /^([A-Za-z0-9][\w.-]*)=(.+)$/.exec(text) ?? [];
  if (name === undefined || address === undefined)
    throw usageError(`--upstream needs a name and an address, as azure=https://example.com; found "${text}".`);
  return [name, parseUrl(address) ?? notHttp(`--upstream ${name}`, address)];
}

function ownVariable(name: string, env: Environment): { name: string; url: URL }[] {
  const value = env[name]?.trim() ?? "";
  return value === "" ? [] : [{ name, url: parseUrl(value) ?? notHttp(name, value) }];
}

function parseUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === "http:" || url?.protocol === "https:" ? url : undefined;
}

function notHttp(what: string, value: string): never {
  throw usageError(`${what} must be an address that begins with http:// or https://; found "${value}".`);
}
