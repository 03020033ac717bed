/**
 * A labelled set: what vendors issue, in the length and alphabet that their documentation shows, and identifiers that are as
 * long and as strange and open nothing. The secrets are made here, piece by piece, so that no scanner takes this file for a leak.
 */
import { createRandom } from "@spoor/core/internal/stats/random";

export interface Labelled {
  readonly vendor: string;
  readonly value: string;
}

const HEX = "0123456789abcdef";
const LOWER = "abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const MIXED = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const URL_SAFE = `${MIXED}_-`;
const BASE64 = `${MIXED}+/`;

/** The beginning in two halves, then pieces: a number of characters of an alphabet, or a text. */
type Recipe = readonly [vendor: string, begin: readonly string[], ...rest: (string | readonly [number, string])[]];

const RECIPES: readonly Recipe[] = [
  ["GitHub, classic", ["gh", "p_"], [36, MIXED]],
  ["GitHub, server", ["gh", "s_"], [36, MIXED]],
  ["GitHub, fine-grained", ["github", "_pat_"], [22, MIXED], "_", [59, MIXED]],
  ["GitLab", ["gl", "pat-"], [20, URL_SAFE]],
  ["GitLab, runner", ["gl", "rt-"], [20, URL_SAFE]],
  ["Slack, bot", ["xo", "xb-"], [12, "0123456789"], "-", [13, "0123456789"], "-", [24, MIXED]],
  ["Slack, app", ["xa", "pp-1-"], [11, UPPER], "-", [13, "0123456789"], "-", [64, HEX]],
  ["Slack, webhook", ["https://hooks.sl", "ack.com/services/T"], [10, UPPER], "/B", [10, UPPER], "/", [24, MIXED]],
  ["Stripe, live", ["sk_", "live_"], [24, MIXED]],
  ["Stripe, restricted", ["rk_", "test_"], [99, MIXED]],
  ["Stripe, webhook", ["wh", "sec_"], [32, MIXED]],
  ["Google, API", ["AI", "za"], [35, URL_SAFE]],
  ["Google, client", ["GOC", "SPX-"], [28, URL_SAFE]],
  ["Google, access", ["ya", "29."], [180, URL_SAFE]],
  ["Twilio", ["S", "K"], [32, HEX]],
  ["SendGrid", ["S", "G."], [22, URL_SAFE], ".", [43, URL_SAFE]],
  ["npm", ["np", "m_"], [36, MIXED]],
  ["PyPI", ["py", "pi-AgEIcHlwaS5vcmc"], [120, URL_SAFE]],
  ["Hugging Face", ["h", "f_"], [34, MIXED]],
  ["DigitalOcean", ["dop", "_v1_"], [64, HEX]],
  ["Shopify", ["shp", "at_"], [32, HEX]],
  ["Mailgun", ["ke", "y-"], [32, HEX]],
  ["Mailchimp", ["", ""], [32, HEX], "-us", [2, "123456789"]],
  ["Discord, bot", ["MT", "A"], [21, MIXED], ".", [6, URL_SAFE], ".", [38, URL_SAFE]],
  ["Discord, webhook", ["https://disc", "ord.com/api/webhooks/"], [19, "123456789"], "/", [68, URL_SAFE]],
  ["Telegram", ["", ""], [10, "123456789"], ":A", "A", [33, URL_SAFE]],
  ["Azure, storage", ["Account", "Key="], [86, BASE64], "=="],
  ["Databricks", ["da", "pi"], [32, HEX]],
  ["Vault", ["hv", "s."], [95, URL_SAFE]],
  ["Groq", ["gs", "k_"], [52, MIXED]],
  ["xAI", ["xa", "i-"], [80, MIXED]],
  ["Perplexity", ["ppl", "x-"], [48, MIXED]],
  ["Replicate", ["r", "8_"], [37, MIXED]],
  ["Pinecone", ["pc", "sk_"], [70, URL_SAFE]],
  ["LangSmith", ["lsv", "2_pt_"], [32, HEX], "_", [10, HEX]],
  ["Linear", ["lin_", "api_"], [40, MIXED]],
  ["Doppler", ["dp", ".pt."], [43, MIXED]],
  ["Postman", ["PM", "AK-"], [24, HEX], "-", [34, HEX]],
  ["Atlassian", ["ATA", "TT3"], [186, URL_SAFE]],
  ["Notion", ["nt", "n_"], [46, MIXED]],
  ["Figma", ["fi", "gd_"], [40, URL_SAFE]],
  ["Airtable", ["pa", "t"], [14, MIXED], ".", [64, HEX]],
  ["New Relic", ["NR", "AK-"], [27, UPPER]],
  ["Sentry", ["snt", "ryu_"], [64, HEX]],
  ["Grafana", ["gl", "sa_"], [32, MIXED], "_", [8, HEX]],
  ["PlanetScale", ["pscale", "_pw_"], [43, URL_SAFE]],
  ["Supabase", ["sb", "p_"], [40, HEX]],
  ["Square", ["sq0", "atp-"], [22, URL_SAFE]],
  ["Pulumi", ["pu", "l-"], [40, HEX]],
  ["RubyGems", ["ruby", "gems_"], [48, HEX]],
  ["Terraform", ["", ""], [14, MIXED], ".atlas", "v1.", [67, URL_SAFE]],
  ["Docker", ["dckr", "_pat_"], [27, URL_SAFE]],
  ["Tailscale", ["ts", "key-auth-"], [12, MIXED], "-", [32, MIXED]],
  ["age", ["AGE-SECRET", "-KEY-1"], [58, UPPER]],
  ["1Password, key", ["A", "3-"], [6, UPPER], "-", [11, UPPER], "-", [5, UPPER], "-", [5, UPPER], "-", [5, UPPER]],
  ["1Password, service account", ["ops", "_eyJ"], [300, BASE64]],
  ["Adobe", ["p8", "e-"], [32, LOWER]],
  ["Alibaba", ["LT", "AI"], [20, MIXED]],
  ["Amazon Bedrock", ["AB", "SK"], [120, BASE64]],
  ["Azure, client secret", ["", ""], [3, MIXED], "8", "Q", "~", [34, URL_SAFE]],
  ["Brevo", ["xkey", "sib-"], [64, HEX], "-", [16, MIXED]],
  ["Cerebras", ["cs", "k-"], [48, LOWER]],
  ["ClickHouse", ["4b", "1d"], [38, MIXED]],
  ["Clojars", ["CLOJ", "ARS_"], [60, LOWER]],
  ["Cloudflare, origin", ["v1", ".0-"], [24, HEX], "-", [146, HEX]],
  ["Duffel", ["duf", "fel_live_"], [43, URL_SAFE]],
  ["Dynatrace", ["dt0", "c01."], [24, UPPER], ".", [64, UPPER]],
  ["E2B", ["e2", "b_"], [40, HEX]],
  ["EasyPost", ["EZ", "AK"], [54, MIXED]],
  ["Facebook", ["EA", "AM"], [120, MIXED]],
  ["Firecrawl", ["f", "c-"], [32, HEX]],
  ["Fireworks", ["f", "w_"], [24, MIXED]],
  ["Flutterwave", ["FLW", "SECK_TEST-"], [32, HEX], "-X"],
  ["Frame.io", ["fi", "o-u-"], [64, URL_SAFE]],
  ["Harness", ["pa", "t."], [22, URL_SAFE], ".", [24, HEX], ".", [20, MIXED]],
  ["Infracost", ["ic", "o-"], [32, MIXED]],
  ["Intra42", ["s-s4", "t2ud-"], [64, HEX]],
  ["Lob", ["li", "ve_"], [35, HEX]],
  ["Mapbox", ["s", "k.eyJ"], [60, MIXED], ".", [22, MIXED]],
  ["MaxMind", ["", ""], [6, MIXED], "_", [29, MIXED], "_m", "mk"],
  ["Microsoft Teams", ["https://acme.webhook.off", "ice.com/webhookb2/"], [36, HEX], "@", [36, HEX], "/x/", [32, HEX]],
  ["NuGet", ["oy", "2"], [43, LOWER]],
  ["NVIDIA", ["nv", "api-"], [64, URL_SAFE]],
  ["Octopus Deploy", ["AP", "I-"], [26, UPPER]],
  ["OpenShift", ["sha25", "6~"], [43, URL_SAFE]],
  ["Plaid", ["access-", "sandbox-"], [8, HEX], "-", [4, HEX], "-", [4, HEX], "-", [4, HEX], "-", [12, HEX]],
  ["Prefect", ["pn", "u_"], [36, MIXED]],
  ["ReadMe", ["rd", "me_"], [70, LOWER]],
  ["Resend", ["r", "e_"], [8, MIXED], "_", [24, MIXED]],
  ["Scalingo", ["tk-", "us-"], [48, URL_SAFE]],
  ["Shippo", ["ship", "po_live_"], [40, HEX]],
  ["SonarQube", ["sq", "u_"], [40, HEX]],
  ["Sourcegraph", ["sg", "p_"], [16, HEX], "_", [40, HEX]],
  ["Tavily", ["tv", "ly-dev-"], [32, MIXED]],
  ["Together", ["tg", "p_v1_"], [43, URL_SAFE]],
  ["Vercel, blob", ["vercel_", "blob_rw_"], [16, MIXED], "_", [30, MIXED]],
  ["Voyage", ["p", "a-"], [43, URL_SAFE]],
  ["Yandex", ["AQ", "VN"], [36, URL_SAFE]],
  ["OpenAI", ["sk", "-proj-"], [48, URL_SAFE]],
  ["Anthropic", ["sk-", "ant-api03-"], [93, URL_SAFE]],
  ["OpenRouter", ["sk-", "or-v1-"], [64, HEX]],
  ["AWS, access key id", ["AK", "IA"], [16, UPPER]],
  ["AWS, secret key", ["aws_secret_", "access_key="], [40, BASE64]],
  ["JSON Web Token", ["ey", "JhbGciOiJIUzI1NiJ9."], [80, URL_SAFE], ".", [43, URL_SAFE]],
  [
    "PEM",
    ["-----BEGIN RSA PRI", "VATE KEY-----\n"],
    [64, BASE64],
    "\n",
    [64, BASE64],
    "\n-----END RSA PRIVATE KEY-----",
  ],
  ["PEM, cut off", ["-----BEGIN PRI", "VATE KEY-----\n"], [64, BASE64], "\n", [40, BASE64]],
  ["Redis, address", ["redis://default:", ""], [24, MIXED], "@cache.internal:6379"],
  ["MySQL, address", ["mysql://app:", ""], [16, MIXED], "@10.1.2.3/shop"],
  ["Basic", ["Authorization: Ba", "sic "], [32, BASE64], "=="],
  ["Bearer", ["Authorization: Be", "arer "], [40, HEX]],
  ["Password of an environment file", ["DB_PASS", "WORD="], [14, MIXED]],
  ["Password of YAML", ["pass", "word: "], [14, MIXED], "7"],
  ["Token of a query", ["https://api.example.com/v1?access_", "token="], [32, MIXED]],
  ["Cookie of a query", ["session_", "token="], [32, HEX]],
];

