/** The file that makes CI run the gate, for the system that was found. */
import { version } from "../tool-info.ts";
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

export function renderCi(choices: CiChoices): CiFile {
  if (choices.ci === undefined || choices.ci.name === "GitHub Actions") return githubWorkflow(choices);
  return choices.ci.name === "GitLab CI" ? gitlabJob(choices) : shellScript(choices, choices.ci.name);
}

function githubWorkflow(choices: CiChoices): CiFile {
  const path = ".github/workflows/spoor.yml";
  const content = `# ${path}: runs \`spoor gate\` on every pull request and keeps one comment up to date.
# What the gate runs: spoor.config.yaml
name: spoor
on: pull_request
permissions:
  contents: read
  pull-requests: write # for the comment; pull requests from forks get the step summary instead
jobs:
  gate:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
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
        with: { run: true } # starts the agent over the scenarios of the configuration
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
`;
}

function gitlabJob(choices: CiChoices): CiFile {
  const path = "spoor.gitlab-ci.yml";
  const content = `# ${path}: runs \`spoor gate\` on every merge request. What the gate runs: spoor.config.yaml
# To switch it on, add to .gitlab-ci.yml:
#   include: { local: ${path} }
spoor-gate:
  image: node:22
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
