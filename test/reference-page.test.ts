import assert from 'node:assert/strict';
import { browserTests } from './support/console.ts';
import { own } from './support/setups.ts';

/** The page of all operations is compressed to less than this. */
const MAX_BYTES = 200_000;
/** Maximum number of articles that are laid out: more than those in the window and near its edges. */
const FEW = 40;

interface Measured {
  /** The number of bytes that the browser has received. */
  readonly bytes: number;
  /** The distance of an operation to the top of the window. */
  readonly top: number;
  /** The number of articles whose content is laid out, and of all articles. */
  readonly laidOut: number;
  readonly all: number;
}

own.onOneSetup('SQLite, one instance', 'the reference page in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser('is small, and lays out only the operations that are shown', async ({ page, errors }) => {
    await page.goto(`${setup.bootstrap.url}/api/service/docs#op-createCluster`);
    const article = page.locator('#op-createCluster');
    await article.getByText('POST').first().waitFor();
    const { bytes, top, laidOut, all } = await page.evaluate<Measured>(`(() => {
      const articles = [...document.querySelectorAll('article')];
      return {
        bytes: performance.getEntriesByType('navigation')[0].transferSize,
        top: document.getElementById('op-createCluster').getBoundingClientRect().top,
        laidOut: articles.filter((one) =>
          one.firstElementChild.checkVisibility({ contentVisibilityAuto: true })).length,
        all: articles.length,
      };
    })()`);
    assert.ok(bytes > 0 && bytes < MAX_BYTES, `${bytes} bytes`);
    assert.ok(Math.abs(top) < 50, `the operation is ${top} pixels below the top`);
    assert.ok(laidOut > 0 && laidOut < FEW && all > 10 * FEW, `${laidOut} of ${all} articles`);
    await page.getByLabel('Search operations').fill('cluster');
    await page.getByText(/^\d+ operations$/).waitFor();
    assert.equal(await page.locator('#op-createAlertConfiguration').isVisible(), false);
    assert.deepEqual(errors, []);
  });
});
