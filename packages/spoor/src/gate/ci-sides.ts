/** Branch and commit of the two sides, as the CI system tells them. */
import type { SideName } from "@spoor/core/internal/gate/gate-report";

export function ciSides(
  env: Readonly<Record<string, string | undefined>>,
): { baseline?: SideName; candidate?: SideName } | undefined {
  const candidate = side(
    env["GITHUB_HEAD_REF"] ?? env["CI_COMMIT_REF_NAME"] ?? env["SPOOR_CANDIDATE_BRANCH"],
    env["SPOOR_CANDIDATE_COMMIT"] ?? env["GITHUB_SHA"] ?? env["CI_COMMIT_SHA"],
  );
  const baseline = side(
    env["GITHUB_BASE_REF"] ?? env["CI_MERGE_REQUEST_TARGET_BRANCH_NAME"] ?? env["SPOOR_BASELINE_BRANCH"],
    env["SPOOR_BASELINE_COMMIT"] ?? env["CI_MERGE_REQUEST_DIFF_BASE_SHA"],
  );
  if (candidate === undefined && baseline === undefined) return undefined;
  return { ...(baseline === undefined ? {} : { baseline }), ...(candidate === undefined ? {} : { candidate }) };
}

function side(branch: string | undefined, commit: string | undefined): SideName | undefined {
  if (!branch && !commit) return undefined;
  return { ...(branch ? { branch } : {}), ...(commit ? { commit } : {}) };
}
