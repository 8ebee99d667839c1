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
 * PERCENT, COMMA, EQUAL, SLASH: it is what follows `:`, `%`, `,`, `=` or `/`
 * there. PAIRS: NAME=VALUE, or the name of a file. PROXY: USER:PASSWORD@HOST.
 * FIRST: no option of the program follows its first other word, which is a
 * program of its own. LETTERS: letters without a value may come before, as in
 * `-sSu`. CLUSTER: so may all letters, as in `-rP`.
 * WORD(n): not an option has it, but the n-th word after that word, or after
 * the program; the forms are those of options whose value isn't counted. EACH:
 * each such word has one. PLAIN: it is no option and no NAME=VALUE, and in a
 * text, which may be a sentence, it doesn't look like a word of one. SLASHES:
 * options begin with a `/`.
 */
#define TR2_SECRET_OPTIONS(ROW) \
	ROW("curl curlie", "", "-u --user -U --proxy-user -E --cert --proxy-cert --expand-user --expand-proxy-user", USER, LETTERS, "USER:PASSWORD of curl", "https://curl.se/docs/manpage.html") \
	ROW("curl", "", "-b --cookie", PAIRS, LETTERS, "cookies of curl", "https://curl.se/docs/manpage.html") \
	ROW("curl", "", "-x --proxy --preproxy", PROXY, LETTERS, "proxy of curl", "https://curl.se/docs/manpage.html") \
	ROW("http https xh xhs", "bearer", "-a --auth", VALUE, 0, "token of HTTPie", "https://httpie.io/docs/cli/authentication") \
	ROW("http https xh xhs", "", "-a --auth", USER, 0, "USER:PASSWORD of HTTPie", "https://httpie.io/docs/cli/authentication") \
	ROW("sshpass", "", "-p", VALUE, FIRST, "password of sshpass", "https://manpages.debian.org/sshpass") \
	ROW("mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlshow mysqlslap mysqlbinlog mysqlpump mysqlsh mycli", "", "-p", JOINED, 0, "password of MySQL", "https://dev.mysql.com/doc/refman/8.4/en/connection-options.html") \
	ROW("mariadb mariadb-dump mariadb-admin mariadb-import mariadb-check mariadb-show mariadb-slap mariadb-binlog", "", "-p", JOINED, 0, "password of MariaDB", "https://mariadb.com/kb/en/mariadb-command-line-client") \
	ROW("docker podman buildah nerdctl skopeo", "login", "-p", VALUE, 0, "password of a registry", "https://docs.docker.com/reference/cli/docker/login") \
	ROW("helm oras crane regctl nexus3", "login", "-p", VALUE, 0, "password of a registry", "https://helm.sh/docs/helm/helm_registry_login") \
	ROW("oc az cf ibmcloud", "login", "-p", VALUE, 0, "password of a cloud", "https://learn.microsoft.com/cli/azure/reference-index") \
	ROW("glab", "login", "-t", VALUE, 0, "token of glab", "https://docs.gitlab.com/cli/auth/login") \
	ROW("conan", "login user", "-p", VALUE, 0, "password of Conan", "https://docs.conan.io/2/reference/commands/remote.html") \
	ROW("dotnet nuget", "source", "-p", VALUE, 0, "password of a NuGet source", "https://learn.microsoft.com/dotnet/core/tools/dotnet-nuget-add-source") \
	ROW("twine cpan-upload", "", "-p", VALUE, 0, "password of twine", "https://twine.readthedocs.io") \
	ROW("redis-cli redis-benchmark valkey-cli", "", "-a", VALUE, 0, "password of Redis", "https://redis.io/docs/latest/develop/tools/cli") \
	ROW("mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop mongofiles", "", "-p", VALUE, 0, "password of MongoDB", "https://www.mongodb.com/docs/mongodb-shell/reference/options") \
	ROW("cqlsh rabbitmqadmin couchbase-cli cypher-shell elasticsearch-users yt-dlp youtube-dl beeline hydra", "", "-p", VALUE, 0, "password of a database", "https://cassandra.apache.org/doc/latest/cassandra/managing/tools/cqlsh.html") \
	ROW("sqlcmd bcp osql isql tsql fisql", "", "-P", VALUE, 0, "password of SQL Server", "https://learn.microsoft.com/sql/tools/sqlcmd/sqlcmd-utility") \
	ROW("ldapsearch ldapmodify ldapadd ldapdelete ldapcompare ldapmodrdn ldapwhoami ldapexop", "", "-w", VALUE, CLUSTER, "password of LDAP", "https://www.openldap.org/software/man.cgi?query=ldapsearch") \
	ROW("ldappasswd", "", "-w -s -a", VALUE, 0, "password of LDAP", "https://www.openldap.org/software/man.cgi?query=ldappasswd") \
	ROW("smbclient rpcclient smbcacls smbget smbtree winexe net", "", "-U --user", PERCENT, 0, "USER%PASSWORD of Samba", "https://www.samba.org/samba/docs/current/man-html/smbclient.1.html") \
	ROW("lftp", "", "-u --user", COMMA, 0, "USER,PASSWORD of lftp", "https://lftp.yar.ru/lftp-man.html") \
	ROW("ncftp ncftpget ncftpput ncftpls", "", "-p", VALUE, 0, "password of NcFTP", "https://manpages.debian.org/ncftp") \
	ROW("zip unzip zipcloak zipinfo funzip", "", "-P", VALUE, CLUSTER, "password of an archive", "https://infozip.sourceforge.net") \
	ROW("7z 7za 7zr 7zz rar unrar", "", "-p -hp", JOINED, 0, "password of an archive", "https://7-zip.opensource.jp/chm/cmdline/switches/password.htm") \
	ROW("ssh-keygen", "", "-N -P", VALUE, 0, "passphrase of a key", "https://man.openbsd.org/ssh-keygen.1") \
	ROW("plink pscp psftp putty", "", "-pw", VALUE, 0, "password of PuTTY", "https://the.earth.li/~sgtatham/putty/latest/htmldoc/Chapter3.html") \
	ROW("openssl", "", "-passin -passout -pass -password", VALUE, 0, "password of openssl", "https://docs.openssl.org/master/man1/openssl-passphrase-options") \
	ROW("openssl", "enc", "-k -K", VALUE, 0, "password of openssl", "https://docs.openssl.org/master/man1/openssl-enc") \
	ROW("keytool jarsigner apksigner", "", "-storepass -keypass -srcstorepass -deststorepass -srckeypass -destkeypass -new", VALUE, 0, "password of a keystore", "https://docs.oracle.com/en/java/javase/21/docs/specs/man/keytool.html") \
	ROW("nmcli", "", "password psk wifi.psk wifi-sec.psk 802-11-wireless-security.psk wifi-sec.wep-key0 802-1x.password", VALUE, 0, "password of a network", "https://networkmanager.dev/docs/api/latest/nmcli.html") \
	ROW("ipmitool", "", "-P", VALUE, 0, "password of IPMI", "https://manpages.debian.org/ipmitool") \
	ROW("snmpget snmpset snmpwalk snmpgetnext snmpbulkget snmpbulkwalk snmptrap", "", "-A -X -c", VALUE, 0, "passphrase of SNMP", "https://net-snmp.sourceforge.io/docs/man/snmpcmd.html") \
	ROW("mosquitto_pub mosquitto_sub mosquitto_rr", "", "-P", VALUE, 0, "password of MQTT", "https://mosquitto.org/man/mosquitto_pub-1.html") \
	ROW("xfreerdp wlfreerdp sdl-freerdp", "", "/p:", JOINED, 0, "password of FreeRDP", "https://github.com/FreeRDP/FreeRDP/wiki/CommandLineInterface") \
	ROW("rdesktop", "", "-p", VALUE, 0, "password of rdesktop", "https://manpages.debian.org/rdesktop") \
	ROW("kubectl oc", "secret", "--from-literal", PAIRS, 0, "secret of Kubernetes", "https://kubernetes.io/docs/reference/kubectl/generated/kubectl_create/kubectl_create_secret_generic") \
	ROW("gh", "secret", "-b --body", VALUE, 0, "secret of GitHub", "https://cli.github.com/manual/gh_secret_set") \
	ROW("glab", "variable", "-s --scope -g --group -R --repo -t --type", PLAIN, WORD(3), "variable of GitLab", "https://docs.gitlab.com/cli/variable/set") \
	ROW("glab yc", "set", "token", VALUE, 0, "token of GitLab", "https://docs.gitlab.com/cli/config/set") \
	ROW("tea", "login logins", "-t", VALUE, 0, "token of Gitea", "https://gitea.com/gitea/tea/src/branch/main/docs/CLI.md") \
	ROW("gcloud", "set", "auth/access_token", VALUE, 0, "token of Google Cloud", "https://cloud.google.com/sdk/gcloud/reference/config/set") \
	ROW("az", "sql mysql postgres mariadb synapse", "-p", VALUE, 0, "password of a database", "https://learn.microsoft.com/cli/azure/sql/server") \
	ROW("nuget", "push", "-Source -s -Timeout -ConfigFile", PLAIN, WORD(2), "key of NuGet", "https://learn.microsoft.com/nuget/reference/cli-reference/cli-ref-push") \
	ROW("ConvertTo-SecureString", "", "", PLAIN, WORD(1), "password of PowerShell", "https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring") \
	ROW("ConvertTo-SecureString", "", "-String", VALUE, 0, "password of PowerShell", "https://learn.microsoft.com/powershell/module/microsoft.powershell.security/convertto-securestring") \
	ROW("glab", "variable", "-v --value", VALUE, 0, "variable of GitLab", "https://docs.gitlab.com/cli/variable/set") \
	ROW("aws", "put-parameter", "--value", VALUE, 0, "parameter of AWS", "https://docs.aws.amazon.com/cli/latest/reference/ssm/put-parameter.html") \
	ROW("az woodpecker woodpecker-cli", "secret", "--value", VALUE, 0, "secret of Azure", "https://learn.microsoft.com/cli/azure/keyvault/secret") \
	ROW("fly flyctl supabase infisical", "secrets", "-a --app -c --config", EQUAL, EACH, "secret of Fly.io", "https://fly.io/docs/flyctl/secrets-set") \
	ROW("vault cargo wandb", "login", "--registry --host", PLAIN, WORD(1), "token to log in with", "https://developer.hashicorp.com/vault/docs/commands/login") \
	ROW("vault", "unseal unwrap revoke rekey lookup renew", "", PLAIN, WORD(1), "key or token of Vault", "https://developer.hashicorp.com/vault/docs/commands") \
	ROW("snyk", "auth", "", PLAIN, WORD(1), "token of Snyk", "https://docs.snyk.io/developer-tools/snyk-cli/commands/auth") \
	ROW("ngrok", "authtoken add-authtoken", "--config", PLAIN, WORD(1), "token of ngrok", "https://ngrok.com/docs/agent/cli") \
	ROW("nuget", "setapikey setApiKey", "-Source -s", PLAIN, WORD(1), "key of NuGet", "https://learn.microsoft.com/nuget/reference/cli-reference/cli-ref-setapikey") \
	ROW("bw", "unlock", "", PLAIN, WORD(1), "password of Bitwarden", "https://bitwarden.com/help/cli") \
	ROW("bw", "", "--session", VALUE, 0, "session of Bitwarden", "https://bitwarden.com/help/cli") \
	ROW("rclone", "obscure reveal", "", PLAIN, WORD(1), "password of rclone", "https://rclone.org/commands/rclone_obscure") \
	ROW("cloudflared", "install", "", PLAIN, WORD(1), "token of a tunnel", "https://developers.cloudflare.com/cloudflare-one/connections/connect-networks") \
	ROW("redis-cli valkey-cli", "AUTH auth requirepass masterauth", "", PLAIN, EACH, "password of Redis", "https://redis.io/docs/latest/operate/oss_and_stack/management/security") \
	ROW("npm pnpm yarn", "", "--otp", VALUE, 0, "one-time password of npm", "https://docs.npmjs.com/cli/commands/npm-publish") \
	ROW("doctl vercel influx anaconda fly flyctl", "", "-t", VALUE, 0, "token of a service", "https://docs.digitalocean.com/reference/doctl/reference") \
	ROW("poetry uv", "publish", "-p", VALUE, 0, "password of PyPI", "https://docs.astral.sh/uv/reference/cli") \
	ROW("uv", "publish", "-t", VALUE, 0, "token of PyPI", "https://docs.astral.sh/uv/reference/cli") \
	ROW("hatch", "publish", "-a --auth", VALUE, 0, "token of PyPI", "https://hatch.pypa.io/latest/cli/reference") \
	ROW("poetry", "pypi-token.*", "", VALUE, WORD(1), "token of PyPI", "https://python-poetry.org/docs/repositories") \
	ROW("composer", "github-oauth.* gitlab-oauth.* gitlab-token.* bearer.*", "", VALUE, WORD(1), "token of Composer", "https://getcomposer.org/doc/articles/authentication-for-private-packages.md") \
	ROW("dotnet nuget", "push", "-k", VALUE, 0, "key of NuGet", "https://learn.microsoft.com/dotnet/core/tools/dotnet-nuget-push") \
	ROW("docker podman buildah nerdctl skopeo", "", "--creds --src-creds --dest-creds", USER, 0, "USER:PASSWORD of a registry", "https://manpages.debian.org/skopeo-copy") \
	ROW("etcdctl", "", "--user", USER, 0, "USER:PASSWORD of etcd", "https://etcd.io/docs/v3.5/op-guide/authentication/rbac") \
	ROW("useradd usermod", "", "-p", VALUE, 0, "hash of a password", "https://manpages.debian.org/usermod") \
	ROW("security", "unlock-keychain create-keychain", "-p", VALUE, 0, "password of a keychain", KEYCHAIN) \
	ROW("security", "import", "-P", VALUE, 0, "passphrase of a key", KEYCHAIN) \
	ROW("security", "add-generic-password add-internet-password", "-w", VALUE, 0, "password in a keychain", KEYCHAIN) \
	ROW("altool", "", "-p", VALUE, 0, "password of an Apple account", "https://help.apple.com/asc/appsaltool") \
	ROW("signtool", "", "/p", VALUE, 0, "password of a certificate", "https://learn.microsoft.com/windows/win32/seccrypto/signtool") \
	ROW("osslsigncode", "", "-pass", VALUE, 0, "password of a key", "https://manpages.debian.org/osslsigncode") \
	ROW("pdftotext pdfinfo pdfimages pdftoppm", "", "-upw -opw", VALUE, 0, "password of a document", "https://manpages.debian.org/pdftotext") \
	ROW("pdftk", "", "user_pw owner_pw input_pw", VALUE, 0, "password of a document", "https://www.pdflabs.com/docs/pdftk-man-page") \
	ROW("swaks", "", "-ap", VALUE, 0, "password of SMTP", "https://manpages.debian.org/swaks") \
	ROW("db2", "using", "", PLAIN, WORD(1), "password of Db2", "https://www.ibm.com/docs/en/db2/11.5?topic=commands-connect") \
	ROW("htpasswd htdbm", "-b", "-C", VALUE, CLUSTER | WORD(3), "password of Apache", "https://httpd.apache.org/docs/current/programs/htpasswd.html") \
	ROW("htpasswd htdbm", "-nb -nbB -nBb -Bnb -nbm -nbs -nbd -nb5 -nb2", "-C", VALUE, WORD(2), "password of Apache", "https://httpd.apache.org/docs/current/programs/htpasswd.html") \
	ROW("rabbitmqctl", "add_user change_password authenticate_user", "-n --node -t --timeout --vhost", VALUE, WORD(2), "password of RabbitMQ", "https://www.rabbitmq.com/docs/man/rabbitmqctl.8") \
	ROW("vault", "put write patch", "-mount -address -namespace", EQUAL, EACH, "secret of Vault", "https://developer.hashicorp.com/vault/docs/commands/kv/put") \
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
	ROW("schtasks", "", "/rp /RP /p /P", VALUE, 0, "password of a task", "https://learn.microsoft.com/windows-server/administration/windows-commands/schtasks-create") \
	ROW("sc", "", "password=", VALUE, 0, "password of a service", "https://learn.microsoft.com/windows-server/administration/windows-commands/sc-config") \
	ROW("winrs", "", "-p: /p:", JOINED, 0, "password of a host", "https://learn.microsoft.com/windows-server/administration/windows-commands/winrs") \
	ROW("psexec psexec64 pslist pskill psservice psinfo", "", "-p", VALUE, 0, "password of a host", "https://learn.microsoft.com/sysinternals/downloads/psexec") \
	ROW("certutil", "", "-p", VALUE, 0, "password of a certificate", "https://learn.microsoft.com/windows-server/administration/windows-commands/certutil") \
	ROW("pvk2pfx", "", "-pi -po /pi /po", VALUE, 0, "password of a key", "https://learn.microsoft.com/windows-hardware/drivers/devtest/pvk2pfx") \
	ROW("sqlplus expdp impdp sqlldr exp imp", "", "-M -R", SLASH, WORD(1), "USER/PASSWORD of Oracle", "https://docs.oracle.com/en/database/oracle/oracle-database/19/sqpug/starting-SQL-Plus.html") \
	ROW("rman", "target auxiliary catalog", "", SLASH, WORD(1), "USER/PASSWORD of Oracle", "https://docs.oracle.com/en/database/oracle/oracle-database/19/rcmrf") \
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
	ROW("snyk travis", "set encrypt", "-r --repo", EQUAL, EACH, "token of a service", "https://docs.travis-ci.com/user/encryption-keys") \
	ROW("composer poetry", "http-basic.* bitbucket-oauth.*", "", PLAIN, WORD(2), "password of a repository", "https://getcomposer.org/doc/articles/authentication-for-private-packages.md") \
	ROW("conda", "config", "token", VALUE, 0, "token of conda", "https://docs.conda.io/projects/conda/en/stable/commands/config.html") \
	ROW("rclone", "config", "pass password key secret token client_secret", VALUE, 0, "password of rclone", "https://rclone.org/commands/rclone_config_create") \
	ROW("mc mcli", "set add", "--api --path", PLAIN, WORD(4), "secret of MinIO", "https://min.io/docs/minio/linux/reference/minio-mc/mc-alias-set.html") \
	ROW("b2", "authorize-account authorize", "--realm", PLAIN, WORD(2), "key of Backblaze", "https://b2-command-line-tool.readthedocs.io") \
	ROW("swift", "", "-K --key", VALUE, 0, "key of Swift", "https://docs.openstack.org/python-swiftclient/latest/cli") \
	ROW("cf ibmcloud", "auth", "", PLAIN, WORD(2), "password of a cloud", "https://cli.cloudfoundry.org/en-US/v8/auth.html") \
	ROW("az", "--settings --secrets", "-g -n --resource-group --name", EQUAL, EACH, "settings of Azure", "https://learn.microsoft.com/cli/azure/webapp/config/appsettings") \
	ROW("gcloud", "activate-refresh-token", "", PLAIN, WORD(2), "token of Google", "https://cloud.google.com/sdk/gcloud/reference/auth/activate-refresh-token") \
	ROW("vsce ovsx", "", "-p --pat", VALUE, 0, "token of a marketplace", "https://code.visualstudio.com/api/working-with-extensions/publishing-extension") \
	ROW("choco", "source sources", "-p", VALUE, 0, "password of Chocolatey", "https://docs.chocolatey.org/en-us/choco/commands/source") \
	ROW("dotnet", "user-secrets", "--project -p --id -c", PLAIN, WORD(3), "secret of .NET", "https://learn.microsoft.com/aspnet/core/security/app-secrets") \
	ROW("security", "set-key-partition-list", "-k", VALUE, 0, "password of a keychain", KEYCHAIN) \
	ROW("dscl", "-passwd", "", PLAIN, EACH, "password of a user", "https://keith.github.io/xcode-man-pages/dscl.1.html") \
	ROW("qpdf", "--encrypt", "", PLAIN, WORD(1), "password of a document", "https://qpdf.readthedocs.io/en/stable/cli.html") \
	ROW("qpdf", "--encrypt", "", PLAIN, WORD(2), "password of a document", "https://qpdf.readthedocs.io/en/stable/cli.html") \
	ROW("veracrypt truecrypt steghide", "", "-p", VALUE, 0, "password of a volume", "https://veracrypt.io/en/Command%20Line%20Usage.html") \
	ROW("pkcs11-tool pkcs15-tool", "", "-p --pin --so-pin --new-pin --puk", VALUE, 0, "PIN of a card", "https://manpages.debian.org/pkcs11-tool") \
	ROW("ykman", "", "-P -n -p --pin --puk --new-pin --new-puk", VALUE, 0, "PIN of a key", "https://docs.yubico.com/software/yubikey/tools/ykman") \
	ROW("p4", "", "-P", VALUE, 0, "password of Perforce", "https://help.perforce.com/helix-core/server-apps/cmdref/current/Content/CmdRef/global.options.html") \
	ROW("cvs", "", "-d", PROXY, 0, "USER:PASSWORD@HOST of CVS", "https://www.gnu.org/software/trans-coord/manual/cvs/cvs.html") \
	ROW("ftp git-ftp", "push init catchup", "-p", VALUE, 0, "password of git-ftp", "https://github.com/git-ftp/git-ftp") \
	ROW("sendemail", "", "-xp", VALUE, 0, "password of SMTP", "https://manpages.debian.org/sendemail") \
	ROW("irssi", "", "-w", VALUE, 0, "password of IRC", "https://manpages.debian.org/irssi") \
	ROW("vncdo vncdotool", "", "-p", VALUE, 0, "password of VNC", "https://vncdotool.readthedocs.io") \
	ROW("bundle bundler", "config", "", USER, WORD(2), "USER:PASSWORD of a gem server", "https://bundler.io/man/bundle-config.1.html") \
	ROW("bundle bundler", "set", "", USER, WORD(2), "USER:PASSWORD of a gem server", "https://bundler.io/man/bundle-config.1.html") \
	ROW("ab", "", "-A -P", USER, 0, "USER:PASSWORD of ab", "https://httpd.apache.org/docs/current/programs/ab.html") \
	ROW("hey", "", "-a", USER, 0, "USER:PASSWORD of hey", "https://github.com/rakyll/hey") \
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
	ROW("mix", "hex.organization", "--key", VALUE, 0, "key of Hex", "https://hexdocs.pm/hex/Mix.Tasks.Hex.Organization.html") \
	ROW("supabase", "link db", "-p", VALUE, 0, "password of a database", "https://supabase.com/docs/reference/cli") \
	ROW("travis", "login", "-g", VALUE, 0, "token of GitHub", "https://github.com/travis-ci/travis.rb") \
	ROW("coveralls", "", "-r", VALUE, 0, "token of Coveralls", "https://docs.coveralls.io/integrations") \
	ROW("consul", "set-agent-token", "", PLAIN, WORD(2), "token of Consul", "https://developer.hashicorp.com/consul/commands/acl/set-agent-token") \
	ROW("cf", "set-env se", "", PLAIN, WORD(3), "variable of Cloud Foundry", "https://cli.cloudfoundry.org/en-US/v8/set-env.html") \
	ROW("mc mcli", "user", "", PLAIN, WORD(4), "secret of MinIO", "https://min.io/docs/minio/linux/reference/minio-mc-admin/mc-admin-user-add.html") \
	ROW("ossutil ossutil64", "", "-k", VALUE, 0, "key of Alibaba Cloud", "https://www.alibabacloud.com/help/oss/developer-reference/ossutil-overview") \
	ROW("wpa_cli", "psk password wep_key0", "", PLAIN, WORD(1), "key of a network", "https://manpages.debian.org/wpa_cli") \
	ROW("drone", "secret", "--data", VALUE, 0, "secret of Drone", "https://docs.drone.io/cli/secret/drone-secret-add") \
	ROW("credstash berglas", "put create update", "", PLAIN, WORD(2), "secret of a cloud", "https://github.com/fugue/credstash") \
	ROW("mutool", "", "-p", VALUE, 0, "password of a document", "https://mupdf.readthedocs.io/en/latest/mupdf-command-line.html")

