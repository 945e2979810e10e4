import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MachineClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Certificate, type CertificateSource, certificateSource } from './certificate.ts';

/** What is wrong with a person's own certificate, in one sentence that names the file. */
class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

export interface OwnFiles {
  /** PEM: the server's certificate first, then those between it and its authority. */
  readonly certFile: string;
  /** PEM, without a passphrase. */
  readonly keyFile: string;
}

/** Serves with a person's own certificate; when the files change, so does what is served. Throws CertificateError. */
export async function openOwnCertificate(
  files: OwnFiles,
  parts: { machine: MachineClock; log: Log },
): Promise<CertificateSource> {
  const first = await readOwnCertificate(files);
  warnWhenVoid(files, first, parts);
  return certificateSource(first, {
    ...parts,
    async refresh(present) {
      const read = await readOwnCertificate(files);
      const same = read.cert === present.cert && read.key === present.key;
      warnWhenVoid(files, read, parts);
      return same ? present : read;
    },
  });
}

async function readOwnCertificate({ certFile, keyFile }: OwnFiles): Promise<Certificate> {
  const cert = await readText(certFile, 'certificate');
  const key = await readText(keyFile, 'key');
  const certificate = parse(certFile, 'a certificate in PEM', () => new X509Certificate(cert));
  const privateKey: KeyObject = parse(keyFile, 'a private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new CertificateError(`The TLS key in ${keyFile} does not belong to the certificate in ${certFile}`);
  }
  return { cert, key };
}

async function readText(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? ` (${String(cause.code)})` : '';
    throw new CertificateError(`The TLS ${what} file ${file} cannot be read${reason}`, { cause });
  }
}

function parse<T>(file: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CertificateError(`The file ${file} does not hold ${what}`, { cause });
  }
}

/** A void certificate is served nevertheless: clients that do not check it go on working. */
function warnWhenVoid(
  files: OwnFiles,
  { cert }: Certificate,
  parts: { machine: MachineClock; log: Log },
): void {
  const { validFrom, validTo } = new X509Certificate(cert);
  const now = parts.machine.now();
  const fields = { file: files.certFile, validFrom, validTo };
  if (Date.parse(validTo) < now) parts.log.warn(fields, 'the TLS certificate has expired');
  else if (Date.parse(validFrom) > now) parts.log.warn(fields, 'the TLS certificate is not valid yet');
}
