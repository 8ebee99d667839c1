"""Secrets in the forms that people and programs give them, and what only looks
like one. In a form, `{}` stands for the secret."""

import re
from pathlib import Path

TABLE = Path(__file__).resolve().parents[2] / "ref/event/secrets.h"
PREFIX = re.compile(
    r'ROW\("([^"]+)", ([^,]+), (\d+), (LOOSE|STRICT), "([^"]+)", ([^)]+)\)')

# A secret, by which each test finds what was left. It is no known token.
SECRET = "hu5hVALUE"
# Its long form, for tokens that have many bytes: letters and digits.
LONG = SECRET + "q7Zk3Wm9Xc2Vb8Np4Rt6Yh1Jf5Gd0Sa"

# Of header lines, as curl and its users write them.
HEADERS = (
    "AUTHORIZATION: basic {}",
    "Authorization: Basic {}=",
    "authorization: bearer {}",
    "Authorization: token {}",
    "Authorization: {}",
    "Authorization:{}",
    "Authorization: Digest username=\"u\", response=\"{}\"",
    "Proxy-Authorization: Basic {}",
    "X-Forwarded-Authorization: {}",
    "Cookie: a={}; b={}",
    "Set-Cookie: session={}; Path=/; HttpOnly",
    "=> Send header: Authorization: Basic {}",
    "=> Send header: cookie: a={}",
    "<= Recv header: Set-Cookie: a={}; Secure",
    "> Authorization: Basic {}",
    "< set-cookie: {}",
    "== Info: [HTTP/2] [1] [authorization: Basic {}]",
    "PRIVATE-TOKEN: {}",
    "PRIVATE-TOKEN:{}",
    "JOB-TOKEN: {}",
    "X-Api-Key: {}",
    "X-Auth-Token: {}",
    "x-vault-token:{}",
    "curl -H 'Authorization: Bearer {}' https://h/x",
    'curl -H "Authorization: Bearer {}" https://h/x',
    "curl --header='Authorization: token {}' -o f https://h/x",
    '{"headers":{"Authorization":"Bearer {}"}}',
    'headers: {"Cookie": "a={}"}',
    "http.extraheader=AUTHORIZATION: basic {}",
    "http.extraHeader=Authorization: Bearer {}",
    "http.https://github.com/.extraheader=AUTHORIZATION: basic {}",
    "http.https://github.com/.extraheader=X-My-Own: {}",
    "git -c http.extraheader='AUTHORIZATION: basic {}' fetch",
    "can't fetch, sent Authorization: Basic {}",
    "sent Bearer {}9== and got 401",
)

# Of names with values.
NAMES = (
    "password={}",
    "Password={}",
    "passwd={}",
    "passphrase={}",
    "pass={}",
    "DB_PASS={}",
    "MYSQL_PWD={}",
    "Server=h;Pwd={};Database=d",
    "token={}",
    "GITHUB_TOKEN={}",
    "NPM_TOKEN={} npm publish",
    "CI_JOB_TOKEN={}",
    "GH_PAT={}",
    "API_KEY={}",
    "apikey={}",
    "api-key={}",
    "client_secret={}",
    "CLIENT-SECRET={}",
    "credential={}",
    "AWS_SECRET_ACCESS_KEY={}",
    "AccountName=a;AccountKey={}==;EndpointSuffix=s",
    "secret_key={}",
    "_auth={}=",
    "//registry.npmjs.org/:_authToken={}",
    "sendemail.smtpPass={}",
    "github.token={}",
    "jwt={}",
    "secret = {}",
    "password = '{} {}'",
    'password="{} {}"',
    "password: {}",
    "token : {}",
    "token: '{} {}'",
    '"password":"{}"',
    '"password": "{} {}"',
    '{"a":{"client_secret":"{}"}}',
    r'{\"token\":\"{}\"}',
    r'\"password\": \"{}\"',
    "'secret': '{}'",
    "--token={}",
    "--password={}",
    "--auth-token={}",
    "tool --token {} push",
    "tool --password '{} {}' push",
    "!f() { echo password={}; }; f",
    "!f() { echo \"password={}\"; }; f",
    "protocol=https\thost=h\tusername=u\tpassword={}",
    "fatal: bad token={}, try again",
    "fatal: (secret={})",
    "/download?token={}&x=1",
    "/r?X-Amz-Signature={}&X-Amz-Date=1",
    "GET /r?a=1&sig={}",
    "GITHUB_TOKEN_2={}",
    "password2={}",
    "SSHPASS={}",
    "bearer={}",
    "x-functions-key: {}",
    "Ocp-Apim-Subscription-Key: {}",
    "private_key={}",
    "CREDENTIALS={}",
    "token => {}",
    "password=>'{} {}'",
    "password := \"{} {}\"",
    "secret:\"{} {}\"",
    "http.proxy=u:{}@p:3128",
    "HTTPS_PROXY=u:{}@p:3128",
    "machine h login u password {}",
    "echo 'default login u password {}' >.netrc",
    "curl -u u:{} https://h/",
    "curl -sSu 'u:{} {}' https://h/",
    "curl -su'u:{}' https://h/",
    "trace: run_command: curl --user u:{} https://h/",
    "curl --cookie 'a={}; b={}' https://h/",
    "curl -x u:{}@p:3128 https://h/",
)

