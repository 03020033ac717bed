import { expect, it } from "vitest";
import { hookBody } from "./hook-body.ts";

const NAME = "<!channel> <@U123> <https://evil.example|x> &lt;\n\n:warning: \u001b[31mred \u202e";
const body = {
  event: "finding",
  state: "raised",
  agent: NAME,
  sentence: `Rule ${NAME} is broken.`,
  path: "/runs?a=%3E",
};
const told = (format: "plain" | "slack") => hookBody({ key: "k", body }, { format, base: "https://spoor.example" });

it("calls nobody, links nowhere but to the service and breaks no line in a message of Slack", () => {
  const { text, ...rest } = JSON.parse(told("slack"));
  expect(text.match(/<[^>]*>/g)).toEqual(["<https://spoor.example/runs?a=%3E|Look>"]);
  expect(text).toContain("&lt;!channel&gt; &lt;@U123&gt; &lt;https://evil.example|x&gt; &amp;lt;");
  expect(text).not.toMatch(/[\p{Cc}\u202e]/u);
  expect(rest).toEqual({ unfurl_links: false, unfurl_media: false });
});

it("keeps names as they are in JSON for programs, on one line", () => {
  expect(JSON.parse(told("plain"))).toMatchObject({ agent: NAME, link: "https://spoor.example/runs?a=%3E", key: "k" });
  expect(told("plain")).not.toMatch(/\p{Cc}/u);
});
