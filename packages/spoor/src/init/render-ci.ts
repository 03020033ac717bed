/** The file that makes CI run the gate, for the system that was found. */
import { version } from "../tool-info.ts";
import { ownersAdvice } from "./render-owners.ts";
import type { CiSystem, PackageManager } from "./repository-facts.ts";

export interface CiChoices {
  readonly ci: CiSystem | undefined;
  readonly packageManager?: PackageManager;
  readonly dependsOnSpoor: boolean;
  /** Where the runs to judge are expected. */
  readonly candidate: string;
  /** The command that records one. */
  readonly record: string;
  /** Whether the gate makes the runs itself. */
  readonly run: boolean;
  /** Variables with the keys that the agent needs for it. */
  readonly keys: readonly string[];
  /** Whether somebody was named who reviews changes of what decides. */
  readonly owned: boolean;
}

export interface CiFile {
  readonly path: string;
  readonly content: string;
  readonly purpose: string;
}

const install: Readonly<Record<PackageManager, string>> = {
  npm: "npm ci",
  pnpm: "corepack enable && pnpm install --frozen-lockfile",
  yarn: "corepack enable && yarn install --immutable",
  bun: "npx bun install --frozen-lockfile",
};

/** Releases by their commit: a tag can be moved. */
const ACTIONS = {
  checkout: "actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2",
  setupNode: "actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0",
};

/** Branches of the repository itself come from people who may write to it. */
const TRUSTED = `$\{{ github.event.pull_request.head.repo.full_name == github.repository }}`;

export function renderCi(choices: CiChoices): CiFile {
  if (choices.ci === undefined || choices.ci.name === "GitHub Actions") return githubWorkflow(choices);
  return choices.ci.name === "GitLab CI" ? gitlabJob(choices) : shellScript(choices, choices.ci.name);
}

function githubWorkflow(choices: CiChoices): CiFile {
  const path = ".github/workflows/spoor.yml";
  const content = `# ${path}: runs \`spoor gate\` on every pull request and keeps one comment up to date.
# What the gate runs: spoor.config.yaml
${choices.owned ? "" : `${ownersAdvice(path)}\n`}name: spoor
# Not pull_request_target: that would hand the secrets of this repository to what a stranger wrote.
on: pull_request
permissions:
  contents: read
  pull-requests: write # for the comment; pull requests from forks get the step summary instead
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: ${ACTIONS.checkout}
        with: { fetch-depth: 2 } # this change and its base: commands that the base does not have are not run
      - uses: ${ACTIONS.setupNode}
        with: { node-version: 22 }
${installCommands(choices)
  .map((command) => `      - run: ${command}`)
  .join("\n")}
${choices.run ? githubRun(choices.keys) : githubRecord(choices)}`;
  return { path, content, purpose: "runs the gate, edits one comment" };
}

/** The gate starts the agent, so the job holds what the agent needs to reach its model. */
function githubRun(keys: readonly string[]): string {
  const secret = (key: string) => `${key}: "\${{ secrets.${key} }}"`;
  return `      - uses: ./node_modules/spoor/action
        with:
          run: true # starts the agent over the scenarios of the configuration
          allow-commands: ${TRUSTED} # not for forks
${
  keys.length === 0
    ? `        # What the agent needs to reach its model, for example
        # env: { ${secret("OPENAI_API_KEY")} }`
    : `        env: { ${keys.map(secret).join(", ")} }`
}
`;
}

function githubRecord({ candidate, record }: CiChoices): string {
  return `      # Unless they are in the repository, record this branch's runs here, one command per task; the gate expects them in
      # ${candidate}
      # - run: ${record}
      - uses: ./node_modules/spoor/action
        with:
          allow-commands: ${TRUSTED} # not for forks
`;
}

function gitlabJob(choices: CiChoices): CiFile {
  const path = "spoor.gitlab-ci.yml";
  const content = `# ${path}: runs \`spoor gate\` on every merge request. What the gate runs: spoor.config.yaml
# To switch it on, add to .gitlab-ci.yml:
#   include: { local: ${path} }
${choices.owned ? "" : `${ownersAdvice(path)}\n`}# Commands that a merge request brings are not run, unless they stand in its target already; where everybody who may open one is
# trusted, add --allow-commands.
spoor-gate:
  image: node:22
  variables: { GIT_DEPTH: 0 } # the target of the merge request is looked at, too
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
  script:
${installCommands(choices)
  .map((command) => `    - ${command}`)
  .join("\n")}
${scriptLines(choices)
  .map((line) => `    ${line.replace(/^(?!# )/, "- ").replace(/^# (?=npx )/, "# - ")}`)
  .join("\n")} -o .spoor/report.json -o .spoor/comment.md -o .spoor/junit.xml
  artifacts:
    when: always
    paths: [.spoor/]
    reports: { junit: .spoor/junit.xml }
`;
  return { path, content, purpose: "a job for .gitlab-ci.yml to include" };
}

function shellScript(choices: CiChoices, system: string): CiFile {
  const path = "ci/spoor-gate.sh";
  const content = `#!/bin/sh
# ${path}: runs \`spoor gate\`; call it from ${system}. What the gate runs: spoor.config.yaml
# Exit code: 0 passed, 1 blocked, 2 could not run, 3 internal error. Reports are in .spoor/.
# Commands that a pull request brings are not run, unless they stand in its base already: the checkout must hold it (git fetch origin).
set -eu
${installCommands(choices).join("\n")}
${scriptLines(choices).join("\n")} -o .spoor/report.json -o .spoor/comment.md -o .spoor/junit.xml
`;
  return { path, content, purpose: `runs the gate; call it from ${system}` };
}

/** The gate, after what has to be done before it; the last line goes on with its options. */
function scriptLines({ run, keys, candidate, record }: CiChoices): string[] {
  if (run)
    return [
      `# Starts the agent: the job needs ${keys.join(" and ") || "the key of its model"}.`,
      "npx spoor gate --run",
    ];
  return [
    "# Unless they are in the repository, record this branch's runs here, one command per task; the gate expects them in",
    `# ${candidate}`,
    `# ${record}`,
    "npx spoor gate",
  ];
}

/** What the project installs, and Spoor itself where the project does not. */
function installCommands({ packageManager, dependsOnSpoor }: CiChoices): string[] {
  return [
    ...(packageManager === undefined ? [] : [install[packageManager]]),
    ...(dependsOnSpoor ? [] : [`npm install --no-save --no-package-lock spoor@${version}`]),
  ];
}
