/** One framework under one rule, with its own agent loop: what ran, or that the guard refused the rule. */

// The built package, as it is published.
import { createGuard, parsePolicy } from "../../dist/index.js";
import { HIDDEN, READ_RESULT } from "./guarded-rules.mjs";
export async function runGuarded(driver, guarded, load) {
  const { tools, ran, given, atOnce } = observedTools();
  const shown = [];
  let blocked = 0;
  const guard = createGuard(policyOf(guarded.rule), {
    ...(guarded.onAsk === undefined ? {} : { onAsk: guarded.onAsk }),
    onViolation: (event) => {
      if (event.blocked) blocked++;
    },
  });
  const session = guard.session("ticket", guarded.session);
  const acting = guarded.agent === undefined ? {} : { agent: guarded.agent };
  await driver.run(
    {
      script: guarded.script,
      tools,
      saw: (value) => shown.push(textOf(value)),
      wrap: (made) => session.wrapTools(made, acting),
    },
    load,
  );
  return {
    ran,
    atOnce: atOnce(),
    blocked,
    answers: shown.length,
    leaked: shown.some((text) => text.includes(HIDDEN.fromModel)),
    reached: given.some((text) => text.includes(HIDDEN.fromTool)),
  };
}
/** Whether the guard refuses the rule as long as it is not told what the rule needs. */
export function isRefused({ rule }) {
  try {
    createGuard(policyOf(rule)).session("ticket");
    return false;
  } catch (error) {
    return error.code === "guard.needs";
  }
}
function policyOf(rule) {
  const rules = Array.isArray(rule) ? rule : [{ id: "r", ...rule }];
  return parsePolicy(JSON.stringify(rules), { file: "policy.json" });
}
/** Whatever a framework shows its model, as text; a value that refers to itself by its parts. */
function textOf(value) {
  const seen = new Set();
  return String(
    JSON.stringify(value, (_key, part) => {
      if (typeof part !== "object" || part === null) return part;
      if (seen.has(part)) return undefined;
      seen.add(part);
      return part;
    }),
  );
}
function observedTools() {
  const ran = [];
  const given = [];
  let now = 0;
  let most = 0;
  const tool = (name, answer) => async (input) => {
    ran.push(name);
    given.push(textOf(input));
    most = Math.max(most, ++now);
    await new Promise((resolve) => setTimeout(resolve, 5));
    now--;
    return answer();
  };
  const tools = {
    confirm: tool("confirm", () => "confirmed"),
    issue_refund: tool("issue_refund", () => "refunded"),
    read: tool("read", () => READ_RESULT),
    send: tool("send", () => "sent"),
    fail: tool("fail", () => {
      throw new Error("no such order");
    }),
  };
  return {
    tools,
    ran,
    given,
    atOnce: () => most,
  };
}
