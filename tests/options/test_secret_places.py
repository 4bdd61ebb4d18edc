"""Options whose names are plain, and whose values come into a secret by what is built of them, beside them or falls back on them."""

from __future__ import annotations

import pytest

from conflens.base.system import MemorySystem
from conflens.options.secret_texts import around, is_secret_between
from conflens.options.secret_values import shown_value
from session.support import session

CODE = (
    "package p; import java.util.*; import java.nio.charset.StandardCharsets; %s\nclass A { %s }"
)
READ = 'System.getProperty("user.p", "hunter77")'

# fmt: off
SECRET = {
    'bearer': ('void m(java.net.HttpURLConnection c){ String t=GET; c.setRequestProperty("Authorization","Bearer "+t); }', ''),
    'bearer2': ('String t=GET; String header(){ return "Bearer "+t; }', ''),
    'basic': ('void m(String user, Req r){ String pw=GET; String raw=user+":"+pw; String enc=Base64.getEncoder().encodeToString(raw.getBytes(StandardCharsets.UTF_8)); r.header("Authorization","Basic "+enc); }', ''),
    'basic2': ('private final String q=GET; String auth(){ return "Basic "+Base64.getEncoder().encodeToString(("u:"+q).getBytes()); }', ''),
    'keystore': ('void m(java.security.KeyStore ks, java.io.InputStream in) throws Exception { String v=GET; ks.load(in, v.toCharArray()); }', ''),
    'keystore2': ('void m(java.io.InputStream in) throws Exception { char[] v=GET.toCharArray(); java.security.KeyStore ks = java.security.KeyStore.getInstance("JKS"); ks.load(in, v); }', ''),
    'pwauth': ('Object m(){ final String v=GET; return new javax.mail.Authenticator() { protected javax.mail.PasswordAuthentication getPasswordAuthentication() { return new javax.mail.PasswordAuthentication("u", v); } }; }', ''),
    'pbe': ('Object m() throws Exception { String v=GET; return new javax.crypto.spec.PBEKeySpec(v.toCharArray(), new byte[8], 1000, 256); }', ''),
    'sks': ('Object m() { String v=GET; byte[] b=v.getBytes(StandardCharsets.UTF_8); return new javax.crypto.spec.SecretKeySpec(b, "HmacSHA256"); }', ''),
    'hmac': ('Object m() { String v=GET; return io.jsonwebtoken.security.Keys.hmacShaKeyFor(v.getBytes()); }', ''),
    'jwt': ('Object m() { String v=GET; return com.auth0.jwt.algorithms.Algorithm.HMAC256(v); }', 'import com.auth0.jwt.algorithms.Algorithm;'),
    'jwt2': ('Object m() { String v=GET; return Jwts.builder().signWith(SignatureAlgorithm.HS512, v).compact(); }', 'import io.jsonwebtoken.*;'),
    'jwt3': ('Object m(String t) { String v=GET; return Jwts.parser().setSigningKey(v).parseClaimsJws(t); }', 'import io.jsonwebtoken.*;'),
    'aws': ('Object m() { String v=GET; return new BasicAWSCredentials("id", v); }', 'import com.amazonaws.auth.*;'),
    'aws2': ('Object m() { String v=GET; return AwsBasicCredentials.create("id", v); }', 'import software.amazon.awssdk.auth.credentials.*;'),
    'okhttp': ('Object m() { String v=GET; return Credentials.basic("u", v); }', 'import okhttp3.*;'),
    'jdbc': ('Object m() throws Exception { String v=GET; return java.sql.DriverManager.getConnection("jdbc:x", "u", v); }', ''),
    'jdbcprops': ('Object m() throws Exception { Properties p=new Properties(); String v=GET; p.setProperty("password", v); return p; }', ''),
    'mongo': ('Object m() { String v=GET; String url = String.format("mongodb://%s:%s@%s:%d/db", "u", v, "h", 1); return url; }', ''),
    'mongo2': ('Object m() { String v=GET; return MongoCredential.createCredential("u","db", v.toCharArray()); }', 'import com.mongodb.*;'),
    'redis': ('Object m(Jedis j) { String v=GET; return j.auth(v); }', 'import redis.clients.jedis.Jedis;'),
    'redis2': ('Object m() { return "redis://:"+GET+"@localhost:6379"; }', ''),
    'redis3': ('Object m() { String v=GET; return RedisURI.Builder.redis("h").withPassword(v.toCharArray()).build(); }', 'import io.lettuce.core.*;'),
    'jaas': ('Object m() { String v=GET; return String.format("org.X required username=\\"%s\\" password=\\"%s\\";", "u", v); }', ''),
    'jaas2': ('static final String T="org.X required username=\\"%s\\" password=\\"%s\\";"; Object m() { String v=GET; return String.format(T, "u", v); }', ''),
    'jaas3': ('Object m() { StringBuilder sb = new StringBuilder(); sb.append("username=\\"u\\""); sb.append(" password=\\""); sb.append(GET); sb.append("\\";"); return sb.toString(); }', ''),
    'jaas4': ('Object m() { return new StringBuilder("x password=\\"").append(GET).append("\\";").toString(); }', ''),
    'ldap': ('void m(Hashtable<String,String> env) { env.put(javax.naming.Context.SECURITY_CREDENTIALS, GET); }', ''),
    'ldap2': ('void m(Hashtable<String,String> env) { env.put(Context.SECURITY_CREDENTIALS, GET); }', 'import javax.naming.*;'),
    'smtp': ('void m(javax.mail.Transport t) throws Exception { String v=GET; t.connect("h", 25, "u", v); }', ''),
    'mf': ('Object m() { return java.text.MessageFormat.format("jdbc:h2:mem;user={0};password={1}", "u", GET); }', ''),
    'formatted': ('Object m() { return "https://x/?access_token=%s".formatted(GET); }', ''),
    'replace': ('Object m() { return "jdbc:x://u:{pw}@h/db".replace("{pw}", GET); }', ''),
    'concat': ('Object m() { return "jdbc:h2:mem;password=".concat(GET); }', ''),
    'mapof': ('Object m() { return Map.of("url", "x", "password", GET); }', ''),
    'lateif': ('String m() { String v=System.getenv("DB_PASSWORD"); if (v == null || v.isEmpty()) return GET; return v; }', ''),
    'two': ('String m() { String v=System.getenv("DB_PASSWORD"); if (v == null) { v = System.getProperty("z"); } if (v == null) { v = GET; } return v; }', ''),
    'opt': ('String m() { return Optional.ofNullable(System.getenv("DB_PASSWORD")).or(() -> Optional.ofNullable(GET)).get(); }', ''),
    'own': ('static String first(String a, String b) { return a != null ? a : b; } String m() { return first(System.getenv("DB_PASSWORD"), GET); }', ''),
    'own2': ('static String pick(String... a) { for (String s : a) if (s != null) return s; return null; } String m() { return pick(System.getenv("DB_PASSWORD"), GET); }', ''),
    'field': ('private String v; A() { this.v = GET; } Object ds(DataSource d) { d.setPassword(v); return d; }', ''),
    'getter': ('private String v=GET; String getV() { return v; } Object ds(DataSource d) { d.setPassword(getV()); return d; }', ''),
    'ctor': ('A(String v) { this.password = v; } String password; static A make() { String z=GET; return new A(z); }', ''),
    'onedeep': ('void conn(String v) { d.setPassword(v); } Ds d; void m() { conn(GET); }', ''),
    'lit': ('void m() { String d="hunter77"; String a=System.getProperty("user.p", d); String b=System.getProperty("db.password", d); }', ''),
    'lit2': ('static final String D="hunter77"; void m() { String a=System.getProperty("user.p", D); String b=System.getProperty("db.password", D); }', ''),
    'vsetter': ('@Value("${user.p:hunter77}") public void setDbPassword(String v) { this.x=v; } String x;', 'import org.springframework.beans.factory.annotation.Value;'),
    'vparam': ('A(@Value("${user.p:hunter77}") String v, Ds d) { d.setPassword(v); }', 'import org.springframework.beans.factory.annotation.Value;'),
    'vbean': ('Object ds(@Value("${user.p:hunter77}") String v) { Ds d=new Ds(); d.setUser("u"); d.setPassword(v); return d; }', 'import org.springframework.beans.factory.annotation.Value;'),
    'vbean2': ('@Value("${user.p:hunter77}") String v; Object ds() { HikariConfig c=new HikariConfig(); c.setPassword(v); return c; }', 'import org.springframework.beans.factory.annotation.Value;'),
    'vurl': ('@Value("${user.p:hunter77}") String v; Object ds() { return "jdbc:mysql://h/db?user=u&password=" + v; }', 'import org.springframework.beans.factory.annotation.Value;'),
    'mp': ('@Inject @ConfigProperty(name="user.p", defaultValue="hunter77") String v; Object h(B b) { return b.header("Authorization", "Bearer " + v); }', 'import org.eclipse.microprofile.config.inject.ConfigProperty; import jakarta.inject.Inject;'),
    'mpopt': ('@Inject void setToken(@ConfigProperty(name="user.p", defaultValue="hunter77") String v) { x=v; } String x;', 'import org.eclipse.microprofile.config.inject.ConfigProperty; import jakarta.inject.Inject;'),
    'ternary': ('String password(boolean b) { return b ? "x" : GET; }', ''),
    'switch': ('String m(int k) { String password = switch (k) { case 1 -> GET; default -> "x"; }; return password; }', ''),
    'try': ('String m() { String pw; try { pw = System.getenv("DB_PASSWORD"); } catch (Exception e) { pw = GET; } return pw; }', ''),
    'trim': ('void m(Ds d) { String v=GET; d.setPassword(v.trim()); }', ''),
    'cipher': ('Object m(Cipher c, String txt) throws Exception { String v=GET; byte[] k=v.getBytes(); c.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(k, "AES")); return c; }', 'import javax.crypto.*; import javax.crypto.spec.*;'),
    'qp': ('Object m(UriComponentsBuilder b) { return b.queryParam("api_key", GET).toUriString(); }', ''),
    'sql': ('Object m(java.sql.Statement s) throws Exception { return s.execute("CREATE USER x IDENTIFIED BY \'"+GET+"\'"); }', ''),
    'pb': ('Object m() { String v=GET; return new ProcessBuilder("mysql", "--password=" + v, "db"); }', ''),
    'envput': ('Object m(ProcessBuilder pb) { pb.environment().put("PGPASSWORD", GET); return pb; }', ''),
    'if_null': ('String m() { String v=System.getenv("DB_PASSWORD"); if (v == null) { v = GET; } return v; }', ''),
    'conditional': ('String m() { String v=System.getProperty("db.password"); return v != null ? v : GET; }', ''),
    'or_else_get': ('String m() { return Optional.ofNullable(System.getProperty("db.password")).orElseGet(() -> GET); }', ''),
    'require_else': ('String m() { return Objects.requireNonNullElse(System.getProperty("db.password"), GET); }', ''),
    'spel': ('@Value("${db.password:#{systemProperties[\'user.p\'] ?: \'hunter77\'}}") String v;', 'import org.springframework.beans.factory.annotation.Value;'),
    'spel_partner': ('@Value("#{systemProperties[\'db.password\'] ?: \'${user.p:hunter77}\'}") String v;', 'import org.springframework.beans.factory.annotation.Value;'),
    'elements': ('String m() { String[] parts = GET.split(":"); String password = parts[1]; return parts[0]; }', ''),
    'array': ('void m(String user) { String[] creds = {user, GET}; u(creds); }', ''),
    'flag_list': ('Object m() { return List.of("mysql", "--password", GET); }', ''),
    'flag_added': ('Object m() { List<String> c = new ArrayList<>(); c.add("mysql"); c.add("--password"); c.add(GET); return c; }', ''),
    'flag_chain': ('Object m(ProcessBuilder b) { b.command().add("--api-key"); b.command().add(GET); return b; }', ''),
    'login_list': ('Object m() { return Arrays.asList("curl", "-u", "me:" + GET, "http://x"); }', ''),
    'glued_list': ('Object m() { return List.of("mysql", "-p" + GET); }', ''),
    'xml': ('Object m() { return "<password>" + GET + "</password>"; }', ''),
    'builder': ('Object m(String e) { return MinioClient.builder().endpoint(e).credentials("a", GET); }', 'import io.minio.MinioClient;'),
    'library_constant': ('Object m(B b) { return b.header(HttpHeaders.AUTHORIZATION, GET); }', 'import org.springframework.http.HttpHeaders;'),
    'elements_of': ('@Value("${user.p:hunter77}") List<String> v; void m(B b) { for (String s : v) { b.add("X-API-KEY", s); } }', 'import org.springframework.beans.factory.annotation.Value;'),
    'equal': ('boolean m(String user, String password) { String expected = GET; return expected.equals(password); }', ''),
    'shared': ('void m() { String d="hunter77"; String v=GET2; String a=v != null ? v : d; String w=System.getenv("DB_PASSWORD"); String b=w != null ? w : d; u(a, b); }', ''),
    'lambda_value': ('Object m(Map<String, String> t) { return t.computeIfAbsent("password", k -> GET); }', ''),
    'method_ref': ('void m(Ds d) { Optional.of(GET).ifPresent(d::setPassword); }', ''),
    'variable_before': ('Object m() { String url = "jdbc:postgresql://h/db?password="; url += GET; return url; }', ''),
}
PLAIN = {
    'beside': ('Object m(J j) { return new J(Cred.of(GET, j.password())); } static class J { J(Optional<Cred> credential) { } String password() { return ""; } } static class Cred { static Optional<Cred> of(String user, String password) { return null; } }', ''),
    'flag_user': ('Object m(String p) { return List.of("mysql", "--user", GET, "--password", p); }', ''),
    'prefix': ('boolean m(String password) { return GET.equals(name); } String name;', ''),
    'port_list': ('Object m() { return List.of("server", "-p", GET); }', ''),
    'name': ('String m() { String name=GET; return "hello "+name; }', ''),
    'host': ('String m() { return "http://"+GET+":8080/x"; }', ''),
    'log': ('void m(Log log) { log.info("user {} logs in with password", GET); }', ''),
    'user': ('Object m(String p) { return "mongodb://"+GET+":"+p+"@h"; }', ''),
    'usr2': ('Object m(String p) throws Exception { return java.sql.DriverManager.getConnection("jdbc:x", GET, p); }', ''),
    'msg': ('void m() { throw new RuntimeException("No password for "+GET); }', ''),
    'db': ('Object m(String p) { return "jdbc:mysql://h/"+GET+"?user=u"; }', ''),
    'sep': ('String m() { String s=GET; return String.join(s, "a", "b"); }', ''),
    "used_again": ('void m(Ds d) { String v=System.getenv("DB_PASSWORD"); d.x(v); v = GET; d.setLabel(v); }', ""),
    "weak_name": ('void m() { throw new Error("java.security.auth.login.config=" + GET + ", a"); }', ""),
    "own_init": ('void m(Object c) { init(c, GET); } void init(Object c, String location) { }', ""),
}
# fmt: on


