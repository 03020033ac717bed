/**
 * The address of the full report, as the configuration writes it. The configuration comes with the pull request, so only
 * variables that say where a job is are put in: a link must not carry a secret of the job into the comment.
 */
import type { Io } from "./io.ts";
import { usageError } from "./option.ts";

const PLACES: ReadonlySet<string> = new Set([
  ...["SERVER_URL", "REPOSITORY", "RUN_ID", "RUN_NUMBER", "RUN_ATTEMPT", "SHA", "REF_NAME", "HEAD_REF", "BASE_REF"].map(
    (name) => `GITHUB_${name}`,
  ),
  ...["SERVER_URL", "PROJECT_URL", "PROJECT_PATH", "JOB_ID", "JOB_URL", "PIPELINE_ID", "PIPELINE_URL"].map(
    (name) => `CI_${name}`,
  ),
  ...[
    "CI_COMMIT_SHA",
    "CI_COMMIT_REF_NAME",
    "CI_MERGE_REQUEST_IID",
    "BUILD_URL",
    "BUILD_NUMBER",
    "BUILD_ID",
    "JOB_URL",
  ],
]);

export function expandLink(link: string | undefined, { env }: Pick<Io, "env">): string | undefined {
  return link?.replace(/\$(\w+)|\$\{(\w+)\}/g, (_all, plain: string, braced: string) => {
    const name = plain ?? braced;
    if (PLACES.has(name)) return env[name] ?? "";
    throw usageError(
      `report.link names ${name}, and links take only variables that say where a job is.`,
      "Use $GITHUB_SERVER_URL, $GITHUB_REPOSITORY, $GITHUB_RUN_ID, $CI_JOB_URL, $BUILD_URL and the like, or --link.",
    );
  });
}
