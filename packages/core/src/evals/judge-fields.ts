/** Who judges, as every file that names a judge writes it. The key may come from the environment alone. */
import { optional, preset, required } from "../read/field.ts";
import { mapping } from "../read/mapping.ts";
import { choice, integer, number, text } from "../read/scalars.ts";

export const judgeProviders = ["openai", "anthropic"] as const;

const rate = number({ min: 0 });

export const judgeFields = {
  provider: preset(choice(judgeProviders), "openai", "whose interface it speaks"),
  model: required(text, "the model"),
  baseUrl: optional(text, "where it answers, when that is not the provider's own address"),
  timeoutSeconds: optional(number({ above: 0 }), "how long one answer may take (60)"),
  maxRetries: optional(integer({ min: 0 }), "further attempts after a passing failure (2)"),
  temperature: optional(number({ min: 0 }), "how freely it chooses; without it, as the model does"),
  maxTokens: optional(integer({ min: 1 }), "the longest answer"),
  seed: optional(integer(), "asks for the same answer again, where the server can; not with anthropic"),
  reasoningEffort: optional(text, "how long it thinks, in the model's own word: low, high"),
  rpm: optional(number({ above: 0 }), "requests per minute that its server allows"),
  tpm: optional(number({ above: 0 }), "tokens per minute that its server allows"),
  pricing: optional(
    mapping("pricing", {
      input: required(rate, "US dollars per million tokens of input"),
      output: required(rate, "US dollars per million tokens of output"),
      cached: optional(rate, "US dollars per million tokens of cached input; without it, as input"),
    }),
    "what it costs, for budgets; by default the published price",
  ),
};
