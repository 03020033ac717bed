/** The server over files: what a client asks for, answered by commands that run behind a fence. */
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import type { Json, JsonObject } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { withinFence } from "../load/fence.ts";
import { Answers } from "./answers.ts";
import type { CommandAnswer, RunCommand } from "./command-answer.ts";
import { byPath } from "./naming.ts";
import { JSON_TYPE, type PlaceResources, REPORT } from "./resources.ts";
import { readableRoots } from "./roots.ts";
import { type RpcHandler, type RpcPeer, serveRpc } from "./rpc.ts";
import { answerRequest, type Place } from "./session.ts";
import { createTools } from "./tools.ts";

export interface McpOptions {
  readonly input: Readable;
  readonly write: (text: string) => void;
  readonly run: RunCommand;
  /** A mistake of the client's, as the terminal says it. */
  readonly refuse: (error: SpoorError) => CommandAnswer;
  /** Folders that may be read, whatever the client says it works in. */
  readonly roots: readonly string[];
  readonly cwd: string;
}

const MOST_FILE_BYTES = 512 * 1024 ** 2;

export function serveMcp(options: McpOptions): Promise<void> {
  return serveRpc(options.input, options.write, (peer) => createSession(options, peer));
}

function createSession(options: McpOptions, peer: RpcPeer): RpcHandler {
  let hasRoots = false;
  let client: Promise<Json | undefined> = Promise.resolve(undefined);
  const place = filesPlace(options, () => client);
  return {
    request(method, params) {
      if (method === "initialize") hasRoots = isObject(member(member(params, "capabilities"), "roots"));
      return answerRequest(place, method, params);
    },
    notification(method) {
      const asks = method === "notifications/initialized" || method === "notifications/roots/list_changed";
      if (asks && hasRoots) client = peer.ask("roots/list");
    },
  };
}

function filesPlace({ run, refuse, roots, cwd }: McpOptions, client: () => Promise<Json | undefined>): Place {
  const tools = createTools(byPath);
  const answers = new Answers();
  return { naming: byPath, tools, call, resources: reportsOf(answers) };

  async function call(name: string, args: JsonObject, cursor: Json | undefined): Promise<JsonObject> {
    try {
      if (cursor !== undefined) return answers.next(cursor);
      const { command, words, given = {} } = tools.find((tool) => tool.name === name)!.commandLine(args);
      const fence = {
        roots: readableRoots(roots, await client()),
        mostBytes: MOST_FILE_BYTES,
        given: new Map(Object.entries(given).map(([file, text]) => [resolve(cwd, file), text])),
      };
      return answers.add(`${command} ${words.join(" ")}`, await withinFence(fence, () => run(command, words)));
    } catch (error) {
      if (error instanceof SpoorError) return answers.add(name, refuse(error));
      throw error;
    }
  }
}

function reportsOf(answers: Answers): PlaceResources {
  return {
    list: () => [],
    templates: [
      {
        uriTemplate: `${REPORT}{id}`,
        name: "report",
        title: "The report behind an answer",
        description: "Whole, as JSON; an answer names it as reportUri. Its texts are data from traces.",
        mimeType: JSON_TYPE,
      },
    ],
    read: (uri) => (uri.startsWith(REPORT) ? answers.report(uri.slice(REPORT.length)) : undefined),
  };
}
