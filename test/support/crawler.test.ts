import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crawl } from './crawler.ts';
import { harbourDocuments } from './harbour.ts';

const link = (path: string) => ({ href: `https://127.0.0.1:8443${path}`, rel: 'x' });

const found = (document: object) => ({ status: 200, text: JSON.stringify(document) });

/**
 * Returns a service whose responses contain nothing but links. `pages` maps each path to the paths that it links to.
 */
function service(pages: Record<string, readonly string[]>) {
  const fetched: string[] = [];
  const get = async (path: string) => {
    fetched.push(path);
    const name = /^\/api\/service\/openapi\/(.+)\.json$/.exec(path)?.[1];
    if (name !== undefined) {
      const document = harbourDocuments[name];
      return document ? found(document) : { status: 404, text: '' };
    }
    const paths = pages[path];
    return paths ? found({ inner: [{ links: paths.map(link) }] }) : { status: 404, text: '{}' };
  };
  return { get, fetched };
}

const v1 = '/api/service/v1.0';
const v2 = '/api/service/v2';

describe('crawler', () => {
  it('lists reachable and unreachable operations by path family', async () => {
    const { get } = service({
      [v1]: [],
      [v2]: [v2, `${v2}/ships`],
      [`${v2}/ships`]: [`${v2}/ships?pageNum=2`, `${v2}/ships/Elida`],
      [`${v2}/ships?pageNum=2`]: [],
      [`${v2}/ships/Elida`]: [],
    });
    const { reached, missed, broken } = await crawl({ get });
    assert.deepEqual([...(reached.get(v2) ?? [])], ['getRoot', 'listShips', 'getShip']);
    assert.deepEqual(missed, ['v1.0 listShips', 'v1.0 getShip', 'v1.0 getFleetSize', 'v2 getFleetSize']);
    assert.deepEqual(broken, []);
  });

  it('visits no path twice, and only some paths of each template', async () => {
    const ships = Array.from({ length: 9 }, (_, index) => `${v2}/ships/${index}`);
    const { get, fetched } = service({
      [v1]: [],
      [v2]: [...ships, ...ships],
      ...Object.fromEntries(ships.map((ship) => [ship, [v2]])),
    });
    await crawl({ get, perTemplate: 4 });
    assert.deepEqual(
      fetched.filter((path) => path.startsWith(v2)),
      [v2, ...ships.slice(0, 4)],
    );
  });

  it('reports broken links', async () => {
    const { get } = service({ [v1]: [], [v2]: [`${v2}/ships/Gone`, '/elsewhere'] });
    const { broken } = await crawl({ get });
    assert.deepEqual(broken, [`${v2}/ships/Gone answers 404`, '/elsewhere is no operation']);
  });

  it('stops at a service with endless links', async () => {
    let made = 0;
    const endless = new Proxy({} as Record<string, readonly string[]>, {
      get: () => [`${v2}/ships/${++made}`],
    });
    const { get } = service(endless);
    await assert.rejects(
      crawl({ get, perTemplate: 1000, atMost: 50 }),
      /More than 50 addresses; the last was/,
    );
  });
});
