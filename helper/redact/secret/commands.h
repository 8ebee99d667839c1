/*
 * commands.h - which words of a command line are secrets without a name.
 *
 * Each row ends with the name of what it finds and a public source for it, as
 * those of names.h do. A new row needs no other change.
 */
#ifndef TR2_SECRET_COMMANDS_H
#define TR2_SECRET_COMMANDS_H

/* Each row has one line, which a test reads. */
/* clang-format off */

/*
 * What has a password without a name, after the name of a program. A row has
 * the programs; the words of which one comes before, or "", of which `*` is the
 * rest of one, or its options; forms of an option; and what its value is.
 * VALUE: the password is the next word, or the rest of `-pVALUE` or
 * `--NAME=VALUE`. JOINED: only the rest; a next word is something else. USER,
 * PERCENT, COMMA, EQUAL, SLASH, GREATER: it is what follows `:`, `%`, `,`, `=`,
 * `/` or `>` there. PAIRS: NAME=VALUE, or the name of a file. PROXY: USER:PASSWORD@HOST.
 * FIRST: no option of the program follows its first other word, which is a
 * program of its own. LETTERS: letters without a value may come before, as in
 * `-sSu`. CLUSTER: so may all letters, as in `-rP`.
 * WORD(n): not an option has it, but the n-th word after that word, or after
 * the program; the forms are those of options whose value isn't counted. EACH:
 * each such word has one. PLAIN: it is no option and no NAME=VALUE, and in a
 * text, which may be a sentence, it doesn't look like a word of one. LAST: it
 * never does, nor like the name of a file or a test, and in a text it is the
 * last word of its line. SLASHES: options begin with a `/`.
 */
