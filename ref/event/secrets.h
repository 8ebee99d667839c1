/*
 * secrets.h - what secrets look like: the patterns that the library needs, too:
 * the beginnings of tokens, for users in URLs, and the names that a query may
 * have. `trace2 redact` and `trace2 collect` have more names, and what commands
 * have without one, in helper/redact/tables/names.tsv and options.tsv.
 *
 * Each row ends with the name of what it finds and a public source for it. A
 * new row needs no other change.
 */
#ifndef TR2_EVENT_SECRETS_H
#define TR2_EVENT_SECRETS_H

/* Kinds of bytes, as bits. */
enum tr2_token_bytes {
	TR2_TOKEN_UPPER = 1,
	TR2_TOKEN_LOWER = 2,
	TR2_TOKEN_DIGIT = 4,
	TR2_TOKEN_LOW_LINE = 8,
	TR2_TOKEN_HYPHEN = 16,
	TR2_TOKEN_DOT = 32,
	TR2_TOKEN_MORE = 64, /* `+`, `/`, `=`, `~`, `%` */
	TR2_TOKEN_OTHER = 128,
	TR2_TOKEN_CAPITALS = TR2_TOKEN_UPPER | TR2_TOKEN_DIGIT,
	TR2_TOKEN_ALNUM = TR2_TOKEN_CAPITALS | TR2_TOKEN_LOWER,
	TR2_TOKEN_WORD = TR2_TOKEN_ALNUM | TR2_TOKEN_LOW_LINE,
	TR2_TOKEN_ALL = TR2_TOKEN_WORD | TR2_TOKEN_HYPHEN | TR2_TOKEN_DOT
};

/* Each row has one line, which a test reads. */
/* clang-format off */

/*
 * Beginnings of tokens. A row has the beginning; the bytes that may follow it
 * (see enum tr2_token_bytes); how many of them a text needs at least, where it
 * is no user of a URL; and LOOSE if no other word begins like this, so that
 * even a short token is one, or STRICT.
 */
