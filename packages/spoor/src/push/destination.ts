/** Which service is meant. The environment says it, or whoever types the command: never a configuration, which comes with a pull request. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Destination } from "./ask-service.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The service of `spoor serve` on this machine. */
const DEFAULT = "http://127.0.0.1:4319";

export function destinationOf(env: Environment, typed: Partial<Destination> = {}): Destination {
  const { server = env["SPOOR_SERVER"] || DEFAULT, token = env["SPOOR_TOKEN"] || undefined } = typed;
  return { server: addressOf(server, typed.server === undefined ? "SPOOR_SERVER" : "--server"), token };
}

/** An address of a service, without what would be lost in it. */
function addressOf(text: string, where: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isGood =
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "";
  if (isGood) return url.href.replace(/\/+$/, "");
  throw new SpoorError(
    "usage.bad-argument",
    `${where} needs the address of a service, such as https://spoor.example.com.`,
  );
}
