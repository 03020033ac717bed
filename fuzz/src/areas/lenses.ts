/** Damaged recordings through every lens and every writer. */
import { defineCommandArea } from "../command-area.ts";
import { recordings } from "./read.ts";

export const lensesArea = defineCommandArea({
  name: "lenses",
  about: "recordings through diff, check, score, fingerprint, baseline, cohort, trend and gate, in every output format",
  share: 8,
  seeds: recordings,
  place: "input.json",
  forms: [
    "diff @/baseline/ticket-1042.agentlog FILE --format FORMAT",
    "diff FILE @/candidate --policy @/policies/refunds.yaml --level token --format FORMAT",
    "check FILE --policy @/policies/refunds.yaml --format FORMAT",
    "check FILE --policy spoor:coding-agent --format FORMAT --lenient",
    "score FILE --evaluators @/path.yaml --format FORMAT",
    "fingerprint FILE @/candidate --format FORMAT",
    "baseline compare FILE --baseline @/baselines --format FORMAT",
    "baseline build FILE --baseline FRESH",
    "cohort @/baseline FILE --format FORMAT",
    "trend @/baseline FILE --format FORMAT",
    "gate --config @/one.config.json --format FORMAT",
    "gate --config @/all.config.json --format FORMAT",
    "show FILE --full",
    "show FILE --turn 1",
    "show FILE --trace 1 --format json",
    "verify FILE --format json",
    "convert FILE --to agentlog --redact",
    "convert FILE --to otlp",
    "convert FILE --to agentv",
    "convert FILE --content-blind",
    "convert FILE -o FRESH/",
    "gate --config @/one.config.json -o FRESH/r.html -o FRESH/r.sarif -o FRESH/r.md -o FRESH/r.json",
  ],
});
