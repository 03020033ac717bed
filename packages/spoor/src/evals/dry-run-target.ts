/** What `--dry-run` asks instead of an agent: it answers at once, costs nothing and needs no settings. */
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import type { Target } from "./load-targets.ts";
import { mockProvider } from "./providers/mock.ts";
import { TargetReader } from "./target-reader.ts";

const MOCK = { response: { text: '{"answer":"Mock dry-run response"}' } };

export const dryRunTarget: Target = {
  name: "dry-run",
  providerName: "mock",
  provider: mockProvider.open(new TargetReader("dry-run", new Problems(valueSource(MOCK, "dry-run")).root(), "")),
  retry: { maxRetries: 0, initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
  digest: "dry-run",
  settings: {},
};
