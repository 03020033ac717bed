/** What every target may say, whatever its provider; the provider's own options stand in its file. */
import type { JsonObject } from "@spoor/core";
import { ignored, optional, preset } from "@spoor/core/internal/read/field";
import { named } from "@spoor/core/internal/read/json-schema";
import type { Fields, ValuesOf } from "@spoor/core/internal/read/mapping";
import { choice, text } from "@spoor/core/internal/read/scalars";
import type { MappingOptions } from "@spoor/core/internal/read/shape";
import { tagged } from "@spoor/core/internal/read/tagged";
import { stringMember } from "@spoor/core/internal/trace/json";
import { MAX_WORKERS } from "./eval-file.ts";
import { limitsShape } from "./limits-shape.ts";
import { providers } from "./providers/providers.ts";
import { settingInteger, settingNumber, settingTexts } from "./target-shapes.ts";
import { pricing } from "./token-prices.ts";

export const targetFields = {
  name: optional(text, "eval files and `--target` refer to it"),
  id: optional(text, "its name, when it has no `name`"),
  label: optional(text, "its name, when it has neither `name` nor `id`"),
  judgeTarget: optional(settingTexts, "the target that judges its answers, or several that vote", {
    alias: "grader_target",
  }),
  workers: optional(settingInteger({ min: 1, max: MAX_WORKERS }), "at most so many runs at once"),
  timeoutSeconds: optional(settingNumber({ above: 0 }), "how long one run may take"),
  limits: optional(limitsShape, "what one run may use up"),
  home: preset(
    choice(["inherit", "fresh"]),
    "inherit",
    "`fresh`: a home folder of its own for every run, without the logins and settings of yours",
  ),
  maxRetries: optional(settingInteger({ min: 0 }), "further attempts after a passing failure"),
  retryInitialDelayMs: preset(settingNumber({ min: 0 }), 1000, "the wait before the first of them"),
  retryBackoffFactor: preset(settingNumber({ min: 1 }), 2, "how much longer each further wait is"),
  retryMaxDelayMs: preset(settingNumber({ min: 0 }), 60_000, "the longest wait"),
  pricing: optional(pricing, "what it costs, for `cost_usd` and budgets, where it does not say so itself"),
  retryStatusCodes: ignored("408, 429 and 5xx are tried again, other codes never"),
  providerBatching: ignored("only the cli provider answers for all cases at once"),
} satisfies Fields;
export type TargetValues = ValuesOf<typeof targetFields>;

export const targetOptions: MappingOptions = { alsoCamelCase: true, emptyIsAbsent: true, titleOf: titleOfTarget };

const target = tagged("a target", { ...targetOptions, tag: "provider", common: targetFields, variants: providers });

export const targetShape: typeof target = { ...target, ...named("target", target) };

export function nameOfTarget(value: JsonObject): string | undefined {
  return stringMember(value, "name") ?? stringMember(value, "id") ?? stringMember(value, "label");
}

function titleOfTarget(value: JsonObject): string {
  const name = nameOfTarget(value);
  const provider = stringMember(value, "provider");
  return `${name === undefined ? "a target" : `target "${name}"`}${provider === undefined ? "" : ` (provider ${provider})`}`;
}
