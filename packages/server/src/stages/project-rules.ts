/**
 * What a project's runs are judged by: its configuration (the sections of a spoor.config file that concern runs), the policies it names and the
 * approved baseline of each agent. Asked for every batch, parsed once per text.
 */
import type { JsonObject } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import { parseBaseline } from "@spoor/core/internal/fingerprint/parse-baseline";
import { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { valueSource } from "@spoor/core/internal/read/source";
import { isObject } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import type { Config } from "spoor/internal/config/config";
import { readConfig } from "spoor/internal/config/load-config";
import { joinPolicies, loadPolicy } from "spoor/internal/load/load-policy";
import { version } from "spoor/internal/tool-info";
import type { Store } from "../store/store.ts";
import type { PolicyRules, RunRules } from "./run-rules.ts";

/** The one configuration of a project, under its kind. */
export const CONFIG_KIND = "config";
export const POLICY_KIND = "policy";
export const CONFIG_NAME = "spoor.config.yaml";

export interface ProjectRules {
  config(projectId: number): Promise<Config>;
  /** Undefined when the configuration names none. */
  policy(projectId: number): Promise<PolicyRules | undefined>;
  known(projectId: number, agent: string): Promise<KnownBehaviour | undefined>;
  rulesFor(projectId: number, agent: string, today: string): Promise<RunRules>;
}

export interface KnownBehaviour {
  readonly baseline: Baseline;
  readonly hash: string;
  readonly generation: number;
}

export function createProjectRules({ configs, baselines }: Pick<Store, "configs" | "baselines">): ProjectRules {
  const parsedPolicies = createMemo<Policy>();
  const parsedBaselines = createMemo<Baseline>();

  async function config(projectId: number): Promise<Config> {
    const stored = await configs.current(projectId, CONFIG_KIND, CONFIG_NAME);
    return projectConfig(
      stored?.body,
      (await configs.list(projectId, POLICY_KIND)).map(({ name }) => name),
    );
  }

  async function policy(projectId: number): Promise<PolicyRules | undefined> {
    const { policy: settings } = await config(projectId);
    if (settings === undefined) return undefined;
    const parts: { policy: Policy; hash: string }[] = [];
    for (const name of settings.files) parts.push(await policyNamed(projectId, name));
    const hash = digestText(parts.map((part) => part.hash).join("\n"));
    return { policy: joinPolicies(parts.map((part) => part.policy)), hash, failOn: settings.failOn };
  }

  async function policyNamed(projectId: number, name: string): Promise<{ policy: Policy; hash: string }> {
    if (name.startsWith("spoor:")) return { policy: loadPolicy(name, { cwd: "." }), hash: digestText(name) };
    const stored = await configs.current(projectId, POLICY_KIND, name);
    if (stored === undefined)
      throw new SpoorError("policy.missing", `The policy ${name} is not with the service.`, {
        consequence: "Nothing was checked.",
        hint: "Send it with PUT /api/v1/policies/NAME, or take it out of the project's configuration.",
      });
    return { policy: parsedPolicies(stored.hash, () => parsePolicy(stored.body, { file: name })), hash: stored.hash };
  }

  async function known(projectId: number, agent: string): Promise<KnownBehaviour | undefined> {
    const row = await baselines.approved(projectId, agent);
    if (row === undefined) return undefined;
    const hash = digestText(row.body);
    const file = `the baseline of ${agent}, generation ${row.generation}`;
    const baseline = parsedBaselines(hash, () => parseBaseline(row.body, { file, toolVersion: version }));
    return { baseline, hash, generation: row.generation };
  }

  async function rulesFor(projectId: number, agent: string, today: string): Promise<RunRules> {
    return present({ today, ...(await policyOrProblem(projectId)), known: await known(projectId, agent) });
  }

  /** A rule file that cannot be used is no fault of the run that arrives. */
  async function policyOrProblem(projectId: number): Promise<Pick<RunRules, "policy" | "problem">> {
    try {
      const found = await policy(projectId);
      return found === undefined ? {} : { policy: found };
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      return { problem: { code: error.code, message: error.message } };
    }
  }

  return { config, policy, known, rulesFor };
}

/**
 * Without a configuration everything the service holds is used as it is by default: every policy, the runs of another release to compare with,
 * the approved baseline.
 */
export function projectConfig(text: string | undefined, policies: readonly string[]): Config {
  const written = text === undefined ? {} : parseYaml(text, CONFIG_NAME).value;
  const given: JsonObject = isObject(written) ? written : {};
  const filled: JsonObject = {
    ...given,
    traces: "service",
    diff: { baseline: "service", ...(isObject(given["diff"]) ? given["diff"] : {}) },
    ...(given["policy"] !== undefined || policies.length === 0 ? {} : { policy: { files: [...policies] } }),
    ...(given["baseline"] === undefined ? { baseline: { file: "service" } } : {}),
  };
  return readConfig(valueSource(filled, CONFIG_NAME));
}

/** Texts change rarely and come often; a few of each are kept. */
function createMemo<T>(most = 200): (key: string, make: () => T) => T {
  const kept = new Map<string, T>();
  return (key, make) => {
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make();
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(key, made);
    return made;
  };
}
