/** A policy file from mined rules. Each rule brings an example that passes and one that fails, so `spoor policy test` has something to say. */
import type { MinedRule, RuleShape } from "./mined-rule.ts";
import { yamlScalar } from "./yaml-scalar.ts";

/** How often the same call with the same arguments is still no loop. */
const LOOP_LIMIT = 3;

export function renderPolicy(rules: readonly MinedRule[], { agent, file }: { agent: string; file: string }): string {
  return [
    `# ${file}: what ${commentText(agent)} must and must not do. Read by \`spoor gate\` and \`spoor check\`.`,
    `# In English: spoor policy explain ${file}    Its examples: spoor policy test ${file}`,
    "apiVersion: spoor.dev/v1",
    "rules:",
    ...rules.map(renderRule),
    "examples:",
    ...rules.flatMap(renderExamples),
    "",
  ].join("\n");
}

/** What the rule says, for a list: "a before b". */
export function describeShape(shape: RuleShape, noun: string): string {
  switch (shape.kind) {
    case "must_call_before":
      return `${shape.first} before ${shape.second}`;
    case "max_calls":
      return `${shape.tool} at most once per ${noun}`;
    case "no_call":
      return `never call ${shape.tool}`;
    case "no_loop":
      return `the same call at most ${LOOP_LIMIT} times`;
  }
}

function renderRule({ id, shape, evidence }: MinedRule): string {
  const kind = shape.kind === "no_loop" ? "max_calls" : shape.kind;
  return [
    `  - id: ${yamlScalar(id)}`,
    `    kind: ${kind}`,
    `    description: ${yamlScalar(`${describeShape(shape, "run")} (${evidence})`)}`,
    `    params: ${renderParams(shape)}`,
    "    scope: session",
  ].join("\n");
}

function renderParams(shape: RuleShape): string {
  switch (shape.kind) {
    case "must_call_before":
      return `{ first: ${yamlScalar(shape.first)}, second: ${yamlScalar(shape.second)} }`;
    case "max_calls":
      return `{ tool: ${yamlScalar(shape.tool)}, limit: 1 }`;
    case "no_call":
      return `{ tool: ${yamlScalar(shape.tool)} }`;
    case "no_loop":
      return `{ limit: ${LOOP_LIMIT}, same_args: true }`;
  }
}

function renderExamples({ id, shape }: MinedRule): string[] {
  const { good, bad } = callsOf(shape);
  return [renderExample(`keeps to ${id}`, "passes", id, good), renderExample(`breaks ${id}`, "fails", id, bad)];
}

/** Tools that a made-up run calls, one per turn. */
function callsOf(shape: RuleShape): { good: readonly string[]; bad: readonly string[] } {
  switch (shape.kind) {
    case "must_call_before":
      return { good: [shape.first, shape.second], bad: [shape.second] };
    case "max_calls":
      return { good: [shape.tool], bad: [shape.tool, shape.tool] };
    case "no_call":
      return { good: [`not_${shape.tool}`], bad: [shape.tool] };
    case "no_loop":
      return { good: ["search"], bad: Array.from({ length: LOOP_LIMIT + 1 }, () => "search") };
  }
}

function renderExample(name: string, outcome: "passes" | "fails", id: string, tools: readonly string[]): string {
  const turns = tools.map((tool, index) => {
    const call = `calls: [{ name: ${yamlScalar(tool)}, result: ok }]`;
    return index === 0 ? `      - user: An example.\n        ${call}` : `      - ${call}`;
  });
  return [`  - name: ${yamlScalar(name)}`, `    ${outcome}: ${yamlScalar(id)}`, "    turns:", ...turns].join("\n");
}

/** Names come from traces; a line break would end the comment. */
function commentText(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
