"""Secrets whose name, or what is around them, is spelled in another way; `{}`
stands for the secret."""

# Bytes of a name as a URL, a string of a program, JSON within JSON and HTML have
# them, once or twice.
ENCODED = (
    "https://h/x?%70assword={}", "https://h/x?pass%77ord={}&a=1",
    "https://h/x?a=1&p%61ssword%3D{}", "a=1&%74oken={}%26x%22y",
    "%74%6f%6b%65%6e={}", "%2574oken={}", "p%252561ssword={}",
    "https://l/?q=%7B%22password%22%3A%22{}%22%7D",
    "&#112;assword={}", "pass&#x77;ord={}", "password&#61;{}",
    "password&equals;{}", "https://h/?a=1&amp;sig={}",
    "&quot;password&quot;:&quot;{}&quot;", "&lt;token&gt;{}&lt;/token&gt;",
    r'{"\u0070assword":"{}"}', r'{"pass\u0077ord": "{} {}"}',
    r'{\"\u0070assword\":\"{}\"}', r'{\\\"pass\\u0077ord\\\":\\\"{}\\\"}',
    r"https://h/?a=1\u0026sig={}", r"\u0070assword={}", r"\u{70}assword={}",
    r"\x70assword={}", r"\160assword={}", r"pass\U00000077ord={}",
    r"\u0022token\u0022:\u0022{}\u0022", "https://h/?a=%67hp_{}q7Zk3Wm9",
)

# Characters that look like others, or like none.
LOOKS = (
    "password＝{}", "password ＝ {}", "password：{}", "ｐａｓｓｗｏｒｄ={}",
    "pass\u200bword={}", "password\u200b={}", "password=\u200b{}",
    "pass\u200dword: {}", "password\ufeff={}", "pass\u00adword={}",
    "password\u00a0=\u00a0{}", "token\u2060=\u2060{}\u200b", "pass\u202eword={}",
    "\u0440assword={}", "p\u0430\u0455\u0455word={}", "t\u043eken: {}",
    "\u0440\u0430\u0455\u0455\u051d\u043er\u0501={}", "passw\u03bfrd={}",
    "\u03c1\u03b1ssword={}", "\u03a4\u039fKEN={}", "pa\u017f\u017fword={}",
    "--to\u212aen {}", "\U0001d429\U0001d41a\U0001d42c\U0001d42cword={}",
    "пароль password={}", "ключ_token: {}",
    "“password”: “{}”", "password: ‘{}’", "secret﹦{}", "token꞉\u3000{}",
)

# Passwords without a scheme of a URL.
LOGINS = (
    "u:{}@tcp(h)/db", "u:{}@tcp(127.0.0.1:3306)/db?x=1", "dsn=u:{}@unix(/s)/db",
    "u:{}@(h)/db", "DB_DSN=u:{}@/db", "'u:{}@cloudsql(p:r:i)/db'",
    "u:{}/{}@{}@tcp(h)/db", "//u:{}@h/x", "src=//u:{}@h/x", '"//u:{}@h/x"',
    "see //u:{}@h/x now", "(//u:{}@h)",
    "u:{}@h:3128", "proxy u:{}@p.example:8080", "me:{}@h:22/r.git",
    "['u:{}@127.0.0.1:80']", "url=u.v-w:{}@h:443?x=1", "u:{}@[::1]:5432/d",
    "u:{}/{}@h:80, and more", "ssh -J u:{}@h:22", "amqp u:{}@{}@h:5672",
    "url=u:{}@h:443?next=https://u%3A{}@h/", "u:{}@h:80/x@y", "u:{}@h:80,a@b",
    "http://a:http://u:{} x@h",
)

# Lines of .pgpass.
PGPASS = (
    "h:5432:d:u:{}", "localhost:5433:*:me:{}", "*:*:*:u:{}", "h.x:*:d:u:{}",
    "echo h:5432:d:u:{} >>.pgpass", "echo 'h:5432:d:u:{}' >f", "h:6432:d:*:{}",
    "printf '%s' h:1234:d:u:{} >~/.pgpass", "PG=\"h:15432:d-1:a.b:{}\"",
    r"\:\:1:5432:d:u:{}",
    r"h:5432:a\:b:u:{}",
)

# Names and values side by side.
BESIDE = (
    "password [{}]", "Enter password [{}]: ", "with passphrase ({})",
    "token [{}]", '("password", "{}")', "('password','{}')",
    r'(\"password\", \"{}\")', 'setenv("API_TOKEN", "{} {}", 1)',
    "headers.set('Authorization', 'Bearer {}')", 'f("Cookie", "a={}; b={}")',
    '["password", "{}"]', "[('user', 'me'), ('password', '{}')]",
    '{{"token", "{}"}, {"a", "b"}}', "auth=( 'client_secret' , '{}' )",
    "AWS4-HMAC-SHA256 Credential={}/20260102/eu/s3/aws4_request, "
    "SignedHeaders=host, Signature={}", "Signature={}", "--pw {}", "--pw={}",
    "DB_PW={}", "pw: {}", "--pin {}", "--so-pin={}", "--otp {}", "--totp {}",
    "--2fa {}", "--passcode {}", "--pass-code {}", "--mfa-code {}", "--psw {}",
    "pkcs11:object=k?pin-value={}",
)

