/** Every model API Spoor speaks, in the order in which ties are decided. */
import type { Json } from "../trace/json.ts";
import { bedrock } from "./bedrock.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import type { ProviderApi } from "./provider-api.ts";
import { responses } from "./responses.ts";

export const providerApis: readonly ProviderApi[] = [responses, messages, bedrock, gemini, chat];

/** The API whose response a value is; undefined when it is none's. */
export function apiOfResponse(value: Json): ProviderApi | undefined {
  return providerApis.find((api) => api.isResponse(value));
}
