/** What both proxies share: a guarded session per connection, its decision log, its recording, and what is told to the user. */

import { join } from "node:path";
import { messageOf } from "@spoor/core/internal/errors";
import { listOf } from "@spoor/core/internal/text/words";
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { createGuard, type Guard } from "@spoor/record";
import { createDecisionLog } from "@spoor/record/decision-log";
import { type AppendFile, openAppendFile } from "@spoor/record/internal/node/append-file";
import { agentlogLines } from "../formats/agentlog.ts";
import { type LoadedPolicy, policyDigest } from "../load/load-policy.ts";
import { makeFolder } from "../load/make-folder.ts";
import { createMessageGuard, type MessageGuard } from "./guard-messages.ts";
import { compareTools } from "./known-tools.ts";

export interface DoorOptions {
  readonly loaded: LoadedPolicy;
  /** As the user named it. */
  readonly policyName: string;
  readonly server: string | undefined;
  /** How the server is reached; what is known of its tools is kept under it. */
  readonly target: string;
  readonly log: string | undefined;
  /** Folder for a recording of each session. */
  readonly record: string | undefined;
  readonly stateFolder: string;
  readonly now: () => Date;
  /** Whether the proxy can put questions to the client. */
  readonly canAsk?: boolean;
  /** Notices, a line each. */
  readonly say: (line: string) => void;
}

export interface Door {
  /** The guarded session of this id. */
  session(id: string): DoorSession;
  /** Ends all sessions and says what was still owed. */
  close(): Promise<void>;
}

export interface DoorSession extends MessageGuard {
  /** Waits until decisions and records are on disk. */
  written(): Promise<void>;
}

export function createDoor(options: DoorOptions): Door {
  const { loaded, policyName, now, say } = options;
  const sessions = new Map<string, DoorSession>();
  const pending: (() => Promise<void>)[] = [];
  const recordings = new Map<string, AppendFile>();
  const digest = policyDigest(loaded);
  const log = options.log === undefined ? undefined : createDecisionLog(options.log);
  const guard = createGuard(loaded.policy, {
    now,
    // Calls are judged one by one here, and asked about by the messages themselves.
    onAsk: () => false,
    onRecord: (record, id) => keepRecord(record, id),
    onError: (error) => say(`A call could not be judged and is refused: ${messageOf(error)}`),
  });

  return {
    session(id) {
      const known = sessions.get(id);
      if (known !== undefined) return known;
      const session = open(guard, id);
      sessions.set(id, session);
      return session;
    },
    async close() {
      for (const session of sessions.values()) session.end();
      const { violations, notEvaluated } = guard.close();
      for (const { ruleId, message } of violations) say(`At the end: ${ruleId}: ${message}`);
      for (const { ruleId, why } of notEvaluated) say(`Not evaluated: ${ruleId}: ${why}`);
      try {
        await written();
      } finally {
        for (const file of recordings.values()) file.close();
        recordings.clear();
      }
    },
  };

  function open(of: Guard, id: string): DoorSession {
    const messages = createMessageGuard({
      session: of.session(id),
      policy: loaded.policy,
      server: options.server,
      canAsk: options.canAsk === true,
      now,
      policyName: { name: policyName, digest },
      log: (line) => keepDecision(line),
      onTools: (tools) => {
        pending.push(() => reportTools(tools));
      },
    });
    return { ...messages, written };
  }

  function keepDecision(line: JsonObject): void {
    if (log !== undefined) pending.push(async () => log(line));
  }

  function keepRecord(record: TraceRecord, id: string): void {
    const { record: folder } = options;
    if (folder === undefined) return;
    const [line = ""] = agentlogLines([{ ...record, ts: now().toISOString() }]);
    pending.push(async () => {
      await makeFolder(folder);
      const file = recordings.get(id) ?? openRecording(folder, id);
      recordings.set(id, file);
      file.append(line);
    });
  }

  async function written(): Promise<void> {
    for (let next = pending.shift(); next !== undefined; next = pending.shift()) await next();
  }

  async function reportTools(tools: readonly Json[]): Promise<void> {
    const changes = await compareTools(join(options.stateFolder, "tools"), options.target, tools);
    if (changes === undefined) return;
    if (changes.changed.length > 0)
      say(
        `Described otherwise than last time: ${listOf(changes.changed)}. The model reads descriptions as instructions.`,
      );
    if (changes.added.length > 0) say(`New since last time: ${listOf(changes.added)}.`);
    if (changes.removed.length > 0) say(`Gone since last time: ${listOf(changes.removed)}.`);
  }
}

/** Its own, also when a session of the same name was recorded before: that one may break off in the middle of a line, and nothing may follow there. */
function openRecording(folder: string, id: string): AppendFile {
  const name = id.replace(/[^\w.-]/g, "_");
  for (let number = 1; ; number++) {
    try {
      return openAppendFile(join(folder, `${name}${number === 1 ? "" : `-${number}`}.agentlog`), { exclusive: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}
