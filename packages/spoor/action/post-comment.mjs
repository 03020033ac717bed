// Keeps one comment per gate on a pull request: found by its hidden marker, edited in place, also when a block is cleared or
// the gate could not run. No dependency; a token that may not write (forks) is no failure, the step summary has the report.
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const MARKER = /^<!-- spoor:gate:[\w.-]+ -->/;
const PER_PAGE = 100;
const MOST_PAGES = 100;
const ATTEMPTS = 3;
const NO_ACCESS = new Set([401, 403, 404]);

/**
 * Creates or edits the comment. `body` begins with its marker; without a body (no report) the comments of earlier runs are
 * told that they are out of date. Answers what was done: created, edited, unchanged, outdated or no-access.
 */
export async function postComment({ api, repository, pullRequest, body, failure = "", call }) {
  const comments = `${api}/repos/${repository}/issues/${pullRequest}/comments`;
  try {
    const ours = await findOurs(comments, call);
    if (body === undefined) return await markOutdated(ours, failure, `${api}/repos/${repository}`, call);
    const marker = MARKER.exec(body)?.[0];
    if (marker === undefined) throw new Error("The comment does not begin with its marker.");
    for (const { id, body: old } of ours.filter((comment) => comment.body.startsWith(marker))) {
      if (old === body) return "unchanged";
      // A comment with our marker may be someone else's; then ours is still to be written.
      if (await edited(`${api}/repos/${repository}/issues/comments/${id}`, body, call)) return "edited";
    }
    await call("POST", comments, { body });
    return "created";
  } catch (error) {
    if (NO_ACCESS.has(error.status)) return "no-access";
    throw error;
  }
}

/** Every comment with a marker of ours, oldest first, from all pages. */
async function findOurs(comments, call) {
  const ours = [];
  for (let page = 1; page <= MOST_PAGES; page++) {
    const found = await call("GET", `${comments}?per_page=${PER_PAGE}&page=${page}`);
    ours.push(...found.filter((comment) => MARKER.test(comment.body ?? "")));
    if (found.length < PER_PAGE) break;
  }
  return ours;
}

async function edited(comment, body, call) {
  try {
    await call("PATCH", comment, { body });
    return true;
  } catch (error) {
    if (NO_ACCESS.has(error.status)) return false;
    throw error;
  }
}

/** An old "passed" over a run without a verdict would be a lie. */
async function markOutdated(ours, failure, repository, call) {
  for (const { id, body } of ours) {
    const text = `${MARKER.exec(body)[0]}\n### ? Not evaluated: the gate could not run\nThe verdict that stood here belongs to an earlier commit.\n\n${fenced(failure)}\n`;
    await edited(`${repository}/issues/comments/${id}`, text, call);
  }
  return "outdated";
}

/** Text of an error in a code block that it cannot leave. */
function fenced(text) {
  const shown = text.trim().split("\n").slice(-40).join("\n").slice(-8_000);
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}text\n${shown}\n${fence}`;
}

/** Calls of the GitHub API: JSON in and out; a server in trouble is asked again. */
export function createCaller({ token, userAgent = "spoor-action", pauseMs = 1_000 }) {
  return async function call(method, url, payload) {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(url, {
        method,
        headers: {
          accept: "application/vnd.github+json",
          authorization: `Bearer ${token}`,
          "user-agent": userAgent,
          "x-github-api-version": "2022-11-28",
          ...(payload === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(payload === undefined ? {} : { body: JSON.stringify(payload) }),
      });
      if (response.ok) return response.json();
      const text = await response.text();
      if (response.status < 500 || attempt === ATTEMPTS) {
        throw Object.assign(new Error(`${method} ${url}: ${response.status} ${text.slice(0, 300)}`), {
          status: response.status,
        });
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * attempt));
    }
  };
}

async function main(env) {
  const api = env.GITHUB_API_URL ?? "https://api.github.com";
  const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH, "utf8"));
  const pullRequest = event.pull_request?.number;
  if (pullRequest === undefined) return say("notice", "This is no pull request, so there is nothing to comment on.");
  const file = ".spoor/comment.md";
  const body = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const failure = existsSync(".spoor/gate-error.txt") ? readFileSync(".spoor/gate-error.txt", "utf8") : "";
  const call = createCaller({ token: env.GITHUB_TOKEN, pauseMs: Number(env.SPOOR_RETRY_MS ?? 1_000) });
  try {
    const done = await postComment({ api, repository: env.GITHUB_REPOSITORY, pullRequest, body, failure, call });
    if (done === "no-access") {
      return say(
        "notice",
        "The token may not write comments (a pull request from a fork?). The report is in the step summary.",
      );
    }
    console.log(`spoor: comment ${done}`);
  } catch (error) {
    // The verdict stands with or without its comment.
    say("warning", `The comment could not be written: ${error.message}. The report is in the step summary.`);
  }
}

function say(level, text) {
  console.log(`::${level}::${text.replace(/%/g, "%25").replace(/\r/g, "%0D").replace(/\n/g, "%0A")}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main(process.env);
