/** Shapes of tools without their frameworks: what is recognised, what is read, and what is refused. */
import { runInNewContext } from "node:vm";
import type { Json } from "@spoor/core/internal/trace/json";
import { describe, expect, it } from "vitest";
import { interceptTools } from "./intercept-tools.ts";
import type { Intercept, ToolUse } from "./tool-use.ts";

/** Wraps tools and notes every use; the tools run. */
function watched<T>(tools: T, rest: Partial<Intercept> = {}) {
  const uses: ToolUse[] = [];
  const around = (use: ToolUse) => {
    uses.push(use);
    return use.run();
  };
  const wrapped = interceptTools(tools, { around, owner: uses, ...rest });
  return { wrapped, uses, seen: () => uses.map(({ name, input }): [string, Json] => [name, input]) };
}

const pay = (input: { amount: number }) => `paid ${input.amount}`;
const ran = { amount: 89 };

describe("arguments are read from where the caller puts them", () => {
  it.each<[string, unknown[], Json]>([
    ["an object", [{ amount: 89 }], { amount: 89 }],
    ["an object and a context", [{ amount: 89 }, {}], { amount: 89 }],
    ["an object, a runner and a context", [{ amount: 89 }, { abort() {} }, undefined], { amount: 89 }],
    ["JSON text and a runner", ['{"amount":89}', { abort() {} }], { amount: 89 }],
    ["an object of another realm", [runInNewContext("({ amount: 89 })")], { amount: 89 }],
    ["an object that inherits them", [Object.create({ amount: 89 })], { amount: 89 }],
    ["an object that would write itself otherwise", [{ amount: 89, toJSON: () => ({ amount: 1 }) }], { amount: 89 }],
    ["a date among them", [{ at: new Date(0), amount: 89 }], { at: "1970-01-01T00:00:00.000Z", amount: 89 }],
    ["what writes itself as a number", [{ amount: { cents: 8900, toJSON: () => 89 } }], { amount: 89 }],
    [
      "a class instance",
      [
        new (class Refund {
          amount = 89;
        })(),
      ],
      { amount: 89 },
    ],
    [
      "a class instance with a getter",
      [
        new (class Refund {
          get amount() {
            return 89;
          }
        })(),
      ],
      { amount: 89 },
    ],
    ["a Map", [new Map([["amount", 89]])], { amount: 89 }],
    ["nothing", [], {}],
    ["the circumstances of an MCP request alone", [{ signal: {}, sendNotification() {} }], {}],
  ])("%s", (_name, args, expected) => {
    const { wrapped, seen } = watched({ pay: (..._args: unknown[]) => "ran" });
    wrapped.pay(...args);
    expect(seen()).toEqual([["pay", expected]]);
  });

  it("several values under the names of the parameters", () => {
    const { wrapped, seen } = watched({
      pay: (amount: number, to = "me") => [amount, to],
      async move(from: string, to: string) {
        return [from, to];
      },
      one: (amount: number) => amount,
    });
    wrapped.pay(89, "you");
    wrapped.move("a", "b");
    wrapped.one(89);
    expect(seen()).toEqual([
      ["pay", { args: [89, "you"], amount: 89, to: "you" }],
      ["move", { args: ["a", "b"], from: "a", to: "b" }],
      ["one", { args: [89], amount: 89 }],
    ]);
  });

  it("a value that no JSON has never becomes one that passes", () => {
    const { wrapped, seen } = watched({ pay: (_input: object) => "ran" });
    wrapped.pay({ amount: Number.NaN, most: Number.POSITIVE_INFINITY, how() {}, big: 10n ** 20n });
    expect(seen()).toEqual([["pay", { amount: "[NaN]", most: "[Infinity]", how: "[function]", big: 10n ** 20n }]]);
  });

  it("arguments in a circle do not run", () => {
    const circle: Record<string, unknown> = {};
    circle["self"] = circle;
    const { wrapped, uses } = watched({ pay: (_input: object) => "ran" });
    expect(() => wrapped.pay(circle)).toThrow(/circle/);
    expect(uses).toEqual([]);
  });

  it("a tool that changes its arguments changes nothing that was read", () => {
    const { wrapped, seen } = watched({
      pay(input: { amount: number }) {
        input.amount = 0;
      },
    });
    wrapped.pay({ amount: 89 });
    expect(seen()).toEqual([["pay", { amount: 89 }]]);
  });
});

