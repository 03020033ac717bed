/** `@spoor/core/providers`: the shapes of model APIs, each with its decoder, encoder and stream folding. */
export { type Exchange, parseExchange } from "../providers/exchange.ts";
export type { EventFold, ProviderApi, Spoken, StreamCodec, StreamEvent, Wire } from "../providers/provider-api.ts";
export { apiOfResponse, providerApis } from "../providers/provider-apis.ts";
export { streamOf } from "../providers/stream-codecs.ts";
