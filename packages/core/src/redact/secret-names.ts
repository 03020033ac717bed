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

/** Words that say it wherever they stand, also grown together with others: `PGPASSWORD`, `MYTOKEN1`, `clientsecret`. */
const GLUED =
  /passw(?:or)?d|passphrase|passcode|secret(?!ar)|api_?key|private_?key|access_?key|credential|token(?!i[sz])|webhook|conn(?:ection)?_?str(?:ing)?/i;
/** Shorter words say it as words of their own, and the first three also at the end of a longer one: `DBPASS`, `OPENAIKEY`. */
const WORD =
  /(?:^|_)(?:keys?|pass|pwd|pat|jwt|o?auth|authorization|bearer|cookies?|creds?|dsn|otp|pin)\d*(?:$|_)|(?<!by|com|sur|tres)pass\d*$|(?<!mon|don|tur|hot|whis|hoc|joc)key\d*$|(?:pwd|jwt)\d*$/i;
/** What is said about a secret, and is none. */
const ABOUT =
  /_(?:urls?|uri|host(?:name)?|port|user(?:name)?|method|type|mode|enabled|name|ttl|timeout|expir(?:y|es|ation)|version|region|endpoint|issuer|audience|alg(?:orithm)?|header|prefix|length|limit|count|budget|policy|provider|scopes?|backend)$/i;
/** Variables that hold a place, whatever else their name says. */
const PLACE = /(?:file|path|dir|directory|folder|home|sock|socket)$/i;
/** Who and where somebody is. Taking it out of a trace would falsify every path in it. */
const SURROUNDINGS =
  /^(?:(?:OLD|INIT_?)?[PC]WD|HOME|PATH|TMPDIR|TMP|TEMP|USER|LOGNAME|USERNAME|USERPROFILE|(?:LOCAL)?APPDATA|HOSTNAME|HOST|COMPUTERNAME|SHELL|SHLVL|TERM|LANG|LANGUAGE|LC_.*|XDG_.*|EDITOR|VISUAL|PAGER|DISPLAY|XAUTHORITY|MAIL|TZ|CI|NODE_ENV|_)$/i;

/** Whether a variable's name says that its value is a secret. */
export function isSecretVariable(name: string): boolean {
  if (isPlaceVariable(name)) return false;
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replace(/[^A-Za-z0-9]+/g, "_");
  if (/webhook/i.test(words)) return true;
  return (GLUED.test(words) || WORD.test(words)) && !ABOUT.test(words);
}

export function isPlaceVariable(name: string): boolean {
  return SURROUNDINGS.test(name) || PLACE.test(name);
}

/** Whether a variable says who and where somebody is, whatever it was used for. */
export function isSurroundings(name: string): boolean {
  return SURROUNDINGS.test(name);
}
