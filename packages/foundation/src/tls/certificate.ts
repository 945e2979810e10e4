import { X509Certificate } from 'node:crypto';
import type { MachineClock } from '../clock.ts';
import type { Log } from '../log.ts';
import { repeat } from '../repeat.ts';

/** A certificate with its key, both PEM, named as `node:tls` takes them. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** What a server presents, kept up to date while it runs. */
export interface CertificateSource {
  current(): Certificate;
  /** Calls `listener` with every later certificate: for `server.setSecureContext`. */
  onChange(listener: (certificate: Certificate) => void): void;
  close(): Promise<void>;
}

export const HOUR_MS = 3_600_000;

/**
 * Asks `refresh` every hour of machine time, or every so many milliseconds; it answers the present certificate when
 * nothing is to change.
 */
export function certificateSource(
  first: Certificate,
  parts: {
    machine: MachineClock;
    log: Log;
    refresh: (present: Certificate) => Promise<Certificate>;
    interval?: number;
  },
): CertificateSource {
  const { machine, log, refresh, interval = HOUR_MS } = parts;
  const listeners: Array<(certificate: Certificate) => void> = [];
  let present = first;

  async function replace(signal: AbortSignal): Promise<void> {
    const next = await refresh(present);
    if (signal.aborted || next === present) return;
    present = next;
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
    current: () => present,
    onChange: (listener) => void listeners.push(listener),
    close: () => renewing.stop(),
  };
}

/** Milliseconds since the epoch after which a certificate is void. */
export function expiryOf(certificate: string): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}
