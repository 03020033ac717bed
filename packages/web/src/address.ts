/** The page's address: a place, and after it what the reader looks for. All of a page's state, so that a link or a reload brings it back. */
export interface Address {
  readonly place: string;
  readonly query: string;
  /** The filter that is set, as the page writes it; empty for none. */
  readonly only: string;
  /** The run that the one at `place` is compared with; empty for none. */
  readonly vs: string;
}

/** `#candidate/ticket-1042.agentlog:2&q=refund.amount&only=failed`; what can be read without harm is left as it is. */
export function writeAddress({ place, query, only, vs }: Address): string {
  const parts = [
    encode(place),
    ...(vs === "" ? [] : [`vs=${encode(vs)}`]),
    ...(query === "" ? [] : [`q=${encode(query)}`]),
    ...(only === "" ? [] : [`only=${encode(only)}`]),
  ];
  return `#${parts.join("&")}`;
}

export function readAddress(hash: string): Address {
  const [place = "", ...rest] = hash.replace(/^#/, "").split("&");
  const named = (name: string) =>
    decode(rest.find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1) ?? "");
  return { place: decode(place), query: named("q"), only: named("only"), vs: named("vs") };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replaceAll("%3A", ":").replaceAll("%2F", "/").replaceAll("%2C", ",");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
