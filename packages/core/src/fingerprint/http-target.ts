/**
 * An endpoint as a fingerprint names it: `GET api.example.com/v1/users/{id}`. Identifiers inside the path would make
 * every run look new, so integers, UUIDs and long hex segments become `{id}`; query and fragment are content and go.
 */
const ABSOLUTE = /^([a-z][a-z0-9+.-]*):\/\/([^/?#]*)([^?#]*)/i;
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: ":80", https: ":443" };
const IDENTIFIER = /^(?:[0-9]+|[0-9a-f]{16,}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i;

export function httpTarget(method: string, url: string): string {
  const verb = method.toUpperCase();
  const match = ABSOLUTE.exec(url);
  if (match === null) return `${verb} ${withoutIds(url.replace(/[?#].*$/s, ""))}`.trim();
  const [, scheme = "", authority = "", path = ""] = match;
  let host = authority.slice(authority.lastIndexOf("@") + 1).toLowerCase();
  const port = DEFAULT_PORTS[scheme.toLowerCase()];
  if (port !== undefined && host.endsWith(port)) host = host.slice(0, -port.length);
  return `${verb} ${host}${withoutIds(path === "" ? "/" : path)}`.trim();
}

function withoutIds(path: string): string {
  return path
    .split("/")
    .map((part) => (IDENTIFIER.test(part) ? "{id}" : part))
    .join("/");
}
