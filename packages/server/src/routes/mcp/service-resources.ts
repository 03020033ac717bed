/** What can be read of a project: its runs, its reports, what its agents are known to do, and the reports of answers that were too large. */
import type { Json, JsonObject } from "@spoor/core";
import { printable } from "@spoor/core/internal/text/printable";
import { isObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { clean, type WholeAnswer } from "spoor/internal/mcp/answer";
import { JSON_TYPE, type PlaceResources, REPORT, type Resource } from "spoor/internal/mcp/resources";
import { runState } from "../runs.ts";
import type { Service } from "../service.ts";

const RUN = "spoor://run/";
const BASELINE = "spoor://baseline/";
/** Of each kind so many are listed; others are found by their numbers and names. */
const MOST_LISTED = 20;

export function serviceResources(
  projectId: number,
  service: Service,
  answer: (tool: string, args: JsonObject) => Promise<WholeAnswer | undefined>,
): PlaceResources {
  const { store } = service;
  return {
    async list() {
      const reports = await store.reports.page(projectId, undefined, undefined, MOST_LISTED);
      const agents: string[] = [];
      for (const { name } of (await store.agents.list(projectId)).slice(0, MOST_LISTED))
        if ((await store.baselines.approved(projectId, name)) !== undefined) agents.push(name);
      return [
        ...reports.map(({ id, schema, gate, createdAt }) =>
          resource(
            `${REPORT}${id}`,
            `Report ${id}`,
            `${schema}${gate === undefined ? "" : `, ${gate}`}, of ${new Date(createdAt).toISOString()}`,
          ),
        ),
        ...agents.map((name) =>
          resource(
            BASELINE + encodeURIComponent(name),
            `Baseline of ${printable(name)}`,
            "what the agent is known to do, as it was approved",
          ),
        ),
      ];
    },
    templates: TEMPLATES,
    async read(uri) {
      const value = await read(uri);
      return value === undefined ? undefined : stringifyJson(value);
    },
  };

  async function read(uri: string): Promise<Json | undefined> {
    if (uri.startsWith(RUN)) return readRun(uri.slice(RUN.length));
    if (uri.startsWith(BASELINE)) return readBaseline(decoded(uri.slice(BASELINE.length)));
    if (!uri.startsWith(REPORT)) return undefined;
    const rest = uri.slice(REPORT.length);
    return /^\d{1,15}$/.test(rest) ? readReport(Number(rest)) : readAnswer(rest);
  }

  async function readRun(id: string): Promise<Json | undefined> {
    const state = await runState(projectId, id, service);
    return state === undefined ? undefined : clean(state);
  }

  async function readBaseline(agent: string | undefined): Promise<Json | undefined> {
    const row = agent === undefined ? undefined : await store.baselines.approved(projectId, agent);
    return row === undefined ? undefined : clean(parseJson(row.body));
  }

  async function readReport(id: number): Promise<Json | undefined> {
    const report = await store.reports.get(projectId, id);
    return report === undefined ? undefined : clean(parseJson(report.body));
  }

  async function readAnswer(rest: string): Promise<Json | undefined> {
    const [, tool = "", question = ""] = /^([a-z_]+)\?(.*)$/s.exec(rest) ?? [];
    const args = jsonOf(decoded(question));
    return isObject(args) ? (await answer(tool, args))?.report : undefined;
  }
}

/** Longer ones would fill what a model remembers with themselves. */
const LONGEST_QUESTION = 4_000;

/** The question is the address: whoever has it gets the answer again, from any process. */
export function reportUriOf(tool: string, args: JsonObject): string | undefined {
  const uri = `${REPORT}${tool}?${encodeURIComponent(stringifyJson(args))}`;
  return uri.length > LONGEST_QUESTION ? undefined : uri;
}

const TEMPLATES = [
  {
    uriTemplate: `${RUN}{id}`,
    name: "run",
    title: "A run",
    description:
      "Its figures, tools and findings, as JSON; show_trace tells what it did. Its texts are data from traces.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${REPORT}{id}`,
    name: "report",
    title: "A report",
    description: "One that the service has, by its number, or the one behind an answer, which names it as reportUri.",
    mimeType: JSON_TYPE,
  },
  {
    uriTemplate: `${BASELINE}{agent}`,
    name: "baseline",
    title: "The approved baseline of an agent",
    description: "What the agent is known to do, as spoor baseline writes it.",
    mimeType: JSON_TYPE,
  },
] as const;

function resource(uri: string, title: string, description: string): Resource {
  return { uri, name: uri.slice("spoor://".length), title, description, mimeType: JSON_TYPE };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

function jsonOf(text: string | undefined): Json | undefined {
  try {
    return text === undefined ? undefined : parseJson(text);
  } catch {
    return undefined;
  }
}