#define TR2_SECRET_OPTIONS(ROW) \
	ROW("curl curlie hurl", "", "-u --user -U --proxy-user -E --cert --proxy-cert --expand-user --expand-proxy-user", USER, LETTERS, "USER:PASSWORD of curl", "https://curl.se/docs/manpage.html") \
	ROW("curl", "", "-b --cookie", PAIRS, LETTERS, "cookies of curl", "https://curl.se/docs/manpage.html") \
	ROW("curl", "", "-x --proxy --preproxy", PROXY, LETTERS, "proxy of curl", "https://curl.se/docs/manpage.html") \
	ROW("http https xh xhs", "bearer", "-a --auth", VALUE, 0, "token of HTTPie", "https://httpie.io/docs/cli/authentication") \
	ROW("http https xh xhs", "", "-a --auth", USER, 0, "USER:PASSWORD of HTTPie", "https://httpie.io/docs/cli/authentication") \
	ROW("sshpass", "", "-p", VALUE, FIRST, "password of sshpass", "https://manpages.debian.org/sshpass") \
	ROW("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysqlpump mysqlsh memsql", "", "-p", JOINED, 0, "password of MySQL", "https://dev.mysql.com/doc/refman/8.4/en/connection-options.html") \
	ROW("mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check mariadb-show mariadb-slap mariadb-binlog", "", "-p", JOINED, 0, "password of MariaDB", "https://mariadb.com/kb/en/mariadb-command-line-client") \
	ROW("docker podman buildah nerdctl skopeo", "login", "-p", VALUE, 0, "password of a registry", "https://docs.docker.com/reference/cli/docker/login") \
	ROW("helm crane regctl nexus3 cosign fly conjur ilorest", "login", "-p", VALUE, 0, "password of a registry", "https://helm.sh/docs/helm/helm_registry_login") \
	ROW("oc az cf ibmcloud", "login", "-p", VALUE, 0, "password of a cloud", "https://learn.microsoft.com/cli/azure/reference-index") \
	ROW("glab", "login", "-t", VALUE, 0, "token of glab", "https://docs.gitlab.com/cli/auth/login") \
	ROW("conan", "login user", "-p", VALUE, 0, "password of Conan", "https://docs.conan.io/2/reference/commands/remote.html") \
	ROW("dotnet nuget", "source dev-certs", "-p", VALUE, 0, "password of a NuGet source", "https://learn.microsoft.com/dotnet/core/tools/dotnet-nuget-add-source") \
	ROW("twine cpan-upload", "", "-p", VALUE, 0, "password of twine", "https://twine.readthedocs.io") \
	ROW("redis-cli redis-benchmark valkey-cli keydb-cli iredis", "", "-a", VALUE, 0, "password of Redis", "https://redis.io/docs/latest/develop/tools/cli") \
	ROW("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles", "", "-p", VALUE, 0, "password of MongoDB", "https://www.mongodb.com/docs/mongodb-shell/reference/options") \
	ROW("cqlsh rabbitmqadmin couchbase-cli cypher-shell elasticsearch-users yt-dlp youtube-dl beeline hydra mycli mydumper dsetool cbq cbbackupmgr cbimport hdbsql oras rpk", "", "-p", VALUE, 0, "password of a database", "https://cassandra.apache.org/doc/latest/cassandra/managing/tools/cqlsh.html") \
	ROW("sqlcmd bcp osql isql tsql fisql kdb5_util sqoop", "", "-P", VALUE, 0, "password of SQL Server", "https://learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility") \
	ROW("ldapsearch ldapmodify ldapadd ldapdelete ldapcompare ldapmodrdn ldapwhoami ldapexop", "", "-w", VALUE, CLUSTER, "password of LDAP", "https://www.openldap.org/software/man.cgi?query=ldapsearch") \
	ROW("ldappasswd", "", "-w -s -a", VALUE, 0, "password of LDAP", "https://www.openldap.org/software/man.cgi?query=ldappasswd") \
	ROW("smbclient rpcclient smbcacls smbget smbtree winexe pth-winexe wmic wmis net samba-tool mount.cifs", "", "-U --user -o", PERCENT, 0, "USER%PASSWORD of Samba", "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html") \
	ROW("lftp", "", "-u --user", COMMA, 0, "USER,PASSWORD of lftp", "https://lftp.yar.ru/lftp-man.html") \
	ROW("ncftp ncftpget ncftpput ncftpls", "", "-p", VALUE, 0, "password of NcFTP", "https://manpages.debian.org/ncftp") \
	ROW("zip unzip zipcloak zipinfo funzip", "", "-P", VALUE, CLUSTER, "password of an archive", "https://infozip.sourceforge.net") \
	ROW("7z 7za 7zr 7zz rar unrar", "", "-p -hp", JOINED, 0, "password of an archive", "https://7-zip.opensource.jp/chm/cmdline/switches/password.htm") \
	ROW("ssh-keygen", "", "-N -P", VALUE, 0, "passphrase of a key", "https://man.openbsd.org/ssh-keygen.1") \
	ROW("plink pscp psftp putty", "", "-pw", VALUE, 0, "password of PuTTY", "https://the.earth.li/~sgtatham/putty/latest/htmldoc/Chapter3.html") \
	ROW("openssl", "", "-passin -passout -pass -password", VALUE, 0, "password of openssl", "https://docs.openssl.org/master/man1/openssl-passphrase-options") \
	ROW("openssl", "enc aes* aria* bf* camellia* cast* chacha20 des* rc2* rc4* seed* sm4*", "-k -K", VALUE, 0, "password of openssl", "https://docs.openssl.org/master/man1/openssl-enc") \
	ROW("keytool jarsigner apksigner", "", "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new", VALUE, 0, "password of a keystore", "https://docs.oracle.com/en/java/javase/21/docs/specs/man/keytool.html") \
	ROW("nmcli", "", "password psk wifi.psk wifi-sec.psk 802-11-wireless-security.psk wifi-sec.wep-key0 802-1x.password", VALUE, 0, "password of a network", "https://networkmanager.dev/docs/api/latest/nmcli.html") \
	ROW("ipmitool", "", "-P", VALUE, 0, "password of IPMI", "https://manpages.debian.org/ipmitool") \
	ROW("snmpget snmpset snmpwalk snmpgetnext snmpbulkget snmpbulkwalk snmptrap snmpinform snmptable snmpdelta snmpstatus snmpusm snmpvacm net-snmp-create-v3-user", "", "-A -X -c", VALUE, 0, "passphrase of SNMP", "https://net-snmp.sourceforge.io/docs/man/snmpcmd.html") \
	ROW("mosquitto_pub mosquitto_sub mosquitto_rr mqttx microsocks gobuster check_ldap check_smtp", "", "-P", VALUE, 0, "password of MQTT", "https://mosquitto.org/man/mosquitto_pub-1.html") \
	ROW("xfreerdp xfreerdp3 wlfreerdp sdl-freerdp", "", "/p:", JOINED, 0, "password of FreeRDP", "https://github.com/FreeRDP/FreeRDP/wiki/CommandLineInterface") \
	ROW("rdesktop", "", "-p", VALUE, 0, "password of rdesktop", "https://manpages.debian.org/rdesktop") \
	ROW("kubectl oc kustomize ibmcloud", "secret", "--from-literal", PAIRS, 0, "secret of Kubernetes", "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_create/kubectl_create_secret_generic") \
	ROW("gh", "secret", "-b --body", VALUE, 0, "secret of GitHub", "https://cli.github.com/manual/gh_secret_set") \
	ROW("glab", "variable", "-s --scope -g --group -R --repo -t --type", PLAIN, WORD(3), "variable of GitLab", "https://docs.gitlab.com/cli/variable/set") \
	ROW("glab yc turso", "set", "token", VALUE, 0, "token of GitLab", "https://docs.gitlab.com/cli/config/set") \
	ROW("tea", "login logins", "-t", VALUE, 0, "token of Gitea", "https://gitea.com/gitea/tea/src/branch/main/docs/CLI.md") \
	ROW("gcloud", "set", "auth/access_token", VALUE, 0, "token of Google Cloud", "https://cloud.google.com/sdk/gcloud/reference/config/set") \
	ROW("az", "sql mysql postgres mariadb synapse user", "-p", VALUE, 0, "password of a database", "https://learn.microsoft.com/cli/azure/sql/server") \
	ROW("nuget", "push", "-Source -s -Timeout -ConfigFile", PLAIN, WORD(2), "key of NuGet", "https://learn.microsoft.com/nuget/reference/cli-reference/cli-ref-push") \
	ROW("ConvertTo-SecureString", "", "", PLAIN, WORD(1), "password of PowerShell", "https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring") \
	ROW("ConvertTo-SecureString", "", "-String", VALUE, 0, "password of PowerShell", "https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring") \
	ROW("glab", "variable", "-v --value", VALUE, 0, "variable of GitLab", "https://docs.gitlab.com/cli/variable/set") \
	ROW("aws", "put-parameter", "--value", VALUE, 0, "parameter of AWS", "https://docs.aws.amazon.com/cli/latest/reference/ssm/put-parameter.html") \
	ROW("az", "keys", "--key-value", VALUE, 0, "key of Azure Functions", "https://learn.microsoft.com/cli/azure/functionapp/keys") \
	ROW("az woodpecker woodpecker-cli", "secret --secret", "--value", VALUE, 0, "secret of Azure", "https://learn.microsoft.com/cli/azure/keyvault/secret") \
	ROW("fly flyctl supabase infisical railway", "secrets variables", "-a --app -c --config", EQUAL, EACH, "secret of Fly.io", "https://fly.io/docs/flyctl/secrets-set") \
	ROW("vault bao cargo wandb", "login", "--registry --host", PLAIN, WORD(1), "token to log in with", "https://developer.hashicorp.com/vault/docs/commands/login") \
	ROW("vault bao", "generate-root unseal unwrap revoke rekey lookup renew", "", PLAIN, WORD(1), "key or token of Vault", "https://developer.hashicorp.com/vault/docs/commands") \
	ROW("snyk", "auth", "", PLAIN, WORD(1), "token of Snyk", "https://docs.snyk.io/developer-tools/snyk-cli/commands/auth") \
	ROW("ngrok", "authtoken add-authtoken", "--config", PLAIN, WORD(1), "token of ngrok", "https://ngrok.com/docs/agent/cli") \
	ROW("nuget", "setapikey setApiKey", "-Source -s", PLAIN, WORD(1), "key of NuGet", "https://learn.microsoft.com/nuget/reference/cli-reference/cli-ref-setapikey") \
	ROW("bw", "unlock", "", PLAIN, WORD(1), "password of Bitwarden", "https://bitwarden.com/help/cli") \
	ROW("bw op", "", "--session", VALUE, 0, "session of Bitwarden", "https://bitwarden.com/help/cli") \
	ROW("rclone", "obscure reveal", "", PLAIN, WORD(1), "password of rclone", "https://rclone.org/commands/rclone_obscure") \
	ROW("cloudflared", "install", "", PLAIN, WORD(1), "token of a tunnel", "https://developers.cloudflare.com/cloudflare-one/connections/connect-networks") \
	ROW("redis-cli valkey-cli", "AUTH auth requirepass masterauth auth-pass", "", PLAIN, EACH, "password of Redis", "https://redis.io/docs/latest/operate/oss_and_stack/management/security") \
	ROW("npm pnpm yarn", "", "--otp", VALUE, 0, "one-time password of npm", "https://docs.npmjs.com/cli/commands/npm-publish") \
	ROW("doctl vercel influx anaconda fly flyctl bws drone frpc frps gotify k3s astra", "", "-t", VALUE, 0, "token of a service", "https://docs.digitalocean.com/reference/doctl/reference") \
	ROW("poetry uv", "publish", "-p", VALUE, 0, "password of PyPI", "https://docs.astral.sh/uv/reference/cli") \
	ROW("uv", "publish", "-t", VALUE, 0, "token of PyPI", "https://docs.astral.sh/uv/reference/cli") \
	ROW("hatch", "publish", "-a --auth", VALUE, 0, "token of PyPI", "https://hatch.pypa.io/latest/cli/reference") \
	ROW("poetry", "pypi-token.*", "", VALUE, WORD(1), "token of PyPI", "https://python-poetry.org/docs/repositories") \
	ROW("composer", "github-oauth.* gitlab-oauth.* gitlab-token.* bearer.*", "", VALUE, WORD(1), "token of Composer", "https://getcomposer.org/doc/articles/authentication-for-private-packages.md") \
	ROW("dotnet nuget", "push", "-k", VALUE, 0, "key of NuGet", "https://learn.microsoft.com/dotnet/core/tools/dotnet-nuget-push") \
	ROW("docker podman buildah nerdctl skopeo crictl", "", "--creds --src-creds --dest-creds", USER, 0, "USER:PASSWORD of a registry", "https://manpages.debian.org/skopeo-copy") \
	ROW("etcdctl", "", "--user", USER, 0, "USER:PASSWORD of etcd", "https://etcd.io/docs/v3.5/op-guide/authentication/rbac") \
	ROW("useradd usermod", "", "-p", VALUE, 0, "hash of a password", "https://manpages.debian.org/usermod") \
	ROW("security", "unlock-keychain create-keychain", "-p", VALUE, 0, "password of a keychain", KEYCHAIN) \
	ROW("security", "import export", "-P", VALUE, 0, "passphrase of a key", KEYCHAIN) \
	ROW("security", "add-generic-password add-internet-password", "-w", VALUE, 0, "password in a keychain", KEYCHAIN) \
	ROW("altool notarytool", "", "-p", VALUE, 0, "password of an Apple account", "https://help.apple.com/asc/appsaltool") \
	ROW("signtool", "", "/p", VALUE, 0, "password of a certificate", "https://learn.microsoft.com/windows/win32/seccrypto/signtool") \
	ROW("osslsigncode", "", "-pass", VALUE, 0, "password of a key", "https://manpages.debian.org/osslsigncode") \
	ROW("pdftotext pdfinfo pdfimages pdftoppm", "", "-upw -opw", VALUE, 0, "password of a document", "https://manpages.debian.org/pdftotext") \
	ROW("pdftk", "", "user_pw owner_pw input_pw", VALUE, 0, "password of a document", "https://www.pdflabs.com/docs/pdftk-man-page") \
	ROW("swaks", "", "-ap --ap", VALUE, 0, "password of SMTP", "https://manpages.debian.org/swaks") \
	ROW("db2", "using", "", PLAIN, WORD(1), "password of Db2", "https://www.ibm.com/docs/en/db2/11.5?topic=commands-connect") \
	ROW("htpasswd htdbm mosquitto_passwd", "-b", "-C", VALUE, CLUSTER | WORD(3), "password of Apache", "https://httpd.apache.org/docs/current/programs/htpasswd.html") \
	ROW("htpasswd htdbm", "-n", "-C", VALUE, CLUSTER | WORD(2), "password of Apache", "https://httpd.apache.org/docs/current/programs/htpasswd.html") \
	ROW("rabbitmqctl", "add_user change_password authenticate_user", "-n --node -t --timeout --vhost", VALUE, WORD(2), "password of RabbitMQ", "https://www.rabbitmq.com/docs/man/rabbitmqctl.8") \
	ROW("vault bao nomad", "put write patch", "-mount -address -namespace", EQUAL, EACH, "secret of Vault", "https://developer.hashicorp.com/vault/docs/commands/kv/put") \
	ROW("vault", "", "-otp", VALUE, 0, "one-time password of Vault", "https://developer.hashicorp.com/vault/docs/commands") \
	ROW("mysqladmin mariadb-admin", "password", "-u -h -P -S --user --host --port --socket", PLAIN, WORD(1), "password of MySQL", "https://dev.mysql.com/doc/refman/8.4/en/mysqladmin.html") \
	ROW("IDENTIFIED identified", "BY by", "", PLAIN, WORD(1), "password in SQL", "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqlrf/CREATE-USER.html") \
	ROW("openssl", "passwd", "-salt -in -rand", PLAIN, WORD(1), "password of openssl", "https://docs.openssl.org/master/man1/openssl-passwd") \
	ROW("openssl", "", "-hmac -macopt -psk", VALUE, 0, "key of openssl", "https://docs.openssl.org/master/man1/openssl-dgst") \
	ROW("mkpasswd", "", "-m --method -S --salt -R --rounds -P --password-fd", PLAIN, WORD(1), "password to hash", "https://manpages.debian.org/mkpasswd") \
	ROW("net", "use", "", PLAIN, EACH | SLASHES, "password of a share", "https://learn.microsoft.com/windows-server/administration/windows-commands/net-use") \
	ROW("net", "user", "", PLAIN, WORD(2) | SLASHES, "password of a user", "https://learn.microsoft.com/windows-server/administration/windows-commands/net-user") \
	ROW("smbclient", "", "-W -c -D -p -I -A -m -O -n -t", PLAIN, WORD(2), "password of Samba", "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html") \
	ROW("samba-tool", "create add", "-H --URL", PLAIN, WORD(2), "password of a user", "https://www.samba.org/samba/docs/current/man-html/samba-tool.8.html") \
	ROW("wbinfo", "", "-a --authenticate", PERCENT, 0, "USER%PASSWORD of Samba", "https://www.samba.org/samba/docs/current/man-html/wbinfo.1.html") \
	ROW("schtasks tasklist taskkill systeminfo veracrypt", "", "/rp /RP /p /P", VALUE, 0, "password of a task", "https://learn.microsoft.com/windows-server/administration/windows-commands/schtasks-create") \
	ROW("sc", "", "password=", VALUE, 0, "password of a service", "https://learn.microsoft.com/windows-server/administration/windows-commands/sc-config") \
	ROW("winrs wevtutil", "", "-p: /p:", JOINED, 0, "password of a host", "https://learn.microsoft.com/windows-server/administration/windows-commands/winrs") \
	ROW("psexec psexec64 PsExec PsExec64 paexec pslist pskill psservice psinfo", "", "-p", VALUE, 0, "password of a host", "https://learn.microsoft.com/sysinternals/downloads/psexec") \
	ROW("certutil certreq", "", "-p", VALUE, 0, "password of a certificate", "https://learn.microsoft.com/windows-server/administration/windows-commands/certutil") \
	ROW("pvk2pfx", "", "-pi -po /pi /po", VALUE, 0, "password of a key", "https://learn.microsoft.com/windows-hardware/drivers/devtest/pvk2pfx") \
	ROW("sqlplus expdp impdp sqlldr exp imp", "", "-M -R", SLASH, WORD(1), "USER/PASSWORD of Oracle", "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/starting-SQL-Plus.html") \
	ROW("rman sqlplus", "target auxiliary catalog connect conn CONNECT", "", SLASH, WORD(1), "USER/PASSWORD of Oracle", "https://docs.oracle.com/en/database/oracle/oracle-database/19/rcmrf") \
	ROW("isql", "", "", PLAIN, WORD(3), "password of ODBC", "https://manpages.debian.org/isql") \
	ROW("neo4j-admin", "set-initial-password", "", PLAIN, WORD(1), "password of Neo4j", "https://neo4j.com/docs/operations-manual/current/authentication-authorization/password-and-user-recovery") \
	ROW("grafana-cli grafana", "reset-admin-password", "--homepath --config", PLAIN, WORD(1), "password of Grafana", "https://grafana.com/docs/grafana/latest/administration/cli") \
	ROW("etcdctl", "user", "", USER, WORD(2), "USER:PASSWORD of etcd", "https://etcd.io/docs/v3.5/op-guide/authentication/rbac") \
	ROW("zkCli.sh zkCli", "addauth", "", USER, WORD(2), "USER:PASSWORD of ZooKeeper", "https://zookeeper.apache.org/doc/current/zookeeperCLI.html") \
	ROW("lftp", "open", "-p", PROXY, WORD(1), "USER:PASSWORD@HOST of lftp", "https://lftp.yar.ru/lftp-man.html") \
	ROW("racadm", "", "-p", VALUE, 0, "password of iDRAC", "https://www.dell.com/support/manuals/idrac9-lifecycle-controller-v3.x-series") \
	ROW("wpa_passphrase", "", "", PLAIN, WORD(2), "passphrase of a network", "https://manpages.debian.org/wpa_passphrase") \
	ROW("iwconfig iw", "", "key", VALUE, 0, "key of a network", "https://manpages.debian.org/iwconfig") \
	ROW("kadmin kadmin.local", "", "-w -pw", VALUE, 0, "password of Kerberos", "https://web.mit.edu/kerberos/krb5-latest/doc/admin/admin_commands/kadmin_local.html") \
	ROW("nsupdate dig delv", "", "-y", USER, 0, "key of DNS", "https://manpages.debian.org/nsupdate") \
	ROW("ansible-vault", "encrypt_string", "--name -n --vault-id --stdin-name", PLAIN, WORD(1), "text to encrypt", "https://docs.ansible.com/ansible/latest/cli/ansible-vault.html") \
	ROW("doppler", "set", "-p --project -c --config", EQUAL, EACH, "secret of Doppler", "https://docs.doppler.com/docs/cli") \
	ROW("doppler", "set", "-p --project -c --config", PLAIN, WORD(2), "secret of Doppler", "https://docs.doppler.com/docs/cli") \
	ROW("heroku eb", "set setenv", "-a --app -r --remote -e --environment", EQUAL, EACH, "variable of Heroku", "https://devcenter.heroku.com/articles/config-vars") \
	ROW("firebase", "set", "-P --project", EQUAL, EACH, "setting of Firebase", "https://firebase.google.com/docs/functions/config-env") \
	ROW("netlify", "set", "", PLAIN, WORD(2), "variable of Netlify", "https://cli.netlify.com/commands/env") \
	ROW("pulumi", "set", "-s --stack -C --cwd", PLAIN, WORD(2), "secret of Pulumi", "https://www.pulumi.com/docs/iac/cli/commands/pulumi_config_set") \
	ROW("pulumi", "--secret", "-s --stack -C --cwd", PLAIN, WORD(1), "secret of Pulumi", "https://www.pulumi.com/docs/iac/cli/commands/pulumi_config_set") \
	ROW("chamber", "write", "", PLAIN, WORD(3), "secret of Chamber", "https://github.com/segmentio/chamber") \
	ROW("bw", "login", "--method --code", PLAIN, WORD(2), "password of Bitwarden", "https://bitwarden.com/help/cli") \
	ROW("travis", "set", "-r --repo", PLAIN, WORD(2), "variable of Travis", "https://github.com/travis-ci/travis.rb") \
	ROW("snyk travis", "set encrypt", "-r --repo", EQUAL, EACH, "token of a service", "https://docs.travis-ci.com/user/encryption-keys") \
	ROW("composer poetry", "http-basic.* bitbucket-oauth.*", "", PLAIN, WORD(2), "password of a repository", "https://getcomposer.org/doc/articles/authentication-for-private-packages.md") \
	ROW("conda", "config", "token", VALUE, 0, "token of conda", "https://docs.conda.io/projects/conda/en/stable/commands/config.html") \
	ROW("rclone", "config", "pass password key secret token client_secret", VALUE, 0, "password of rclone", "https://rclone.org/commands/rclone_config_create") \
	ROW("mc mcli", "set add", "--api --path", PLAIN, WORD(4), "secret of MinIO", "https://min.io/docs/minio/linux/reference/minio-mc/mc-alias-set.html") \
	ROW("b2", "authorize-account authorize_account authorize", "--realm", PLAIN, WORD(2), "key of Backblaze", "https://b2-command-line-tool.readthedocs.io") \
	ROW("swift", "", "-K --key", VALUE, 0, "key of Swift", "https://docs.openstack.org/python-swiftclient/latest/cli") \
	ROW("cf ibmcloud", "auth", "", PLAIN, WORD(2), "password of a cloud", "https://cli.cloudfoundry.org/en-US/v8/auth.html") \
	ROW("az", "--settings --secrets --secure-environment-variables", "-g -n --resource-group --name", EQUAL, EACH, "settings of Azure", "https://learn.microsoft.com/cli/azure/webapp/config/appsettings") \
	ROW("gcloud", "activate-refresh-token", "", PLAIN, WORD(2), "token of Google", "https://cloud.google.com/sdk/gcloud/reference/auth/activate-refresh-token") \
	ROW("vsce ovsx", "", "-p --pat", VALUE, 0, "token of a marketplace", "https://code.visualstudio.com/api/working-with-extensions/publishing-extension") \
	ROW("choco", "source sources", "-p", VALUE, 0, "password of Chocolatey", "https://docs.chocolatey.org/en-us/choco/commands/source") \
	ROW("dotnet", "user-secrets", "--project -p --id -c", PLAIN, WORD(3), "secret of .NET", "https://learn.microsoft.com/aspnet/core/security/app-secrets") \
	ROW("security", "set-key-partition-list", "-k", VALUE, 0, "password of a keychain", KEYCHAIN) \
	ROW("dscl", "-passwd", "", PLAIN, EACH, "password of a user", "https://keith.github.io/xcode-man-pages/dscl.1.html") \
	ROW("qpdf", "--encrypt", "", PLAIN, WORD(1), "password of a document", "https://qpdf.readthedocs.io/en/stable/cli.html") \
	ROW("qpdf", "--encrypt", "", PLAIN, WORD(2), "password of a document", "https://qpdf.readthedocs.io/en/stable/cli.html") \
	ROW("veracrypt truecrypt steghide unar lsar msoffice-crypt aescrypt openstego", "", "-p", VALUE, 0, "password of a file", "https://veracrypt.io/en/Command%20Line%20Usage.html") \
	ROW("pkcs11-tool pkcs15-tool yubico-piv-tool tpm2_create tpm2_createprimary tpm2_load tpm2_sign tpm2_unseal tpm2_nvread tpm2_nvwrite", "", "-p -P -N --pin --so-pin --new-pin --puk", VALUE, 0, "PIN of a card", "https://manpages.debian.org/pkcs11-tool") \
	ROW("ykman", "", "-P -n -p --pin --puk --new-pin --new-puk", VALUE, 0, "PIN of a key", "https://docs.yubico.com/software/yubikey/tools/ykman") \
	ROW("p4", "", "-P -O", VALUE, 0, "password of Perforce", "https://help.perforce.com/helix-core/server-apps/cmdref/current/Content/CmdRef/global.options.html") \
	ROW("cvs", "", "-d", PROXY, 0, "USER:PASSWORD@HOST of CVS", "https://www.gnu.org/software/trans-coord/manual/cvs/cvs.html") \
	ROW("ftp git-ftp", "push init catchup", "-p", VALUE, 0, "password of git-ftp", "https://github.com/git-ftp/git-ftp") \
	ROW("sendemail sendEmail", "", "-xp", VALUE, 0, "password of SMTP", "https://manpages.debian.org/sendemail") \
	ROW("irssi", "", "-w", VALUE, 0, "password of IRC", "https://manpages.debian.org/irssi") \
	ROW("vncdo vncdotool", "", "-p", VALUE, 0, "password of VNC", "https://vncdotool.readthedocs.io") \
	ROW("bundle bundler", "config", "", USER, WORD(2), "USER:PASSWORD of a gem server", "https://bundler.io/man/bundle-config.1.html") \
	ROW("bundle bundler", "set", "", USER, WORD(2), "USER:PASSWORD of a gem server", "https://bundler.io/man/bundle-config.1.html") \
	ROW("ab", "", "-C", VALUE, 0, "cookie of ab", "https://httpd.apache.org/docs/current/programs/ab.html") \
	ROW("ab", "", "-A -P", USER, 0, "USER:PASSWORD of ab", "https://httpd.apache.org/docs/current/programs/ab.html") \
	ROW("hey check_http", "", "-a", USER, 0, "USER:PASSWORD of hey", "https://github.com/rakyll/hey") \
	ROW("netlify ntl", "", "-a --auth", VALUE, 0, "token of Netlify", "https://cli.netlify.com/commands/deploy") \
	ROW("codecov codecovcli", "", "-t", VALUE, 0, "token of Codecov", "https://docs.codecov.com/docs/cli-options") \
	ROW("transmission-remote", "", "-n --auth", USER, 0, "USER:PASSWORD of Transmission", "https://manpages.debian.org/transmission-remote") \
	ROW("nikto", "", "-id", USER, 0, "USER:PASSWORD of nikto", "https://manpages.debian.org/nikto") \
	ROW("deluge-console", "connect", "", PLAIN, WORD(3), "password of Deluge", "https://deluge.readthedocs.io") \
	ROW("gitlab-runner", "register verify unregister", "-r -t", VALUE, 0, "token of a GitLab runner", "https://docs.gitlab.com/runner/commands") \
	ROW("act", "", "-s", PAIRS, 0, "secret of act", "https://nektosact.com/usage/index.html") \
	ROW("expo expo-cli eas", "login", "-p", VALUE, 0, "password of Expo", "https://docs.expo.dev/archive/expo-cli") \
	ROW("radtest", "", "-t -P", PLAIN, WORD(2), "password of RADIUS", "https://manpages.debian.org/radtest") \
	ROW("lego", "", "--hmac", VALUE, 0, "key of an ACME account", "https://go-acme.github.io/lego/usage/cli/options") \
	ROW("openssl", "ca", "-key", VALUE, 0, "password of openssl", "https://docs.openssl.org/master/man1/openssl-ca") \
	ROW("gpg-preset-passphrase", "", "-P", VALUE, 0, "passphrase of gpg", "https://www.gnupg.org/documentation/manuals/gnupg/Invoking-gpg_002dpreset_002dpassphrase.html") \
	ROW("mvn mvnw", "", "-ep -emp --encrypt-master-password", VALUE, 0, "password of Maven", "https://maven.apache.org/guides/mini/guide-encryption.html") \
	ROW("pdm", "publish", "-P", VALUE, 0, "password of PyPI", "https://pdm-project.org/latest/reference/cli") \
	ROW("mix", "hex.organization hex.user hex.publish", "--key", VALUE, 0, "key of Hex", "https://hexdocs.pm/hex/Mix.Tasks.Hex.Organization.html") \
	ROW("supabase", "link db", "-p", VALUE, 0, "password of a database", "https://supabase.com/docs/reference/cli") \
	ROW("vagrant rancher k6", "login", "-t", VALUE, 0, "token of a service", "https://developer.hashicorp.com/vagrant/docs/cli/login") \
	ROW("travis", "login", "-g", VALUE, 0, "token of GitHub", "https://github.com/travis-ci/travis.rb") \
	ROW("coveralls", "", "-r", VALUE, 0, "token of Coveralls", "https://docs.coveralls.io/integrations") \
	ROW("consul", "set-agent-token", "", PLAIN, WORD(2), "token of Consul", "https://developer.hashicorp.com/consul/commands/acl/set-agent-token") \
	ROW("cf", "set-env se", "", PLAIN, WORD(3), "variable of Cloud Foundry", "https://cli.cloudfoundry.org/en-US/v8/set-env.html") \
	ROW("mc mcli", "user", "", PLAIN, WORD(4), "secret of MinIO", "https://min.io/docs/minio/linux/reference/minio-mc-admin/mc-admin-user-add.html") \
	ROW("ossutil ossutil64", "", "-k", VALUE, 0, "key of Alibaba Cloud", "https://www.alibabacloud.com/help/oss/developer-reference/ossutil-overview") \
	ROW("wpa_cli", "psk password wep_key0", "", PLAIN, WORD(1), "key of a network", "https://manpages.debian.org/wpa_cli") \
	ROW("drone", "secret", "--data", VALUE, 0, "secret of Drone", "https://docs.drone.io/cli/secret/drone-secret-add") \
	ROW("credstash berglas", "put create update", "", PLAIN, WORD(2), "secret of a cloud", "https://github.com/fugue/credstash") \
	ROW("mutool", "", "-p", VALUE, 0, "password of a document", "https://mupdf.readthedocs.io/en/latest/mupdf-command-line.html") \
	ROW("redis-cli valkey-cli keydb-cli", "SETUSER setuser", "", GREATER, EACH, "password of an ACL of Redis", "https://redis.io/docs/latest/commands/acl-setuser") \
	ROW("kubectl oc", "secret secrets", "-p --patch", VALUE, 0, "secret of Kubernetes", "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_patch") \
	ROW("mount", "cifs smb3 smbfs", "-o --options", PERCENT, 0, "USER%PASSWORD of a share", "https://manpages.debian.org/mount.cifs") \
	ROW("sops", "--set", "", VALUE, WORD(1), "value in a file of sops", SOPS) \
	ROW("sops", "set", "--idempotent", PLAIN, WORD(3), "value in a file of sops", SOPS) \
	ROW("medusa crackmapexec nxc netexec smbmap evil-winrm bloodhound-python openfortivpn redfishtool esxcli check_mysql check_pgsql fence_ipmilan fence_apc", "", "-p", VALUE, 0, "password of a host", "https://manpages.debian.org/medusa") \
	ROW("impacket-psexec impacket-secretsdump impacket-wmiexec impacket-smbexec psexec.py secretsdump.py wmic.py wmiexec.py smbexec.py atexec.py dcomexec.py mssqlclient.py GetUserSPNs.py GetNPUsers.py", "", "", USER, EACH, "USER:PASSWORD of Impacket", "https://github.com/fortra/impacket") \
	ROW("curlftpfs mysqlsh", "", "", PROXY, EACH, "USER:PASSWORD@HOST of a program", "https://manpages.debian.org/curlftpfs") \
	ROW("gost", "", "-L -F", PROXY, 0, "USER:PASSWORD@HOST of gost", "https://gost.run/en") \
	ROW("curlftpfs", "", "-o", USER, 0, "USER:PASSWORD of FTP", "https://manpages.debian.org/curlftpfs") \
	ROW("govc", "", "-u -l", USER, 0, "USER:PASSWORD of vSphere", "https://github.com/vmware/govmomi") \
	ROW("ctr ntfy", "", "-u --user", USER, 0, "USER:PASSWORD of a registry", "https://docs.ntfy.sh/subscribe/cli") \
	ROW("proxytunnel", "", "-P --proxyauth", USER, 0, "USER:PASSWORD of a proxy", "https://manpages.debian.org/proxytunnel") \
	ROW("dar", "", "-K -J", USER, 0, "password of an archive", "https://manpages.debian.org/dar") \
	ROW("arj dislocker", "", "-g -p -u", JOINED, 0, "password of an archive", "https://manpages.debian.org/arj") \
	ROW("ccrypt ccencrypt ccdecrypt ccat", "", "-K --key", VALUE, 0, "key of a file", "https://manpages.debian.org/ccrypt") \
	ROW("mcrypt cloudsmith netbird logdna ntfy ssserver sslocal ss-local ss-server ss-redir ss-tunnel outguess", "", "-k", VALUE, 0, "key of a service", "https://manpages.debian.org/shadowsocks-libev") \
	ROW("choco", "push apikey", "-k --key", VALUE, 0, "key of Chocolatey", "https://docs.chocolatey.org/en-us/create/commands/push") \
	ROW("zpaq", "", "-key", VALUE, 0, "key of an archive", "https://manpages.debian.org/zpaq") \
	ROW("duck wdfs kopia megaput megaget megals megacopy gallery-dl sendxmpp testsaslauthd", "", "-p", VALUE, 0, "password of a service", "https://kopia.io/docs/reference/command-line") \
	ROW("mega-login", "", "", PLAIN, WORD(2), "password of MEGA", "https://github.com/meganz/MEGAcmd") \
	ROW("atlas mongocli", "dbusers", "-p", VALUE, 0, "password of MongoDB", "https://www.mongodb.com/docs/atlas/cli/current") \
	ROW("influx", "setup password", "-p", VALUE, 0, "password of InfluxDB", "https://docs.influxdata.com/influxdb/v2/reference/cli/influx") \
	ROW("ua pro", "attach", "", PLAIN, WORD(1), "token of Ubuntu Pro", "https://documentation.ubuntu.com/pro-client") \
	ROW("SUSEConnect", "", "-r", VALUE, 0, "registration code", "https://github.com/SUSE/connect") \
	ROW("bws", "create", "", PLAIN, WORD(2), "secret of Bitwarden", "https://bitwarden.com/help/secrets-manager-cli") \
	ROW("op", "signin", "", PLAIN, WORD(3), "secret key of 1Password", "https://developer.1password.com/docs/cli/v1/reference") \
	ROW("eas", "create", "--value", VALUE, 0, "secret of Expo", "https://docs.expo.dev/eas/environment-variables") \
	ROW("aws", "encrypt", "--plaintext", VALUE, 0, "text to encrypt", "https://docs.aws.amazon.com/cli/latest/reference/kms/encrypt.html") \
	ROW("vault bao", "token", "-id", VALUE, 0, "token of Vault", "https://developer.hashicorp.com/vault/docs/commands/token/create") \
	ROW("knife", "", "-P", VALUE, 0, "password of a host", "https://docs.chef.io/workstation/knife_bootstrap") \
	ROW("check_snmp", "", "-C -A -X", VALUE, 0, "passphrase of SNMP", "https://www.monitoring-plugins.org/doc/man/check_snmp.html") \
	ROW("ipmitool", "password", "", PLAIN, WORD(2), "password of IPMI", "https://manpages.debian.org/ipmitool") \
	ROW("racadm", "cfgUserAdminPassword", "-i", PLAIN, WORD(1), "password of iDRAC", "https://www.dell.com/support/manuals/idrac9-lifecycle-controller-v3.x-series") \
	ROW("fossil", "password", "-R", PLAIN, WORD(2), "password of Fossil", FOSSIL) \
	ROW("fossil", "new", "-R", PLAIN, WORD(3), "password of Fossil", FOSSIL) \
	ROW("doveadm caddy", "pw hash-password", "-p --plaintext", VALUE, 0, "password to hash", "https://doc.dovecot.org/latest/core/man/doveadm-pw.1.html") \
	ROW("doveadm", "test login", "-a -x", PLAIN, WORD(2), "password of a user", "https://doc.dovecot.org/latest/core/man/doveadm-auth.1.html") \
	ROW("signal-cli", "verify", "-p", VALUE, 0, "PIN of Signal", SIGNAL) \
	ROW("signal-cli", "setPin", "", PLAIN, WORD(1), "PIN of Signal", SIGNAL) \
	ROW("smbpasswd", "-a", "-r -U", PLAIN, WORD(2), "password of Samba", "https://www.samba.org/samba/docs/current/man-html/smbpasswd.8.html") \
	ROW("mkstore", "-createCredential -modifyCredential", "-wrl", PLAIN, WORD(2), "password in a wallet", MKSTORE) \
	ROW("mkstore", "-createEntry -modifyEntry", "-wrl", PLAIN, WORD(2), "password in a wallet", MKSTORE) \
	ROW("asmcmd", "passwd", "", PLAIN, WORD(2), "password of Oracle", "https://docs.oracle.com/en/database/oracle/oracle-database/19/ostmg/asmcmd-commands.html") \
	ROW("hdbuserstore", "SET set", "", PLAIN, WORD(4), "password of HANA", "https://help.sap.com/docs/hana") \
	ROW("logon", "", "", COMMA, WORD(1), "USER,PASSWORD of BTEQ", "https://docs.teradata.com/r/Basic-Teradata-Query-Reference") \
	ROW("ldapvi ldclt adtool vsql ipa-client-install dsconf dsidm", "", "-w", VALUE, 0, "password of a database", "https://docs.vertica.com/latest/en/connecting-to/using-vsql/command-line-options") \
	ROW("gsql", "", "-W", VALUE, 0, "password of openGauss", "https://docs.opengauss.org/en") \
	ROW("ipa-server-install", "", "-a -p", VALUE, 0, "password of FreeIPA", "https://manpages.debian.org/ipa-server-install") \
	ROW("slappasswd", "", "-s", VALUE, 0, "password to hash", "https://www.openldap.org/software/man.cgi?query=slappasswd") \
	ROW("hadoop", "credential", "-value", VALUE, 0, "password in a keystore", "https://hadoop.apache.org/docs/stable/hadoop-project-dist/hadoop-common/CommandsManual.html") \
	ROW("net", "password", "", PLAIN, WORD(2), "password of a user", "https://www.samba.org/samba/docs/current/man-html/net.8.html") \
	ROW("networksetup", "-setairportnetwork", "", PLAIN, WORD(3), "password of a network", NETSETUP) \
	ROW("networksetup", "-setwebproxy -setsecurewebproxy", "", PLAIN, WORD(6), "password of a proxy", NETSETUP) \
	ROW("openconnect", "", "-C", VALUE, 0, "cookie of a VPN", "https://manpages.debian.org/openconnect") \
	ROW("zerotier-cli", "", "-T", VALUE, 0, "token of ZeroTier", "https://docs.zerotier.com/cli") \
	ROW("bore", "", "-s", VALUE, 0, "secret of bore", "https://github.com/ekzhang/bore") \
	ROW("pcs", "auth", "-p", VALUE, 0, "password of a cluster", "https://manpages.debian.org/pcs") \
	ROW("virsh", "set-user-password", "", PLAIN, WORD(3), "password of a guest", VIRSH) \
	ROW("virsh", "secret-set-value", "--base64", VALUE, 0, "secret of libvirt", VIRSH) \
	ROW("virsh", "secret-set-value", "", PLAIN, WORD(2), "secret of libvirt", VIRSH) \
	ROW("VBoxManage", "setcredentials", "", PLAIN, WORD(2), "password of a guest", "https://www.virtualbox.org/manual/topics/vboxmanage.html") \
	ROW("vmrun", "", "-p -gp -vp", VALUE, 0, "password of a guest", "https://techdocs.broadcom.com/us/en/vmware-cis/desktop-hypervisors/fusion-pro/13-0/using-vmware-fusion/using-the-vmrun-command-to-control-virtual-machines.html") \
	ROW("confluent ccloud", "store", "--resource --environment", PLAIN, WORD(2), "secret of Confluent", "https://docs.confluent.io/confluent-cli/current/command-reference/api-key") \
	ROW("databricks", "secrets", "--string-value", VALUE, 0, "secret of Databricks", "https://docs.databricks.com/dev-tools/cli/reference/secrets-commands") \
	ROW("conjur", "set", "-v", VALUE, 0, "secret of Conjur", "https://docs.cyberark.com/conjur-open-source/latest/en/content/developer/cli/cli-lp.htm") \
	ROW("conjur", "values", "", PLAIN, WORD(3), "secret of Conjur", "https://docs.cyberark.com/conjur-open-source/latest/en/content/developer/cli/cli-lp.htm") \
	ROW("akeyless", "create-secret set-secret-val update-secret-val", "-v --value", VALUE, 0, "secret of Akeyless", "https://docs.akeyless.io/docs/cli-ref-static-secrets") \
	ROW("preset_passphrase PRESET_PASSPHRASE", "", "", PLAIN, WORD(2), "passphrase of gpg", "https://www.gnupg.org/documentation/manuals/gnupg/Agent-PRESET_005fPASSPHRASE.html") \
	ROW("reg", "DefaultPassword Password password", "/d", VALUE, 0, "password in the registry", "https://learn.microsoft.com/troubleshoot/windows-server/user-profiles-and-logon/turn-on-automatic-logon") \
	ROW("netsh", "", "key= keyMaterial=", JOINED, 0, "key of a network", "https://learn.microsoft.com/windows-server/administration/windows-commands/netsh-wlan") \
	ROW("netdom", "", "/pd: /PD: /passwordd: /PasswordD: /po: /passwordo:", JOINED, 0, "password of a domain", "https://learn.microsoft.com/windows-server/administration/windows-commands/netdom-join") \
	ROW("manage-bde", "", "-rp", VALUE, 0, "password of a volume", "https://learn.microsoft.com/windows-server/administration/windows-commands/manage-bde-unlock") \
	ROW("nssm", "ObjectName", "", PLAIN, WORD(2), "password of a service", "https://nssm.cc/commands") \
	ROW("scw", "secret", "data=", JOINED, 0, "secret of Scaleway", "https://cli.scaleway.com/secret") \
	ROW("coscmd", "config", "-s", VALUE, 0, "key of Tencent Cloud", "https://www.tencentcloud.com/document/product/436/10976") \
	ROW("openstack barbican", "store", "-p --payload", VALUE, 0, "secret of OpenStack", "https://docs.openstack.org/python-barbicanclient/latest/cli") \
	ROW("gsutil", "signurl", "-p", VALUE, 0, "password of a key", "https://cloud.google.com/storage/docs/gsutil/commands/signurl") \
	ROW("kubeadm", "token", "--ttl --description", PLAIN, WORD(2), "token of a cluster", "https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-token") \
	ROW("lynx", "", "-pauth=", JOINED, 0, "USER:PASSWORD of a proxy", "https://manpages.debian.org/lynx") \
	ROW("wfuzz", "", "--basic --ntlm --digest", USER, 0, "USER:PASSWORD of wfuzz", "https://manpages.debian.org/wfuzz") \
	ROW("ffuf", "", "-b", PAIRS, 0, "cookies of ffuf", "https://github.com/ffuf/ffuf") \
	ROW("gobuster", "", "-c", PAIRS, 0, "cookies of gobuster", "https://github.com/OJ/gobuster") \
	ROW("tf", "", "/login: -login:", COMMA, 0, "USER,PASSWORD of Azure DevOps", "https://learn.microsoft.com/azure/devops/repos/tfvc/use-team-foundation-version-control-commands") \
	ROW("AUTH", "PLAIN LOGIN XOAUTH2", "", PLAIN, WORD(1), "password of SMTP", "https://www.rfc-editor.org/rfc/rfc4954") \
	ROW("redis-sentinel redis-cli", "auth-pass", "", PLAIN, WORD(2), "password of Redis", "https://redis.io/docs/latest/operate/oss_and_stack/management/sentinel") \
	ROW("nifi.sh", "set-single-user-credentials", "", PLAIN, WORD(2), "password of NiFi", "https://nifi.apache.org/docs/nifi-docs/html/administration-guide.html") \
	ROW("consul serf nomad", "bootstrap install", "", PLAIN, WORD(1), "token or key of Consul", "https://developer.hashicorp.com/consul/commands/acl/bootstrap") \
	ROW("consul serf", "agent keyring keys", "-encrypt -install -use", VALUE, 0, "key of Consul", "https://developer.hashicorp.com/consul/commands/keyring") \
	ROW("func", "add", "", PLAIN, WORD(2), "setting of Azure Functions", "https://learn.microsoft.com/azure/azure-functions/functions-core-tools-reference") \
	ROW("pk12util", "", "-W -K", VALUE, 0, "password of a key", "https://manpages.debian.org/pk12util") \
	ROW("ykman", "add static", "-o -i", PLAIN, WORD(2), "key of one-time passwords", "https://docs.yubico.com/software/yubikey/tools/ykman") \
	ROW("oathtool", "", "-d -N -S -s -w -c", PLAIN, EACH, "key of one-time passwords", "https://manpages.debian.org/oathtool") \
	ROW("adtool", "userpass", "", PLAIN, WORD(2), "password of a user", "https://manpages.debian.org/adtool") \
	ROW("net", "add", "-U", PLAIN, WORD(2), "password of a user", "https://www.samba.org/samba/docs/current/man-html/net.8.html") \
	ROW("requirepass masterauth auth_pass bindpw wpa-psk rootpw pre-shared-key authentication-key plain-text-password keyPassword storePassword", "", "", PLAIN, WORD(1), "line of a configuration", "https://redis.io/docs/latest/operate/oss_and_stack/management/config-file") \
	ROW("d-i", "password", "", PLAIN, WORD(1), "password of an installer", "https://www.debian.org/releases/stable/amd64/apbs04.en.html") \
	ROW("enable username neighbor", "password secret", "", PLAIN, WORD(1), "password of a router", CISCO) \
	ROW("snmp-server tacacs-server radius-server isakmp message-digest-key", "community key md5", "", PLAIN, WORD(1), "key of a router", CISCO) \
	ROW("enable username", "secret", "", PLAIN, WORD(2), "hash of a password of a router", CISCO) \
	ROW("a001 a002 A001 A002 A003 a0001 A0001 A0002 na001 nA001 na002", "LOGIN login", "", PLAIN, WORD(2), "password of IMAP", "https://www.rfc-editor.org/rfc/rfc3501") \
	ROW("USER nUSER", "PASS nPASS", "", PLAIN, WORD(1), "password of FTP or POP3", "https://www.rfc-editor.org/rfc/rfc1939") \
	ROW("PASS", "", "", PLAIN, WORD(1) | LAST, "password of FTP or POP3", "https://www.rfc-editor.org/rfc/rfc959") \
	ROW("AUTH", "", "", PLAIN, WORD(1) | LAST, "password of Redis", "https://redis.io/docs/latest/commands/auth") \
	ROW("AUTH", "", "", PLAIN, WORD(2) | LAST, "password of a user of Redis", "https://redis.io/docs/latest/commands/auth") \
	ROW("ROLE role", "PASSWORD password", "", PLAIN, WORD(1), "password of PostgreSQL in $$", "https://www.postgresql.org/docs/current/sql-createrole.html") \
	ROW("pt-archiver pt-table-checksum pt-table-sync pt-heartbeat pt-online-schema-change pt-duplicate-key-checker pt-kill pt-query-digest pt-show-grants pt-slave-find pt-deadlock-logger pt-fk-error-logger pt-slave-delay", "", "--columns --where --limit --databases -d --tables --alter", COMMA, EACH, "DSN of Percona's tools", PERCONA) \
	ROW("pt-archiver pt-table-checksum pt-table-sync pt-heartbeat pt-online-schema-change pt-duplicate-key-checker pt-kill pt-query-digest pt-show-grants pt-slave-find pt-mysql-summary pt-stalk pt-index-usage pt-variable-advisor xtrabackup mariabackup innobackupex", "", "-p", VALUE, 0, "password of MySQL", PERCONA) \
	ROW("stats", "auth", "", USER, WORD(1), "USER:PASSWORD of HAProxy", "https://docs.haproxy.org")

