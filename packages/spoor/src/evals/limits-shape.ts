/** `limits` of a target, a suite or a case: what one run may use up before it is ended and scored where it stands. */
import { optional } from "@spoor/core/internal/read/field";
import { mapping } from "@spoor/core/internal/read/mapping";
import type { Read } from "@spoor/core/internal/read/shape";
import type { RunLimits } from "./run-limits.ts";
import { settingInteger, settingNumber } from "./target-shapes.ts";

export const limitsShape = mapping(
  "limits",
  {
    timeoutSeconds: optional(settingNumber({ above: 0 }), "how long one attempt may take; `timeout_seconds` beside it"),
    turns: optional(settingInteger({ min: 1 }), "turns of the model"),
    tokens: optional(settingInteger({ min: 1 }), "tokens in and out, cached ones included"),
    costUsd: optional(settingNumber({ above: 0 }), "US dollars"),
  },
  { alsoCamelCase: true, emptyIsAbsent: true },
);

export interface WrittenLimits {
  readonly timeoutMs?: number;
  readonly limits?: RunLimits;
}

export function limitsOf(
  written: Read<typeof limitsShape> | undefined,
  timeoutSeconds = written?.timeoutSeconds,
): WrittenLimits {
  const { timeoutSeconds: _time, ...limits } = written ?? {};
  return {
    ...(timeoutSeconds === undefined ? {} : { timeoutMs: timeoutSeconds * 1000 }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
  };
}
