/**
 * Tasks of tau-bench and tau2-bench as cases: the instruction is for a simulated user, the reference actions are calls that must be
 * among those of the agent (in any order, with just these arguments), the outputs are what it must tell the user. The benchmarks
 * compare the state of a database after these actions. Here the calls are compared: those that change something, by their names,
 * must be made and not more often; how the agent looks things up is its own business, unless looking up is all there is to do.
 */
import type { Json, JsonObject } from "@spoor/core";
import type { Located } from "@spoor/core/internal/read/located";
import { isEffectName } from "@spoor/core/internal/trace/effects";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { literalArgs } from "./literal-args.ts";

/** The same place with a case instead of the task; as it is when it holds none. `index` names tasks without an id. */
export function caseOfTask(at: Located, index: number): Located {
  // Files of results hold the task inside each result.
  const inside = member(member(at.value, "info"), "task");
  const task = isObject(inside) ? { ...inside, id: member(at.value, "task_id") } : at.value;
  if (!isObject(task)) return at;
  if (isTauTask(task)) return at.with(tauCase(task, index));
  return isTau2Task(task) ? at.with(tau2Case(task, index, at)) : at;
}

function isTauTask(task: JsonObject): boolean {
  return typeof member(task, "instruction") === "string" && Array.isArray(member(task, "actions"));
}

function isTau2Task(task: JsonObject): boolean {
  return isObject(member(task, "user_scenario"));
}

function tauCase(task: JsonObject, index: number): JsonObject {
  const actions = listOf(task, "actions").flatMap((action) => stepOf(action, "kwargs"));
  const outputs = listOf(task, "outputs").filter((output) => typeof output === "string");
  return caseOf(idOf(task, index), { goal: stringMember(task, "instruction") }, actions, outputs, []);
}

function tau2Case(task: JsonObject, index: number, at: Located): JsonObject {
  const scenario = member(task, "user_scenario");
  const criteria = member(task, "evaluation_criteria");
  const actions = listOf(criteria, "actions");
  const ofUser = actions.filter((action) => member(action, "requestor") === "user");
  if (ofUser.length > 0)
    at.problem(
      `the user of task "${idOf(task, index)}" calls tools (${ofUser.map(nameOf).join(", ")}), which a simulated user cannot.`,
    );
  if (listOf(criteria, "env_assertions").length > 0)
    at.note("env_assertions has no effect: there is no environment to look at.", "evaluation_criteria");
  const user = present({
    persona: stringMember(scenario, "persona"),
    goal: goalOf(member(scenario, "instructions")),
  });
  const steps = actions.flatMap((action) => stepOf(action, "arguments"));
  const told = listOf(criteria, "communicate_info").filter((output) => typeof output === "string");
  const judged = listOf(criteria, "nl_assertions").filter((assertion) => typeof assertion === "string");
  return caseOf(idOf(task, index), user, steps, told, judged);
}

function caseOf(
  id: string,
  user: Readonly<Record<string, string | undefined>>,
  expected: readonly JsonObject[],
  outputs: readonly string[],
  judged: readonly string[],
): JsonObject {
  const changes = expected.filter(({ tool }) => isEffectName(String(tool)));
  const evaluators: JsonObject[] = [
    ...actionsOf(changes.length > 0 ? changes : expected),
    ...limitsOf(changes),
    ...outputs.map((output) => ({ name: `tells ${output}`, type: "regex", value: anyCommas(output), flags: "i" })),
    ...(judged.length === 0 ? [] : [{ name: "assertions", type: "llm_judge", rubrics: judged }]),
  ];
  // A task that asks for nothing in particular is for the evaluators of the suite, or for a judge.
  return { id, simulated_user: present(user), ...(evaluators.length === 0 ? {} : { evaluators }) };
}

function actionsOf(expected: readonly JsonObject[]): JsonObject[] {
  return expected.length === 0 ? [] : [{ name: "actions", type: "tool_trajectory", mode: "superset", expected }];
}

/** What changes something is not done once more than asked. */
function limitsOf(changes: readonly JsonObject[]): JsonObject[] {
  const maximums: Record<string, number> = {};
  for (const { tool } of changes) maximums[String(tool)] = (maximums[String(tool)] ?? 0) + 1;
  return changes.length === 0 ? [] : [{ name: "no more", type: "tool_trajectory", mode: "any_order", maximums }];
}

function stepOf(action: Json, key: string): JsonObject[] {
  const tool = nameOf(action);
  if (tool === "" || member(action, "requestor") === "user") return [];
  const args = member(action, key);
  const compared = member(action, "compare_args");
  const match = Array.isArray(compared) ? (compared.length === 0 ? "ignore" : compared) : "exact";
  return [{ tool, ...(isObject(args) ? { args: literalArgs(args), args_match: match } : {}) }];
}

function nameOf(action: Json): string {
  return stringMember(action, "name") ?? "";
}

/** tau2 tells the parts of an instruction apart. */
function goalOf(instructions: Json | undefined): string | undefined {
  if (typeof instructions === "string") return instructions;
  const parts = ["reason_for_call", "known_info", "unknown_info", "task_instructions"].flatMap((key) => {
    const text = stringMember(instructions, key)?.trim();
    return text === undefined || text === "" || text === "." ? [] : [text];
  });
  return parts.length === 0 ? undefined : parts.join("\n");
}

/** A number may be told with commas between its digits. */
function anyCommas(output: string): string {
  const plain = output.replaceAll(",", "");
  return [...plain]
    .map((char, index) => {
      const escaped = char.replace(/[\\^$.*+?()[\]{}|]/, "\\$&");
      return /\d/.test(char) && /\d/.test(plain[index + 1] ?? "") ? `${escaped},?` : escaped;
    })
    .join("");
}

function idOf(task: JsonObject, index: number): string {
  const id = member(task, "id") ?? member(task, "task_id");
  return typeof id === "string" || typeof id === "number" ? String(id) : `task-${index + 1}`;
}

function listOf(value: Json | undefined, key: string): readonly Json[] {
  const list = member(value, key);
  return Array.isArray(list) ? list : [];
}
