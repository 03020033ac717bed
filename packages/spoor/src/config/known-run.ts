/** What a configuration starts or sends keys to, held against what the base of a pull request has. */
import { basename, join } from "node:path";
import type { Json } from "@spoor/core";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { member } from "@spoor/core/internal/trace/json";
import { isRestricted, requireKnown, type Start } from "../load/trust/trust.ts";
import { isModule, type LoadedConfig } from "./load-config.ts";

/** How the agent is started. */
export function requireKnownRun({ file, folder, config }: LoadedConfig): void {
  const { command, env } = config.run!;
  hold(file, folder, { run: { command: command as Json, ...(env === undefined ? {} : { env }) } }, runOf);
}

/** A judge at an address of its own: the key of the environment goes there. */
export function requireKnownJudge({ file, folder, config }: LoadedConfig): void {
  const judge = config.diff?.judge;
  if (judge?.baseUrl !== undefined)
    hold(file, folder, { diff: { judge: { baseUrl: judge.baseUrl, provider: judge.provider } } }, judgeOf);
}

/** A module has been asked for as a whole before it was loaded. */
function hold(file: string, folder: string, written: Json, startOf: (config: Json) => Start[]): void {
  if (!isRestricted() || isModule(file)) return;
  const path = join(folder, basename(file));
  requireKnown(path, startOf(written), (base) => startOf(parseYaml(base.read(path) ?? "", file).value));
}

function runOf(config: Json): Start[] {
  const run = member(config, "run");
  const [command, env] = [member(run, "command"), member(run, "env")];
  return command === undefined ? [] : [{ what: "run.command", runs: { command, env: env ?? {} } }];
}

function judgeOf(config: Json): Start[] {
  const judge = member(member(config, "diff"), "judge");
  const [address, provider] = [member(judge, "baseUrl"), member(judge, "provider")];
  if (address === undefined) return [];
  return [{ what: "diff.judge", runs: { baseUrl: address, provider: provider ?? "openai" } }];
}
