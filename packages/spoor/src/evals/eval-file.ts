/**
 * Every key of an eval file over three generations of the format, defined once: `evalcases` with `input_messages`, `tests`
 * with `input` and `assertions`, `tests` with `vars`, `prompts` and `assert`.
 */
import type { JsonObject } from "@spoor/core";
import { evaluatorList } from "@spoor/core/internal/evaluators/evaluator-list";
import { custom, later, list, oneOf, oneOrMany, record } from "@spoor/core/internal/read/collections";
import { ignored, optional, preset, required } from "@spoor/core/internal/read/field";
import { buildSchema, named } from "@spoor/core/internal/read/json-schema";
import { type Fields, keyOf, mapping, type ValuesOf } from "@spoor/core/internal/read/mapping";
import { boolean, choice, filledText, integer, json, number, text } from "@spoor/core/internal/read/scalars";
import type { MappingOptions, Read, Shape } from "@spoor/core/internal/read/shape";
import { conversationFields } from "./conversation/conversation-fields.ts";
import { evaluators } from "./evaluators/evaluators.ts";
import { limitsOf, limitsShape } from "./limits-shape.ts";
import { refused } from "./refused-field.ts";
import type { RunLimits } from "./run-limits.ts";
import { workspaceShape } from "./workspace-file.ts";

export const CASE_LISTS = ["evalcases", "eval_cases", "cases", "tests"] as const;
export const MAX_WORKERS = 50;
/** Runs of one case: more would be a slip of the keyboard, and every planned run takes memory. */
export const MAX_REPEAT = 10_000;

const LOOSE: MappingOptions = { emptyIsAbsent: true };
const HAS_TARGET = "the target, or a list of targets";

const OWN_TARGET = "a target is described in targets.yaml; name it here";
/** Entries of the form `{id: name}` and `{name: …}` name themselves. */
const targetName = oneOf(
  text,
  custom(
    mapping(
      "a target",
      {
        id: optional(text, "its name"),
        name: optional(text, "its name"),
        hooks: refused("hooks of a target are not run; write them into the workspace"),
        extends: refused(OWN_TARGET),
        useTarget: refused(OWN_TARGET),
      },
      {
        ...LOOSE,
        open: true,
        atLeastOne: [["id", "name"]],
      },
    ),
    ({ id, name }) => id ?? name!,
  ),
);
const targetNames = oneOrMany(targetName);
const texts = oneOrMany(text);
const entries = later(evaluatorList(evaluators));
const repeat = integer({ min: 1, max: MAX_REPEAT });

const trials = mapping(
  "trials",
  {
    count: optional(repeat, "runs of every case"),
    strategy: ignored("every run is reported, and a case passes by the share of runs that pass"),
    costLimitUsd: ignored("every run is reported, and a case passes by the share of runs that pass"),
  },
  LOOSE,
);

const repeats = oneOf(
  repeat,
  custom(trials, ({ count }) => count ?? 1),
);

const execution = mapping(
  "execution",
  {
    targets: optional(targetNames, HAS_TARGET),
    target: optional(targetNames, HAS_TARGET),
    evaluators: optional(entries, "evaluators", { alias: "assertions" }),
    workers: optional(integer({ min: 1, max: MAX_WORKERS }), "runs side by side"),
    repeat: optional(repeats, "runs of every case", { alias: "runs" }),
    trials: optional(trials, "an older word for repeat"),
    threshold: optional(number({ min: 0, max: 1 }), "the score from which a case passes"),
    timeoutSeconds: optional(number({ above: 0 }), "how long one run may take"),
    limits: optional(limitsShape, "what one run may use up"),
    budgetUsd: optional(number({ above: 0 }), "no further run is started once so much was spent", {
      alias: "total_budget_usd",
    }),
    skipDefaults: preset(boolean, false, "do not add the suite's assertions"),
    cache: ignored("answers are not kept between runs"),
    failOnError: ignored("a run that cannot be made is always reported"),
    earlyExit: ignored("every run is made and reported"),
    agent: refused(OWN_TARGET),
    model: refused(OWN_TARGET),
    agentOptions: refused(OWN_TARGET),
    sandbox: refused("runs in a container are not made"),
  },
  LOOSE,
);

