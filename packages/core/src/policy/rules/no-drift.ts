import type { SignalDefinition, SignalFinding } from "../../fingerprint/signals/signal.ts";
import { signalNamed, signalNames } from "../../fingerprint/signals/signals.ts";
import { optional, preset, required } from "../../read/field.ts";
import { choice, number } from "../../read/scalars.ts";
import { listOf } from "../../text/words.ts";
import { defineRule } from "../rule.ts";
import { anyNames } from "../shapes.ts";

/**
 * A drift signal must stay quiet. The signal's own limits apply unless `above` sets another one; `only` keeps some of what it
 * measures. Judged on runs that are compared with a baseline.
 */
export const noDrift = defineRule({
  kind: "no_drift",
  summary: "a drift signal must stay quiet; needs a baseline (`spoor baseline compare --policy`, `spoor gate`)",
  params: {
    signal: required(choice(signalNames), "the signal"),
    above: optional(number({ min: 0 }), "the limit, in the signal's own unit, instead of its preset"),
    only: preset(anyNames, [] as readonly string[], "which of the signal's measures count; absent: all of them"),
  },
  validate({ signal, above, only }, at) {
    const definition = signalNamed(signal)!;
    if (above !== undefined && definition.above === undefined)
      (at.get("above") ?? at).problem(`${signal} has no limit: it fires or it does not. Leave above out.`);
    const unknown = only.filter((measure) => !definition.measures.includes(measure));
    if (unknown.length > 0)
      (at.get("only") ?? at).problem(`${signal} measures ${listOf(definition.measures)}, not ${listOf(unknown)}.`);
  },
  explain: ({ signal, above, only }) =>
    `Against the baseline, ${signal} must stay quiet${above === undefined ? "" : ` up to ${above}`}${only.length === 0 ? "" : ` (${listOf(only)})`}.`,
  headline: ({ signal }) => ({ subject: "drift", predicate: `shows: ${signalNamed(signal)!.headline}` }),
  start: () => undefined,
  needsBaseline: true,

  onRun({ context }, { params, found, notEvaluated }) {
    const definition = signalNamed(params.signal)!;
    const outcome = definition.detect({ ...context, limits: limitsFor(definition, params.above, context.limits) });
    if (outcome.state === "no_data") notEvaluated(outcome.why);
    if (outcome.state !== "fires") return;
    const findings = outcome.findings.filter((finding) => counts(finding, params));
    if (findings.length > 0) found({ code: params.signal, message: definition.headline, findings });
  },
});

function limitsFor(
  { name, above, limits }: SignalDefinition,
  limit: number | undefined,
  given: Readonly<Record<string, Readonly<Record<string, number | readonly string[]>>>>,
) {
  if (limit === undefined || above === undefined) return given;
  // With a limit of its own the rule asks one question: the signal's other numbers are switched off.
  const others = Object.entries(limits).flatMap(([key, { preset: value }]) =>
    typeof value === "number" ? [[key, above.includes(key) ? limit : Number.MAX_VALUE]] : [],
  );
  return { ...given, [name]: { ...given[name], ...Object.fromEntries(others) } };
}

function counts({ measure }: SignalFinding, { only }: { readonly only: readonly string[] }): boolean {
  return only.length === 0 || only.includes(measure);
}