#define TR2_TOKENS(ROW) \
	ROW("ghp_", WORD, 6, LOOSE, "GitHub personal access token", GITHUB) \
	ROW("gho_", WORD, 6, LOOSE, "GitHub OAuth access token", GITHUB) \
	ROW("ghu_", WORD, 6, LOOSE, "GitHub App user-to-server token", GITHUB) \
	ROW("ghs_", WORD, 6, LOOSE, "GitHub App server-to-server token", GITHUB) \
	ROW("ghr_", WORD, 6, LOOSE, "GitHub App refresh token", GITHUB) \
	ROW("github_pat_", WORD, 6, LOOSE, "GitHub fine-grained token", "https://github.com/r-lib/gh/issues/171") \
	ROW("glpat-", ALL, 6, LOOSE, "GitLab personal access token", "https://gitlab.com/gitlab-org/gitlab/-/issues/342327") \
	ROW("gldt-", ALL, 6, LOOSE, "GitLab deploy token", GITLEAKS) \
	ROW("glrt-", ALL, 6, LOOSE, "GitLab runner token", GITLEAKS) \
	ROW("glcbt-", ALL, 6, LOOSE, "GitLab CI job token", GITLEAKS) \
	ROW("glptt-", ALL, 6, LOOSE, "GitLab trigger token", GITLEAKS) \
	ROW("glft-", ALL, 6, LOOSE, "GitLab feed token", GITLEAKS) \
	ROW("glimt-", ALL, 6, LOOSE, "GitLab incoming mail token", GITLEAKS) \
	ROW("glagent-", ALL, 6, LOOSE, "GitLab agent token", GITLEAKS) \
	ROW("gloas-", ALL, 6, LOOSE, "GitLab OAuth application secret", GITLEAKS) \
	ROW("glsoat-", ALL, 6, LOOSE, "GitLab SCIM token", GITLEAKS) \
	ROW("glffct-", ALL, 6, LOOSE, "GitLab feature flags token", GITLEAKS) \
	ROW("glrtr-", ALL, 6, LOOSE, "GitLab runner registration token", GITLABDOC) \
	ROW("glwt-", ALL, 6, LOOSE, "GitLab workspace token", GITLABDOC) \
	ROW("GR1348941", WORD | HYPHEN, 6, LOOSE, "GitLab runner registration token", GITLEAKS) \
	ROW("xoxb-", ALNUM | HYPHEN, 6, LOOSE, "Slack bot token", SLACK) \
	ROW("xoxp-", ALNUM | HYPHEN, 6, LOOSE, "Slack user token", SLACK) \
	ROW("xoxa-", ALNUM | HYPHEN, 6, LOOSE, "Slack app token", SLACK) \
	ROW("xoxr-", ALNUM | HYPHEN, 6, LOOSE, "Slack refresh token", SLACK) \
	ROW("xoxs-", ALNUM | HYPHEN, 6, LOOSE, "Slack session token", SLACK) \
	ROW("xoxo-", ALNUM | HYPHEN, 6, LOOSE, "Slack legacy token", SLACK) \
	ROW("xoxc-", ALNUM | HYPHEN, 6, LOOSE, "Slack client token", SLACK) \
	ROW("xoxd-", ALL, 6, LOOSE, "Slack cookie token", SLACK) \
	ROW("xoxe-", ALNUM | HYPHEN, 6, LOOSE, "Slack refresh token", SLACK) \
	ROW("xoxe.", ALL, 6, LOOSE, "Slack configuration token", SLACK) \
	ROW("xapp-", ALNUM | HYPHEN, 6, LOOSE, "Slack app-level token", SLACK) \
	ROW("AKIA", CAPITALS, 6, LOOSE, "AWS access key", AWS) \
	ROW("ASIA", CAPITALS, 12, STRICT, "AWS temporary access key", AWS) \
	ROW("ABIA", CAPITALS, 12, STRICT, "AWS bearer token", AWS) \
	ROW("npm_", ALNUM, 30, STRICT, "npm access token", "https://github.com/secretlint/secretlint/issues/200") \
	ROW("dop_v1_", ALNUM, 6, LOOSE, "DigitalOcean personal token", GITLEAKS) \
	ROW("doo_v1_", ALNUM, 6, LOOSE, "DigitalOcean OAuth token", GITLEAKS) \
	ROW("dor_v1_", ALNUM, 6, LOOSE, "DigitalOcean refresh token", GITLEAKS) \
	ROW("pypi-AgE", WORD | HYPHEN, 16, LOOSE, "PyPI upload token", GITLEAKS) \
	ROW("dckr_pat_", WORD | HYPHEN, 6, LOOSE, "Docker Hub access token", "https://docs.docker.com/reference/api/hub/latest") \
	ROW("hvs.", WORD | HYPHEN, 20, STRICT, "Vault service token", GITLEAKS) \
	ROW("hvb.", WORD | HYPHEN, 20, STRICT, "Vault batch token", GITLEAKS) \
	ROW("api_org_", ALNUM, 30, STRICT, "Hugging Face organization token", GITLEAKS) \
	ROW("hf_", ALNUM, 30, STRICT, "Hugging Face token", GITLEAKS) \
	ROW("sk-ant-", WORD | HYPHEN, 16, LOOSE, "Anthropic API key", GITLEAKS) \
	ROW("sk-proj-", WORD | HYPHEN, 20, STRICT, "OpenAI API key", GITLEAKS) \
	ROW("sk-svcacct-", WORD | HYPHEN, 20, STRICT, "OpenAI service account key", GITLEAKS) \
	ROW("sk-admin-", WORD | HYPHEN, 20, STRICT, "OpenAI admin key", GITLEAKS) \
	ROW("sk-or-v1-", ALNUM, 20, STRICT, "OpenRouter API key", TRUFFLEHOG) \
	ROW("sk-", ALNUM, 20, STRICT, "OpenAI API key", GITLEAKS) \
	ROW("TlRMTVNTUAA", ALNUM | MORE, 6, LOOSE, "NTLM message", "https://learn.microsoft.com/openspecs/windows_protocols/ms-nlmp") \
	ROW("YII", ALNUM | MORE, 40, STRICT, "ticket of Kerberos", "https://www.rfc-editor.org/rfc/rfc4559") \
	ROW("gsk_", ALNUM, 30, STRICT, "Groq API key", TRUFFLEHOG) \
	ROW("xai-", WORD, 40, STRICT, "xAI API key", TRUFFLEHOG) \
	ROW("r8_", WORD | HYPHEN, 30, STRICT, "Replicate API token", TRUFFLEHOG) \
	ROW("whsec_", ALNUM | MORE, 20, STRICT, "Stripe webhook secret", STRIPE) \
	ROW("sk_live_", ALNUM, 10, LOOSE, "Stripe secret key", STRIPE) \
	ROW("sk_test_", ALNUM, 10, STRICT, "Stripe secret key", STRIPE) \
	ROW("rk_live_", ALNUM, 10, LOOSE, "Stripe restricted key", STRIPE) \
	ROW("SG.", WORD | HYPHEN | DOT, 40, STRICT, "SendGrid API key", GITLEAKS) \
	ROW("AIza", WORD | HYPHEN, 30, STRICT, "Google API key", GITLEAKS) \
	ROW("ATATT3", WORD | HYPHEN | MORE, 20, LOOSE, "Atlassian API token", GITLEAKS) \
	ROW("ATBB", WORD | HYPHEN | MORE, 20, STRICT, "Bitbucket app password", TRUFFLEHOG) \
	ROW("ATCTT3", WORD | HYPHEN | MORE, 20, LOOSE, "Bitbucket access token", TRUFFLEHOG) \
	ROW("BBDC-", ALNUM | MORE, 20, LOOSE, "Bitbucket Data Center token", TRUFFLEHOG) \
	ROW("AKCp", ALNUM, 40, STRICT, "Artifactory API key", GITLEAKS) \
	ROW("cmVmd", ALNUM, 40, STRICT, "Artifactory reference token", GITLEAKS) \
	ROW("lin_api_", ALNUM, 10, LOOSE, "Linear API key", GITLEAKS) \
	ROW("glsa_", WORD, 20, LOOSE, "Grafana service account token", GITLEAKS) \
	ROW("glc_", ALNUM | MORE, 30, STRICT, "Grafana Cloud token", GITLEAKS) \
	ROW("rubygems_", ALNUM, 20, STRICT, "RubyGems API key", GITLEAKS) \
	ROW("shpat_", ALNUM, 20, LOOSE, "Shopify access token", GITLEAKS) \
	ROW("shpss_", ALNUM, 20, LOOSE, "Shopify shared secret", GITLEAKS) \
	ROW("shpca_", ALNUM, 20, LOOSE, "Shopify custom app token", GITLEAKS) \
	ROW("shppa_", ALNUM, 20, LOOSE, "Shopify private app token", GITLEAKS) \
	ROW("LTAI", ALNUM, 16, STRICT, "Alibaba access key", GITLEAKS) \
	ROW("tskey-", WORD | HYPHEN, 20, STRICT, "Tailscale key", TRUFFLEHOG) \
	ROW("dapi", ALNUM, 32, STRICT, "Databricks token", GITLEAKS) \
	ROW("HRKU-", WORD | HYPHEN, 20, LOOSE, "Heroku API key", GITLEAKS) \
	ROW("dp.pt.", ALNUM, 20, LOOSE, "Doppler token", GITLEAKS) \
	ROW("pul-", ALNUM, 40, STRICT, "Pulumi token", GITLEAKS) \
	ROW("PMAK-", ALNUM | HYPHEN, 20, LOOSE, "Postman API key", GITLEAKS) \
	ROW("NRAK-", ALNUM, 20, LOOSE, "New Relic user key", GITLEAKS) \
	ROW("sntrys_", ALNUM | MORE, 20, LOOSE, "Sentry organization token", GITLEAKS) \
	ROW("sntryu_", ALNUM, 20, LOOSE, "Sentry user token", GITLEAKS) \
	ROW("ntn_", ALNUM, 30, STRICT, "Notion token", GITLEAKS) \
	ROW("pscale_tkn_", ALL, 20, LOOSE, "PlanetScale token", GITLEAKS) \
	ROW("packagist_", WORD, 60, STRICT, "Private Packagist token", "https://github.com/packagist/private-packagist-docs/pull/129") \
	ROW("GOCSPX-", WORD | HYPHEN, 16, LOOSE, "Google OAuth client secret", TRUFFLEHOG) \
	ROW("ya29.", ALL, 16, LOOSE, "Google OAuth access token", TRUFFLEHOG) \
	ROW("AGE-SECRET-KEY-1", CAPITALS, 20, LOOSE, "age secret key", GITLEAKS) \
	ROW("sha256~", WORD | HYPHEN, 20, LOOSE, "OpenShift token", GITLEAKS) \
	ROW("xkeysib-", ALNUM | HYPHEN, 20, LOOSE, "Brevo API key", GITLEAKS) \
	ROW("xsmtpsib-", ALNUM | HYPHEN, 20, LOOSE, "Brevo SMTP key", TRUFFLEHOG) \
	ROW("figd_", WORD | HYPHEN, 20, LOOSE, "Figma token", TRUFFLEHOG) \
	ROW("nfp_", ALNUM, 30, STRICT, "Netlify token", TRUFFLEHOG) \
	ROW("sbp_", ALNUM, 30, STRICT, "Supabase token", TRUFFLEHOG) \
	ROW("dt0c01.", ALL, 20, LOOSE, "Dynatrace API token", GITLEAKS) \
	ROW("dt0s01.", ALL, 20, LOOSE, "Dynatrace API token", GITLEAKS) \
	ROW("pplx-", ALNUM, 30, STRICT, "Perplexity API key", GITLEAKS) \
	ROW("nvapi-", WORD | HYPHEN, 20, STRICT, "NVIDIA API key", TRUFFLEHOG) \
	ROW("bkua_", ALNUM, 20, LOOSE, "Buildkite token", TRUFFLEHOG) \
	ROW("lin_oauth_", ALNUM, 10, LOOSE, "Linear OAuth token", TRUFFLEHOG) \
	ROW("pscale_pw_", ALL, 20, LOOSE, "PlanetScale password", GITLEAKS) \
	ROW("pscale_oauth_", ALL, 20, LOOSE, "PlanetScale OAuth token", GITLEAKS) \
	ROW("ops_eyJ", ALNUM | MORE, 20, LOOSE, "1Password service account token", GITLEAKS) \
	ROW("CCIPAT_", WORD | HYPHEN, 20, LOOSE, "CircleCI token", TRUFFLEHOG) \
	ROW("sq0csp-", WORD | HYPHEN, 20, LOOSE, "Square OAuth secret", GITLEAKS) \
	ROW("sq0atp-", WORD | HYPHEN, 20, LOOSE, "Square access token", GITLEAKS) \
	ROW("fm2_", ALNUM | MORE, 30, STRICT, "Fly.io token", GITLEAKS) \
	ROW("fo1_", WORD | HYPHEN, 30, STRICT, "Fly.io token", GITLEAKS) \
	ROW("dckr_oat_", WORD | HYPHEN, 6, LOOSE, "Docker organization access token", "https://docs.docker.com/enterprise/security/access-tokens") \
	ROW("key-", ALNUM, 32, STRICT, "Mailgun API key", GITLEAKS) \
	ROW("EAAA", WORD | HYPHEN, 40, STRICT, "Square access token", GITLEAKS) \
	ROW("oy2", ALNUM, 43, STRICT, "NuGet API key", TRUFFLEHOG) \
	ROW("cio", ALNUM, 32, STRICT, "crates.io token", "https://github.com/rust-lang/crates.io/pull/5391") \
	ROW("sb_secret_", WORD | HYPHEN, 20, LOOSE, "Supabase secret key", "https://supabase.com/docs/guides/api/api-keys") \
	ROW("dp.st.dev.", ALNUM, 20, LOOSE, "Doppler service token", DOPPLER) \
	ROW("dp.st.stg.", ALNUM, 20, LOOSE, "Doppler service token", DOPPLER) \
	ROW("dp.st.prd.", ALNUM, 20, LOOSE, "Doppler service token", DOPPLER) \
	ROW("dp.st.", ALNUM, 20, LOOSE, "Doppler service token", DOPPLER) \
	ROW("dp.ct.", ALNUM, 20, LOOSE, "Doppler CLI token", DOPPLER) \
	ROW("dp.sa.", ALNUM, 20, LOOSE, "Doppler service account token", DOPPLER) \
	ROW("dp.scim.", ALNUM, 20, LOOSE, "Doppler SCIM token", DOPPLER) \
	ROW("dp.audit.", ALNUM, 20, LOOSE, "Doppler audit token", DOPPLER) \
	ROW("v1.0-", ALNUM | HYPHEN, 100, STRICT, "Cloudflare origin CA key", GITLEAKS) \
	ROW("lsv2_pt_", WORD, 20, LOOSE, "LangSmith API key", TRUFFLEHOG) \
	ROW("lsv2_sk_", WORD, 20, LOOSE, "LangSmith API key", TRUFFLEHOG) \
	ROW("sgp_", WORD, 40, STRICT, "Sourcegraph token", GITLEAKS) \
	ROW("sqp_", ALNUM, 40, STRICT, "SonarQube project token", GITLEAKS) \
	ROW("squ_", ALNUM, 40, STRICT, "SonarQube user token", GITLEAKS) \
	ROW("sqa_", ALNUM, 40, STRICT, "SonarQube analysis token", GITLEAKS) \
	ROW("A3-", ALNUM | HYPHEN, 30, STRICT, "1Password secret key", GITLEAKS) \
	ROW("CLOJARS_", ALNUM, 30, STRICT, "Clojars token", GITLEAKS) \
	ROW("p8e-", ALNUM, 32, STRICT, "Adobe client secret", GITLEAKS) \
	ROW("EZAK", ALNUM, 54, STRICT, "EasyPost API key", GITLEAKS) \
	ROW("EZTK", ALNUM, 54, STRICT, "EasyPost test key", GITLEAKS) \
	ROW("FLWSECK_TEST-", ALNUM | HYPHEN, 10, LOOSE, "Flutterwave secret key", GITLEAKS) \
	ROW("FLWSECK-", ALNUM | HYPHEN, 10, LOOSE, "Flutterwave secret key", TRUFFLEHOG) \
	ROW("pnu_", ALNUM, 36, STRICT, "Prefect API key", GITLEAKS) \
	ROW("rdme_", ALNUM, 60, STRICT, "ReadMe API key", GITLEAKS) \
	ROW("shippo_live_", ALNUM, 20, LOOSE, "Shippo API token", GITLEAKS) \
	ROW("shippo_test_", ALNUM, 20, STRICT, "Shippo API token", GITLEAKS) \
	ROW("tfp_", ALL, 50, STRICT, "Typeform token", GITLEAKS) \
	ROW("secret_", ALNUM, 43, STRICT, "Notion integration token", TRUFFLEHOG) \
	ROW("CCDB1_", WORD, 30, STRICT, "CockroachDB API key", "https://www.cockroachlabs.com/docs/cockroachcloud/managing-access") \
	ROW("eyJ", ALL, 40, STRICT, "JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519") \
	ROW("CFPAT-", WORD | HYPHEN, 30, STRICT, "Contentful token", TRUFFLEHOG) \
	ROW("apify_api_", ALNUM, 20, LOOSE, "Apify token", TRUFFLEHOG) \
	ROW("dnkey-", WORD | HYPHEN, 30, STRICT, "Defined Networking key", GITLEAKS) \
	ROW("duffel_live_", WORD | HYPHEN, 30, STRICT, "Duffel token", GITLEAKS) \
	ROW("duffel_test_", WORD | HYPHEN, 30, STRICT, "Duffel token", GITLEAKS) \
	ROW("fio-u-", WORD | HYPHEN, 30, STRICT, "Frame.io token", GITLEAKS) \
	ROW("pat-na1-", ALNUM | HYPHEN, 30, STRICT, "HubSpot token", TRUFFLEHOG) \
	ROW("pat-eu1-", ALNUM | HYPHEN, 30, STRICT, "HubSpot token", TRUFFLEHOG) \
	ROW("pcsk_", WORD, 30, STRICT, "Pinecone API key", TRUFFLEHOG) \
	ROW("s-s4t2ud-", ALNUM, 30, STRICT, "Intra 42 secret", GITLEAKS) \
	ROW("tk-us-", WORD | HYPHEN, 40, STRICT, "Scalingo token", GITLEAKS) \
	ROW("sm_aat_", ALNUM, 16, STRICT, "SettleMint token", GITLEAKS) \
	ROW("sm_pat_", ALNUM, 16, STRICT, "SettleMint token", GITLEAKS) \
	ROW("sm_sat_", ALNUM, 16, STRICT, "SettleMint token", GITLEAKS) \
	ROW("tvly-", WORD | HYPHEN, 20, STRICT, "Tavily API key", TRUFFLEHOG) \
	ROW("EAAG", ALNUM, 60, STRICT, "Facebook access token", TRUFFLEHOG) \
	ROW("rnd_", ALNUM, 28, STRICT, "Render API key", "https://render.com/docs/api") \
	ROW("fw_", ALNUM, 24, STRICT, "Fireworks API key", "https://docs.fireworks.ai") \
	ROW("tgp_v1_", WORD | HYPHEN, 30, STRICT, "Together AI key", TRUFFLEHOG)