const roles = ["system", "developer", "user", "assistant", "tool"] as const;
const kinds = choice(["text", "file"]);
/** Pictures would be left out by most agents without a word. */
const partKind: typeof kinds = {
  ...kinds,
  read: (at) =>
    typeof at.value === "string" && /^image(_url)?$/.test(at.value)
      ? at.misshapen("images are not handed to agents; a coding agent can open one that is given as type: file.")
      : kinds.read(at),
};
const part = oneOf(
  text,
  mapping(
    "a part",
    {
      type: required(partKind, "what it is"),
      value: optional(text, "the text, or the file", { alias: ["text", "path"] }),
    },
    { open: true },
  ),
);

/** What a role says: a text, parts, or any structured content. */
export const messageShape = named(
  "message",
  mapping(
    "a message",
    {
      role: required(choice(roles), "who speaks"),
      content: required(later(json), "what is said: a text, parts, or any structured content"),
    },
    { open: true },
  ),
);
export const partShape = part;
/** A text, structured data, or messages. */
const input = later(oneOf(text, list(oneOf(text, messageShape)), record(json)));

/** Which words a case is chosen by; a mapping of them counts with its values, as `key:value`. */
const tags = custom(oneOf(text, list(oneOf(text, number(), boolean)), record(json)), (written): readonly string[] => {
  if (typeof written === "string") return [written];
  if (Array.isArray(written)) return written.map(String);
  return Object.entries(written as JsonObject).map(([key, value]) => (value === true ? key : `${key}:${value}`));
});
/** True, or the reason. */
const skip = oneOf(boolean, filledText);

/** Words about the file or the case itself; they never decide a result. */
const forPeople = optional(json, "for people");
const descriptive = {
  note: forPeople,
  version: forPeople,
  author: forPeople,
  license: forPeople,
  requires: forPeople,
  tags: optional(tags, "words to choose cases by, with --tag"),
  category: forPeople,
  governance: forPeople,
  $schema: optional(json, "the JSON Schema, for editors"),
};

const evaluatorFields = {
  evaluators: optional(entries, "what a good run must satisfy"),
  evaluator: optional(json, "the kind of evaluator of the first release; entries name their own"),
  assertions: optional(entries, "a newer word for evaluators; the suite's are added to the case's"),
  assert: optional(entries, "promptfoo's word for them"),
} satisfies Fields;

const caseFields = {
  ...descriptive,
  id: required(filledText, "results refer to it"),
  name: forPeople,
  description: forPeople,
  skip: optional(skip, "the case is not run, and counted as left out; a text is the reason"),
  only: optional(boolean, "of all cases, only those with it are run; said in the report, so that none stays behind"),
  metadata: optional(json, "handed to the agent and written into the results"),
  expectedOutcome: optional(filledText, "what a good run achieves, in words"),
  outcome: optional(filledText, "a newer word for expected_outcome"),
  criteria: optional(filledText, "a newer word for expected_outcome"),
  inputMessages: optional(input, "what the agent is asked"),
  input: optional(input, "a newer word for input_messages"),
  inputFiles: optional(texts, "files that go with it"),
  suite: forPeople,
  run: optional(execution, "a newer word for execution"),
  expectedMessages: optional(json, "a good answer"),
  expectedOutput: optional(json, "a newer word for expected_messages"),
  conversationId: optional(text, "the conversation it belongs to"),
  execution: optional(execution, "how it is run"),
  ...evaluatorFields,
  rubrics: optional(later(json), "a checklist for a judge"),
  vars: optional(record(json), "values for {{ name }} in prompts and input"),
  target: optional(targetNames, HAS_TARGET),
  workspace: optional(later(workspaceShape), "the folder it works in"),
  ...conversationFields,
} satisfies Fields;
export type CaseValues = ValuesOf<typeof caseFields>;

/** Known to some release, but they change what a case means, so ignoring them would be a lie. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  window_size: "judges that see only some of the turns",
  aggregation: "other ways to add up turns than the weighted mean",
  on_turn_failure: "conversations that end at a failed expectation",
  depends_on: "dependencies between cases",
  on_dependency_failure: "dependencies between cases",
};

const caseMapping = mapping("the case", caseFields, {
  ...LOOSE,
  extensions: true,
  onUnknownKey: (key) =>
    UNSUPPORTED[key] && `${key}: ${UNSUPPORTED[key]} are not supported; as written the case would test something else.`,
});
export const caseShape = named("case", caseMapping);
/** Keys that a column of a table stands for; words for people are variables there. */
export const CASE_KEYS: readonly string[] = Object.entries(caseFields)
  .filter(([, field]) => (field as object) !== forPeople)
  .map(([name, field]) => keyOf(name, field, LOOSE));

