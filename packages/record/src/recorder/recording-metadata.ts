/** What a recording says about itself, in the first record of each of its files. */
import type { JsonObject } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { gitState } from "./git-state.ts";
import type { RecorderOptions } from "./recorder-options.ts";

export function recordingMetadata({ agent, tags }: RecorderOptions, door: string): JsonObject {
  const { commit, branch } = gitState(process.cwd());
  return present({
    agent,
    tags: tags === undefined ? undefined : { ...tags },
    git_commit: commit,
    git_branch: branch,
    sdk: "@spoor/record",
    runtime: `node ${process.versions.node}`,
    door,
  });
}
