"""Secrets in texts of more than one line, and in what programs and files of
settings have: YAML, TOML, XML, here-documents, operators, colours."""

from secret_forms import LONG, SECRET

KEY = "-----BEGIN {0}PRIVATE KEY-----\n%s\n%s\n-----END {0}PRIVATE KEY-----" % (
    LONG, LONG)
# These have tabs or more than one line, so no line of text can have them.
LONG_TEXTS = (
    f"docker\tlogin\t--password\t{SECRET}",
    KEY.format(""), KEY.format("RSA "), KEY.format("OPENSSH "),
    f"protocol=https\nusername=u\npassword={SECRET}\n",
    f"GET / HTTP/1.1\r\nAuthorization: Basic {SECRET}\r\nHost: h\r\n",
    f"first\nCookie: a={SECRET}\nlast",
    f"Authorization: Bearer\r\n\t{SECRET}\r\nHost: h",
    f"Authorization:\n Basic\n {SECRET}",
    f'curl -H "Authorization: Bearer\n  {SECRET}" h',
    f"user: u\npassword: |-\n  {SECRET}\n  {SECRET}\nhost: h",
    f"token: >\n  {SECRET}", f"\0%70assword={SECRET}\0a",
    f"password=a\\ {SECRET} b",
    f"password: !!str {SECRET}", f"password: &anchor {SECRET}\nhost: h",
    f"password: !vault |\n  {SECRET}\nhost: h",
    f"password:\n  {SECRET}\nhost: h", f"tokens:\n  api_key:\n    {SECRET}",
    f"password:\n  - {SECRET}",
    f'password = \"\"\"{SECRET}\"\"\"', f"password = '''\n{SECRET} {SECRET}\n'''",
    f'passwords = ["{SECRET}", "{SECRET} {SECRET}"]', f'"password":["{SECRET}"]',
    f'"password": {{"a": {{"b": "{SECRET}"}}, "value": "{SECRET}"}}, "c": 1',
    f'{{"k":"password","v":"{SECRET}"}}',
    f'let apiKey: string = "{SECRET}";',
    f"kind: Secret\nstringData:\n  a.yaml: x\n  b: {SECRET}\nhost: h",
    f"kind: Secret\ndata:\n  tls.key: {SECRET}\n  tls.crt: {SECRET}\n",
    f'{{"kind":"Secret","data":{{"tls.key":"{SECRET}"}}}}',
    f"stringData: {{ a: '{SECRET}' }}",
    f"<password><![CDATA[{SECRET} {SECRET}]]></password>",
    f"<parameter><name>password</name>\n<value>{SECRET}</value></parameter>",
    f"docker login --password-stdin <<EOF\n{SECRET}\nEOF\nls",
    f"docker login --password-stdin <<-'E'\n\t{SECRET} {SECRET}\n\tE\nls",
    f"cat <<EOF | docker login --password-stdin\n{SECRET}\nEOF",
    f"gh auth login --with-token <<EOF\n{SECRET}\nEOF",
    f"chpasswd <<EOF\nu:{SECRET}\nv:{SECRET}\nEOF",
    f"DB_PASSWORD+={SECRET}", f"password ||= '{SECRET}'", f"TOKEN ?= {SECRET}",
    f"TOKEN ::= {SECRET}", f"if (password == \"{SECRET}\")", f"token != '{SECRET}'",
    f"--password^={SECRET}", f"auth code: {SECRET}",
    f"\x1b[31mpassword\x1b[0m=\x1b[1m{SECRET}\x1b[0m", f"\x1b[1;32mtoken\x1b[m: {SECRET}",
    f"\\u001b[31mpassword\\u001b[0m: {SECRET}", f"pass\x1b[1mword\x1b[0m={SECRET}",
    f'Credentials.basic("u", "{SECRET}")', f'req.SetBasicAuth("u", "{SECRET}")',
    f'DriverManager.getConnection("jdbc:x", "u", "{SECRET}")',
    f'new PasswordAuthentication("u", "{SECRET}".toCharArray())',
    f'r.bearer_auth("{SECRET}")', f'r.basic_auth("u", "{SECRET}")',
    f'new UsernamePasswordCredentials("u", "{SECRET}")',
)
