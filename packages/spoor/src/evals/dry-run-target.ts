/** What `--dry-run` asks instead of an agent: it answers at once, costs nothing and needs no settings. */
import type { Target } from "./load-targets.ts";
import { openMock } from "./providers/mock.ts";

export const dryRunTarget: Target = {
  name: "dry-run",
  providerName: "mock",
  provider: openMock({ response: { text: '{"answer":"Mock dry-run response"}' } }),
  retry: { maxRetries: 0, initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
  digest: "dry-run",
};
