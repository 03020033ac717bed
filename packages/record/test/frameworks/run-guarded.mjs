/** One framework under one rule, with its own agent loop: what ran, or that the guard refused the rule. */

// The built package, as it is published.
import { createGuard, parsePolicy } from "../../dist/index.js";
import { READ_RESULT } from "./guarded-rules.mjs";
export async function runGuarded(driver, guarded, load) {
  const { tools, ran, atOnce } = observedTools();
  let blocked = 0;
  const guard = createGuard(policyOf(guarded.rule), {
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
      wrap: (made) => session.wrapTools(made, acting),
    },
    load,
  );
  return {
    ran,
    atOnce: atOnce(),
    blocked,
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
  return parsePolicy(
    JSON.stringify([
      {
        id: "r",
        ...rule,
      },
    ]),
    { file: "policy.json" },
  );
}
function observedTools() {
  const ran = [];
  let now = 0;
  let most = 0;
  const tool = (name, answer) => async () => {
    ran.push(name);
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
    atOnce: () => most,
  };
}
