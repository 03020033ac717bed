/** Headers on their way through the proxy: all of them, spelled and repeated as they came, but for those of one connection. */

/** Belong to one connection, not to the message (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade"],
]);
/** What can be read again here. A client may offer more than Node can unpack, such as zstd. */
const READABLE_CODINGS: ReadonlySet<string> = new Set(["gzip", "x-gzip", "br", "deflate", "identity"]);
const OWN_PREFIX = "x-spoor-";

/** A flat list of names and values, as Node gives and takes them. */
export type RawHeaders = readonly string[];

/** What is sent to the upstream: the client's headers for another host, without what was meant for the recorder. */
export function requestHeaders(raw: RawHeaders, host: string): string[] {
  const kept = ["Host", host];
  const dropped = namedByConnection(raw);
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase();
    if (lower === "host" || lower.startsWith(OWN_PREFIX) || HOP_BY_HOP.has(lower) || dropped.has(lower)) continue;
    kept.push(name, lower === "accept-encoding" ? readableCodings(value) : value);
  }
  return kept;
}

export function responseHeaders(raw: RawHeaders): string[] {
  const dropped = namedByConnection(raw);
  return pairs(raw).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return HOP_BY_HOP.has(lower) || dropped.has(lower) ? [] : [name, value];
  });
}

/** The `x-spoor-…` headers of a request. */
export function spokenHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(OWN_PREFIX)));
}

/** By lower-case name; repeated ones joined as HTTP allows. */
export function headerRecord(raw: RawHeaders): Record<string, string> {
  const record: Record<string, string> = {};
  for (const [name, value] of pairs(raw)) {
    const lower = name.toLowerCase();
    record[lower] = Object.hasOwn(record, lower) ? `${record[lower]}, ${value}` : value;
  }
  return record;
}

/** The codings of an offer that a recorder can read as well; `identity` when there is none, which every server has. */
function readableCodings(offer: string): string {
  const offered = offer.split(",").map((coding) => coding.trim());
  const kept = offered.filter((coding) => READABLE_CODINGS.has(coding.split(";")[0]!.trim().toLowerCase()));
  return kept.length === 0 ? "identity" : kept.join(", ");
}

/** `Connection: close, X-Foo` makes X-Foo a header of this connection. */
function namedByConnection(raw: RawHeaders): Set<string> {
  const named = new Set<string>();
  for (let index = 0; index + 1 < raw.length; index += 2) {
    if (raw[index]!.length !== 10 || raw[index]!.toLowerCase() !== "connection") continue;
    for (const word of raw[index + 1]!.split(",")) named.add(word.trim().toLowerCase());
  }
  return named;
}

function pairs(raw: RawHeaders): [name: string, value: string][] {
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2) found.push([raw[index]!, raw[index + 1]!]);
  return found;
}
