import { webcrypto } from 'node:crypto';
import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const HOUR_MS = 3_600_000;
const algorithm = { name: 'ECDSA', namedCurve: 'P-256' };

const ipNames = (addresses: readonly string[]) => addresses.map((value) => ({ type: 'ip', value }) as const);

/**
 * Creates a certificate authority, a certificate that it has signed, and the key of the certificate, all as PEM texts.
 * The certificate is valid for servers at `addresses`.
 */
export async function customerCertificate(subject: string, addresses: readonly string[] = []) {
  const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const [keys, own] = await Promise.all([newKeys(), newKeys()]);
  const signing = { signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' } };
  const notBefore = new Date(Date.now() - HOUR_MS);
  const validity = { notBefore, notAfter: new Date(Date.now() + HOUR_MS) };
  const name = 'CN=Customer authority';
  const authority = await X509CertificateGenerator.createSelfSigned({
    name,
    keys,
    ...validity,
    ...signing,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  });
  const certificate = await X509CertificateGenerator.create({
    subject,
    issuer: name,
    publicKey: own.publicKey,
    signingKey: keys.privateKey,
    ...validity,
    ...signing,
    extensions: addresses.length === 0 ? [] : [new SubjectAlternativeNameExtension(ipNames(addresses))],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
  return {
    authority: `${authority.toString('pem')}\n`,
    certificate: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${key.match(/.{1,64}/g)?.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}
