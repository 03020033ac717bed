/** What an eval file says about the folder that a case works in. */
import { isAbsolute } from "node:path";
import type { JsonObject } from "@spoor/core";
import { custom, list, oneOf, oneOrMany, record } from "@spoor/core/internal/read/collections";
import { ignored, optional, preset } from "@spoor/core/internal/read/field";
import { named } from "@spoor/core/internal/read/json-schema";
import type { Located } from "@spoor/core/internal/read/located";
import { mapping } from "@spoor/core/internal/read/mapping";
import { json, text } from "@spoor/core/internal/read/scalars";
import type { MappingOptions } from "@spoor/core/internal/read/shape";
import { shellWord } from "../document/shell-word.ts";
import { contentText } from "../formats/content-text.ts";
import type { RepoConfig, WorkspaceConfig } from "./eval-suite.ts";
import { refused } from "./refused-field.ts";
import { settingText } from "./target-shapes.ts";

const LOOSE: MappingOptions = { emptyIsAbsent: true };
const NONE: readonly string[] = [];

/** A command, several, or AgentV's way to write one: `{command: [words]}`. */
const hookCommand = oneOf(
  text,
  custom(
    mapping(
      "a command",
      {
        command: optional(oneOf(text, list(text, { min: 1 })), "the command, or its words", { alias: "script" }),
        timeoutMs: ignored("setup has ten minutes, teardown one"),
        cwd: optional(text, "where it runs, relative to the workspace"),
        reset: ignored("every run has a fresh copy"),
      },
      { ...LOOSE, atLeastOne: [["command", "reset"]] },
    ),
    ({ command, cwd }) => {
      const line = typeof command === "string" ? command : (command ?? []).map(shellWord).join(" ");
      // In a shell of its own: the command may be several, and may end in a comment.
      return cwd === undefined || line === "" ? line : `cd ${shellWord(cwd)} && (${line}\n)`;
    },
  ),
);
const commands = custom(oneOrMany(hookCommand), (written) => written.filter((command) => command !== ""));

const repo = custom(
  mapping(
    "a repository",
    {
      repo: optional(text, "its address, or its path relative to the eval file", { alias: ["url"] }),
      source: optional(
        oneOf(
          text,
          mapping(
            "a source",
            {
              type: optional(text, "git or local"),
              url: optional(text, "its address"),
              path: optional(text, "its path"),
            },
            LOOSE,
          ),
        ),
        "AgentV's way to write it",
      ),
      commit: optional(settingText, "the commit, tag or branch", { alias: ["ref", "base_commit"] }),
      sparse: ignored("it is cloned whole"),
      ancestor: refused("name the commit itself"),
      checkout: optional(
        oneOf(
          text,
          mapping(
            "a checkout",
            {
              ref: optional(settingText, "the commit, tag or branch"),
              resolve: ignored("the repository is asked"),
              ancestor: refused("name the commit itself"),
            },
            LOOSE,
          ),
        ),
        "AgentV's way to write it",
      ),
      path: preset(text, ".", "where in the workspace it goes", { alias: ["dest"] }),
      clone: ignored("it is cloned whole"),
    },
    { ...LOOSE, atLeastOne: [["repo", "source"]] },
  ),
  ({ repo: address, source, commit, checkout, path }) => ({
    source: address ?? (typeof source === "string" ? source : (source?.url ?? source?.path ?? "")),
    commit: commit ?? (typeof checkout === "string" ? checkout : checkout?.ref),
    path,
  }),
);

export const workspaceMapping = mapping(
  "workspace",
  {
    template: optional(text, "the folder that every run gets a copy of, relative to the eval file", {
      alias: "folder",
    }),
    repos: preset(list(repo), [], "git repositories that every run gets, each at a commit"),
    setup: preset(commands, NONE, "commands before a run"),
    teardown: preset(commands, NONE, "commands after a run"),
    env: preset(record(json), {} as JsonObject, "variables for commands and agent"),
    hooks: optional(
      mapping(
        "hooks",
        {
          beforeAll: preset(commands, NONE, "commands once, in the copy that every run gets a copy of"),
          beforeEach: preset(commands, NONE, "commands before a run"),
          afterEach: preset(commands, NONE, "commands after a run"),
          afterAll: preset(commands, NONE, "commands once, when all runs are over"),
          onReuse: ignored("every run has a fresh copy"),
          enabled: ignored("hooks that are written are run"),
        },
        LOOSE,
      ),
      "commands around all runs and around each; those around each may also stand in setup and teardown",
    ),
    scope: ignored("every run has a copy of its own"),
    isolation: ignored("every run has a copy of its own"),
    mode: optional(
      custom(text, (word, at) =>
        word === "static"
          ? at.problem("mode: runs do not work in the folder itself, each has a copy of template.")
          : word,
      ),
      "pooled or temp, AgentV's words for a copy",
    ),
    path: refused("runs do not work in the folder itself; write template: FOLDER"),
    docker: refused("runs in a container are not made"),
  },
  LOOSE,
);

/** A folder, or a mapping with what happens in it. */
export const workspaceShape = named("workspace", oneOf(text, workspaceMapping));

export interface WorkspaceContext {
  readonly resolvePath: (path: string) => string;
}

/** `filled`: with references to the environment replaced. */
export function readWorkspace(at: Located, filled: Located, context: WorkspaceContext): WorkspaceConfig | undefined {
  const written = workspaceShape.read(filled);
  if (written === undefined) return undefined;
  if (typeof written === "string") return { ...templateOf(written, at, context), setup: [], teardown: [], env: {} };
  const { template, setup, teardown, env, hooks, repos } = written;
  return {
    ...(template === undefined ? {} : templateOf(template, at, context)),
    setup: [...setup, ...(hooks?.beforeEach ?? [])],
    teardown: [...teardown, ...(hooks?.afterEach ?? [])],
    env: Object.fromEntries(Object.entries(env).map(([key, value]) => [key, contentText(value)])),
    ...(repos.length === 0 ? {} : { repos: repos.map((one) => repoOf(one, context)) }),
    ...(hooks === undefined || hooks.beforeAll.length === 0 ? {} : { beforeAll: hooks.beforeAll }),
    ...(hooks === undefined || hooks.afterAll.length === 0 ? {} : { afterAll: hooks.afterAll }),
  };
}

function templateOf(template: string, at: Located, context: WorkspaceContext): { template?: string } {
  if (!isAbsolute(template)) return { template: context.resolvePath(template) };
  at.problem(`the workspace folder "${template}" must be relative to the eval file.`);
  return {};
}

/** `https://…`, `git@host:…` and `owner@host:path` are addresses; anything else is a path. */
function repoOf(
  { source, commit, path }: { readonly source: string; readonly commit: string | undefined; readonly path: string },
  { resolvePath }: WorkspaceContext,
): RepoConfig {
  const isAddress = /^[a-z][a-z0-9+.-]*:\/\//i.test(source) || /^[^/\\]+@[^/\\]+:/.test(source);
  return {
    source: isAddress || isAbsolute(source) ? source : resolvePath(source),
    ...(commit === undefined ? {} : { commit }),
    path,
  };
}