describe("shapes", () => {
  class Purse {
    #left = 100;
    execute(input: { amount: number }) {
      this.#left -= input.amount;
      return this.#left;
    }
    get description() {
      return "a purse";
    }
  }
  class Toolbox {
    #paid = 0;
    pay(input: { amount: number }) {
      this.#paid += input.amount;
      return this.#paid;
    }
    refund(input: { amount: number }) {
      return this.pay({ amount: -input.amount });
    }
  }
  const foreign = runInNewContext("({ description: 'd', execute: (input) => input.amount })") as {
    execute: typeof pay;
  };

  it("an instance of a class keeps its private members, its getters and its class", () => {
    const { wrapped, seen } = watched({ pay: new Purse() });
    expect(wrapped.pay.execute(ran)).toBe(11);
    expect(wrapped.pay).toBeInstanceOf(Purse);
    expect(wrapped.pay.description).toBe("a purse");
    expect(seen()).toEqual([["pay", ran]]);
  });

  it("the methods of an object are tools, and what they call on themselves is no second use", () => {
    const { wrapped, seen } = watched(new Toolbox());
    expect(wrapped.pay(ran)).toBe(89);
    expect(wrapped.refund(ran)).toBe(0);
    expect(seen()).toEqual([
      ["pay", ran],
      ["refund", ran],
    ]);
  });

  it("an object of another realm, a frozen one, one with inherited methods, one with a getter", () => {
    const { wrapped, seen } = watched({
      foreign,
      frozen: Object.freeze({ description: "d", execute: pay }),
      inherits: Object.create({ description: "d", execute: pay }) as { execute: typeof pay },
      getter: {
        description: "d",
        get execute() {
          return pay;
        },
      },
    });
    for (const tool of Object.values(wrapped)) tool.execute(ran);
    expect(seen()).toEqual(["foreign", "frozen", "inherits", "getter"].map((name) => [name, ran]));
  });

  it("a Map, a list, records in records and toolkits", () => {
    class Kit {
      tools = [{ name: "pay", description: "d", invoke: pay }];
      getTools() {
        return this.tools;
      }
    }
    const named = { name: "pay", description: "d", execute: pay };
    const map = watched(new Map([["pay", pay]]));
    map.wrapped.get("pay")!(ran);
    const list = watched([pay, named]);
    for (const tool of list.wrapped) typeof tool === "function" ? tool(ran) : tool.execute(ran);
    const nested = watched({ billing: { pay, more: { pay } } });
    nested.wrapped.billing.pay(ran);
    nested.wrapped.billing.more.pay(ran);
    const kit = watched(new Kit());
    kit.wrapped.getTools()[0]!.invoke(ran);
    kit.wrapped.tools[0]!.invoke(ran);
    const plainKit = watched({ name: "kit", tools: { pay } });
    plainKit.wrapped.tools.pay(ran);
    for (const [{ seen }, times] of [
      [map, 1],
      [list, 2],
      [nested, 2],
      [kit, 2],
      [plainKit, 1],
    ] as const)
      expect(seen()).toEqual(Array.from({ length: times }, () => ["pay", ran]));
  });

  it("every method that runs a tool is seen, whichever the framework takes", () => {
    const methods = { execute: pay, invoke: pay, run: pay, call: pay, func: pay };
    const { wrapped, seen } = watched({ pay: { description: "d", ...methods } });
    for (const method of Object.keys(methods) as (keyof typeof methods)[]) wrapped.pay[method](ran);
    expect(seen()).toEqual(Object.keys(methods).map(() => ["pay", ran]));
  });

  it("a record of tools that are called run and call is a record", () => {
    const { wrapped, seen } = watched({ run: pay, stop: pay });
    wrapped.run(ran);
    wrapped.stop(ran);
    expect(seen().map(([name]) => name)).toEqual(["run", "stop"]);
  });

  it("a server's registered tool is guarded in place, with every handler it gets later", async () => {
    const tool = {
      handler: (_args: object, _extra: object) => "first" as unknown,
      update(changes: { callback: (args: object, extra: object) => unknown }) {
        tool.handler = changes.callback;
      },
      remove() {},
      enabled: true,
    };
    const { wrapped, seen } = watched({ pay: tool });
    expect(wrapped.pay).toBe(tool);
    await tool.handler(ran, {});
    tool.update({ callback: () => "second" });
    await tool.handler(ran, {});
    expect(seen()).toEqual([
      ["pay", ran],
      ["pay", ran],
    ]);
    expect(() => watched({ pay: tool })).toThrow(/guarded already/);
  });
});

