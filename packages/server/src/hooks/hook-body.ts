/** What is told, in the form that the one who hears it reads. It says what happened and where to look, never what a run said. */
import { createHmac } from "node:crypto";
import type { Json, JsonObject } from "@spoor/core";
import { printable } from "@spoor/core/internal/text/printable";
import { isObject, stringMember } from "@spoor/core/internal/trace/json";
import type { Delivery, Hook, HookFormat } from "../store/store.ts";

export function hookBody(
  { key, body }: Pick<Delivery, "key" | "body">,
  { format, base }: Pick<Hook, "format" | "base">,
): string {
  const facts: JsonObject = isObject(body) ? body : {};
  const link = `${base}${stringMember(facts, "path") ?? "/api/v1/agents"}`;
  const { path: _, ...told } = facts;
  return JSON.stringify(BODIES[format]({ ...told, key, link }));
}

const BODIES: Readonly<Record<HookFormat, (facts: JsonObject) => Json>> = {
  plain: (facts) => facts,
  slack: (facts) => ({
    text: `${stringMember(facts, "state") === "cleared" ? ":white_check_mark:" : ":warning:"} ${slackText(stringMember(facts, "sentence") ?? "")} <${stringMember(facts, "link")}|Look>`,
    // Slack makes links of addresses in a text; what is behind them it does not fetch and show.
    unfurl_links: false,
    unfurl_media: false,
  }),
};

/** Names are somebody else's words: nobody is called by them, and no link is made of them. */
function slackText(text: string): string {
  return printable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** Over the time, too: what was overheard cannot be sent again a day later. */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}`;
}
