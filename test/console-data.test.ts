import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { accessibilityFaults } from './support/accessibility.ts';
import { browserTests, replaceText } from './support/console.ts';
import { expectStatus } from './support/expect.ts';
import { own } from './support/setups.ts';
import { newCluster, newProject } from './support/stage.ts';

own.onOneSetup('SQLite, one instance', 'the documents of a cluster in a browser', (setup) => {
  const inBrowser = browserTests(setup);

  inBrowser('are inserted, found, edited, aggregated, explained, indexed and deleted', async (console) => {
    const { page, errors, open, press, fill } = console;
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'harbour');
    const dialog = page.getByRole('dialog');
    const save = (name: string) => dialog.getByRole('button', { name, exact: true }).click();
    const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);

    await open(`/projects${project.slice('/groups'.length)}/data`, 'Data');
    await page.getByText('A database appears with its first document').or(page.getByRole('table')).waitFor();
    await press('New collection');
    await fill('Database', 'shop');
    await fill('Collection', 'ships & boats');
    await save('Open');
    await page.getByText('No document matches.').waitFor();

    await press('Insert document');
    const ships = [
      { _id: 1, name: '<img src=x onerror=alert(1)>', tons: { $numberDouble: '5.0' } },
      { _id: 2, name: 'Aurora', tons: 7.5 },
    ];
    await fill('Document', JSON.stringify(ships));
    await save('Insert');
    await page.getByText('"Aurora"').waitFor();
    assert.equal(await page.locator('img[src=x]').count(), 0);
    await sound();

    await fill('Filter', '{"name": "Aurora"');
    // The editor reports a change after the page has processed the input.
    await page.getByRole('button', { name: 'Find', exact: true, disabled: true }).waitFor();
    await fill('Filter', '{"tons": {"$gt": 5}}');
    await press('Explain');
    await page.getByText('COLLSCAN').waitFor();
    await page.getByText('<img').waitFor({ state: 'detached' });

    await press('Edit…');
    const document = dialog.getByRole('textbox', { name: 'Document' });
    await replaceText(document, '{"_id": 2, "tons": {"$numberDouble": "9.0"}, "name": "Krasin", "crew": 5}');
    await sound();
    await save('Save');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(/"tons": .*\n *"name": "Krasin",\n *"crew": 5/).waitFor();

    await page.getByRole('button', { name: 'Edit…' }).last().click();
    const numbered =
      '{"_id": 2, "tons": {"$numberDouble": "9.0"}, "name": "Krasin", "20": {"b": 1, "1": 2}, "3": 3}';
    await replaceText(document, numbered);
    await save('Save');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('"20": ').waitFor();
    await page.getByRole('button', { name: 'Edit…' }).last().click();
    const edited = dialog.getByRole('textbox', { name: 'Document' });
    assert.match(await edited.innerText(), /"name"[\s\S]*"20"[\s\S]*"b"[\s\S]*"1"[\s\S]*"3"/);
    await replaceText(edited, (await edited.innerText()).replace('"Krasin"', '"Lenin"'));
    await save('Save');
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('"Lenin"').waitFor();
    const find = { database: 'shop', command: { find: 'ships & boats', filter: { _id: 2 } } };
    const plain = (await setup.owner.post(`${cluster}/commands`, find)).text;
    assert.match(plain, /"name":"Lenin","20":\{"b":1,"1":2\},"3":3\}/);
    const indented = (await setup.owner.post(`${cluster}/commands?pretty=true`, find)).text;
    assert.match(indented, /"name" : [\s\S]*"20" : [\s\S]*"b" : [\s\S]*"1" : [\s\S]*"3" : /);

    await page.getByRole('tab', { name: 'Indexes' }).click();
    await press('Create index');
    await fill('Key', '{"tons": -1, "name": 1}');
    await save('Create');
    await page.getByRole('cell', { name: 'tons_-1_name_1', exact: true }).waitFor();
    await page.getByRole('cell', { name: '{"tons":-1,"name":1}', exact: true }).waitFor();
    await sound();

    await page.getByRole('tab', { name: 'Aggregation' }).click();
    await fill('Stage 1 as JSON', '{"$group": {"_id": null, "sum": {"$sum": "$tons"}}}');
    await press('Show results after stage 1');
    await page.getByText('"14.0"').waitFor();
    await press('Explain');
    const plan = page.getByRole('region', { name: 'Plan' });
    await plan.getByText('{"_id":null,"sum":{"$sum":"$tons"}}').waitFor();
    await plan.getByText('$group', { exact: true }).waitFor();
    await plan.getByText('COLLSCAN').first().waitFor();
    await sound();
    await press('Add stage');
    await fill('Stage 2 as JSON', '{"$sail": {}}');
    await press('Show results after stage 2');
    await page
      .getByText(/Unrecognized pipeline stage name/)
      .first()
      .waitFor();
    await sound();

    await page.getByRole('tab', { name: 'Documents' }).click();
    await page.getByText('"Lenin"').waitFor();
    await page.getByRole('button', { name: 'Delete…' }).last().click();
    await save('Delete');
    await page.getByText('"Lenin"').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('<img').waitFor();
    const left = await setup.owner.post(`${cluster}/commands`, {
      database: 'shop',
      command: { find: 'ships & boats' },
    });
    const { reply } = expectStatus<{ reply: { cursor: { firstBatch: unknown } } }>(left, 200);
    assert.deepEqual(reply.cursor.firstBatch, ships.slice(0, 1));
    assert.deepEqual(
      errors.filter((text) => !text.includes('status of 400')),
      [],
    );
  });

  inBrowser('are found again by the address of a query', async ({ page, errors, open, press, fill }) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'harbour');
    const documents = [
      { _id: 1, name: 'Aurora', code: '50% #1 & ä+b?', tons: 1 },
      { _id: 2, name: 'Krasin', code: 'plain', tons: 2 },
    ];
    const insertion = { database: 'shop', command: { insert: 'ships', documents } };
    expectStatus(await setup.owner.post(`${cluster}/commands`, insertion), 200);
    /** Expects that a page shows the first ship and not the second one. */
    const expectShip = async (view: Page, shown: string, other: string) => {
      await view.getByText(`"${shown}"`).waitFor();
      await view.getByText(`"${other}"`).waitFor({ state: 'detached' });
    };
    await open(`/projects${project.slice('/groups'.length)}/data/harbour/shop/ships`, 'Data');
    await fill('Filter', '{"code": "50% #1 & ä+b?"}');
    await fill('Projection', '{"name": 1}');
    await fill('Limit', '7');
    await press('Find');
    await expectShip(page, 'Aurora', 'Krasin');
    await fill('Filter', '{"code": "plain"}');
    await press('Find');
    await expectShip(page, 'Krasin', 'Aurora');
    await page.goBack();
    const copy = await page.context().newPage();
    await copy.goto(page.url());
    for (const view of [page, copy]) {
      await expectShip(view, 'Aurora', 'Krasin');
      const field = (name: string) => view.getByRole('textbox', { name, exact: true });
      await field('Filter').filter({ hasText: '{"code": "50% #1 & ä+b?"}' }).waitFor();
      await field('Projection').filter({ hasText: '{"name": 1}' }).waitFor();
      assert.equal(await field('Limit').inputValue(), '7');
    }

    await fill('Filter', '{}');
    await fill('Sort', '{"tons": -1}');
    await fill('Limit', '1');
    await press('Find');
    await expectShip(page, 'Krasin', 'Aurora');
    await press('Next');
    await expectShip(page, 'Aurora', 'Krasin');
    await page.reload();
    await expectShip(page, 'Aurora', 'Krasin');
    await press('Previous');
    await expectShip(page, 'Krasin', 'Aurora');
    assert.deepEqual(errors, []);
  });

  inBrowser('displays long lists by pages', async ({ page, errors, open }) => {
    const project = await newProject(setup);
    const addresses = Array.from({ length: 150 }, (_, index) => ({ ipAddress: `198.51.100.${index}` }));
    expectStatus(await setup.owner.post(`${project}/accessList`, addresses), 201);
    const path = `/projects${project.slice('/groups'.length)}`;
    const pages = (list: string) => page.getByRole('navigation', { name: `Pages of ${list}` });
    const sound = async () => assert.deepEqual(await accessibilityFaults(page), []);
    for (const [title, list] of [
      ['Database access', 'addresses'],
      ['Events', 'events'],
    ] as const) {
      await open(`${path}/${list === 'events' ? 'events' : 'access'}`, title);
      const rows = page.getByRole('table', { name: list, exact: false }).getByRole('row');
      await rows.nth(100).waitFor();
      assert.equal(await rows.count(), 101);
      await sound();
      await pages(list).getByRole('button', { name: 'Go to next page' }).click();
      await rows.nth(100).waitFor({ state: 'detached' });
      // While the next page is loaded, the table may be empty.
      await rows.nth(50).waitFor();
      await sound();
    }
    assert.deepEqual(errors, []);
  });

  inBrowser('of a paused cluster are shown after it is resumed', async ({ page, errors, open }) => {
    const project = await newProject(setup);
    const cluster = await newCluster(setup, project, 'asleep');
    expectStatus(await setup.owner.patch(cluster, { paused: true }), 200);
    await open(`/projects${project.slice('/groups'.length)}/data`, 'Data');
    await page.getByText('The cluster is paused.').waitFor();
    await page.getByRole('link', { name: 'Resume it' }).click();
    await page.getByRole('heading', { name: 'asleep', level: 1 }).waitFor();
    assert.deepEqual(errors, []);
  });
});
