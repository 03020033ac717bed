import { expect, it } from "vitest";
import { inOrder } from "./agent-order.ts";

it("agents that changed stand first, then those that could not be judged, then the rest by name", () => {
  const judged = (name: string, status: string) => ({ name, verdict: { status } });
  const agents = [
    judged("a", "passed"),
    { name: "z" },
    judged("y", "not_evaluated"),
    judged("x", "warned"),
    judged("w", "blocked"),
    { name: "b" },
    judged("c", "blocked"),
  ];
  expect(inOrder(agents).map(({ name }) => name)).toEqual(["c", "w", "x", "y", "a", "b", "z"]);
});
