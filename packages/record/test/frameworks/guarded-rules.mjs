const refund = (amount) => ({
  name: "issue_refund",
  input: { amount },
});
const confirm = {
  name: "confirm",
  input: {},
};
const SECRET = "sk_live_1234567890";
const ADDRESS = "ann@example.test";
/** `then` of a rule: a literal with that key would look like a promise. */
const following = (effect) => JSON.parse(`{"then":"${effect}"}`);
const read = {
  name: "read",
  input: {},
};
const never = {
  kind: "no_call",
  params: { tool: "issue_refund" },
};
export const guardedRules = [
  {
    column: "argument",
    rule: {
      kind: "no_call",
      params: {
        tool: "issue_refund",
        args: [
          {
            path: "amount",
            op: ">",
            value: 75,
          },
        ],
      },
    },
    script: [[refund(89)], [refund(40)]],
    runs: ["issue_refund"],
  },
  {
    column: "order",
    rule: {
      kind: "must_call_before",
      params: {
        first: "confirm",
        second: "issue_refund",
      },
    },
    script: [[refund(5)], [confirm], [refund(5)]],
    runs: ["confirm", "issue_refund"],
  },
  {
    column: "count",
    rule: {
      kind: "max_calls",
      params: {
        tool: "issue_refund",
        limit: 1,
      },
    },
    script: [[refund(1)], [refund(2)], [refund(3)]],
    runs: ["issue_refund"],
  },
  {
    column: "`when` on responses",
    rule: {
      ...never,
      when: [
        {
          path: "model",
          op: "==",
          value: "m",
        },
      ],
    },
    refusedWithout: true,
    script: [],
    runs: [],
  },
  {
    column: "`when` on the user",
    rule: {
      ...never,
      when: [
        {
          path: "principal.user.role",
          op: "!=",
          value: "admin",
        },
      ],
    },
    refusedWithout: true,
    session: { user: { role: "clerk" } },
    script: [[refund(1)], [confirm]],
    runs: ["confirm"],
  },
  {
    column: "`agent`",
    rule: {
      ...never,
      agent: "researcher",
    },
    refusedWithout: true,
    session: { agent: "main" },
    agent: "researcher",
    script: [[refund(1)], [confirm]],
    runs: ["confirm"],
  },
  {
    column: "side by side",
    rule: {
      kind: "no_parallel",
      params: { tools: ["issue_refund"] },
    },
    script: [[refund(1), refund(2), refund(3)], [refund(4)]],
    runs: ["issue_refund", "issue_refund"],
  },
  {
    column: "failed before",
    rule: {
      kind: "no_blind_retry",
      params: {},
    },
    script: [
      [
        {
          name: "fail",
          input: { id: 1 },
        },
      ],
      [
        {
          name: "fail",
          input: { id: 1 },
        },
      ],
      [
        {
          name: "fail",
          input: { id: 2 },
        },
      ],
    ],
    runs: ["fail", "fail"],
  },
  {
    column: "result flows on",
    rule: {
      kind: "no_flow",
      params: {
        from: ["read"],
        to: ["send"],
      },
    },
    script: [
      [
        {
          name: "read",
          input: {},
        },
      ],
      [
        {
          name: "send",
          input: { text: SECRET },
        },
      ],
      [
        {
          name: "send",
          input: { text: "hello" },
        },
      ],
    ],
    runs: ["read", "send"],
  },
  {
    column: "result",
    rule: {
      kind: "no_result",
      params: {
        tool: "read",
        matching: "sk_live_\\w+",
      },
    },
    script: [[read], [confirm]],
    runs: ["read", "confirm"],
    // It ran; what it returned was withheld.
    blocks: 1,
  },
  {
    column: "`ask`",
    rule: {
      kind: "no_call",
      params: {
        tool: "issue_refund",
        args: [
          {
            path: "amount",
            op: ">",
            value: 75,
          },
        ],
      },
      ...following("ask"),
    },
    refusedWithout: true,
    onAsk: async ({ input }) => input.amount < 100,
    script: [[refund(80)], [refund(900)], [refund(5)]],
    runs: ["issue_refund", "issue_refund"],
  },
  {
    column: "`redact`",
    rule: [
      {
        id: "result",
        kind: "no_result",
        params: { matching: "sk_live_\\w+" },
        ...following("redact"),
      },
      {
        id: "argument",
        kind: "no_call",
        params: {
          tool: "send",
          args: [
            {
              path: "text",
              op: "matches_pattern",
              value: "\\S+@\\S+",
            },
          ],
        },
        ...following("redact"),
      },
    ],
    script: [
      [read],
      [
        {
          name: "send",
          input: { text: `to ${ADDRESS}` },
        },
      ],
    ],
    runs: ["read", "send"],
    cell: "redacted",
  },
];
/** What `read` returns, and what must neither reach a model nor a tool where a rule says so. */
export const READ_RESULT = { key: SECRET };
export const HIDDEN = { fromModel: SECRET, fromTool: ADDRESS };
