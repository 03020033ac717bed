/** A request as a program sends it → as recordings hold it, for those who record and for those who look it up in a recording. */
import { type ProviderApi, requestFields } from "../providers/provider-api.ts";
import type { JsonObject } from "../trace/json.ts";
import { hashPersons } from "./hash-persons.ts";
import type { HistoryReader } from "./read-history.ts";
import { type WholeRequest, wholeRequest } from "./whole-request.ts";

export function readRequest(api: ProviderApi, body: JsonObject, history: HistoryReader): WholeRequest {
  const { requestModel, tools, params } = requestFields(body, api);
  return wholeRequest({
    messages: history.read(api, body),
    model: requestModel === undefined ? undefined : history.part(requestModel),
    tools: tools === undefined ? undefined : history.part(tools),
    params: params === undefined ? undefined : history.part(hashPersons(params)),
  });
}
