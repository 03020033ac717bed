/** Saved reports (`--format json`): checked when they come, written by the same writers as `spoor report` when somebody asks. */
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import { present } from "@spoor/core/internal/trace/present";
import { createTerminalStyle } from "spoor/internal/write/terminal/terminal-style";
import { withBody } from "../ingest/take-body.ts";
import { notFound } from "./error-answer.ts";
import { parameter } from "./parameter.ts";
import { defineRoute, json } from "./route.ts";
import { asUnavailable, requireRoom } from "./traces.ts";

export const pushReport = defineRoute({
  method: "POST",
  path: "/api/v1/reports",
  scope: "ingest",
  summary: "Takes a saved report, checked as `spoor report` checks it.",
  content: "a report of Spoor as JSON; plain or `Content-Encoding: gzip`",
  answer: "201 `{id, schema, created: true}`; 200 with `created: false` when the same report was there already.",
  async run({ caller, request }, service) {
    await requireRoom({ caller }, service);
    const { store, now } = service;
    return withBody(request, service, async ({ bytes }) => {
      const text = bytes.toString("utf8");
      const { report, kind } = (await loadReader()).parseReport(text, "the body");
      const inputsHash = digestText(text);
      const { schema } = kind;
      const known = await store.reports.find(caller.projectId, schema, inputsHash).catch(asUnavailable);
      if (known !== undefined) return json({ id: known.id, schema, created: false });
      const saved = present({ schema, inputsHash, gate: gateOf(kind.exitCode(report)), body: text, at: now() });
      const id = await store.reports.put(caller.projectId, saved).catch(asUnavailable);
      return json({ id, schema, created: true }, 201);
    });
  },
});

/** Every kind of report with its words: the service starts without them. */
function loadReader() {
  return import("spoor/internal/cli/read-report");
}

/** What could not be judged is no pass. */
function gateOf(exitCode: number): "passed" | "failed" | "not_evaluated" {
  return exitCode === 0 ? "passed" : exitCode === 1 ? "failed" : "not_evaluated";
}

const FORMATS: Readonly<Record<string, { readonly format: string; readonly type: string }>> = {
  json: { format: "json", type: "application/json" },
  md: { format: "markdown", type: "text/markdown" },
  html: { format: "html", type: "text/html" },
};

export const showReport = defineRoute({
  method: "GET",
  path: "/api/v1/reports/{id}",
  scope: "read",
  summary: "A report: `/reports/7.html`, `.md` or `.json` (which is what no ending means).",
  query: { link: parameter.text("address of the full report, for the comment of a gate (.md)") },
  answer: "200, as `spoor report` would write it; 404 where there is none.",
  async run({ caller: { projectId }, path, query }, { store }) {
    const [, id, ending = "json"] = /^(\d{1,15})(?:\.(json|md|html))?$/.exec(path["id"]!) ?? [];
    const saved = id === undefined ? undefined : await store.reports.get(projectId, Number(id));
    if (saved === undefined) throw notFound("such report");
    const { report, kind } = (await loadReader()).parseReport(saved.body, `report ${id}`);
    const { format, type } = FORMATS[ending]!;
    const write = kind.renderers(report, { exitCode: kind.exitCode(report), verbose: false, link: query.link })[format];
    if (write === undefined) throw new SpoorError("request.not-found", `This report is not written as ${format}.`);
    const style = createTerminalStyle({ columns: 80, color: false, ascii: false, program: "spoor" });
    return {
      status: 200,
      headers: { "content-type": `${type}; charset=utf-8`, "x-frame-options": "DENY" },
      content: await write(report, style),
    };
  },
});
