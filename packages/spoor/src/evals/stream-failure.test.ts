/** What agents say of their model's server when it is in trouble, as they say it, and what only sounds like it. */
import { expect, it } from "vitest";
import { failureKind, streamFailure } from "./stream-failure.ts";

it.each([
  ["We're currently experiencing high demand, which may cause temporary errors.", "unavailable"],
  ["stream disconnected before completion: stream closed before response.completed", "unavailable"],
  ["unexpected status 502 Bad Gateway: upstream", "unavailable"],
  ["exceeded retry limit, last status: 500 Internal Server Error", "unavailable"],
  ["stream disconnected before completion: error decoding response body", "unavailable"],
  ["stream disconnected before completion: idle timeout waiting for SSE", "unavailable"],
  ["The server had an error while processing your request", "unavailable"],
  ['API Error: 529 {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "unavailable"],
  ["API Error: Connection error.", "unavailable"],
  ["request to https://api.example/v1 failed: read ECONNRESET", "unavailable"],
  ["socket hang up", "unavailable"],
  ["503 Service Unavailable", "unavailable"],
  ["exceeded retry limit, last status: 429 Too Many Requests", "rate-limit"],
  ["error sending request for url (http://127.0.0.1:1/v1/responses)", "unreachable"],
  ["unexpected status 401 Unauthorized: no key", "missing"],
  ["the model gave up", "failed"],
  ["the tests fail at line 512 of app.ts", "failed"],
  ["only 503 of 600 rows were written", "failed"],
  ["the user's session is unavailable on this plan", "failed"],
])("%s is %s", (message, kind) => {
  expect(failureKind(message)).toBe(kind);
  const error = { kind: "error", payload: { source: "llm", message } } as const;
  expect(streamFailure([error])?.kind).toBe(kind);
});

it("knows a limit that the agent set itself", () => {
  const error = (code: string) => ({ kind: "error", payload: { code, message: code } }) as const;
  expect(streamFailure([error("error_max_turns")])).toMatchObject({ kind: "turns", limit: { kind: "turns" } });
  expect(streamFailure([error("error_max_budget_usd")])).toMatchObject({ kind: "cost", limit: { kind: "cost" } });
  expect(streamFailure([error("error_during_execution")])?.kind).toBe("failed");
});
