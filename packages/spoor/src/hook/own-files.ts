/**
 * What a hook rests on, and what the agent it guards must therefore not change: the session's history, the policy, the
 * settings that call the hook, and Spoor itself. Reading them is nobody's business here.
 */
import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, resolve, sep } from "node:path";
import { globMatcher } from "@spoor/core/internal/text/glob";

export interface OwnFiles {
  /** The protected file or folder that a path is, or lies in. */
  of(path: string): string | undefined;
  /** The protected file that would go with a folder which is deleted or moved. */
  within(folder: string): string | undefined;
  /** The protected file that a glob may stand for; with `removes`, also one that goes with a folder it stands for. */
  matching(glob: string, removes: boolean): string | undefined;
  /** The protected file that a text names, written in whichever way. */
  namedIn(text: string): string | undefined;
}

export interface OwnPlaces {
  /** The policy's files, the log, the transcript: full paths. */
  readonly files: readonly string[];
  /** The folder of the histories. */
  readonly folders: readonly string[];
  /** The agents' own folders, where the environment has moved them (`CODEX_HOME`). */
  readonly agentFolders: readonly string[];
  /** What a relative path is relative to. */
  readonly cwd: string;
  readonly home: string;
}

/** Where agents keep the settings that call their hooks, at home and in a project. */
const SETTINGS: readonly RegExp[] = [
  /(^|\/)\.claude\/(settings[^/]*\.json|hooks(\/|$))/,
  /(^|\/)\.codex\/([^/]*config\.toml|hooks\.json|hooks(\/|$))/,
  /(^|\/)\.copilot\/(settings[^/]*\.json|config\.json|hooks(\/|$))/,
  /(^|\/)\.github\/(hooks(\/|$)|copilot\/settings[^/]*\.json)/,
  /(^|\/)node_modules\/(spoor|@spoor|\.bin\/spoor[^/]*)(\/|$)/,
];
const IN_AGENT_FOLDER = /^(settings[^/]*\.json|[^/]*config\.(toml|json)|hooks\.json|hooks(\/|$))/;
const SETTINGS_FOLDERS: ReadonlySet<string> = new Set([".claude", ".codex", ".copilot"]);

export function createOwnFiles({ files, folders, agentFolders, cwd, home }: OwnPlaces): OwnFiles {
  const own = [...files, ...folders].map(comparable);
  const moved = agentFolders.map(comparable);
  const names = [
    ...own,
    ...own.map((path) => path.split("/").slice(-2).join("/")),
    ...files.map((file) => comparable(basename(file))),
  ];
  const absolute = (path: string) => {
    const expanded = path.replace(/^(~|\$HOME|\$\{HOME\})(?=$|\/|\\)/, () => home);
    return isAbsolute(expanded) ? expanded : resolve(cwd, expanded);
  };

  return {
    of(path) {
      return [absolute(path), real(absolute(path))].some((one) => isOwn(comparable(one))) ? path : undefined;
    },
    within(folder) {
      const full = comparable(real(absolute(folder)));
      const holds = [...own, ...moved].some((path) => path === full || path.startsWith(`${full}/`));
      return holds || SETTINGS_FOLDERS.has(basename(full)) || full.endsWith("/.github/hooks") ? folder : undefined;
    },
    matching(glob, removes) {
      const matches = globMatcher(comparable(absolute(glob)), { paths: true });
      const settings = [cwd, home].flatMap((folder) => USUAL.map((name) => comparable(join(folder, name))));
      const found = [...own, ...settings].find((path) => matches(path) || (removes && upwards(path).some(matches)));
      return found === undefined ? undefined : glob;
    },
    namedIn(text) {
      const plain = comparable(text.replace(/["'\\]/g, (mark) => (mark === "\\" && sep === "\\" ? "/" : "")));
      return names.find((name) => name.length >= 5 && plain.includes(name)) ?? SETTINGS_IN_TEXT.exec(plain)?.[0];
    },
  };

  function isOwn(path: string): boolean {
    if (own.some((one) => path === one || path.startsWith(`${one}/`))) return true;
    if (moved.some((one) => path.startsWith(`${one}/`) && IN_AGENT_FOLDER.test(path.slice(one.length + 1))))
      return true;
    return SETTINGS.some((pattern) => pattern.test(path));
  }
}

/** Where settings stand in a project and at home, to hold globs against. */
const USUAL: readonly string[] = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".codex/config.toml",
  ".codex/hooks.json",
  ".copilot/settings.json",
  ".github/hooks/spoor.json",
];

/** The folders a file is in, as long as they are its own: a project is not a setting. */
function upwards(path: string): string[] {
  const parts = path.split("/");
  const from = parts.findIndex((part) => SETTINGS_FOLDERS.has(part));
  return from < 0 ? [] : parts.slice(from, -1).map((_, index) => parts.slice(0, from + index + 1).join("/"));
}

/** In a command: also the folder itself, and patterns that may stand for what is in it. */
const SETTINGS_IN_TEXT =
  /\.(claude|codex|copilot)(\/+(settings[^/\s]*|[^/\s]*config\.(toml|json)|hooks[^\s]*|\S*[*?[{]\S*)|\/*(?=\s|[;&|<>)]|$))|\.github\/+(hooks|copilot\/+settings)[^\s]*|node_modules\/+(@?spoor|\.bin\/+spoor)\b/;

/** One spelling of a path: systems that ignore case must not be a way around. */
function comparable(path: string): string {
  return path.replaceAll(sep, "/").replace(/\/+/g, "/").toLowerCase();
}

/** The path behind links, as far as it exists. */
function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(real(above), basename(path));
  }
}
