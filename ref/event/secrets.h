/*
 * secrets.h - what secrets look like: the table of patterns. The library needs
 * the beginnings of tokens, for users in URLs, and the names that a query may
 * have; `trace2 redact` and `trace2 collect` need all of it, and what commands
 * have without a name, which helper/redact/secret/commands.h tells.
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
	ROW("eyJ", ALL, 40, STRICT, "JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519")

/*
 * Names of secrets: what `NAME=VALUE`, `NAME: VALUE`, `--NAME VALUE`, the key
 * of a setting and the key of JSON end in, in any case and with `-` read as
 * `_`. QUERY: also in the query of a URL, by SPEC's redact.query. AT: only at
 * the beginning of a word, as in `X_PAT`. ASKED: only in a query. GUESS: but a
 * short value is none. MIXED: only a value of letters and digits. HEADER: the value goes on to the end of the line. LOGIN: it may be USER:PASSWORD@HOST.
 * FRONT: the name begins so, and ends in what the secret is for. OPTION: only
 * as that of an option, `--NAME`.
 * A number may follow a long name, as in `TOKEN_2`.
 */
#define TR2_SECRET_NAMES(ROW) \
	ROW("signature", QUERY | ASKED, "signature of a URL", SPECIFICATION) \
	ROW("sig", QUERY | ASKED | AT, "signature of a URL", SPECIFICATION) \
	ROW("samlresponse", ASKED | AT, "answer of an identity provider", "https://docs.oasis-open.org/security/saml/v2.0/saml-bindings-2.0-os.pdf") \
	ROW("ticket", ASKED | AT, "ticket of CAS", "https://apereo.github.io/cas/7.1.x/protocol/CAS-Protocol-Specification.html") \
	ROW("token", QUERY, "token", SPECIFICATION) \
	ROW("secret", QUERY, "secret", SPECIFICATION) \
	ROW("password", QUERY, "password", SPECIFICATION) \
	ROW("passwd", QUERY, "password", SPECIFICATION) \
	ROW("passphrase", QUERY, "passphrase", SPECIFICATION) \
	ROW("credential", QUERY, "credential", SPECIFICATION) \
	ROW("apikey", QUERY, "API key", SPECIFICATION) \
	ROW("api_key", QUERY, "API key", SPECIFICATION) \
	ROW("passcode", 0, "password", GITLEAKS) \
	ROW("smtppass", 0, "sendemail.smtpPass", "https://git-scm.com/docs/git-send-email") \
	ROW("dbpass", 0, "wp --dbpass", "https://developer.wordpress.org/cli/commands/config/create") \
	ROW("pass", AT, "password", GITLEAKS) \
	ROW("pwd", AT, "password", GITLEAKS) \
	ROW("pat", AT, "personal access token", GITHUB) \
	ROW("jwt", AT, "JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519") \
	ROW("auth", AT, "_auth of .npmrc", "https://docs.npmjs.com/cli/configuring-npm/npmrc") \
	ROW("bearer", AT, "curl --oauth2-bearer", CURL) \
	ROW("requirepass", 0, "password of Redis", REDIS) \
	ROW("masterauth", 0, "password of Redis", REDIS) \
	ROW("bindpw", 0, "password of LDAP", "https://manpages.debian.org/nslcd.conf") \
	ROW("tf_token_", FRONT, "token of Terraform for a host", "https://developer.hashicorp.com/terraform/cli/config/config-file") \
	ROW("poetry_pypi_token_", FRONT, "token of PyPI", "https://python-poetry.org/docs/repositories") \
	ROW("deno_auth_tokens", 0, "tokens of Deno", "https://docs.deno.com/runtime/reference/env_variables") \
	ROW("npmauthident", 0, "USER:PASSWORD of Yarn", "https://yarnpkg.com/configuration/yarnrc") \
	ROW("certificate_key", 0, "key of the certificates of a cluster", "https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join") \
	ROW("decryption_key", 0, "key of a film", "https://ffmpeg.org/ffmpeg-formats.html") \
	ROW("sonar_login", 0, "token of SonarQube", "https://docs.sonarsource.com/sonarqube-server/10.0/analyzing-source-code/analysis-parameters") \
	ROW("userpwd", AT, "USER:PASSWORD of libcurl", "https://curl.se/libcurl/c/CURLOPT_USERPWD.html") \
	ROW("bundle_gems__", FRONT, "USER:PASSWORD of Bundler", BUNDLER) \
	ROW("bundle_gem__", FRONT, "USER:PASSWORD of Bundler", BUNDLER) \
	ROW("bundle_rubygems__", FRONT, "USER:PASSWORD of Bundler", BUNDLER) \
	ROW("bundle_github__", FRONT, "USER:PASSWORD of Bundler", BUNDLER) \
	ROW("bundle_enterprise__", FRONT, "USER:PASSWORD of Bundler", BUNDLER) \
	ROW("application_key", 0, "application key of Datadog", "https://docs.datadoghq.com/api/latest/authentication") \
	ROW("fastly_key", 0, "Fastly-Key", "https://www.fastly.com/documentation/reference/api") \
	ROW("token_code", 0, "code of a second factor of AWS", "https://docs.aws.amazon.com/cli/latest/reference/sts/get-session-token.html") \
	ROW("jsessionid", 0, "session of a servlet", "https://jakarta.ee/specifications/servlet/6.0") \
	ROW("phpsessid", 0, "session of PHP", "https://www.php.net/manual/en/session.configuration.php") \
	ROW("op_session_", FRONT, "session of 1Password", "https://developer.1password.com/docs/cli/sign-in-manually") \
	ROW("bw_session", 0, "session of Bitwarden", BITWARDEN) \
	ROW("fastlane_session", 0, "session of an Apple account", "https://docs.fastlane.tools/getting-started/ios/authentication") \
	ROW("sonar.login", 0, "token of SonarQube", "https://docs.sonarsource.com/sonarqube-server/10.0/analyzing-source-code/analysis-parameters") \
	ROW("jfrog_art_api", 0, "X-JFrog-Art-Api", "https://jfrog.com/help/r/jfrog-rest-apis/authentication") \
	ROW("secret_string", 0, "secret of AWS Secrets Manager", "https://docs.aws.amazon.com/cli/latest/reference/secretsmanager/create-secret.html") \
	ROW("master_key", 0, "key of Rails", "https://guides.rubyonrails.org/security.html") \
	ROW("app_key", 0, "application key", GITLEAKS) \
	ROW("license_key", 0, "New Relic license key", TRUFFLEHOG) \
	ROW("sshpass", 0, "password of sshpass", "https://manpages.debian.org/sshpass") \
	ROW("passin", AT, "password of openssl", OPENSSL) \
	ROW("passout", AT, "password of openssl", OPENSSL) \
	ROW("credentials", 0, "credentials", GITLEAKS) \
	ROW("secret_id", 0, "Vault AppRole secret", "https://developer.hashicorp.com/vault/docs/auth/approle") \
	ROW("secret_key_base", 0, "key of Rails", "https://guides.rubyonrails.org/security.html") \
	ROW("private_key", 0, "private key", GITLEAKS) \
	ROW("privatekey", 0, "private key", GITLEAKS) \
	ROW("encryption_key", 0, "encryption key", GITLEAKS) \
	ROW("subscription_key", 0, "key of Azure API Management", AZUREKEY) \
	ROW("functions_key", 0, "key of Azure Functions", AZUREFUN) \
	ROW("signing_key", 0, "key to sign with", GITLEAKS) \
	ROW("sse_c_key", 0, "key of a customer of AWS", AWS) \
	ROW("instrumentationkey", 0, "key of Application Insights", "https://learn.microsoft.com/azure/azure-monitor/app/connection-strings") \
	ROW("hub_signature_256", 0, "signature of a webhook", "https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries") \
	ROW("hub_signature", 0, "signature of a webhook", "https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries") \
	ROW("proxy", LOGIN, "password of a proxy", "https://git-scm.com/docs/git-config") \
	ROW("cvsroot", LOGIN, "password of CVS", "https://www.gnu.org/software/trans-coord/manual/cvs/cvs.html") \
	ROW("access_key", 0, "AWS_SECRET_ACCESS_KEY", AWS) \
	ROW("accesskey", 0, "access key", AWS) \
	ROW("secret_key", 0, "secret key", GITLEAKS) \
	ROW("secretkey", 0, "secret key", GITLEAKS) \
	ROW("account_key", 0, "storage account key", AZURE) \
	ROW("accountkey", 0, "storage account key", AZURE) \
	ROW("auth_key", 0, "authentication key", GITLEAKS) \
	ROW("authkey", 0, "authentication key", GITLEAKS) \
	ROW("cookie", AT | HEADER, "Cookie and Set-Cookie", "https://www.rfc-editor.org/rfc/rfc6265") \
	ROW("dpop", AT | HEADER, "proof of possession", DPOP) \
	ROW("authorization", HEADER, "Authorization and Proxy-Authorization", "https://www.rfc-editor.org/rfc/rfc9110") \
	ROW("extraheader", HEADER, "http.extraHeader", "https://git-scm.com/docs/git-config") \
	ROW("key", ASKED | AT | GUESS, "API key", "https://cloud.google.com/docs/authentication/api-keys-use") \
	ROW("session", ASKED | AT | GUESS, "session", SESSION) \
	ROW("sessionid", ASKED | GUESS, "session", SESSION) \
	ROW("session_id", ASKED | GUESS, "session", SESSION) \
	ROW("sid", ASKED | AT | GUESS, "session", SESSION) \
	ROW("code", ASKED | AT | GUESS, "authorization code of OAuth", "https://www.rfc-editor.org/rfc/rfc6749") \
	ROW("otp", ASKED | AT | GUESS, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("assertion", ASKED, "assertion of OAuth", "https://www.rfc-editor.org/rfc/rfc7521") \
	ROW("code_verifier", ASKED, "proof key of OAuth", "https://www.rfc-editor.org/rfc/rfc7636") \
	ROW("state", ASKED | AT | MIXED, "state of OAuth", "https://www.rfc-editor.org/rfc/rfc6749") \
	ROW("nonce", ASKED | AT | MIXED, "nonce of OpenID", "https://openid.net/specs/openid-connect-core-1_0.html") \
	ROW("accesskeyid", ASKED, "access key of a signed URL", "https://docs.aws.amazon.com/AmazonS3/latest/userguide/RESTAuthentication.html") \
	ROW("googleaccessid", ASKED, "account of a signed URL", "https://cloud.google.com/storage/docs/access-control/signed-urls-v2") \
	ROW("hmac", ASKED | AT, "signature of a URL", "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant") \
	ROW("hdnea", ASKED | AT, "signature of a URL of Akamai", "https://github.com/akamai/EdgeAuth-Token-Python") \
	ROW("hdnts", ASKED | AT, "signature of a URL of Akamai", "https://github.com/akamai/EdgeAuth-Token-Python") \
	ROW("csrf", ASKED | AT | GUESS, "token of a form", CSRF) \
	ROW("xsrf", ASKED | AT | GUESS, "token of a form", CSRF) \
	ROW("passkey", ASKED | AT | GUESS, "key of a tracker", "https://www.bittorrent.org/beps/bep_0003.html") \
	ROW("signature", MIXED, "signature of a request", "https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html") \
	ROW("pswd", AT, "password", GITLEAKS) \
	ROW("psw", AT, "password", GITLEAKS) \
	ROW("pin_value", 0, "PIN of a token", "https://www.rfc-editor.org/rfc/rfc7512") \
	ROW("pin", OPTION | AT, "PIN of a card", "https://manpages.debian.org/pkcs11-tool") \
	ROW("otp", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("totp", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("2fa", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("mfa_code", 0, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("pass_code", AT, "password", GITLEAKS) \
	ROW("pw", AT, "password", GITLEAKS)

/* Words after which a secret follows in the value of Authorization. */
#define TR2_SECRET_SCHEMES(ROW) \
	ROW("basic", "user and password", "https://www.rfc-editor.org/rfc/rfc7617") \
	ROW("bearer", "token", "https://www.rfc-editor.org/rfc/rfc6750") \
	ROW("token", "token", "https://docs.github.com/rest/authentication") \
	ROW("digest", "hash of a password", "https://www.rfc-editor.org/rfc/rfc7616") \
	ROW("negotiate", "ticket", "https://www.rfc-editor.org/rfc/rfc4559") \
	ROW("dpop", "token", DPOP) \
	ROW("ntlm", "answer to a challenge", "https://learn.microsoft.com/openspecs/windows_protocols/ms-nlmp")

/* Passwords that say that the user is the token. */
#define TR2_SECRET_DUMMIES(ROW) \
	ROW("x-oauth-basic", "GitHub token as a user", "https://github.blog/2012-09-21-easier-builds-and-deployments-using-git-over-https-and-oauth")

/* Words that come before the same in a line of .netrc. */
#define TR2_SECRET_NETRC(ROW) \
	ROW("login", 0, "user", NETRC) \
	ROW("user", 0, "user", NETRC) \
	ROW("account", HIDDEN, "password of an account", NETRC) \
	ROW("password", HIDDEN, "password", NETRC) \
	ROW("passwd", HIDDEN, "password", NETRC)

/*
 * Beginnings of addresses whose rest is a secret: who knows it may write there.
 * A `*` is a part without `/`.
 */
#define TR2_SECRET_PLACES(ROW) \
	ROW("hooks.slack.com/services/", "Slack webhook", "https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks") \
	ROW("hooks.slack.com/workflows/", "Slack workflow", GITLEAKS) \
	ROW("hooks.slack.com/triggers/", "Slack workflow", GITLEAKS) \
	ROW("hooks.slack-gov.com/services/", "Slack webhook", "https://docs.slack.dev/govslack") \
	ROW("discord.com/api/webhooks/", "Discord webhook", DISCORD) \
	ROW("discord.com/api/*/webhooks/", "Discord webhook", DISCORD) \
	ROW("discordapp.com/api/webhooks/", "Discord webhook", DISCORD) \
	ROW("discordapp.com/api/*/webhooks/", "Discord webhook", DISCORD) \
	ROW("outlook.office.com/webhook/", "Teams webhook", TEAMS) \
	ROW("outlook.office365.com/webhook/", "Teams webhook", TEAMS) \
	ROW("webhook.office.com/webhookb2/", "Teams webhook", TEAMS) \
	ROW("hooks.zapier.com/hooks/catch/", "Zapier webhook", TRUFFLEHOG) \
	ROW("conda.anaconda.org/t/", "token of Anaconda", "https://www.anaconda.com/docs") \
	ROW("api.telegram.org/bot", "Telegram bot token", "https://core.telegram.org/bots/api")

#define GITHUB "https://github.blog/changelog/2021-03-31-authentication-token-format-updates-are-generally-available"
#define GITLEAKS "https://github.com/gitleaks/gitleaks"
#define GITLABDOC "https://docs.gitlab.com/security/tokens"
#define DOPPLER "https://docs.doppler.com/docs/tokens"
#define TRUFFLEHOG "https://github.com/trufflesecurity/trufflehog"
#define SLACK "https://docs.slack.dev/authentication/tokens"
#define AWS "https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html"
#define STRIPE "https://docs.stripe.com/keys"
#define AZURE "https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string"
#define AZUREKEY "https://learn.microsoft.com/azure/api-management/api-management-subscriptions"
#define AZUREFUN "https://learn.microsoft.com/azure/azure-functions/function-keys-how-to"
#define CURL "https://curl.se/docs/manpage.html"
#define DPOP "https://www.rfc-editor.org/rfc/rfc9449"
#define CSRF "https://owasp.org/www-community/attacks/csrf"
#define SESSION "https://owasp.org/www-community/attacks/Session_hijacking_attack"
#define OPENSSL "https://docs.openssl.org/master/man1/openssl-passphrase-options"
#define BITWARDEN "https://bitwarden.com/help/cli"
#define BUNDLER "https://bundler.io/man/bundle-config.1.html"
#define REDIS "https://redis.io/docs/latest/operate/oss_and_stack/management/security"
#define NETRC "https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html"
#define DISCORD "https://docs.discord.com/developers/resources/webhook"
#define TEAMS "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook"
#define SPECIFICATION "SPEC.md redact.query"
/* clang-format on */

#endif
