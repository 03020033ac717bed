/**
 * Keys and tokens as those who issue them make them: told by a beginning that nothing else has. Lengths are the shortest that
 * is still no word, not the issuer's own, because texts cut a token as they cut anything.
 *
 * One walk over the text: a token begins where a word begins, and hardly any word shares its first three characters with one, so a
 * regular expression is tried at few places. Each has a limit, so the walk is linear.
 */

/** What it is, the first three characters it may have, and its shape. The more special one stands first. */
const BY_BEGINNING: readonly (readonly [name: string, beginnings: string, shape: string])[] = [
  [
    "github_token",
    "git ghp gho ghu ghs ghr",
    "github_pat_\\w{12,255}|gh[pousr]_(?:[A-Za-z0-9]{36,251}|[A-Za-z0-9]{8,35}(?=…))",
  ],
  [
    "gitlab_token",
    "glp gld glr glc glf gli gla glo gls",
    "(?:glpat|gldt|glrt|glrtr|glcbt|glptt|glft|glimt|glagent|gloas|glsoat|glffct)-[\\w-]{12,300}",
  ],
  [
    "slack_token",
    "xox xap",
    "xox[abceoprs]-[A-Za-z0-9-]{10,255}|xapp-\\d-[A-Za-z0-9-]{10,255}|xoxe\\.xox[bp]-[A-Za-z0-9-]{10,255}",
  ],
  ["slack_webhook", "hoo", "hooks\\.slack(?:-gov)?\\.com/(?:services|workflows|triggers)/[A-Za-z0-9/]{12,255}"],
  ["stripe_key", "sk_ rk_ pk_ whs", "(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,255}|whsec_[A-Za-z0-9+/=]{16,255}"],
  ["google_key", "AIz GOC ya2 1//", "AIza[\\w-]{20,64}|GOCSPX-[\\w-]{16,64}|ya29\\.[\\w-]{20,2048}|1//0[\\w-]{20,255}"],
  ["twilio_key", "SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf", "SK[0-9a-f]{32}(?![0-9a-f])"],
  ["sendgrid_key", "SG.", "SG\\.[\\w-]{12,64}\\.[\\w-]{12,64}"],
  ["npm_token", "npm", "npm_[A-Za-z0-9]{20,64}"],
  ["pypi_token", "pyp", "pypi-AgE[\\w-]{16,512}"],
  ["huggingface_token", "hf_ api", "(?:hf|api_org)_[A-Za-z0-9]{20,64}"],
  ["digitalocean_token", "doo dop dor", "do[opr]_v1_[a-f0-9]{16,64}"],
  ["shopify_token", "shp", "shp(?:at|ca|pa|ss|ua)_[A-Fa-f0-9]{16,64}"],
  ["mailgun_key", "key", "key-[0-9a-f]{32}(?![0-9a-f])"],
  ["discord_webhook", "dis", "discord(?:app)?\\.com/api/(?:v\\d+/)?webhooks/\\d{10,25}/[\\w-]{20,120}"],
  ["azure_key", "Acc Sha", "AccountKey=[A-Za-z0-9+/]{30,120}={0,2}|SharedAccessKey=[A-Za-z0-9+/]{30,120}={0,2}"],
  ["databricks_token", "dap", "dapi[a-f0-9]{24,64}(?:-\\d)?"],
  ["vault_token", "hvs hvb hvr", "hv[sbr]\\.[\\w-]{16,300}"],
  ["groq_key", "gsk", "gsk_[A-Za-z0-9]{16,80}"],
  ["xai_key", "xai", "xai-[A-Za-z0-9]{16,120}"],
  ["perplexity_key", "ppl", "pplx-[A-Za-z0-9]{16,80}"],
  ["replicate_token", "r8_", "r8_[A-Za-z0-9]{16,64}"],
  ["pinecone_key", "pcs", "pcsk_[\\w-]{16,120}"],
  ["elevenlabs_key", "sk_", "sk_[a-f0-9]{40,64}"],
  ["langsmith_key", "lsv", "lsv2_(?:pt|sk)_[A-Za-z0-9_]{16,120}"],
  ["linear_key", "lin", "lin_(?:api|oauth)_[A-Za-z0-9]{16,64}"],
  ["doppler_token", "dp.", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?[A-Za-z0-9]{16,64}"],
  ["postman_key", "PMA", "PMAK-[a-f0-9]{16,24}-?[a-f0-9]{0,40}"],
  ["atlassian_token", "ATA ATC ATB ATS", "AT(?:ATT|CTT|BBT?|SAT)[A-Za-z0-9][\\w=-]{16,400}"],
  ["notion_token", "sec ntn", "(?:secret_|ntn_)[A-Za-z0-9]{30,64}"],
  ["figma_token", "fig", "fig[dou]r?_[\\w-]{20,64}"],
  ["airtable_token", "pat", "pat[A-Za-z0-9]{14}\\.[a-f0-9]{16,64}"],
  ["newrelic_key", "NRA NRI NRB NRR NRJ", "NR(?:AK|II|BR|RA|JS)-[A-Za-z0-9]{12,64}"],
  ["sentry_token", "snt", "sntry[su]_[\\w+/=-]{16,400}"],
  ["grafana_token", "gls glc", "glsa_[A-Za-z0-9]{16,32}_[a-f0-9]{4,8}|glc_eyJ[\\w+/=-]{16,400}"],
  ["planetscale_token", "psc", "pscale_(?:tkn|pw|oauth|pl)_[\\w=.-]{16,64}"],
  ["supabase_token", "sbp sbs sb_", "sb[ps]_(?:v0_)?[a-f0-9]{20,64}|sb_(?:secret|publishable)_[\\w-]{16,64}"],
  ["flyio_token", "fm1 fm2", "fm[12][rapo]?_[A-Za-z0-9+/=,_]{24,400}"],
  ["heroku_key", "HRK", "HRKU-[\\w-]{20,80}"],
  ["square_token", "sq0 EAA", "sq0(?:atp|csp|idp)-[\\w-]{16,64}|EAAA[\\w-]{40,80}"],
  ["pulumi_token", "pul", "pul-[a-f0-9]{24,64}"],
  ["rubygems_key", "rub", "rubygems_[a-f0-9]{24,64}"],
  ["docker_token", "dck", "dckr_(?:pat|oat)_[\\w-]{16,64}"],
  ["onepassword_token", "ops", "ops_eyJ[\\w+/=-]{20,600}"],
  ["tailscale_key", "tsk", "tskey-(?:auth|api|client|scim|webhook)-[A-Za-z0-9-]{10,80}"],
  ["age_key", "AGE", "AGE-SECRET-KEY-1[A-Z0-9]{20,80}"],
  ["circleci_token", "CCI", "CCI(?:PAT|PRJ)_[\\w-]{16,100}"],
  ["buildkite_token", "bku bka", "bk[ua]a?t?_[a-z0-9]{32,48}"],
  ["netlify_token", "nfp nfc nfb", "nf[pcb]_[A-Za-z0-9]{24,64}"],
  ["posthog_key", "phx phc phs", "ph[xcs]_[A-Za-z0-9]{30,64}"],
  ["render_key", "rnd", "rnd_[A-Za-z0-9]{24,48}"],
  ["dropbox_token", "sl.", "sl\\.(?:u\\.)?[\\w-]{60,1400}"],
  ["typeform_token", "tfp", "tfp_[\\w.-]{30,90}"],
  ["contentful_token", "CFP", "CFPAT-[\\w-]{30,60}"],
  ["artifactory_token", "AKC cmV", "AKC[a-zA-Z0-9]{40,90}|cmVmdGtuO[A-Za-z0-9]{40,90}"],
  ["okta_token", "SSW", "SSWS\\s{1,3}[\\w-]{20,60}"],
  ["onepassword_key", "A3-", "A3-[A-Z0-9]{6}-[A-Z0-9]{5,11}-[A-Z0-9-]{10,30}"],
  ["adobe_secret", "p8e", "p8e-[A-Za-z0-9]{32}"],
  ["alibaba_key", "LTA", "LTAI[A-Za-z0-9]{12,24}(?![A-Za-z0-9])"],
  [
    "authress_key",
    "sc_ ext sca aut",
    "(?:sc|ext|scauth|authress)_[a-z0-9]{5,30}\\.[a-z0-9]{4,6}\\.acc[_-][\\w.+/=-]{30,160}",
  ],
  ["bedrock_key", "ABS bed", "ABSK[A-Za-z0-9+/]{60,280}={0,2}|bedrock-api-key-[A-Za-z0-9+/=]{40,600}"],
  ["cerebras_key", "csk", "csk-[a-z0-9]{40,64}"],
  ["clickhouse_key", "4b1", "4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])"],
  ["clojars_token", "CLO", "CLOJARS_[a-z0-9]{30,60}"],
  ["cloudflare_key", "v1.", "v1\\.0-[a-f0-9]{24}-[a-f0-9]{40,146}"],
  ["duffel_token", "duf", "duffel_(?:test|live)_[\\w=-]{24,60}"],
  ["dynatrace_token", "dt0", "dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{20,64}"],
  ["e2b_key", "e2b", "e2b_[a-f0-9]{32,64}"],
  ["easypost_key", "EZA EZT", "EZ[AT]K[A-Za-z0-9]{40,60}"],
  ["facebook_token", "EAA", "EAA[CM][A-Za-z0-9]{60,255}"],
  ["firecrawl_key", "fc-", "fc-[a-f0-9]{32}(?![a-f0-9])"],
  ["fireworks_key", "fw_", "fw_[A-Za-z0-9]{20,40}(?![\\w-])"],
  ["flutterwave_key", "FLW", "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?"],
  ["frameio_token", "fio", "fio-u-[\\w=-]{40,80}"],
  ["harness_token", "pat sat", "[ps]at\\.[\\w-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}"],
  ["infracost_key", "ico", "ico-[A-Za-z0-9]{32}(?![A-Za-z0-9])"],
  ["intra42_secret", "s-s", "s-s4t2(?:ud|af)-[a-f0-9]{40,64}"],
  ["lob_key", "liv tes", "(?:live|test)_(?:pub_)?[a-f0-9]{31,35}(?![A-Za-z0-9])"],
  ["mapbox_token", "pk. sk. tk.", "[pst]k\\.eyJ[\\w-]{20,300}\\.[\\w-]{16,64}"],
  ["nuget_key", "oy2", "oy2[a-z0-9]{43}(?![a-z0-9])"],
  ["nvidia_key", "nva", "nvapi-[\\w-]{40,90}"],
  ["octopus_key", "API", "API-[A-Z0-9]{25,32}(?![A-Za-z0-9])"],
  ["openshift_token", "sha", "sha256~[\\w-]{40,50}"],
  ["plaid_token", "acc", "access-(?:sandbox|development|production)-[0-9a-f-]{30,36}"],
  ["prefect_key", "pnu", "pnu_[A-Za-z0-9]{30,40}"],
  ["readme_key", "rdm", "rdme_[a-z0-9]{40,80}"],
  ["resend_key", "re_", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}"],
  ["scalingo_token", "tk-", "tk-us-[\\w-]{40,60}"],
  ["brevo_key", "xke xsm", "x(?:key|smtp)sib-[a-f0-9]{40,64}-[A-Za-z0-9]{10,20}"],
  ["shippo_token", "shi", "shippo_(?:live|test)_[A-Fa-f0-9]{30,45}"],
  ["sonar_token", "sqp squ sqa", "sq[pua]_[a-f0-9]{30,44}"],
  ["sourcegraph_token", "sgp", "sgp_(?:[A-Za-z0-9]{16}_|local_)?[A-Fa-f0-9]{36,44}"],
  ["tavily_key", "tvl", "tvly-[A-Za-z0-9-]{20,64}"],
  ["together_key", "tgp", "tgp_v1_[\\w-]{30,60}"],
  ["vercel_token", "ver", "vercel_blob_rw_[A-Za-z0-9]{12,24}_[A-Za-z0-9]{16,40}"],
  ["voyage_key", "pa-", "pa-[\\w-]{43}(?![\\w-])"],
  ["yandex_key", "AQV t1.", "AQVN[\\w-]{30,40}|t1\\.[\\w-]{16,200}={0,2}\\.[\\w-]{60,100}={0,2}"],
];

/** Those that may begin with anything, and what is quickly looked for and without which there is none. */
const BY_PART: readonly (readonly [name: string, part: RegExp, shape: string])[] = [
  ["mailchimp_key", /-us\d/, "[0-9a-f]{32}-us[0-9]{1,2}\\b"],
  ["discord_token", /\.[\w-]{6}\.[\w-]{20}/, "[MNO][A-Za-z0-9_-]{22,27}\\.[\\w-]{6}\\.[\\w-]{20,64}"],
  ["telegram_token", /:AA/, "[0-9]{8,10}:AA[\\w-]{30,40}"],
  ["azure_secret", /\dQ~/, "[\\w~.]{3}\\dQ~[\\w~.-]{20,40}"],
  ["maxmind_key", /_mmk/, "[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk"],
  ["teams_webhook", /\.webhook\.office\.com/, "[a-z0-9]{1,40}\\.webhook\\.office\\.com/webhookb2/[\\w@/-]{40,260}"],
  ["terraform_token", /\.atlasv1\./, "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{20,90}"],
];

interface Shape {
  readonly name: string;
  readonly expression: RegExp;
}

const shapes = new Map<number, Shape[]>();
for (const [name, beginnings, shape] of BY_BEGINNING) {
  const expression = new RegExp(shape, "y");
  for (const beginning of beginnings.split(" ")) {
    const key = keyAt(beginning, 0);
    shapes.set(key, [...(shapes.get(key) ?? []), { name, expression }]);
  }
}
/** One bit for each beginning. */
const begins = new Uint8Array(1 << 18);
for (const key of shapes.keys()) begins[key >> 3]! |= 1 << (key & 7);

const parts = BY_PART.map(([name, part, shape]) => ({
  name,
  part,
  expression: new RegExp(`(?<![A-Za-z0-9_-])(?:${shape})`, "g"),
}));

export const vendorTokenNames: readonly string[] = [...BY_BEGINNING, ...BY_PART].map(([name]) => name);

export function replaceVendorTokens(text: string, replacement: (name: string) => string): string {
  if (text.length < SHORTEST) return text;
  let result = replaceByBeginning(text, replacement);
  for (const { name, part, expression } of parts)
    if (part.test(result)) result = result.replace(expression, replacement(name));
  return result;
}

const SHORTEST = 15;

function replaceByBeginning(text: string, replacement: (name: string) => string): string {
  let result = "";
  let copied = 0;
  let isInWord = false;
  for (let at = 0; at < text.length - SHORTEST; at++) {
    const startsHere = !isInWord;
    isInWord = isWordCode(text.charCodeAt(at));
    if (!startsHere || !isInWord) continue;
    const key = keyAt(text, at);
    if ((begins[key >> 3]! & (1 << (key & 7))) === 0) continue;
    const found = tokenAt(text, at, shapes.get(key) ?? []);
    if (found === undefined) continue;
    result += text.slice(copied, at) + replacement(found.name);
    copied = found.end;
    at = found.end - 1;
    isInWord = false;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

function tokenAt(text: string, at: number, candidates: readonly Shape[]): { name: string; end: number } | undefined {
  for (const { name, expression } of candidates) {
    expression.lastIndex = at;
    if (expression.test(text)) return { name, end: expression.lastIndex };
  }
  return undefined;
}

/** Three characters as one number below 2^21; other than ASCII never begins a token, and what it is taken for is tried and refused. */
function keyAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 127) << 14) | ((text.charCodeAt(at + 1) & 127) << 7) | (text.charCodeAt(at + 2) & 127);
}

function isWordCode(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}
