/**
 * Where webhooks may go. An address comes from whoever may administer a project, and the request from inside the network of the service: so what it
 * resolves to is looked at first, ranges that are not the internet's are refused unless the operator names the host, and the address that was looked at is
 * the one that is connected to.
 */
import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { SpoorError } from "@spoor/core/internal/errors";

export interface GuardedAddress {
  readonly url: URL;
  readonly address: string;
  readonly family: 4 | 6;
}

export interface AddressGuard {
  /** Throws `webhook.address`. */
  resolve(url: string): Promise<GuardedAddress>;
}

type Lookup = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** `allowed`: hosts that may be inside, as they are written in the address. */
export function createAddressGuard(
  allowed: ReadonlySet<string>,
  resolveAll: Lookup = (host) => lookup(host, { all: true }),
): AddressGuard {
  return {
    async resolve(text) {
      const url = parseAddress(text);
      const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
      const family = isIP(host);
      const found =
        family === 0
          ? await resolveAll(host).catch((cause) => {
              throw refused(`${host} cannot be found.`, cause);
            })
          : [{ address: host, family }];
      const [first] = found;
      if (first === undefined) throw refused(`${host} cannot be found.`);
      // One of several is enough: the next question may be answered with that one.
      const inside = found.find(({ address }) => isInside(address));
      if (inside !== undefined && !allowed.has(host.toLowerCase()))
        throw refused(`${host} leads into a network of its own (${inside.address}), and not to the internet.`);
      return { url, address: first.address, family: first.family === 6 ? 6 : 4 };
    },
  };
}

/** Without asking anybody where it leads. */
export function parseAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw refused("It is no http or https address.");
  if (url.username !== "" || url.password !== "") throw refused("An address with a password in it would be shown.");
  return url;
}

function refused(message: string, cause?: unknown): SpoorError {
  return new SpoorError("webhook.address", `The webhook cannot be called: ${message}`, {
    hint: "Name an address on the internet; the operator can allow hosts inside with SPOOR_HOOK_HOSTS.",
    ...(cause === undefined ? {} : { cause }),
  });
}

const INSIDE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  INSIDE.addSubnet(network, bits, "ipv4");
// Only the internet's own range is outside; of that, what carries other addresses inside it is not.
const OUTSIDE = new BlockList();
OUTSIDE.addSubnet("2000::", 3, "ipv6");
for (const [network, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  INSIDE.addSubnet(network, bits, "ipv6");

/** Whether an address is one of a network of its own, of this machine, or of no machine. */
export function isInside(address: string): boolean {
  const plain = address.split("%")[0]!;
  switch (isIP(plain)) {
    case 4:
      return INSIDE.check(plain, "ipv4");
    case 6:
      return !OUTSIDE.check(plain, "ipv6") || INSIDE.check(plain, "ipv6");
    default:
      return true;
  }
}
