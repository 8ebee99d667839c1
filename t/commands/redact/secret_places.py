"""Commands that take a secret by its place: no name comes before it. `{}` stands
for the secret."""

PLACES = r"""
htpasswd -bc FILE USER {}
htpasswd -bBC 10 FILE USER {}
htpasswd -nb USER {}
htpasswd -nbB USER {} >>f
htpasswd -B -b /etc/nginx/f u {}
htdbm -bc f u {}
rabbitmqctl add_user U {}
rabbitmqctl change_password U {}
rabbitmqctl -n rabbit@h add_user U {}
rabbitmqctl authenticate_user U {}
rabbitmqctl -q add_user U {} && rabbitmqctl set_user_tags U administrator
redis-cli AUTH default {}
vault kv put secret/a key={}
vault kv put secret/a a=b key={}
vault kv patch -mount=secret a key={}
vault write secret/a value={}
vault operator rekey -nonce=n {}
vault operator generate-root -otp={}
mysqladmin -u root password {}
mysqladmin -u root -pold password '{}'
openssl passwd -1 {}
openssl passwd -6 -salt xy {}
openssl dgst -hmac {} f
kubectl config set users.u.token {}
net use \\srv\s {} /user:U
net use Z: \\srv\s {} /user:U
net use \\srv\s /user:U {}
net user U {} /add
net user U {}
smbclient //h/s {} -U u
rpcclient -U 'u%{}' h
net rpc user -U u%{}
samba-tool user create u {}
wbinfo -a u%{}
zip -rP {} a.zip d
unzip -oP {} a.zip
npm set //reg/:_authToken {}
yarn config set 'npmRegistries["//h"].npmAuthToken' {}
printf 'protocol=https\nhost=h\nusername=u\npassword={}\n' | git credential approve
lftp -e 'open -u u,{} h'
lftp -c "open u:{}@h"
ldapsearch -xLLLw {} -D x
ldapadd -D x -w '{}' -f f
schtasks /create /tn t /ru u /rp {}
schtasks /create /S h /U u /P {} /tn t
sc config s obj= u password= {}
sqlplus u/{}@db
sqlplus -s u/{} @f
expdp u/{}@db full=y
sqlldr userid=u/{}@db
rman target u/{}@db
isql dsn u {}
beeline -u jdbc:hive2://h -n u -p {}
influx -username u -password {}
influx -username u -password '{}'
neo4j-admin set-initial-password {}
neo4j-admin dbms set-initial-password {}
grafana-cli admin reset-admin-password {}
etcdctl user add u:{}
psexec \\h -u u -p {} cmd
winrs -r:h -u:u -p:{} cmd
x11vnc -passwd {}
x11vnc -storepasswd {} f
vncviewer -passwd {}
racadm -r h -u u -p {} getsysinfo
wpa_passphrase ssid {}
iwconfig wlan0 key s:{}
nmcli con modify c wifi-sec.psk {}
kadmin -p a -w {} -q listprincs
kadmin.local -q 'addprinc -pw {} u'
kadmin -q "cpw -pw {} u"
nsupdate -y hmac-md5:n:{}
dig -y hmac:n:{} axfr z
ansible-vault encrypt_string {} --name n
doppler secrets set K={}
heroku config:set A={} B={}
heroku config:set -a app KEY={}
fly secrets set A=b NAME={}
firebase functions:config:set s.key={}
netlify env:set K {}
pulumi config set --secret k {}
chamber write svc k {}
bw login e@h {}
snyk config set api={}
travis encrypt K={}
composer config http-basic.repo.h u {}
composer config bearer.h {}
poetry config http-basic.foo u {}
poetry config pypi-token.foo {}
conda config --set token {}
cargo login --registry r {}
mc alias set a https://h AKEY {}
mc config host add a https://h AKEY {}
rclone config create r webdav user u pass {}
rclone config password r pass {}
b2 authorize-account ID {}
b2 account authorize ID {}
swift -A u -U u -K {} list
cf auth u {}
vsce publish -p {}
ovsx publish -p {}
npx vsce publish -p {}
gh auth login --with-token <<< {}
java -jar jenkins-cli.jar -auth u:{} build j
certutil -p {} -importpfx c
certutil -user -p {} -importpfx c
pvk2pfx -pvk a -pi {} -spc b
security set-key-partition-list -S a -s -k {} kc
dscl . -passwd /Users/u {}
sysadminctl -addUser u -password {}
launchctl setenv A_TOKEN {}
setx GITHUB_TOKEN {}
setenv DB_PASSWORD {}
qpdf --encrypt {} {} 256 -- a b
veracrypt -p {} v
steghide embed -p {} -cf a
pkcs11-tool --login --pin {}
pkcs11-tool -l -p {} -O
ykman piv change-pin -P {} -n {}
p4 -u u -P {} sync
cvs -d :pserver:u:{}@h:/r co m
CVSROOT=:pserver:u:{}@h:/r cvs co m
git-ftp push -u u -p {} ftp://h
git ftp push -u u -p {} ftp://h
sendemail -xu u -xp {}
irssi -c h -w {}
http -A bearer -a {} https://h
http --auth-type=bearer --auth={} https://h
nuget sources add -Name n -UserName u -Password {}
choco source add -n n -s s -u u -p {}
dotnet user-secrets set K {}
dotnet user-secrets set "A:B" "{}"
echo {} | docker login -u u --password-stdin
echo u:{} | chpasswd
echo {} | sudo -S ls
echo '{}' | passwd --stdin u
tool -password {} x
tool -token {} x
wp config create --dbname=d --dbpass={}
mysql --defaults-extra-file=f -p'{}'
CREATE USER u IDENTIFIED BY {};
az webapp config appsettings set --settings A_KEY={} DB_PASSWORD={}
gcloud auth activate-refresh-token a {}
consul kv get -token {} k
nomad -token {} status
hydra -l u -p {} h ssh
zkCli.sh addauth digest u:{}
nexus3 login -p {}
bundle config gems.h u:{}
bundle config set gems.h u:{}
ab -n 1 -A u:{} h
ab -P u:{} h
hey -n 1 -a u:{} h
netlify deploy -a {}
codecov -t {}
transmission-remote h -n u:{} -l
nikto -h h -id u:{}
deluge-console connect h u {}
lego --eab --kid k --hmac {} run
echo -n {} | docker login --password-stdin reg
printf '%s' {} | docker login --password-stdin reg
docker login --password-stdin <<<{}
docker login --password-stdin <<< "{} {}"
a=b; echo {} | base64 | gh auth login --with-token; x
echo {} | gpg --batch --passphrase-fd 0 -d f
sh -c "echo '{}' | sudo -S reboot"
curl --expand-user u:{} https://h
vault token lookup {}
vault token renew {}
cpan-upload -u u -p {} a.tgz
openssl s_client -psk {} -connect h:443
openssl ca -in a -key {}
gpg-preset-passphrase --preset -P {} GRIP
mvn -emp {}
mvn -ep {}
pdm publish -P {}
pdm config repository.pypi.password {}
stripe config --set test_mode_api_key {}
yc config set token {}
mix hex.organization auth o --key {}
supabase link --project-ref r -p {}
supabase db push -p {}
supabase secrets set NAME={}
infisical secrets set NAME={}
fly -t {} deploy
flyctl deploy -t {}
travis login -g {}
gitlab-runner register -n -t {}
coveralls -r {}
consul acl set-agent-token default {}
cf set-env app NAME {}
eb setenv NAME={}
mc admin user add m u {}
ossutil cp a oss://b -i id -k {}
wpa_cli -i wlan0 set_network 0 psk '"{}"'
drone secret add --name n --data {} r
woodpecker-cli secret add --name n --value {}
credstash put n {}
berglas create b/n {}
mutool clean -p {} a.pdf
kubeadm join h:6443 --certificate-key {}
yarn config set npmAuthIdent u:{}
ffmpeg -decryption_key {} -i a b
conda install -c https://conda.anaconda.org/t/{}/c p
cmdkey /add:h /user:u '/pass:{}'
wmic '/node:h' '/user:u' "/password:{}"
POETRY_PYPI_TOKEN_PYPI={}
DENO_AUTH_TOKENS={}@h
SONAR_LOGIN={}
CURLOPT_USERPWD=u:{}
""".strip().splitlines()
