import { test } from 'node:test';
import { onSetup } from './support/setups.ts';
import { clusterBody, newProject } from './support/stage.ts';

onSetup('SQLite, one instance', 'scratch', (setup) => {
  for (const who of ['owner', 'account'] as const) test(`tight ${who}`, async () => {
    const project = await newProject(setup);
    await setup[who].post(`${project}/clusters`, clusterBody('c'));
    const start = Date.now();
    let n = 0;
    for (;; n++) {
      const r = await setup[who].get(`${project}/clusters/c`);
      if (r.json().stateName === 'IDLE') break;
      await new Promise((r) => setTimeout(r, 50));
      if (Date.now() - start > 12000) { console.log('LATE'); break; }
    }
    console.log(who, n, Date.now() - start);
    const r1 = await setup.account.get(`${project}/clusters/c`);
    console.log('at once', r1.json().stateName);
    await new Promise((r) => setTimeout(r, 300));
    const r2 = await setup.account.get(`${project}/clusters/c`);
    console.log('later', r2.json().stateName, JSON.stringify((await setup.account.get(`${project}/events`)).json().results.map((e: any) => [e.eventTypeName, e.created])), new Date(start).toISOString());
    console.log(setup.instances[0]?.log().split('\n').filter((l) => !l.includes('getCluster')).slice(-12).join('\n'));
    const { readFileSync } = await import('node:fs');
    console.log(readFileSync(setup.instances[0]!.dataDirectory + '/engine/host.stderr', 'utf8'));
  });
});