# Passwords that a sentence tells.
TOLD = (
    "password is {}", "the password is {}.", "Password is: {}",
    "your password is '{}', they say", "the passphrase was {}",
    "pass phrase is {}", "its token is {}", "api key is {} now",
    "the secret is {}", "private key is {}", 'password is "{}"',
    "using password {}", "with password {} for u", "temporary password {}",
)

# Names that are a value themselves, or two words, and names of elements.
PAIRED = (
    '{"name":"password","value":"{}"}', '{"key":"API_TOKEN", "value" : "{}"}',
    r'{\"name\":\"TOKEN\",\"value\":\"{} {}\"}', "name=password value={}",
    '{"value":"{}","name":"password"}', "value: {}, key: API_TOKEN",
    r'{\"value\": \"{} {}\", \"name\": \"TOKEN\"}',
    '<add value="{}" key="password"/>',
    "- name: DB_PASSWORD, value: {}", '<add key="password" value="{}"/>',
    '<property name="client.secret" value="{} {}"/>', '<password value="{}"/>',
    '<input name="password" value="{}">', '<entry key="password">{}</entry>',
    '<string name="api_key">{}</string>', "<ns:token>{}</ns:token>",
    '<wsse:Password Type="text">{}</wsse:Password>', "api key: {}",
    "api  key: {}", "the api  key is {} now",
    "secret key = {}", "access key: '{}'", "private key={}",
    "signing_key={}", "X-Hub-Signature-256: sha256={}",
    "jdbc:oracle:thin:u/{}@h:1521:x", "jdbc:oracle:thin:u/{}@//h:1521/x",
    "COPY t FROM 's3://b' ACCESS_KEY_ID 'a' SECRET_ACCESS_KEY '{}';",
    "CREATE SECRET s (TYPE S3, KEY_ID 'a', SECRET '{}');",
)

# Names in the query of a URL.
ASKED = tuple("https://h/r?a=b&%s={}" % name for name in (
    "state", "code", "code_verifier", "nonce", "AWSAccessKeyId", "hmac",
    "GoogleAccessId", "OSSAccessKeyId", "X-Amz-Signature", "X-Amz-Credential",
    "X-Amz-Security-Token", "X-Goog-Signature", "sig", "hdnea", "_csrf", "xsrf",
    "passkey", "pw"))

SPELLED = (*ENCODED, *LOOKS, *LOGINS, *PGPASS, *TOLD, *PAIRED, *BESIDE, *ASKED)

# What is ordinary, though it has the same marks.
ORDINARY = (
    "password is required", "the password is incorrect.", "password was changed",
    "Your password is too short", "token is invalid", "the api key is missing",
    "the token was revoked", "a secret is something", "passphrase is not set",
    "password is %s", "the password is <hidden>", "the password is $PASSWORD",
    "password is case sensitive", "with password authentication",
    "new password required", "the token is '}'", "password is ‘%s’",
    "x //host:8080/a@2x.png", "//h/x", "//registry/:a@b/c", "x = y // a: b@c",
    "import a from '@/b:c'", "docker pull a:1@sha256:abc", "npm:a@1.2.3",
    "a:b@c", "git@h:o/r", "x u@(h)/db", "https://h/?state=closed",
    "https://h/?state=opened&nonce=no", "https://h/%70ath?%61=b",
    r"C:\x64\users\u0070x", "a &amp; b", "“quoted”", "a\u00a0b", "100%70",
    r"\u0070ath=/a", "a＝b", "pass\u200bed=1", "%7B%22a%22%3A%22b%22%7D",
    '{"name":"branch","value":"main"}', '<add key="theme" value="dark"/>',
    '{"value":"main","name":"branch"}', "name: main, value: 3", "<entry key='a'>b</entry>", "sort key: size",
    "a key: b", "<a:b>c</a:b>", "value=3",
    "password [optional]", "token [default]", "passwd [options] [LOGIN]",
    "the password (see below)", "password [A-Z]", "pin 3", "--pinned x",
    '("login", "password", "host")', '["passwd", "root"]', '["token", "main"]',
    '("password", "required")', '("password", "token")', "pin: 12", "otp=1",
    "the signature: good", "--signature=Me", "signature = v4",
    "a.c:12:5:error:x", "h:80:a:b:c", "daemon:*:19000:0:99999:7:::",
    "root:x:0:0:root:/root:/bin/sh", "12:30:45:06:07", "aa:bb:cc:dd:ee:ff",
    "kex.c:*:1000,*:f():y", "h:5432:d", "2026-01-02T03:04:05@h:80", "03:04@h:22", "git@h:22",
    "ssh:me@h:22", "url:git@h:22/r", "f@http://h/x.js:12:5", "a:f@x.js:12:5",
    "r/i:tag@sha256:12345", "h:5000/r@h:80", "C:/a@h:80", "x:git@github.com:22",
    "sip:me@h:5060", "8080:h@h:22", "брат: да", "препарат: x", "формат=x",
    "using password, нет", "λόγος: ναι", "with password неверно",
    'secret "db" not found', "within:a/b@c", "l’état: n’a pas de mot", "-----BEGIN CERTIFICATE-----",
)