/*
 * Parts of a command that reads a secret from a pipe or a here-string, so that
 * what `echo` or `printf` writes to it is one.
 */
#define TR2_SECRET_READERS(ROW) \
	ROW("--password-stdin", "docker login", "https://docs.docker.com/reference/cli/docker/login") \
	ROW("--with-token", "gh auth login", "https://cli.github.com/manual/gh_auth_login") \
	ROW("chpasswd", "chpasswd", "https://manpages.debian.org/chpasswd") \
	ROW("passwd --stdin", "passwd", "https://manpages.debian.org/passwd") \
	ROW("sudo -S", "sudo", "https://www.sudo.ws/docs/man/sudo.man") \
	ROW(" stdin", "openssl -pass stdin", "https://docs.openssl.org/master/man1/openssl-passphrase-options") \
	ROW("login --stdin", "glab auth login", "https://docs.gitlab.com/cli/auth/login") \
	ROW("kinit", "Kerberos", "https://web.mit.edu/kerberos/krb5-latest/doc/user/user_commands/kinit.html") \
	ROW("cryptsetup", "passphrase of a volume", "https://manpages.debian.org/cryptsetup") \
	ROW("pass insert", "password of pass", "https://www.passwordstore.org") \
	ROW("lpass login", "password of LastPass", "https://manpages.debian.org/lpass") \
	ROW("secret-tool store", "secret-tool", "https://manpages.debian.org/secret-tool") \
	ROW("password_stdin", "password of sshfs", "https://manpages.debian.org/sshfs") \
	ROW("secret set", "gh secret set", "https://cli.github.com/manual/gh_secret_set") \
	ROW("secret put", "wrangler secret put", "https://developers.cloudflare.com/workers/wrangler/commands") \
	ROW("secret create", "docker secret create", "https://docs.docker.com/reference/cli/docker/secret/create") \
	ROW("versions add", "gcloud secrets versions add", "https://cloud.google.com/sdk/gcloud/reference/secrets/versions/add") \
	ROW("vault login -", "vault", "https://developer.hashicorp.com/vault/docs/commands/login") \
	ROW("credential approve", "git credential approve", "https://git-scm.com/docs/git-credential") \
	ROW("credential reject", "git credential approve", "https://git-scm.com/docs/git-credential") \
	ROW("credential-store store", "git credential-store", "https://git-scm.com/docs/git-credential") \
	ROW("--passphrase-fd", "passphrase of gpg", "https://www.gnupg.org/documentation/manuals/gnupg/GPG-Esoteric-Options.html") \
	ROW("smbpasswd -", "smbpasswd", "https://www.samba.org/samba/docs/current/man-html/smbpasswd.8.html") \
	ROW(" passwd ", "passwd", "https://manpages.debian.org/passwd") \
	ROW("kpasswd ", "Kerberos", "https://web.mit.edu/kerberos/krb5-latest/doc/user/user_commands/kpasswd.html") \
	ROW("saslpasswd2", "saslpasswd2", "https://www.cyrusimap.org/sasl/sasl/reference/manpages/utilities/saslpasswd2.html") \
	ROW("pdbedit ", "pdbedit", "https://www.samba.org/samba/docs/current/man-html/pdbedit.8.html") \
	ROW("su -", "password of su", "https://manpages.debian.org/su") \
	ROW("sudo -kS", "sudo", "https://www.sudo.ws/docs/man/sudo.man") \
	ROW("keyring set", "Python's keyring", "https://pypi.org/project/keyring") \
	ROW("keepassxc-cli", "password of KeePass", "https://manpages.debian.org/keepassxc-cli") \
	ROW("kwallet-query -w", "password in KWallet", "https://manpages.debian.org/kwallet-query") \
	ROW("kubeseal", "secret of Kubernetes", "https://github.com/bitnami-labs/sealed-secrets") \
	ROW("keystore add", "elasticsearch-keystore", "https://www.elastic.co/docs/reference/elasticsearch/command-line-tools/elasticsearch-keystore") \
	ROW("realm join", "password of a domain", "https://manpages.debian.org/realm") \
	ROW("adcli join", "password of a domain", "https://manpages.debian.org/adcli") \
	ROW("ipa user-", "password of FreeIPA", "https://freeipa.readthedocs.io") \
	ROW("p4 login", "password of Perforce", "https://help.perforce.com/helix-core/server-apps/cmdref/current/Content/CmdRef/p4_login.html") \
	ROW("tarsnap-keygen", "password of Tarsnap", "https://www.tarsnap.com/man-tarsnap-keygen.1.html") \
	ROW("zfs load-key", "passphrase of ZFS", ZFS) \
	ROW("keyformat=passphrase", "passphrase of ZFS", ZFS) \
	ROW("fscrypt unlock", "passphrase of fscrypt", "https://github.com/google/fscrypt") \
	ROW("systemd-creds encrypt", "credential of systemd", "https://www.freedesktop.org/software/systemd/man/latest/systemd-creds.html") \
	ROW("encfs -S", "password of encfs", "https://manpages.debian.org/encfs") \
	ROW("gocryptfs ", "password of gocryptfs", "https://manpages.debian.org/gocryptfs") \
	ROW("passwd-on-stdin", "password of a VPN", "https://manpages.debian.org/openconnect") \
	ROW("vsce login", "token of a marketplace", "https://code.visualstudio.com/api/working-with-extensions/publishing-extension") \
	ROW("token add", "token of Dart", "https://dart.dev/tools/pub/cmd/pub-token") \
	ROW("wg pubkey", "private key of WireGuard", WIREGUARD) \
	ROW("private-key", "private key of WireGuard", WIREGUARD) \
	ROW("preshared-key", "key of WireGuard", WIREGUARD) \
	ROW("password-file", "password in a file", "https://restic.readthedocs.io/en/stable/manual_rest.html") \
	ROW("passwd-file", "passwords of nmcli", "https://networkmanager.dev/docs/api/latest/nmcli.html") \
	ROW("auth-user-pass", "password of OpenVPN", "https://openvpn.net/community-docs/community-articles/openvpn-2-6-manual.html") \
	ROW("restic -", "password of restic", "https://restic.readthedocs.io/en/stable/manual_rest.html") \
	ROW("git crypt unlock", "key of git-crypt", "https://github.com/AGWA/git-crypt") \
	ROW("git-crypt unlock", "key of git-crypt", "https://github.com/AGWA/git-crypt") \
	ROW("pveum passwd", "password of Proxmox", "https://pve.proxmox.com/pve-docs/pveum.1.html") \
	ROW("mysql_config_editor", "password of MySQL", "https://dev.mysql.com/doc/refman/8.4/en/mysql-config-editor.html") \
	ROW("az devops login", "token of Azure DevOps", "https://learn.microsoft.com/azure/devops/cli/log-in-via-pat") \
	ROW("secrets:set", "secret of Firebase", "https://firebase.google.com/docs/functions/config-env") \
	ROW("secrets create", "gcloud secrets create", "https://cloud.google.com/sdk/gcloud/reference/secrets/create") \
	ROW("vercel env add", "variable of Vercel", "https://vercel.com/docs/cli/env") \
	ROW("curl -K", "settings of curl", "https://curl.se/docs/manpage.html") \
	ROW("fetchmail -f", "settings of fetchmail", "https://manpages.debian.org/fetchmail") \
	ROW("ftp -n", "commands of ftp", "https://manpages.debian.org/ftp") \
	ROW("swarm unlock", "key of a swarm", "https://docs.docker.com/reference/cli/docker/swarm/unlock") \
	ROW("aws-vault add", "keys of AWS", "https://github.com/99designs/aws-vault") \
	ROW("secret:bulk", "secrets of Cloudflare", "https://developers.cloudflare.com/workers/wrangler/commands") \
	ROW("createuser", "password of PostgreSQL", "https://www.postgresql.org/docs/current/app-createuser.html") \
	ROW("etcdctl user", "password of etcd", "https://etcd.io/docs/v3.5/op-guide/authentication/rbac") \
	ROW("acl bootstrap", "token of Nomad", "https://developer.hashicorp.com/nomad/commands/acl/bootstrap") \
	ROW("tsh login", "password of Teleport", "https://goteleport.com/docs/reference/cli/tsh") \
	ROW("totp-cli add", "key of one-time passwords", "https://github.com/yitsushi/totp-cli") \
	ROW("2fa -add", "key of one-time passwords", "https://github.com/rsc/2fa") \
	ROW("hydroxide auth", "password of Proton", "https://github.com/emersion/hydroxide") \
	ROW("vncpasswd", "password of VNC", "https://manpages.debian.org/vncpasswd") \
	ROW("certutil -N", "password of NSS", "https://manpages.debian.org/certutil") \
	ROW("-pwfile", "password of NSS", "https://manpages.debian.org/modutil") \
	ROW("plaintext-file", "text to encrypt", "https://cloud.google.com/sdk/gcloud/reference/kms/encrypt")