# Of URLs.
URLS = (
    "https://u:{}@h/r.git",
    "https://{}q7Zk3Wm9Xc2V@h/r.git",
    "https://ghp_{}@github.com/o/r.git",
    "https://ghp_{}:@github.com/o/r.git",
    "https://ghp_{}:x@github.com/o/r.git",
    "https://github_pat_{}@github.com/o/r.git",
    "https://glpat-{}@gitlab.com/o/r.git",
    "https://xoxb-{}@h/",
    "https://AKIA{}@h/",
    "https://npm_{}@h/",
    "https://dop_v1_{}@h/",
    "https://{}:x-oauth-basic@github.com/o/r.git",
    "--url=https://{}:x-oauth-basic@github.com/o/r.git",
    "unable to access 'https://ghp_{}@github.com/o/r/': 403",
    r"git clone https\://oauth2\:{}\@h/r.git",
    r"git clone https\://ghs_{}\@h/r.git",
    r"git clone https\://ghs_{}\:x-oauth-basic\@h/r.git",
    "url.https://ghp_{}@github.com/.insteadOf=https://github.com/",
    "https://h/r?access_token={}",
)


def rows():
    """The rows of the table of tokens: beginning, bytes, least, kind, name,
    source."""
    return PREFIX.findall(TABLE.read_text())


def bytes_of(kinds, least):
    """A token's bytes after its beginning."""
    text = LONG if int(least) < len(LONG) else LONG * 2
    return text.upper() if kinds == "CAPITALS" else text


TOKENS = tuple(row[0] + bytes_of(*row[1:3]) for row in rows())

# What a token may stand in.
AROUND = ("'{}'", "x {} y", "a={}", "https://h/{}/x", "%3A{}%40h")

TEXTS = (
    *(form.replace("{}", SECRET) for form in (*HEADERS, *NAMES, *URLS)),
    *TOKENS,
    *(form.replace("{}", "ghp_" + LONG) for form in AROUND),
    f"eyJhbGciOiJIUzI1NiJ9{LONG}.eyJzdWIi{LONG}.{LONG}",
    f"glpat-{LONG}.01.1{SECRET}",
)

KEY = "-----BEGIN {0}PRIVATE KEY-----\n%s\n%s\n-----END {0}PRIVATE KEY-----" % (
    LONG, LONG)
# These have more than one line, so no line of text can have them.
LONG_TEXTS = (
    KEY.format(""), KEY.format("RSA "), KEY.format("OPENSSH "),
    f"protocol=https\nusername=u\npassword={SECRET}\n",
    f"GET / HTTP/1.1\r\nAuthorization: Basic {SECRET}\r\nHost: h\r\n",
    f"first\nCookie: a={SECRET}\nlast",
)

# Command lines; a word of them alone may be no secret.
WORDS = tuple([word.replace("{}", SECRET) for word in words] for words in (
    ["git-lfs", "filter-process", "--token", "{}"],
    ["tool", "--password", "{} {}", "push"],
    ["tool", "--client-secret", "{}"],
    ["tool", "--api-key", "-{}"],
    ["tool", "--password={} {}"],
    ["tool", "--token={};{}&{}"],
    ["env", "TOKEN={} {}", "git", "push"],
    ["env", "DB_PASSWORD={}&{}", "git", "push"],
    ["curl", "-u", "me:{}", "https://h/"],
    ["curl", "-ume:{}", "https://h/"],
    ["/usr/bin/curl", "--user", "me:{}", "https://h/"],
    ["curl", "--user=me:{} {}", "https://h/"],
    ["curl", "--proxy-user", "me:{}", "https://h/"],
    ["curl", "-H", "Authorization: Bearer {}", "https://h/"],
    ["curl", "--header", "Cookie: a={} {}", "https://h/"],
    ["curl", "-sSu", "me:{}", "https://h/"],
    ["curl", "-sSume:{} {}", "https://h/"],
    ["curl", "-E", "cert.pem:{}", "https://h/"],
    ["curl", "-b", "a={}; b={}", "https://h/"],
    ["curl", "--oauth2-bearer", "{}", "https://h/"],
    ["curl", "--proxy", "u:{}@p:3128", "https://h/"],
    ["openssl", "rsa", "-passin", "pass:{}"],
    ["aws", "configure", "set", "aws_secret_access_key", "{}"],
    ["npm", "config", "set", "//h/:_authToken", "{}"],
    ["env", "GIT_CONFIG_KEY_0=github.token", "GIT_CONFIG_VALUE_0={}", "git"],
    ["tool", "/password:{}"],
    ["git", "config", "--local", "http.https://h/.extraheader",
     "AUTHORIZATION: basic {}"],
    ["git", "config", "http.extraheader", "X-My-Own: {}"],
    ["git", "config", "github.token", "{}"],
    ["git", "config", "--global", "gitlab.h.password", "{}"],
    ["git", "-c", "http.extraheader=AUTHORIZATION: basic {}", "fetch"],
    ["git", "-c", "credential.helper=!f() { echo password={}; }; f", "push"],
    ["sh", "-c", "curl --token {} https://h/"],
    ["git", "submodule", "foreach",
     "sh -c \"git config 'http.extraheader' 'AUTHORIZATION: basic {}'\""],
))