/*
 * Parts of a command that reads a secret from a pipe or a here-string, so that
 * what `echo` or `printf` writes to it is one.
 */
#define TR2_SECRET_READERS(ROW) \
	ROW("--password-stdin", "docker login", "https://docs.docker.com/reference/cli/docker/login") \
	ROW("--with-token", "gh auth login", "https://cli.github.com/manual/gh_auth_login") \
	ROW("chpasswd", "chpasswd", "https://manpages.debian.org/chpasswd") \
	ROW("passwd --stdin", "passwd", "https://manpages.debian.org/passwd") \
	ROW("smbpasswd -", "smbpasswd", "https://www.samba.org/samba/docs/current/man-html/smbpasswd.8.html") \
	ROW("sudo -S", "sudo", "https://www.sudo.ws/docs/man/sudo.man") \
	ROW("--passphrase-fd 0", "passphrase of gpg", "https://www.gnupg.org/documentation/manuals/gnupg/GPG-Esoteric-Options.html") \
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
	ROW("credential-store store", "git credential-store", "https://git-scm.com/docs/git-credential")

/*
 * Programs that keep settings, and the words after which the name of one and
 * its value come, or "": they come after the program.
 */
#define TR2_SECRET_SETTINGS(ROW) \
	ROW("git npm pnpm yarn aws rclone pip poetry composer ngrok kubectl conda pdm stripe", "config configure", "settings", "https://git-scm.com/docs/git-config") \
	ROW("npm pnpm", "set", "settings of npm", "https://docs.npmjs.com/cli/commands/npm-config") \
	ROW("launchctl", "setenv", "environment", "https://keith.github.io/xcode-man-pages/launchctl.1.html") \
	ROW("setx setenv", "", "environment", "https://learn.microsoft.com/windows-server/administration/windows-commands/setx")

#define KEYCHAIN "https://keith.github.io/xcode-man-pages/security.1.html"
/* clang-format on */

#endif