const { id: _id, skip: _skip, only: _only, ...shared } = caseFields;
/** What every case has that does not say otherwise. Its own `vars` and `metadata` are added to these, its own lists of evaluators as those of the suite are. */
export const defaultsMapping = mapping("defaults", shared, LOOSE);

const cases = later(oneOf(text, list(oneOf(text, caseShape), { min: 1 })));

/** A folder of the host; a container, and a folder that a script makes, are refused. */
const environment = oneOf(
  custom(text, (_, at) =>
    at.problem("environment: the file with it is not read; write workspace: { template: FOLDER }."),
  ) as Shape<never>,
  mapping(
    "environment",
    {
      type: optional(
        custom(text, (word, at) =>
          word === "host"
            ? word
            : at.problem(`environment: runs in a ${word} are not made; type: host works in a copy of workdir.`),
        ),
        "host",
      ),
      workdir: optional(text, "the folder that every run gets a copy of"),
      setup: refused("the folder would be made by a script of its own; write workspace with template, repos and setup"),
      env: preset(record(json), {} as JsonObject, "variables for commands and agent"),
    },
    LOOSE,
  ),
);

const suiteFields = {
  ...descriptive,
  name: optional(text, "what reports call the suite; by default the file's name"),
  dataset: optional(text, "an older word for name"),
  description: optional(text, "what the suite is for"),
  metadata: forPeople,
  target: optional(targetNames, HAS_TARGET),
  providers: optional(targetNames, "promptfoo's word for targets"),
  execution: optional(execution, "how the cases are run"),
  experiment: optional(execution, "a newer word for execution"),
  ...evaluatorFields,
  input: optional(input, "messages that come before those of every case"),
  inputFiles: optional(texts, "files that go with every case"),
  preprocessors: refused("outputs are shown to judges as they are, not converted first"),
  extensions: refused("functions of a script around runs are not called; write commands into workspace.hooks"),
  environment: optional(environment, "AgentV's word for a workspace"),
  prompts: preset(
    texts,
    [] as readonly string[],
    "templates with {{ name }} from vars; each case runs once per prompt",
  ),
  workspace: optional(later(workspaceShape), "the folder that cases work in"),
  defaults: optional(later(named("defaults", defaultsMapping)), "keys that every case has unless it says otherwise", {
    alias: ["default_test", "defaultTest"],
  }),
  evalcases: optional(cases, "the cases, or the file that holds them (YAML, JSON Lines, CSV)"),
  evalCases: optional(cases, "another word for evalcases"),
  cases: optional(cases, "another word for evalcases"),
  tests: optional(cases, "a newer word for evalcases"),
} satisfies Fields;

export const evalFile = mapping("the eval file", suiteFields, {
  ...LOOSE,
  extensions: true,
  exactlyOne: [["evalcases", "evalCases", "cases", "tests"]],
});
export type SuiteValues = ValuesOf<typeof suiteFields>;

export interface Execution {
  readonly targets?: readonly string[];
  readonly workers?: number;
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
  readonly limits?: RunLimits;
  readonly budgetUsd?: number;
}

/** The settings of `execution`, newer words first. */
export function executionOf(written: Read<typeof execution> | undefined): Execution {
  const {
    targets,
    target,
    workers,
    repeat: times,
    trials: older,
    threshold,
    timeoutSeconds,
    limits,
    budgetUsd,
  } = written ?? {};
  const named = targets ?? target;
  const amount = times ?? older?.count;
  return {
    ...(named === undefined ? {} : { targets: named }),
    ...(workers === undefined ? {} : { workers }),
    ...(amount === undefined ? {} : { repeat: amount }),
    ...(threshold === undefined ? {} : { threshold }),
    ...limitsOf(limits, timeoutSeconds ?? limits?.timeoutSeconds),
    ...(budgetUsd === undefined ? {} : { budgetUsd }),
  };
}

export function buildEvalSchema(): JsonObject {
  return buildSchema(evalFile, {
    id: "evals.schema.json",
    title: "Spoor eval file",
    description: "Cases for an agent and what a good run must satisfy. Read by spoor eval and spoor score.",
  });
}