/** `count` of every vendor; the same for the same seed. */
export function labelledSecrets(count: number, seed = 7): Labelled[] {
  const random = createRandom(seed);
  const take = (size: number, alphabet: string) =>
    Array.from({ length: size }, () => alphabet[random.below(alphabet.length)]).join("");
  return RECIPES.flatMap(([vendor, begin, ...rest]) =>
    Array.from({ length: count }, () => ({
      vendor,
      value: begin.join("") + rest.map((part) => (typeof part === "string" ? part : take(...part))).join(""),
    })),
  );
}

/** The places where a value stands in a trace. */
export const secretPlaces: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `I used ${value} for it.`,
  (value) => `"${value}", and then`,
  (value) => `(see ${value})`,
  (value) => `line one\n${value}\nline three`,
  (value) => JSON.stringify({ note: value, list: [value] }),
];

/** The longest stretch that tells somebody the secret. */
export function coreOf(value: string): string {
  return value.match(/[A-Za-z0-9+/_-]{12,}/g)!.sort((one, other) => other.length - one.length)[0]!;
}

/** What stands in every trace and opens nothing. */
export function ordinaryIdentifiers(count: number, seed = 8): string[] {
  const random = createRandom(seed);
  const take = (size: number, alphabet: string) =>
    Array.from({ length: size }, () => alphabet[random.below(alphabet.length)]).join("");
  const makers: readonly (() => string)[] = [
    () => `${take(8, HEX)}-${take(4, HEX)}-4${take(3, HEX)}-a${take(3, HEX)}-${take(12, HEX)}`,
    () => take(40, HEX),
    () => `sha256:${take(64, HEX)}`,
    () => take(32, HEX),
    () => `chatcmpl-${take(29, MIXED)}`,
    () => `call_${take(24, MIXED)}`,
    () => `toolu_${take(24, MIXED)}`,
    () => `msg_${take(24, MIXED)}`,
    () => `resp_${take(48, HEX)}`,
    () => `run_${take(24, MIXED)}`,
    () => `thread_${take(24, MIXED)}`,
    () => `file-${take(22, MIXED)}`,
    () => `order-${take(8, "0123456789")}`,
    () => `SKU-${take(10, UPPER)}`,
    () => `cus_${take(14, MIXED)}`,
    () => `pi_${take(24, MIXED)}`,
    () => `req_${take(22, MIXED)}`,
    () => `arn:aws:s3:::bucket-${take(12, LOWER)}/key/${take(20, LOWER)}`,
    () => `gs://bucket/${take(16, LOWER)}/file.parquet`,
    () => `node_modules/${take(10, LOWER)}/dist/index-${take(8, MIXED)}.js`,
    () => `data:image/png;base64,${take(120, BASE64)}`,
    () => `2026-11-16T08:${take(2, "012345")}:00.${take(3, "0123456789")}Z`,
    () => `gpt-4.1-mini-2025-04-14-${take(6, LOWER)}`,
    () => `trace-${take(32, HEX)}-${take(16, HEX)}-01`,
    () => `re_${take(6, LOWER)}_pattern_of_the_${take(9, LOWER)}`,
    () => `api-${take(12, LOWER)}-${take(5, LOWER)}.example.com`,
    () => `test_${take(6, LOWER)}_and_${take(8, LOWER)}`,
    () => `live_${take(8, LOWER)}`,
    () => `pa-${take(8, LOWER)}-${take(4, LOWER)}`,
    () => `pat.${take(10, LOWER)}.js`,
    () => `access-${take(6, LOWER)}-list`,
    () => `shipping_label_${take(20, HEX)}`,
    () => `EAA-${take(10, UPPER)}`,
    () => `V${take(40, HEX)}`,
    () => `4b1d${take(36, HEX)}`,
    () => `version_${take(32, HEX)}`,
    () => `https://cdn.example.com/${take(2, HEX)}/${take(64, HEX)}/main.${take(8, HEX)}.css`,
    () => `s3://logs/${take(4, "0123456789")}/${take(26, UPPER)}.gz`,
    () => `evt_${take(24, MIXED)}`,
    () => `projects/${take(10, LOWER)}/locations/eu/keyRings/${take(10, LOWER)}`,
    () => `pod/${take(8, LOWER)}-${take(10, LOWER)}-${take(5, LOWER)}`,
    () => `v${take(1, "123")}.${take(2, "123456789")}.0-beta.${take(1, "123")}+build.${take(7, HEX)}`,
  ];
  return makers.flatMap((make) => Array.from({ length: count }, make));
}
