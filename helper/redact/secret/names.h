/*
 * names.h - names of secrets, and what else tells where a secret is. The names
 * that a query may have, and the beginnings of tokens, are in event/secrets.h,
 * because the library needs them.
 *
 * Each row ends with the name of what it finds and a public source for it. A
 * new row needs no other change.
 */
#ifndef TR2_SECRET_NAMES_H
#define TR2_SECRET_NAMES_H

#include "event/secrets.h"

enum tr2_secret_flags {
	TR2_SECRET_ASKED = 2,	/* only in a query */
	TR2_SECRET_AT_WORD = 4, /* no letter or digit comes before it */
	TR2_SECRET_HEADER = 8,	/* the value goes on to the end of the line */
	TR2_SECRET_LOGIN = 16,	/* it may be USER:PASSWORD@HOST */
	TR2_SECRET_FRONT = 32,	/* the name begins so, and goes on */
	TR2_SECRET_GUESS = 64,	/* a short value is none */
	TR2_SECRET_MIXED = 128, /* nor is one without letters and digits */
	TR2_SECRET_OPTION = 256 /* only `--NAME` */
};

struct tr2_secret_name {
	const char *name;
	unsigned char len; /* of the name */
	unsigned short flags;
};

/* Those of TR2_SECRET_QUERY, and then the others. The last one has no name. */
extern const struct tr2_secret_name tr2_secret_names[];

/* Each row has one line, which a test reads. */
/* clang-format off */

/*
 * Names of secrets: what `NAME=VALUE`, `NAME: VALUE`, `--NAME VALUE`, the key
 * of a setting and the key of JSON end in, in any case and with `-` read as
 * `_`. AT: only at the beginning of a word, as in `X_PAT`. ASKED: only in a
 * query. GUESS: but a short value is none. MIXED: only a value of letters and
 * digits. HEADER: the value goes on to the end of the line. LOGIN: it may be
 * USER:PASSWORD@HOST. FRONT: the name begins so, and ends in what the secret is
 * for. OPTION: only as that of an option, `--NAME`.
 * A number may follow a long name, as in `TOKEN_2`.
 */
#define TR2_SECRET_NAMES(ROW) \
	ROW("samlresponse", ASKED | AT, "answer of an identity provider", "https://docs.oasis-open.org/security/saml/v2.0/saml-bindings-2.0-os.pdf") \
	ROW("ticket", ASKED | AT, "ticket of CAS", "https://apereo.github.io/cas/7.1.x/protocol/CAS-Protocol-Specification.html") \
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
/* clang-format on */

#endif
