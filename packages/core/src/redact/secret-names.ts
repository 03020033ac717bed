/** Names that say that what they hold is a secret: keys of values, query parameters, variables of the environment. */

/** `apiKey`, `x-api-key`, `DB_PASSWORD`, `auth.token` – not `max_tokens`, `nextPageToken` or `key`. */
export function isSecretKey(key: string): boolean {
  if (key.length > 100) return false;
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_");
  return SECRET.test(words) && !(PLAIN.test(words) && /token|key/.test(words));
}

const SECRET =
  /(?:^|_)(?:api_?keys?|access_?keys?|private_?keys?|secret_?keys?|signing_?keys?|encryption_?keys?|auth_?keys?|session_?keys?|subscription_?keys?|(?:client_?)?secrets?|passwords?|passwd|passphrase|passcode|pwd|token|auth_?tokens?|access_?tokens?|refresh_?tokens?|bearer|credentials?|authorization|(?:set_?)?cookies?|dsn|otp|pin|cvv|cvc|ssn|iban)(?:$|_)/;
const PLAIN = /(?:^|_)(?:page|next|prev|previous|continuation|sync|cursor|stop|special|logprobs?|count|max|min)(?:$|_)/;

const VARIABLE =
  /(^|[_-])(key|apikey|token|secret|password|passwd|pwd|credentials?|auth|authorization|cookie|dsn)s?($|[_-])|api_?key|private_?key|access_?key/i;
/** Variables that hold a place, whatever else their name says. */
const PLACE = /^(?:OLD)?PWD$|[_-](?:file|path|dir|directory|folder|home|sock|socket)$/i;

/** Whether a variable's name says that its value is a secret. */
export function isSecretVariable(name: string): boolean {
  return VARIABLE.test(name) && !isPlaceVariable(name);
}

export function isPlaceVariable(name: string): boolean {
  return PLACE.test(name);
}
