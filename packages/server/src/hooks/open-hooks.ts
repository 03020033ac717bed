/** What webhooks need of the place where the service runs: its key, and which hosts inside may be called. */
import { type AddressGuard, createAddressGuard } from "./address-guard.ts";
import { openSealer, type Sealer } from "./seal.ts";

export interface HookTools {
  readonly guard: AddressGuard;
  /** Made when it is first needed: a service without webhooks writes no key. */
  sealer(): Promise<Sealer | undefined>;
}

export function openHooks(store: string, env: Readonly<Record<string, string | undefined>>): HookTools {
  const hosts = (env["SPOOR_HOOK_HOSTS"] ?? "").split(",").map((host) => host.trim().toLowerCase());
  let sealer: Promise<Sealer | undefined> | undefined;
  return {
    guard: createAddressGuard(new Set(hosts.filter((host) => host !== ""))),
    sealer() {
      sealer ??= openSealer(store, env);
      // What failed may be mended.
      sealer.catch(() => {
        sealer = undefined;
      });
      return sealer;
    },
  };
}