def shown(case: tuple[str, str]) -> list[str]:
    body, imports = case
    text = CODE % (
        imports,
        body.replace("GET2", 'System.getProperty("user.p")').replace("GET", READ),
    )
    found = session(MemorySystem({"A.java": text})).scan().options.options
    (option,) = (one for one in found if one.name in ("user.p", "'user.p'"))
    return [shown_value(option, default) for default in option.defaults]


@pytest.mark.parametrize("case", SECRET.values(), ids=SECRET)
def test_a_default_that_comes_into_a_secret_is_hidden(case: tuple[str, str]) -> None:
    assert set(shown(case)) == {"(hidden)"}


@pytest.mark.parametrize("case", PLAIN.values(), ids=PLAIN)
def test_another_default_is_shown(case: tuple[str, str]) -> None:
    assert shown(case) == ["hunter77"]


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("jdbc:mysql://h/db?user=u&password=", ""),
        ("mongodb://u:", "@h"),
        ("redis://:", "@h:6379"),
        ("jdbc:oracle:thin:scott/", "@h"),
        ('username="u" password="', '";'),
        ("Bearer ", ""),
        ("<password>", "</password>"),
        ("mysqldump -u root -p", " db"),
        ("jdbc:sqlserver://h:1433;databaseName=a;user=sa;password=", ""),
        ("redis://h:6379?password=", ""),
        ("https://api.example.com?api_key=", "&page=1"),
        ("--password ", ""),
        ("CREATE USER x IDENTIFIED BY '", "'"),
    ],
)
def test_constants_make_a_secret_of_what_stands_between(before: str, behind: str) -> None:
    assert is_secret_between(before, behind)


@pytest.mark.parametrize(
    ("before", "behind"),
    [
        ("", ""),
        ("mongodb://", ":x@h"),
        ("http://x:", "/p"),
        ("<user>", "</user>"),
        ("server -p", ""),
        ("db.password", ""),
        ("No password for ", ""),
        ("jdbc:sqlserver://h:1433;databaseName=", ";user=sa"),
        ("https://api.example.com?page=", ""),
        ("java.security.auth.login.config=", ""),
        ("jdbc:mysql://h/", "?user=u"),
    ],
)
def test_other_constants_do_not(before: str, behind: str) -> None:
    assert not is_secret_between(before, behind)


def test_places_of_arguments_are_counted_or_numbered() -> None:
    assert around("mongodb://%s:%s@h", 1) == ("mongodb://x:", "@h")
    assert around("%2$s=%1$s", 0) == ("x=", "")
    assert around("{0};p={1}", 1) == ("x;p=", "")
    assert around("{} {}", 2) is None
