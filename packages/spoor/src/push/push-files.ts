/** Files → the service, a few at a time, in the order of their names. What one file lacks does not keep the others back. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Redaction } from "@spoor/core/internal/redact/redaction";
import type { Destination, SendOptions } from "./ask-service.ts";
import { contentToPush } from "./content-to-push.ts";
import { sendRecording } from "./send-recording.ts";

export interface PushedFile {
  readonly file: string;
  readonly id: string;
  /** False when the service had it already. */
  readonly created: boolean;
}

export interface PushProblem {
  readonly file: string;
  readonly error: SpoorError;
}

export interface PushResult {
  readonly pushed: readonly PushedFile[];
  readonly problems: readonly PushProblem[];
}

export interface PushOptions extends SendOptions {
  /** What is said of every recording: agent, release, scenario. */
  readonly about: Readonly<Record<string, string>>;
  /** What the service calls a file. */
  readonly nameOf: (file: string) => string;
  readonly redaction: Redaction;
}

const AT_ONCE = 4;

/** Throws what concerns all of them: nobody answers, or the token is not good for it. */
export async function pushFiles(
  files: readonly string[],
  destination: Destination,
  options: PushOptions,
): Promise<PushResult> {
  const results: PushResult[] = new Array(files.length);
  let next = 0;
  let isOver = false;
  const work = async () => {
    while (next < files.length && !isOver) {
      const index = next++;
      try {
        results[index] = await pushFile(files[index]!, destination, options);
      } catch (error) {
        isOver = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, files.length) }, work));
  return { pushed: results.flatMap(({ pushed }) => pushed), problems: results.flatMap(({ problems }) => problems) };
}

async function pushFile(file: string, destination: Destination, options: PushOptions): Promise<PushResult> {
  const pushed: PushedFile[] = [];
  try {
    for (const { bytes, entry } of await contentToPush(file, options.redaction)) {
      const name = entry === undefined ? options.nameOf(file) : `${options.nameOf(file)}#${entry}`;
      const sent = await sendRecording(destination, { ...options.about, name }, bytes, options);
      pushed.push({ file: name, ...sent });
    }
    return { pushed, problems: [] };
  } catch (error) {
    if (!(error instanceof SpoorError) || concernsAll(error)) throw error;
    return { pushed, problems: [{ file, error }] };
  }
}

function concernsAll({ code, consequence }: SpoorError): boolean {
  return code === "server.unreachable" || (code === "server.refused" && consequence !== undefined);
}
