import type { Mount, MountAnswer } from '../mounts.ts';
import type { Metrics } from './metrics.ts';

const headers = { 'cache-control': 'no-store' };

function report(status: number, document: object): MountAnswer {
  return { status, headers, body: '', document };
}

/** Endpoints for monitoring the service: liveness, readiness and metrics. */
export function healthMounts(metrics: Metrics, trouble: () => Promise<string | undefined>): readonly Mount[] {
  return [
    { id: 'healthz', method: 'GET', path: '/healthz', handle: async () => report(200, { status: 'ok' }) },
    {
      id: 'readyz',
      method: 'GET',
      path: '/readyz',
      async handle() {
        const reason = await trouble();
        return reason === undefined
          ? report(200, { status: 'ready' })
          : report(503, { reason, status: 'not ready' });
      },
    },
    {
      id: 'metrics',
      method: 'GET',
      path: '/metrics',
      async handle() {
        const { contentType, body } = await metrics.text();
        return { status: 200, headers: { 'content-type': contentType, ...headers }, body };
      },
    },
  ];
}
