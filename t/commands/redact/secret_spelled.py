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
    "“password”: “{}”", "password: ‘{}’", "secret﹦{}", "token꞉\u3000{}",
)

# Passwords without a scheme of a URL.
LOGINS = (
    "u:{}@tcp(h)/db", "u:{}@tcp(127.0.0.1:3306)/db?x=1", "dsn=u:{}@unix(/s)/db",
    "u:{}@(h)/db", "DB_DSN=u:{}@/db", "'u:{}@cloudsql(p:r:i)/db'",
    "u:{}/{}@{}@tcp(h)/db", "//u:{}@h/x", "src=//u:{}@h/x", '"//u:{}@h/x"',
    "see //u:{}@h/x now", "(//u:{}@h)",
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
    "- name: DB_PASSWORD, value: {}", '<add key="password" value="{}"/>',
    '<property name="client.secret" value="{} {}"/>', '<password value="{}"/>',
    '<input name="password" value="{}">', '<entry key="password">{}</entry>',
    '<string name="api_key">{}</string>', "<ns:token>{}</ns:token>",
    '<wsse:Password Type="text">{}</wsse:Password>', "api key: {}",
    "secret key = {}", "access key: '{}'", "private key={}",
    "signing_key={}", "X-Hub-Signature-256: sha256={}",
    "jdbc:oracle:thin:u/{}@h:1521:x", "jdbc:oracle:thin:u/{}@//h:1521/x",
)

# Names in the query of a URL.
ASKED = tuple("https://h/r?a=b&%s={}" % name for name in (
    "state", "code", "code_verifier", "nonce", "AWSAccessKeyId", "hmac",
    "GoogleAccessId", "OSSAccessKeyId", "X-Amz-Signature", "X-Amz-Credential",
    "X-Amz-Security-Token", "X-Goog-Signature", "sig", "hdnea", "_csrf", "xsrf",
    "passkey", "pw"))

SPELLED = (*ENCODED, *LOOKS, *LOGINS, *TOLD, *PAIRED, *ASKED)

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
    "name: main, value: 3", "<entry key='a'>b</entry>", "sort key: size",
    "a key: b", "<a:b>c</a:b>", "value=3", "password policy, value: 3",
    "within:a/b@c", "l’état: n’a pas de mot", "-----BEGIN CERTIFICATE-----",
)
