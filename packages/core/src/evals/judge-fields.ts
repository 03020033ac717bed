/** Who judges, as every file that names a judge writes it. The key may come from the environment alone. */
import { optional, preset, required } from "../read/field.ts";
import { choice, number, text } from "../read/scalars.ts";

export const judgeProviders = ["openai", "anthropic"] as const;

export const judgeFields = {
  provider: preset(choice(judgeProviders), "openai", "whose interface it speaks"),
  model: required(text, "the model"),
  baseUrl: optional(text, "where it answers, when that is not the provider's own address"),
  timeoutSeconds: optional(number({ above: 0 }), "how long one answer may take"),
};
