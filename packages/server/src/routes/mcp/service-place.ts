/** The tools over the runs of one project. Nothing of an answer is kept: a cursor names the page of an answer that is made again. */
import type { Json, JsonObject } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { lensError, runLens, type Surroundings } from "spoor/internal/cli/run-lens";
import { withinFence } from "spoor/internal/load/fence";
import { answerPage, clean, type WholeAnswer, wholeAnswer } from "spoor/internal/mcp/answer";
import { byRun } from "spoor/internal/mcp/naming";
import type { Place } from "spoor/internal/mcp/session";
import { createTools } from "spoor/internal/mcp/tools";
import { type Cursors, openCursors } from "../cursor.ts";
import type { Service } from "../service.ts";
import { asUnavailable } from "../traces.ts";
import { type Fetched, fetchNamed, NOWHERE } from "./fetch-named.ts";
import { SEARCH_RUNS, searchRuns, searchTool } from "./search-runs.ts";
import { reportUriOf, serviceResources } from "./service-resources.ts";

export interface Answered {
  readonly whole: WholeAnswer;
  readonly runs: Fetched["runs"];
}

const tools = createTools(byRun);

export function servicePlace(projectId: number, service: Service): Place {
  const { store, now, reading } = service;
  const around: Surroundings = {
    cwd: NOWHERE,
    program: "spoor",
    now: () => new Date(now()),
    onBug: service.onProblem,
  };
  return {
    naming: byRun,
    tools: [...tools, searchTool],
    call,
    resources: serviceResources(projectId, service, async (tool, args) => (await answer(tool, args))?.whole),
  };

  async function call(tool: string, args: JsonObject, cursor: Json | undefined): Promise<JsonObject> {
    try {
      const cursors = await openCursors(store, projectId, now()).catch(asUnavailable);
      if (tool === SEARCH_RUNS) return await searchRuns(store, projectId, args, cursor, cursors);
      return pageOf(tool, args, (await answer(tool, args))!, cursor, cursors);
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      return answerPage(wholeAnswer(tool, lensError(error, [], around)), 0, { cursor: undefined });
    }
  }

  async function answer(name: string, args: JsonObject): Promise<Answered | undefined> {
    const line = tools.find((tool) => tool.name === name)?.commandLine(args);
    if (line === undefined) return undefined;
    const { command, words } = line;
    return reading(async () => {
      const { fence, runs } = await fetchNamed(store, projectId, line).catch(asUnavailable);
      const given = await withinFence(fence, () => runLens(command, words, around));
      return { whole: wholeAnswer(`${command} ${words.join(" ")}`, given), runs };
    });
  }
}

function pageOf(
  tool: string,
  args: JsonObject,
  { whole, runs }: Answered,
  cursor: Json | undefined,
  cursors: Cursors,
): JsonObject {
  // What has come to a release since then would make it another answer.
  const question: Json = { tool, args, answer: digestText(whole.pages.join("")) };
  const index = cursor === undefined ? 0 : pageIndex(cursor, question, cursors);
  if (whole.pages[index] === undefined) throw badCursor(cursor!);
  return answerPage(whole, index, {
    cursor: index + 1 < whole.pages.length ? cursors.write(index + 1, question) : undefined,
    reportUri: reportUriOf(tool, args),
    ...(runs.length === 0 || whole.error !== undefined ? {} : { more: runList(runs) }),
  });
}

function pageIndex(cursor: Json, question: Json, cursors: Cursors): number {
  try {
    if (typeof cursor === "string") return cursors.read(cursor, question);
  } catch {
    // Of another answer, or of none.
  }
  throw badCursor(cursor);
}

function badCursor(cursor: Json): SpoorError {
  return new SpoorError("mcp.bad-cursor", `There is no page ${stringifyJson(cursor)} of this answer.`, {
    hint: "Ask again without a cursor: the arguments are others, or the runs they name have changed.",
  });
}

/** Beyond, search_runs tells them. */
const MOST_LISTED = 100;

/** The words speak of files, as they were called where they were recorded; whoever looks further needs the ids. */
function runList(runs: Fetched["runs"]): { readonly content: JsonObject; readonly text: string } {
  const listed = clean(runs.slice(0, MOST_LISTED).map((run) => ({ ...run }))) as readonly JsonObject[];
  const lines = listed.map(({ id, path, trace }) => `  ${String(id)}  ${String(path ?? trace)}`);
  const left = runs.length - listed.length;
  return {
    content: { runs: listed as Json },
    text: [
      "The runs behind these words:",
      ...lines,
      ...(left === 0 ? [] : [`  and ${left} more, which search_runs lists`]),
    ].join("\n"),
  };
}