/*
 * Programs that keep settings, and the words after which the name of one and
 * its value come, or "": they come after the program.
 */
#define TR2_SECRET_SETTINGS(ROW) \
	ROW("git npm pnpm yarn aws rclone pip poetry composer ngrok kubectl conda pdm stripe tccli atlas mongocli", "config configure", "settings", "https://git-scm.com/docs/git-config") \
	ROW("npm pnpm", "set", "settings of npm", "https://docs.npmjs.com/cli/commands/npm-config") \
	ROW("launchctl", "setenv", "environment", "https://keith.github.io/xcode-man-pages/launchctl.1.html") \
	ROW("setx setenv", "", "environment", "https://learn.microsoft.com/windows-server/administration/windows-commands/setx") \
	ROW("tmux fish", "setenv set-environment set", "environment", "https://manpages.debian.org/tmux") \
	ROW("consul etcdctl", "put", "key and value", "https://developer.hashicorp.com/consul/commands/kv/put") \
	ROW("Set-Item", "", "environment", "https://learn.microsoft.com/powershell/module/microsoft.powershell.management/set-item") \
	ROW("PlistBuddy defaults racadm", "Set set write", "settings of a Mac", "https://keith.github.io/xcode-man-pages/PlistBuddy.8.html") \
	ROW("ENV", "", "environment of an image", "https://docs.docker.com/reference/dockerfile")

#define SOPS "https://getsops.io/docs"
#define FOSSIL "https://fossil-scm.org/home/help?cmd=user"
#define SIGNAL "https://github.com/AsamK/signal-cli"
#define MKSTORE "https://docs.oracle.com/en/database/oracle/oracle-database/19/dbseg"
#define NETSETUP "https://keith.github.io/xcode-man-pages/networksetup.8.html"
#define VIRSH "https://www.libvirt.org/manpages/virsh.html"
#define ZFS "https://openzfs.github.io/openzfs-docs/man/master/8/zfs-load-key.8.html"
#define WIREGUARD "https://manpages.debian.org/wg"
#define CISCO "https://www.cisco.com/c/en/us/support/docs/security-vpn/remote-authentication-dial-user-service-radius/107614-64.html"
#define PERCONA "https://docs.percona.com/percona-toolkit"
#define KEYCHAIN "https://keith.github.io/xcode-man-pages/security.1.html"
/* clang-format on */

#endif