# A name and its value, as def_param and data have.
PAIRS = (
    ("http.extraheader", "AUTHORIZATION: basic " + SECRET),
    ("http.https://github.com/.extraheader", "AUTHORIZATION: bearer " + SECRET),
    ("http.https://h/.extraheader", "X-My-Own: " + SECRET),
    ("github.token", SECRET),
    ("gitlab.h.password", SECRET + " " + SECRET),
    ("sendemail.smtppass", SECRET),
    ("http.proxy", f"u:{SECRET}@p:3128"),
    ("GITHUB_TOKEN", SECRET),
    ("AWS_SECRET_ACCESS_KEY", SECRET + "/" + SECRET),
    ("authorization", "Basic " + SECRET),
    ("cookie", f"a={SECRET}; b={SECRET}"),
    ("credential.helper", "!f() { echo password=%s; }; f" % SECRET),
)

HASH = "0123456789abcdef0123456789abcdef01234567"

# What stays, in every field.
NEIGHBOURS = (
    HASH, HASH + "0123456789abcdef01234567", HASH[:7], HASH + ".." + HASH,
    "main", "refs/heads/main", "feature/token-refresh", "fix-password-reset",
    "token", "secrets", "refs/heads/token:refs/remotes/origin/token",
    "feature/token:main", "HEAD:docs/token", "+refs/heads/cookie:refs/x",
    "git@github.com:o/r.git", "git@github.com", "me@example.com",
    "https://user@host/r.git", "https://first.last@host/r.git",
    "https://x-access-token@github.com/o/r.git", "https://token@host/",
    "https://svc-build-agent-01-prod-eu@host/r.git",
    "https://BuildAgent01Production2024@host/r.git",
    "https://npm_bot@host/", "https://ghp@host/", "ssh://git@host:22/r.git",
    "https://host:8080/r.git", "user:password",
    "--force", "--force-with-lease", "--token-type", "--password-stdin",
    "--no-signature", "--signature=Me", "--author=Me <me@h>",
    "--pathspec-from-file=-", "--path=x", "--auto", "--cookies",
    "/home/me/tokens/token.txt", "/etc/passwd", "C:\\Users\\me\\secret\\x",
    "src/auth/password.c", "t/password/cookie_jar", "a/ghp_notes.txt",
    "docs/glpat-rotation.md", "npm_config_cache", "npm_lifecycle_event",
    "npm_execpath", "xoxo", "AKIA", "ASIAPACIFIC", "hf_hub", "sk-learn",
    "dapi", "eyJ", "SG.x", "pul-1", "glc_x",
    "core.askPass", "GIT_ASKPASS=/usr/bin/ask", "SSH_ASKPASS=ask",
    "PWD=/home/me", "OLDPWD=/home", "PATH=/usr/bin", "XAUTHORITY=/home/me/.x",
    "http.proxy=p:3128", "http.proxy=socks5://p:1080", "no_proxy=h,i",
    "curl -b jar -x p:3128 -u me https://h/", "curl -sSL -E c.pem https://h/",
    "pass2=ok", "pass 2: 7", "the machine has no login password set",
    "machine learning password policy",
    "Invalid login or password given", "user.signingKey=ABCD", "sk-12",
    "ATBB", "xai-grok", "r8_notes", "tskey", "a => b", "x := 1",
    "SSH_AUTH_SOCK=/tmp/s", "tokens=3", "token_count=3", "passed=12",
    "bypass=1", "author=Me", "signal=9", "design=1", "credential.helper=store",
    "credential.useHttpPath=true", "http.cookieFile=/tmp/jar",
    "http.saveCookies=true", "http.proxyAuthMethod=basic",
    "http.sslCertPasswordProtected=true", "gc.auto=0", "color.ui=auto",
    "could not read Password for 'https://user@host': No such device",
    "remote: Invalid username or password.",
    "Authentication failed for 'https://host/'", "basic authentication",
    "the bearer of news", "invalid password: %s", "password=%s",
    "Authorization: %s", "password=", "Cookie:", "20260102T030405",
    "550e8400-e29b-41d4-a716-446655440000", "1.2.3.4", "a:b:c", "::", "x=y",
    "keyboard=us", "monkey: ape", "-----BEGIN PGP MESSAGE-----",
    "label:do_read_index .git/index", "read/cache_nr", "é = ü",
)
