/** Each run's tool path against the closest known behaviour: what is new stands out, what is missing leaves its name. */
import type { AgentComparison, RunComparison } from "@spoor/core/fingerprint/comparison";
import type { GateReport } from "@spoor/core/gate/gate-report";
import { count } from "../../document/words.ts";
import { similarityWords, statusWord } from "../baseline/words.ts";
import { type Html, html, turnLink } from "./html.ts";

const RUNS = 50;
const STEPS = 40;

export function pathsSection(report: GateReport): Html {
  const baseline = report.reports.baseline;
  if (baseline === undefined) return html``;
  return html`<section class="block" id="paths" aria-labelledby="paths-title">
  <h2 id="paths-title">Paths</h2>
  ${baseline.agents.map(agentPaths)}
</section>`;
}

function agentPaths(agent: AgentComparison): Html {
  const known = agent.baseline;
  const order = (run: RunComparison) =>
    run.status === "new" ? 0 : run.status === "match" || run.status === "accepted_variant" ? 2 : 1;
  const runs = [...agent.runs].sort((left, right) => order(left) - order(right)).slice(0, RUNS);
  const odd = runs.find((run) => order(run) < 2 && run.closest !== null);
  return html`<p class="sub">The steps of each run against the closest of ${known === null ? "no" : count(known.intents, "known behaviour")}${known === null ? "" : ` (${count(known.runs, "recorded run")})`}.</p>
  <div class="rib" role="region" tabindex="0" aria-label="Paths of ${count(runs.length, "run")}"><table>${runs.map(runRow)}</table></div>
  ${agent.runs.length > runs.length ? html`<p class="why">${agent.runs.length - runs.length} more runs are in the JSON report.</p>` : ""}
  ${odd === undefined ? "" : html`<p class="why">${odd.run}: ${similarityWords(odd, agent)} Fingerprint <code>${odd.hash}</code>, known <code>${odd.closest!.hash}</code>.</p>`}`;
}

function runRow(run: RunComparison): Html {
  const tone =
    run.status === "match" || run.status === "accepted_variant" ? "ok" : run.status === "new" ? "bad" : "warn";
  const closest = run.closest === null ? "" : (run.closest.name ?? "");
  return html`<tr><th scope="row"><a href="${turnLink(run.key, undefined)}">${run.run}</a></th><td class="st"><b class="${tone}">${statusWord(run)}</b> ${closest}</td><td><span class="path">${joined(steps(run))}</span></td></tr>`;
}

function steps(run: RunComparison): Html[] {
  const aligned = run.closest?.alignment ?? null;
  if (aligned === null) return run.path.split(" > ").map((name) => html`<b>${name}</b>`);
  const parts = aligned.slice(0, STEPS).map((step) => {
    const name = nameOf(step.segment);
    if (step.side === "both") return html`<b>${name}</b>`;
    if (step.side === "known") return html`<b class="gap"><span class="vh">skipped: </span>${name}</b>`;
    return html`<b class="new"><span class="vh">new: </span>${name}</b>`;
  });
  if (aligned.length > STEPS) parts.push(html`<b>… ${aligned.length - STEPS} more</b>`);
  return parts;
}

function joined(parts: readonly Html[]): Html[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [html`<i></i>`, part]));
}

/** `TOOL_CALL:search` → `search`. */
function nameOf(segment: string): string {
  return segment.replace(/^(TOOL_CALL|HTTP_REQUEST|LLM_CALL|OTHER):/, "");
}
