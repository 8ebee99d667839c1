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
	TR2_SECRET_ASKED = 1,	/* only in a query */
	TR2_SECRET_AT_WORD = 2, /* no letter or digit comes before it */
	TR2_SECRET_FRONT = 4,	/* the name begins so, and goes on */
	TR2_SECRET_OPTION = 8,	/* only `--NAME` */
	TR2_SECRET_OWNED = 16,	/* a letter of an owner may come before it */
	TR2_SECRET_SHIFT = 8	/* what the value is, above these */
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
 * digits. HEADER, EXTRA: the value goes on to the end of the line. LOGIN: it may be
 * USER:PASSWORD@HOST. FRONT: the name begins so, and ends in what the secret is
 * for. OPTION: only as that of an option, `--NAME`. OWNED: like AT, but one of
 * TR2_SECRET_OWNERS may come before it. COMMAND: it is one, and may be `echo`.
 * A number may follow a long name, as in `TOKEN_2`.
 */
#define TR2_SECRET_NAMES(ROW) \
	ROW("samlresponse", ASKED | AT, "answer of an identity provider", "https://docs.oasis-open.org/security/saml/v2.0/saml-bindings-2.0-os.pdf") \
	ROW("ticket", ASKED | AT, "ticket of CAS", "https://apereo.github.io/cas/7.1.x/protocol/CAS-Protocol-Specification.html") \
	ROW("passcode", 0, "password", GITLEAKS) \
	ROW("pass", OWNED, "password", GITLEAKS) \
	ROW("pwd", OWNED, "password", GITLEAKS) \
	ROW("pat", AT, "personal access token", GITHUB) \
	ROW("jwt", AT, "JSON Web Token", "https://www.rfc-editor.org/rfc/rfc7519") \
	ROW("auth", AT, "_auth of .npmrc", "https://docs.npmjs.com/cli/configuring-npm/npmrc") \
	ROW("bearer", AT, "curl --oauth2-bearer", CURL) \
	ROW("requirepass", 0, "password of Redis", REDIS) \
	ROW("masterauth", 0, "password of Redis", REDIS) \
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
	ROW("password_sha256_hex", 0, "hash of a password of ClickHouse", CLICKHOUSE) \
	ROW("password_double_sha1_hex", 0, "hash of a password of ClickHouse", CLICKHOUSE) \
	ROW("account_key", 0, "storage account key", AZURE) \
	ROW("accountkey", 0, "storage account key", AZURE) \
	ROW("auth_key", 0, "authentication key", GITLEAKS) \
	ROW("authkey", 0, "authentication key", GITLEAKS) \
	ROW("cookie", AT | HEADER, "Cookie and Set-Cookie", "https://www.rfc-editor.org/rfc/rfc6265") \
	ROW("dpop", AT | HEADER, "proof of possession", DPOP) \
	ROW("authorization", HEADER, "Authorization and Proxy-Authorization", "https://www.rfc-editor.org/rfc/rfc9110") \
	ROW("extraheader", EXTRA, "http.extraHeader", "https://git-scm.com/docs/git-config") \
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
	ROW("sign", ASKED | AT | MIXED, "signature of a request", "https://www.alibabacloud.com/help/sdk/product-overview/rpc-mechanism") \
	ROW("hmac", ASKED | AT, "signature of a URL", "https://shopify.dev/docs/apps/build/authentication-authorization/access-tokens/authorization-code-grant") \
	ROW("hdnea", ASKED | AT, "signature of a URL of Akamai", "https://github.com/akamai/EdgeAuth-Token-Python") \
	ROW("hdnts", ASKED | AT, "signature of a URL of Akamai", "https://github.com/akamai/EdgeAuth-Token-Python") \
	ROW("csrf", ASKED | AT | GUESS, "token of a form", CSRF) \
	ROW("xsrf", ASKED | AT | GUESS, "token of a form", CSRF) \
	ROW("passkey", ASKED | AT | GUESS, "key of a tracker", "https://www.bittorrent.org/beps/bep_0003.html") \
	ROW("signature", MIXED, "signature of a request", "https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-auth-using-authorization-header.html") \
	ROW("pswd", AT, "password", GITLEAKS) \
	ROW("psw", OWNED, "password", GITLEAKS) \
	ROW("pin_value", 0, "PIN of a token", "https://www.rfc-editor.org/rfc/rfc7512") \
	ROW("pin", OPTION | AT, "PIN of a card", "https://manpages.debian.org/pkcs11-tool") \
	ROW("otp", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("totp", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("2fa", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("mfa_code", 0, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("pass_code", AT, "password", GITLEAKS) \
	ROW("pw", OWNED, "password", GITLEAKS) \
	ROW("psk", AT, "key of a network", "https://w1.fi/wpa_supplicant") \
	ROW("shared_key", 0, "shared key", GITLEAKS) \
	ROW("sharedkey", 0, "shared key", GITLEAKS) \
	ROW("hmac_key", 0, "key to sign with", GITLEAKS) \
	ROW("session_key", 0, "key of a session", GITLEAKS) \
	ROW("unlock_key", 0, "key of a swarm", "https://docs.docker.com/engine/swarm/swarm_manager_locking") \
	ROW("recovery_key", 0, "key of a volume", "https://learn.microsoft.com/windows/security/operating-system-security/data-protection/bitlocker") \
	ROW("recovery_code", 0, "second factor", "https://docs.github.com/authentication/securing-your-account-with-two-factor-authentication-2fa") \
	ROW("enc_key", AT, "encryption key", GITLEAKS) \
	ROW("enckey", 0, "encryption key", GITLEAKS) \
	ROW("aes_key", 0, "encryption key", GITLEAKS) \
	ROW("cipher_key", 0, "encryption key", GITLEAKS) \
	ROW("masterkey", 0, "key of a service", GITLEAKS) \
	ROW("admin_key", 0, "key of a service", "https://typesense.org/docs/guide") \
	ROW("activation_key", 0, "key of a subscription", ACTIVATION) \
	ROW("activationkey", 0, "key of a subscription", ACTIVATION) \
	ROW("setup_key", 0, "key of NetBird", "https://docs.netbird.io") \
	ROW("storage_key", OPTION | AT, "storage account key", AZURE) \
	ROW("privkey", 0, "private key", GITLEAKS) \
	ROW("priv_key", 0, "private key", GITLEAKS) \
	ROW("client_key_data", 0, "private key of a kubeconfig", "https://kubernetes.io/docs/reference/config-api/kubeconfig.v1") \
	ROW("eab_hmac_key", 0, "key of an ACME account", "https://www.rfc-editor.org/rfc/rfc8555") \
	ROW("source_key", OPTION, "key of a customer of AWS", AWS) \
	ROW("secret.key", 0, "secret key of Hadoop", "https://hadoop.apache.org/docs/stable/hadoop-aws/tools/hadoop-aws") \
	ROW("secret_hash", 0, "SECRET_HASH of Cognito", "https://docs.aws.amazon.com/cognito/latest/developerguide/signing-up-users-in-your-app.html") \
	ROW("secret_content_content", 0, "secret of Oracle Cloud", "https://docs.oracle.com/iaas/tools/oci-cli/latest/oci_cli_docs/cmdref/vault/secret.html") \
	ROW("authentication_code", 0, "second factor of AWS", "https://docs.aws.amazon.com/cli/latest/reference/iam/enable-mfa-device.html") \
	ROW("auth_code", 0, "authorization code", "https://www.rfc-editor.org/rfc/rfc6749") \
	ROW("authcode", 0, "authorization code", "https://www.rfc-editor.org/rfc/rfc6749") \
	ROW("auth_string", 0, "password of Redis", "https://cloud.google.com/memorystore/docs/redis/manage-redis-auth") \
	ROW("authtok", 0, "token", GITLEAKS) \
	ROW("seed_phrase", 0, "words of a wallet", MNEMONIC) \
	ROW("mnemonic", OPTION | AT, "words of a wallet", MNEMONIC) \
	ROW("snmp_community", 0, "community of SNMP", "https://www.rfc-editor.org/rfc/rfc1901") \
	ROW("twofactor", OPTION | AT, "one-time password", "https://www.rfc-editor.org/rfc/rfc6238") \
	ROW("passkey", OPTION | AT, "key of a device", "https://www.bluetooth.com/specifications") \
	ROW("pincode", OPTION | AT, "PIN of a card", GITLEAKS) \
	ROW("pin_code", OPTION | AT, "PIN of a card", GITLEAKS) \
	ROW("proxyauth", 0, "USER:PASSWORD of socat", "https://manpages.debian.org/socat") \
	ROW("cred", OPTION | AT, "USER:PASSWORD", "https://github.com/sqlmapproject/sqlmap") \
	ROW("cookie_string", HEADER, "cookies", "https://github.com/wpscanteam/wpscan") \
	ROW("cf_key", 0, "key of Cloudflare", "https://github.com/acmesh-official/acme.sh/wiki/dnsapi") \
	ROW("activation_bytes", 0, "key of Audible", "https://ffmpeg.org/ffmpeg-formats.html") \
	ROW("audible_key", 0, "key of Audible", "https://ffmpeg.org/ffmpeg-formats.html") \
	ROW("connect.sid", AT, "session of Express", SESSION) \
	ROW("asp.net_sessionid", 0, "session of ASP.NET", SESSION) \
	ROW("_gh_sess", 0, "session of GitHub", SESSION) \
	ROW("password_command", COMMAND, "restic --password-command", "https://restic.readthedocs.io/en/stable/manual_rest.html") \
	ROW("password_cmd", COMMAND, "impala-shell --ldap_password_cmd", "https://impala.apache.org/docs/build/html/topics/impala_ldap.html") \
	ROW("passcommand", COMMAND, "BORG_PASSCOMMAND", "https://borgbackup.readthedocs.io/en/stable/usage/general.html") \
	ROW("passwordeval", COMMAND, "msmtp --passwordeval", "https://marlam.de/msmtp/msmtp.html") \
	ROW("askpass", COMMAND, "GIT_ASKPASS", "https://git-scm.com/docs/gitcredentials") \
	ROW("extpass", COMMAND, "gocryptfs --extpass", "https://manpages.debian.org/gocryptfs") \
	ROW("fernet_key", 0, "key of Airflow", "https://airflow.apache.org/docs/apache-airflow/stable/security/secrets/fernet.html") \
	ROW("service_role_key", 0, "key of Supabase", "https://supabase.com/docs/guides/api/api-keys") \
	ROW("unseal_key", 0, "key of Vault", "https://developer.hashicorp.com/vault/docs/concepts/seal") \
	ROW("customer_key", OPTION, "key of a customer of AWS", AWS) \
	ROW("key_string", OPTION | AT, "API key", "https://cloud.google.com/sdk/gcloud/reference/alpha/services/api-keys") \
	ROW("libsodium_key", 0, "key of WAL-G", "https://github.com/wal-g/wal-g") \
	ROW("radio0.key", 0, "key of a network in UCI", UCI) \
	ROW("radio1.key", 0, "key of a network in UCI", UCI) \
	ROW("radio2.key", 0, "key of a network in UCI", UCI) \
	ROW("wifinet0.key", 0, "key of a network in UCI", UCI) \
	ROW("wifinet1.key", 0, "key of a network in UCI", UCI) \
	ROW("paperkey", 0, "paper key of Keybase", "https://book.keybase.io/docs/cli") \
	ROW("unicodepwd", 0, "password of Active Directory", "https://learn.microsoft.com/windows/win32/adschema/a-unicodepwd")

/* Words that come before `pass` and the like in one word, as in `adminpass`. */
#define TR2_SECRET_OWNERS(ROW) \
	ROW("admin", "administrator", GITLEAKS) \
	ROW("root", "administrator", GITLEAKS) \
	ROW("user", "user", GITLEAKS) \
	ROW("login", "user", GITLEAKS) \
	ROW("remote", "user of a host", GITLEAKS) \
	ROW("db", "database", GITLEAKS) \
	ROW("sql", "database", GITLEAKS) \
	ROW("pg", "database", GITLEAKS) \
	ROW("redis", "database", GITLEAKS) \
	ROW("ldap", "directory", GITLEAKS) \
	ROW("bind", "directory", GITLEAKS) \
	ROW("smtp", "mail server", GITLEAKS) \
	ROW("imap", "mail server", GITLEAKS) \
	ROW("mail", "mail server", GITLEAKS) \
	ROW("ftp", "file server", GITLEAKS) \
	ROW("web", "server", GITLEAKS) \
	ROW("http", "server", GITLEAKS) \
	ROW("mqtt", "server", GITLEAKS) \
	ROW("vnc", "server", GITLEAKS) \
	ROW("rpc", "server", GITLEAKS) \
	ROW("ssh", "key or server", GITLEAKS) \
	ROW("proxy", "proxy", GITLEAKS) \
	ROW("wifi", "network", GITLEAKS) \
	ROW("cert", "certificate", GITLEAKS) \
	ROW("key", "private key", GITLEAKS) \
	ROW("store", "keystore", GITLEAKS) \
	ROW("ks", "keystore", GITLEAKS) \
	ROW("master", "main password", GITLEAKS) \
	ROW("sudo", "administrator", GITLEAKS) \
	ROW("new", "new password", GITLEAKS) \
	ROW("old", "old password", GITLEAKS)

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
	ROW("api.telegram.org/bot", "Telegram bot token", "https://core.telegram.org/bots/api") \
	ROW("api.telegram.org/file/bot", "Telegram bot token", "https://core.telegram.org/bots/api") \
	ROW("tgram://", "Telegram bot token", APPRISE) \
	ROW("discord://", "Discord webhook", APPRISE) \
	ROW("trojan://", "password of a proxy", "https://trojan-gfw.github.io/trojan") \
	ROW("vmess://", "ID of a proxy", "https://github.com/v2ray/v2ray-core") \
	ROW("maker.ifttt.com/trigger/*/with/key/", "IFTTT webhook", "https://ifttt.com/maker_webhooks") \
	ROW("hc-ping.com/", "Healthchecks address", "https://healthchecks.io/docs/http_api") \
	ROW("events.pagerduty.com/integration/", "PagerDuty key", "https://developer.pagerduty.com") \
	ROW("open.feishu.cn/open-apis/bot/v2/hook/", "Feishu webhook", FEISHU) \
	ROW("open.larksuite.com/open-apis/bot/v2/hook/", "Lark webhook", FEISHU) \
	ROW("hooks.glip.com/webhook/", "RingCentral webhook", "https://developers.ringcentral.com/guide/team-messaging/incoming-webhooks") \
	ROW("rtmp.youtube.com/live2/", "stream key of YouTube", "https://support.google.com/youtube/answer/2907883") \
	ROW("rtmps.youtube.com/live2/", "stream key of YouTube", "https://support.google.com/youtube/answer/2907883") \
	ROW("live.twitch.tv/app/", "stream key of Twitch", "https://help.twitch.tv/s/article/twitch-stream-key-faq") \
	ROW("live-api-s.facebook.com:443/rtmp/", "stream key of Facebook", "https://developers.facebook.com/docs/live-video-api")

/*
 * Tokens that only their shape tells. A row has what a line with one has; how it
 * begins; which bytes follow, and how many; what comes in the middle; which
 * bytes follow that, and at least how many.
 */
#define TR2_SECRET_SHAPES(ROW) \
	ROW(":AA", "", DIGIT, 8, 10, ":AA", WORD | HYPHEN, 30, "Telegram bot token", "https://core.telegram.org/bots/api") \
	ROW("atlasv1", "", ALNUM, 14, 14, ".atlasv1.", WORD | HYPHEN, 40, "Terraform token", GITLEAKS) \
	ROW("oauth:", "oauth:", ALNUM, 30, 64, "", DIGIT, 0, "Twitch chat token", "https://dev.twitch.tv/docs/chat/authenticating") \
	ROW("1//0", "1//0", WORD | HYPHEN, 25, 250, "", DIGIT, 0, "Google refresh token", TRUFFLEHOG) \
	ROW("secret,id=", "secret,id=", WORD | HYPHEN, 1, 60, ",data=", ALL | TR2_TOKEN_MORE, 1, "secret of QEMU", "https://www.qemu.org/docs/master/system/secrets.html") \
	ROW("airtable", "", ALNUM, 17, 17, ".", LOWER | DIGIT, 64, "Airtable token", GITLEAKS) \
	ROW("discord", "", ALNUM, 23, 30, ".", ALL, 34, "Discord bot token", GITLEAKS) \
	ROW("Bot M", "", ALNUM, 23, 30, ".", ALL, 34, "Discord bot token", GITLEAKS) \
	ROW("re_", "re_", ALNUM, 8, 8, "_", ALNUM, 24, "Resend API key", TRUFFLEHOG) \
	ROW("SUA", "SUA", CAPITALS, 55, 55, "", DIGIT, 0, "seed of a user of NATS", NATS) \
	ROW("SAA", "SAA", CAPITALS, 55, 55, "", DIGIT, 0, "seed of an account of NATS", NATS) \
	ROW("SOA", "SOA", CAPITALS, 55, 55, "", DIGIT, 0, "seed of an operator of NATS", NATS) \
	ROW("SNA", "SNA", CAPITALS, 55, 55, "", DIGIT, 0, "seed of a server of NATS", NATS) \
	ROW("SXA", "SXA", CAPITALS, 55, 55, "", DIGIT, 0, "key of curves of NATS", NATS)

/* Words of SQL, or of a file of IPsec, before a secret in quotes. */
#define TR2_SECRET_CLAUSES(ROW) \
	ROW("password", "", "password in SQL", "https://www.postgresql.org/docs/current/sql-alterrole.html") \
	ROW("pragma key", "", "key of SQLCipher", SQLCIPHER) \
	ROW("pragma rekey", "", "key of SQLCipher", SQLCIPHER) \
	ROW(": psk", "", "key of IPsec", IPSEC) \
	ROW(": eap", "", "password of IPsec", IPSEC) \
	ROW("secret", "'", "secret of DuckDB", "https://duckdb.org/docs/stable/configuration/secrets_manager") \
	ROW("secret_access_key", "'", "secret of AWS", "https://docs.aws.amazon.com/redshift/latest/dg/copy-parameters-authorization.html")

/* Calls, and which of their values is a secret. */
#define TR2_SECRET_CALLS(ROW) \
	ROW("changeuserpassword", 2, "password of MongoDB", "https://www.mongodb.com/docs/manual/reference/method/db.changeUserPassword") \
	ROW("auth", 2, "password of MongoDB, or of a request", "https://www.mongodb.com/docs/manual/reference/method/db.auth") \
	ROW("httpbasicauth", 2, "password of a request", "https://requests.readthedocs.io/en/latest/user/authentication") \
	ROW("login", 2, "password of SMTP or FTP", "https://docs.python.org/3/library/smtplib.html") \
	ROW("set_password", 3, "password in a keyring", "https://pypi.org/project/keyring") \
	ROW("setpassword", 1, "password of a client", "https://commons.apache.org/proper/commons-dbcp") \
	ROW("add_password", 4, "password of a request", "https://docs.python.org/3/library/urllib.request.html") \
	ROW("pscredential", 2, "password of PowerShell", PSCREDENTIAL) \
	ROW("networkcredential", 2, "password of .NET", NETCREDENTIAL) \
	ROW("pscredential]::new", 2, "password of PowerShell", PSCREDENTIAL) \
	ROW("networkcredential]::new", 2, "password of .NET", NETCREDENTIAL) \
	ROW("mysqli", 3, "password of MySQL", PHP) \
	ROW("mysqli_connect", 3, "password of MySQL", PHP) \
	ROW("pdo", 3, "password of a database", PHP) \
	ROW("dbi_>connect", 3, "password of a database", "https://metacpan.org/pod/DBI") \
	ROW("crypt", 1, "password to hash", "https://www.postgresql.org/docs/current/pgcrypto.html") \
	ROW("pgp_sym_encrypt", 2, "key of data", "https://www.postgresql.org/docs/current/pgcrypto.html") \
	ROW("pgp_sym_decrypt", 2, "key of data", "https://www.postgresql.org/docs/current/pgcrypto.html") \
	ROW("jwt.sign", 2, "key to sign with", "https://www.npmjs.com/package/jsonwebtoken") \
	ROW("jwt.verify", 2, "key to sign with", "https://www.npmjs.com/package/jsonwebtoken")

/* Objects of JSON of which each value is a secret. */
#define TR2_SECRET_OBJECTS(ROW) \
	ROW("stringdata", "secret of Kubernetes", "https://kubernetes.io/docs/concepts/configuration/secret") \
	ROW("github_oauth", "token of Composer", COMPOSER) \
	ROW("gitlab_oauth", "token of Composer", COMPOSER) \
	ROW("gitlab_token", "token of Composer", COMPOSER) \
	ROW("bearer", "token of Composer", COMPOSER)

#define UCI "https://openwrt.org/docs/guide-user/network/wifi/basic"
#define SQLCIPHER "https://www.zetetic.net/sqlcipher/sqlcipher-api"
#define IPSEC "https://manpages.debian.org/ipsec.secrets"
#define CLICKHOUSE "https://clickhouse.com/docs/operations/settings/settings-users"
#define NATS "https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/nkey_auth"
#define PSCREDENTIAL "https://learn.microsoft.com/dotnet/api/system.management.automation.pscredential"
#define NETCREDENTIAL "https://learn.microsoft.com/dotnet/api/system.net.networkcredential"
#define PHP "https://www.php.net/manual/en/mysqli.construct.php"
#define COMPOSER "https://getcomposer.org/doc/articles/authentication-for-private-packages.md"
#define AZURE "https://learn.microsoft.com/azure/storage/common/storage-configure-connection-string"
#define AZUREKEY "https://learn.microsoft.com/azure/api-management/api-management-subscriptions"
#define AZUREFUN "https://learn.microsoft.com/azure/azure-functions/function-keys-how-to"
#define ACTIVATION "https://docs.redhat.com/en/documentation/subscription_central"
#define MNEMONIC "https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki"
#define CURL "https://curl.se/docs/manpage.html"
#define DPOP "https://www.rfc-editor.org/rfc/rfc9449"
#define CSRF "https://owasp.org/www-community/attacks/csrf"
#define SESSION "https://owasp.org/www-community/attacks/Session_hijacking_attack"
#define OPENSSL "https://docs.openssl.org/master/man1/openssl-passphrase-options"
#define BITWARDEN "https://bitwarden.com/help/cli"
#define BUNDLER "https://bundler.io/man/bundle-config.1.html"
#define REDIS "https://redis.io/docs/latest/operate/oss_and_stack/management/security"
#define NETRC "https://www.gnu.org/software/inetutils/manual/html_node/The-_002enetrc-file.html"
#define APPRISE "https://github.com/caronc/apprise/wiki"
#define FEISHU "https://open.feishu.cn/document"
#define DISCORD "https://docs.discord.com/developers/resources/webhook"
#define TEAMS "https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/add-incoming-webhook"
/* clang-format on */

#endif
