import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { nkeys } from '@nats-io/transport-node';

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** An authority and certificates that it signed, for 127.0.0.1. */
export function makeCertificates(dir: string) {
  const openssl = (...argv: string[]) => execFileSync('openssl', argv, { cwd: dir, stdio: 'ignore' });
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl(
    'req',
    '-x509',
    ...curve,
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
    '-days',
    '2',
    '-subj',
    '/CN=test authority',
  );
  fs.writeFileSync(path.join(dir, 'ext'), 'subjectAltName=IP:127.0.0.1\n');
  for (const name of ['server', 'client']) {
    openssl('req', ...curve, '-keyout', `${name}.key`, '-out', `${name}.csr`, '-subj', `/CN=${name}`);
    const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'ext', '-days', '2'];
    openssl('x509', '-req', '-in', `${name}.csr`, ...signed, '-out', `${name}.pem`);
  }
  const at = (file: string) => path.join(dir, file);
  return {
    ca: at('ca.pem'),
    server: { cert: at('server.pem'), key: at('server.key') },
    client: { cert: at('client.pem'), key: at('client.key') },
  };
}

/** The seed of a new nkey in a file, and the public key for the configuration of the server. */
export function makeNkey(file: string): string {
  const pair = nkeys.createUser();
  fs.writeFileSync(file, pair.getSeed(), { mode: 0o600 });
  return pair.getPublicKey();
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const unlimited = { subs: -1, data: -1, payload: -1 };

/** A server configuration with an operator and an account, and credentials files for users, as `nsc` makes them. */
export function makeOperator() {
  const operator = nkeys.createOperator();
  const account = nkeys.createAccount();
  const limits = {
    ...unlimited,
    imports: -1,
    exports: -1,
    wildcards: true,
    conn: -1,
    leaf: -1,
    mem_storage: -1,
    disk_storage: -1,
  };
  const system = nkeys.createAccount();
  const accountJwt = (own: KeyPair, name: string, given: object) =>
    sign(operator, own, name, { type: 'account', version: 2, limits: given });
  const operatorJwt = sign(operator, operator, 'test', {
    type: 'operator',
    version: 2,
    system_account: system.getPublicKey(),
  });
  const { mem_storage: _, disk_storage: __, ...systemLimits } = limits;
  const config = `operator: ${operatorJwt}
    system_account: ${system.getPublicKey()}
    resolver: MEMORY
    resolver_preload: {
      ${account.getPublicKey()}: ${accountJwt(account, 'unstuck', limits)}
      ${system.getPublicKey()}: ${accountJwt(system, 'SYS', systemLimits)}
    }`;
  const credentials = (issuer: KeyPair) => {
    const user = nkeys.createUser();
    const jwt = sign(issuer, user, 'member', { type: 'user', version: 2, ...unlimited });
    const part = (name: string, content: string) =>
      `-----BEGIN ${name}-----\n${content}\n------END ${name}------\n`;
    return part('NATS USER JWT', jwt) + part('USER NKEY SEED', text(user.getSeed()));
  };
  return { config, known: () => credentials(account), stranger: () => credentials(nkeys.createAccount()) };
}

/** https://github.com/nats-io/jwt: a JWT with the algorithm ed25519-nkey. */
function sign(issuer: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const claims = { iat: 1_700_000_000, iss: issuer.getPublicKey(), name, sub: subject.getPublicKey(), nats };
  const jti = createHash('sha256').update(JSON.stringify(claims)).digest('hex');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const body = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...claims, jti })}`;
  return `${body}.${Buffer.from(issuer.sign(Buffer.from(body))).toString('base64url')}`;
}