/*
 * Names whose value in a query is a secret, by SPEC's redact.query: see
 * helper/redact/tables/names.tsv, which has all others.
 */
#define TR2_SECRET_QUERY(ROW) \
	ROW("signature", ASKED, "signature of a URL", SPECIFICATION) \
	ROW("sig", ASKED | AT, "signature of a URL", SPECIFICATION) \
	ROW("token", 0, "token", SPECIFICATION) \
	ROW("secret", 0, "secret", SPECIFICATION) \
	ROW("password", 0, "password", SPECIFICATION) \
	ROW("passwd", 0, "password", SPECIFICATION) \
	ROW("passphrase", 0, "passphrase", SPECIFICATION) \
	ROW("credential", 0, "credential", SPECIFICATION) \
	ROW("apikey", 0, "API key", SPECIFICATION) \
	ROW("api_key", 0, "API key", SPECIFICATION)

/* Passwords that say that the user is the token. */
#define TR2_SECRET_DUMMIES(ROW) \
	ROW("x-oauth-basic", "GitHub token as a user", "https://github.blog/2012-09-21-easier-builds-and-deployments-using-git-over-https-and-oauth")

#define GITHUB "https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available"
#define GITLEAKS "https://github.com/gitleaks/gitleaks"
#define GITLABDOC "https://docs.gitlab.com/security/tokens"
#define DOPPLER "https://docs.doppler.com/docs/tokens"
#define TRUFFLEHOG "https://github.com/trufflesecurity/trufflehog"
#define SLACK "https://docs.slack.dev/authentication/tokens"
#define AWS "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"
#define STRIPE "https://docs.stripe.com/keys"
#define SPECIFICATION "SPEC.md redact.query"
/* clang-format on */

#endif
