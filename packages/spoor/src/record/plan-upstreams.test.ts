import { expect, it } from "vitest";
import { planUpstreams } from "./plan-upstreams.ts";
import { targetOf } from "./proxy/routes.ts";

/** Where a client ends up that appends `rest` to the variable. */
function reached(env: Record<string, string>, variable: string, rest: string, named: string[] = []): string {
  const { upstreams, variables } = planUpstreams(env, named);
  const path = variables("http://p")[variable]!.slice("http://p/".length) + rest;
  const [, route, appended] = /^(upstream\/[^/]+|[^/]+)(.*)$/.exec(path)!;
  const target = targetOf(upstreams.get(route!)!, appended!);
  return target.origin.origin + target.path;
}

it.each([
  ["OPENAI_BASE_URL", "/chat/completions", "https://api.openai.com/v1/chat/completions"],
  ["OPENAI_API_BASE", "/responses", "https://api.openai.com/v1/responses"],
  ["ANTHROPIC_BASE_URL", "/v1/messages", "https://api.anthropic.com/v1/messages"],
  ["ANTHROPIC_BASE_URL", "/messages", "https://api.anthropic.com/v1/messages"],
  ["ANTHROPIC_API_BASE", "/v1/messages", "https://api.anthropic.com/v1/messages"],
  ["GOOGLE_GEMINI_BASE_URL", "/v1beta/models/g:x", "https://generativelanguage.googleapis.com/v1beta/models/g:x"],
  ["GEMINI_API_BASE", "/models/g:x", "https://generativelanguage.googleapis.com/v1beta/models/g:x"],
])("%s leads a client that appends %s to %s", (variable, rest, url) => {
  expect(reached({}, variable, rest)).toBe(url);
});

it("a base URL of the user's becomes the upstream, path and all", () => {
  const env = { OPENAI_BASE_URL: "https://gateway.test:8443/team/openai/v1/" };
  expect(reached(env, "OPENAI_BASE_URL", "/chat/completions")).toBe(
    "https://gateway.test:8443/team/openai/v1/chat/completions",
  );
  const anthropic = { ANTHROPIC_BASE_URL: "http://127.0.0.1:9/x" };
  expect(reached(anthropic, "ANTHROPIC_BASE_URL", "/messages")).toBe("http://127.0.0.1:9/x/messages");
});

it("variables that lead to two places keep doing so; one that is not set stays so beside one that is", () => {
  const env = { OPENAI_BASE_URL: "https://one.test/v1", OPENAI_API_BASE: "https://two.test" };
  expect(reached(env, "OPENAI_BASE_URL", "/x")).toBe("https://one.test/v1/x");
  expect(reached(env, "OPENAI_API_BASE", "/x")).toBe("https://two.test/x");
  const { variables } = planUpstreams({ OPENAI_BASE_URL: "https://one.test/v1", ANTHROPIC_BASE_URL: " " }, []);
  expect(Object.keys(variables("http://p"))).not.toContain("OPENAI_API_BASE");
  expect(variables("http://p")).toMatchObject({ ANTHROPIC_BASE_URL: "http://p/anthropic" });
});

it("--upstream names further ones, and says where a provider is", () => {
  const named = ["azure-eu=https://x.azure.test/openai", "anthropic=http://127.0.0.1:9"];
  expect(reached({}, "SPOOR_UPSTREAM_AZURE_EU", "/deployments/d", named)).toBe(
    "https://x.azure.test/openai/deployments/d",
  );
  expect(reached({ ANTHROPIC_BASE_URL: "https://x.test" }, "ANTHROPIC_BASE_URL", "/messages", named)).toBe(
    "http://127.0.0.1:9/v1/messages",
  );
});

it.each([
  [{}, ["azure"], "--upstream needs a name"],
  [{}, ["azure=ftp://x"], "--upstream azure must be an address"],
  [{}, ["a/b=http://x"], "--upstream needs a name"],
  [{ OPENAI_BASE_URL: "localhost:1234" }, [], "OPENAI_BASE_URL must be an address"],
  [{ GEMINI_API_BASE: "not a url" }, [], "GEMINI_API_BASE must be an address"],
])("%j with %j is refused before anything starts", (env, named, message) => {
  expect(() => planUpstreams(env, named)).toThrow(message);
});