describe("names", () => {
  it.each<[string, unknown, string[]]>([
    [
      "the key beats the name of an object that is called by key",
      { pay: { name: "other", description: "d", execute: pay } },
      ["pay"],
    ],
    [
      "the name of an OpenAI Agents tool beats the key",
      { key: { type: "function", name: "pay", invoke: pay } },
      ["pay"],
    ],
    ["a Mastra tool in a list is known by its id", [{ id: "pay", description: "d", execute: pay }], ["pay"]],
    ["a bound function keeps its name", [pay.bind(undefined)], ["pay"]],
    [
      "a tool of runTools without a name has its function's",
      [{ type: "function", function: { function: pay, parse: JSON.parse, parameters: {} } }],
      ["pay"],
    ],
  ])("%s", (_name, tools, expected) => {
    const names: (string | undefined)[] = [];
    interceptTools(tools, { around: (use) => use.run(), owner: {}, onTool: (name) => names.push(name) });
    expect(names).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ["an anonymous function", [(input: object) => input]],
    ["an object without a name in a list", [{ description: "d", execute: pay }]],
    ["an empty name", [{ name: "", description: "d", invoke: pay }]],
  ])("%s is an error", (_name, tools) => {
    expect(() => watched(tools)).toThrow(expect.objectContaining({ code: "guard.tool-name" }));
  });
});

describe("what is no tool is an error where it is wrapped", () => {
  const circle: Record<string, unknown> = {};
  circle["tools"] = circle;
  it.each<[string, unknown]>([
    ["a number", 7],
    ["nothing", undefined],
    ["null among tools", [null]],
    ["a text in a list", ["pay"]],
    ["an object with nothing to run", { pay: { description: "d" } }],
    ["an empty object in a record", { pay: {} }],
    ["tools in a circle", circle],
    ["a definition of OpenAI", [{ type: "function", function: { name: "pay", parameters: { type: "object" } } }]],
    ["a tool that a client runs", { pay: { description: "d", inputSchema: { type: "object" } } }],
    [
      "a tool that holds something to run in a member of its own",
      [{ type: "shell", name: "shell", shell: { run: pay } }],
    ],
    [
      "an instance without methods",
      new (class Empty {
        amount = 1;
      })(),
    ],
  ])("%s", (_name, tools) => {
    expect(() => watched(tools)).toThrow(expect.objectContaining({ code: "guard.tool-shape" }));
  });

  it("but a definition may pass where responses are judged", () => {
    const definition = { type: "hosted_tool", name: "web_search" };
    expect(watched([definition], { allowDefinitions: true }).wrapped).toEqual([definition]);
    const shell = { type: "shell", name: "shell", shell: { run: pay } };
    expect(() => watched([shell], { allowDefinitions: true })).toThrow(/no tool that can be guarded/);
  });
});

describe("wrapping twice is once", () => {
  it.each<[string, () => unknown, (tools: never) => unknown]>([
    ["a function", () => ({ pay }), (tools: { pay: typeof pay }) => tools.pay(ran)],
    [
      "a tool",
      () => ({ pay: { description: "d", execute: pay } }),
      (tools: { pay: { execute: typeof pay } }) => tools.pay.execute(ran),
    ],
    [
      "a client",
      () => ({ callTool: async (_params: object) => ({ content: [] }) }),
      (client: { callTool(params: object): unknown }) => client.callTool({ name: "pay", arguments: ran }),
    ],
  ])("%s", (_name, tools, use) => {
    const { wrapped, uses } = watched(tools());
    const around = (later: ToolUse) => {
      uses.push(later);
      return later.run();
    };
    const again = interceptTools(wrapped, { around, owner: uses });
    const inAnother = interceptTools({ ...(again as object) }, { around, owner: uses });
    use(again as never);
    use(("callTool" in (again as object) ? again : inAnother) as never);
    expect(uses).toHaveLength(2);
  });

  it("two owners both see a use", () => {
    const first = watched({ pay });
    const second = watched(first.wrapped);
    second.wrapped.pay(ran);
    expect([first.uses.length, second.uses.length]).toEqual([1, 1]);
  });
});
