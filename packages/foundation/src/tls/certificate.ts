import { X509Certificate } from 'node:crypto';
import type { MachineClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';

/** A certificate and its private key, both PEM, with the names that `node:tls` uses. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Provides the certificate that a server presents. The certificate can be replaced while the server runs. */
export interface CertificateSource {
  current(): Certificate;
  /** Calls `listener` with each later certificate, for `server.setSecureContext`. */
  onChange(listener: (certificate: Certificate) => void): void;
  close(): Promise<void>;
}

export const HOUR_MS = 3_600_000;

/**
 * Creates a source that calls `refresh` every hour of machine time, or every `interval` milliseconds. `refresh` returns
 * the same certificate if nothing has changed.
 */
export function certificateSource(
  first: Certificate,
  parts: {
    machine: MachineClock;
    log: Log;
    refresh: (certificate: Certificate) => Promise<Certificate>;
    interval?: number;
  },
): CertificateSource {
  const { machine, log, refresh, interval = HOUR_MS } = parts;
  const listeners: Array<(certificate: Certificate) => void> = [];
  let certificate = first;

  async function replace(signal: AbortSignal): Promise<void> {
    const next = await refresh(certificate);
    if (signal.aborted || next === certificate) return;
    certificate = next;
    log.info({ validTo: new X509Certificate(next.cert).validTo }, 'serving with a new certificate');
    for (const listener of listeners) listener(next);
  }

  const renewing = repeat({
    machine,
    run: replace,
    interval,
    onError: (error) => log.error({ reason: error.message }, 'the certificate could not be renewed'),
  });
  return {
    current: () => certificate,
    onChange: (listener) => void listeners.push(listener),
    close: () => renewing.stop(),
  };
}

/** Returns the end of a certificate's validity, in milliseconds since the epoch. */
export function expiryOf(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}
