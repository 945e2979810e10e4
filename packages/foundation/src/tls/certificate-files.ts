import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { MachineClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { type Certificate, type CertificateSource, certificateSource } from './certificate.ts';

/** The error for invalid certificate files. The message is one sentence that names the file. */
class CertificateError extends Error {
  override readonly name = 'CertificateError';
}

export interface CertificateFiles {
  /** A PEM file with the certificate of the server, followed by the intermediate certificates. */
  readonly certFile: string;
  /** A PEM file with the private key of the server, without a passphrase. */
  readonly keyFile: string;
}

/** Provides the certificate in the files, and a new one when the files change. Throws `CertificateError`. */
export async function openCertificateFiles(
  files: CertificateFiles,
  parts: { machine: MachineClock; log: Log },
): Promise<CertificateSource> {
  const first = await readCertificate(files);
  warnIfInvalid(files, first, parts);
  return certificateSource(first, {
    ...parts,
    async refresh(present) {
      const read = await readCertificate(files);
      const same = read.cert === present.cert && read.key === present.key;
      warnIfInvalid(files, read, parts);
      return same ? present : read;
    },
  });
}

/** Reads the certificate in the files. Throws `CertificateError`. */
export async function readCertificate({ certFile, keyFile }: CertificateFiles): Promise<Certificate> {
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
    throw new CertificateError(`The file ${file} does not contain ${what}`, { cause });
  }
}

/**
 * Logs a warning if the certificate is invalid. The certificate is still used, because some clients do not check it.
 */
function warnIfInvalid(
  files: CertificateFiles,
  { cert }: Certificate,
  parts: { machine: MachineClock; log: Log },
): void {
  const { validFrom, validTo } = new X509Certificate(cert);
  const now = parts.machine.now();
  const fields = { file: files.certFile, validFrom, validTo };
  if (Date.parse(validTo) < now) parts.log.warn(fields, 'the TLS certificate has expired');
  else if (Date.parse(validFrom) > now) parts.log.warn(fields, 'the TLS certificate is not valid yet');
}
