import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Json, JsonObject } from "@spoor/core";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import { describe, expect, it } from "vitest";
import { onShared, sharedExists, sharedFolder } from "../../../core/test/shared.ts";
import { importValues } from "../../test/fixtures.ts";
import { readEntries } from "./parse-eval-case.ts";
import { parseEvalFile } from "./parse-eval-file.ts";
import { runEvaluators } from "./run-evaluators.ts";
import { caseOfTask } from "./tau-tasks.ts";

const place = (value: Json) => new Problems(valueSource(value, "tasks.json")).root();
const converted = (value: Json) => caseOfTask(place(value), 0).value;

const action = { name: "cancel", kwargs: { order: "#W1", items: ["a", "b"] } };
const task = { user_id: "u", instruction: "You are Mei.", actions: [action], outputs: ["1,054.5", "May (early)"] };

describe("tau-bench", () => {
  const expected = [{ tool: "cancel", args: { order: "#W1", items: { $literal: ["a", "b"] } }, args_match: "exact" }];

  it("a task is a simulated user, calls that must be made and texts that must be told", () => {
    expect(converted(task)).toEqual({
      id: "task-1",
      simulated_user: { goal: "You are Mei." },
      evaluators: [
        { name: "actions", type: "tool_trajectory", mode: "superset", expected },
        { name: "no more", type: "tool_trajectory", mode: "any_order", maximums: { cancel: 1 } },
        { name: "tells 1,054.5", type: "regex", value: "1,?0,?5,?4\\.5", flags: "i" },
        { name: "tells May (early)", type: "regex", value: "May \\(early\\)", flags: "i" },
      ],
    });
  });

  it("leaves it to the agent how it looks things up, unless that is all there is to do", () => {
    const look = { name: "get_order_details", kwargs: { order: "#W1" } };
    expect(converted({ ...task, outputs: [], actions: [look, action, action] })).toMatchObject({
      evaluators: [{ expected: [expected[0], expected[0]] }, { maximums: { cancel: 2 } }],
    });
    expect(converted({ ...task, outputs: [], actions: [look] })).toMatchObject({
      evaluators: [{ name: "actions", expected: [{ tool: "get_order_details" }] }],
    });
  });

  it("a file of results holds its tasks inside", () => {
    const value = { task_id: 7, trial: 0, reward: 1, info: { task }, traj: [] };
    expect(converted(value)).toMatchObject({ id: "7", simulated_user: { goal: "You are Mei." } });
  });

  it("a task that asks for nothing in particular leaves its evaluators to the suite", () => {
    expect(converted({ ...task, actions: [], outputs: [] })).not.toHaveProperty("evaluators");
  });
});

describe("tau2-bench", () => {
  const instructions = {
    domain: "retail",
    reason_for_call: "You want to return the lamp.",
    known_info: "You are mei_kovacs_8020.",
    unknown_info: "You do not know your email.",
    task_instructions: ".",
  };
  const told = { name: "get_order", arguments: { id: "#W1" }, requestor: "assistant", compare_args: null };
  const criteria = {
    actions: [told],
    communicate_info: ["40"],
    nl_assertions: ["The agent is polite."],
    env_assertions: null,
  };
  const value = { id: "5", user_scenario: { persona: "in a hurry", instructions }, evaluation_criteria: criteria };

  it("puts the parts of the instruction together and keeps what is compared", () => {
    const compared = { ...told, compare_args: ["id"] };
    const ignored = { ...told, compare_args: [] };
    const evaluation_criteria = { ...criteria, actions: [told, compared, ignored] };
    expect(converted({ ...value, evaluation_criteria })).toEqual({
      id: "5",
      simulated_user: {
        persona: "in a hurry",
        goal: "You want to return the lamp.\nYou are mei_kovacs_8020.\nYou do not know your email.",
      },
      evaluators: [
        {
          name: "actions",
          type: "tool_trajectory",
          mode: "superset",
          expected: ["exact", ["id"], "ignore"].map((args_match) => ({
            tool: "get_order",
            args: { id: "#W1" },
            args_match,
          })),
        },
        { name: "tells 40", type: "regex", value: "4,?0", flags: "i" },
        { name: "assertions", type: "llm_judge", rubrics: ["The agent is polite."] },
      ],
    });
  });

  it("refuses a task whose user calls tools, and says what is not looked at", () => {
    const at = place({
      ...value,
      evaluation_criteria: {
        ...criteria,
        actions: [{ ...told, requestor: "user" }],
        env_assertions: [{ func_name: "f" }],
      },
    });
    caseOfTask(at, 0);
    expect(at.problems.errors.map(({ message }) => message)).toEqual([
      'the user of task "5" calls tools (get_order), which a simulated user cannot.',
    ]);
    expect(at.problems.notes.map(({ message }) => message)).toEqual([
      "env_assertions has no effect: there is no environment to look at.",
    ]);
  });
});

it("leaves cases of eval files alone", () => {
  for (const value of [{ id: "a", input: "hi" }, { id: "b", instruction: "x", input: "y" }, "file.yaml", 7])
    expect(converted(value)).toBe(value);
});

it("tasks are cases among others of an eval file, with a user for all of them", () => {
  const defaults = { simulated_user: { target: "user", stop: "BYE" }, max_turns: 30 };
  const document = { defaults, tests: [task, { ...task, instruction: "You are Yusuf.", id: 9 }] };
  const { suite, problems } = parseEvalFile(valueSource(document, "e.yaml"), {
    findFile: () => undefined,
    resolvePath: (path) => path,
  });
  expect(problems.errors).toEqual([]);
  expect(suite.cases.map(({ id, conversation }) => [id, conversation?.user?.goal, conversation?.maxTurns])).toEqual([
    ["task-1", "You are Mei.", 30],
    ["9", "You are Yusuf.", 30],
  ]);
  expect(suite.cases[0]!.conversation?.user).toMatchObject({ stop: "BYE", by: { target: "user" } });
  expect(suite.cases[0]!.evaluators.map(({ name }) => name)).toEqual([
    "actions",
    "no more",
    "tells 1,054.5",
    "tells May (early)",
  ]);
});

/** The benchmark's own verdict is the truth here; it compares databases, so a few tasks are judged otherwise. */
it.skipIf(!sharedExists).each(["gpt-4.1", "o4-mini"])(
  onShared("agrees with the benchmark on most runs of %s"),
  async (name) => {
    const text = gunzipSync(readFileSync(join(sharedFolder, `corpora/tau-retail/${name}.json.gz`))).toString();
    const results = JSON.parse(text) as (JsonObject & { reward: number })[];
    let agree = 0;
    for (const result of results) {
      const { id, evaluators: written } = caseOfTask(place(result), 0).value as { id: string; evaluators?: Json };
      const [trace] = importValues("tau-bench", { document: [result] });
      const configs = written === undefined ? [] : readEntries(place(written)).configs;
      const subject = subjectOfTrace(trace, { id, conversation: true });
      const verdicts = await runEvaluators(configs, subject, { folder: "/", env: {} });
      const passed = verdicts.length > 0 && verdicts.every(({ status }) => status === "passed");
      if (passed === (result.reward === 1)) agree++;
    }
    expect(agree / results.length).toBeGreaterThan(0.85);
  },
);
