import type { Page, PageRequest } from '../../store/page.ts';
import { entityRule } from '../entity.ts';
import { NO_DOCUMENT } from '../operation.ts';
import type { Served } from '../routes/served.ts';
import type { LinksOf } from '../schema/presenter.ts';
import type { Links, Standpoint } from './links.ts';
import { type ListAddress, pageLinks } from './page-links.ts';
import type { Document } from './written.ts';

/** What the form of an answer depends on besides what the handler said. */
export interface Setting {
  readonly links: Links;
  readonly at: Standpoint;
  readonly list: ListAddress;
  readonly page: PageRequest;
}

/** Links, masks and the shape of the version, put on what a handler answered; nothing for an empty answer. */
export function documentOf(served: Served, answer: unknown, setting: Setting): Document | undefined {
  const { shape, operation } = served;
  const status = shape?.status;
  if (answer === NO_DOCUMENT) return undefined;
  // An answer without a document is `{}` wherever the status allows a body (behaviour reference, clusters, 1.1).
  if (shape?.reply === undefined) return status === 204 ? undefined : { kind: 'whole', value: {} };
  const present = entityPresenter(served, setting);
  if (operation.list === 'array') {
    const items = answer as readonly unknown[];
    return { kind: 'whole', value: items.map((item) => present(item, false)) };
  }
  if (operation.list === 'page')
    return { kind: 'list', value: wrapped(answer as Page<unknown>, setting, present) };
  return { kind: 'whole', value: present(answer, true) };
}

type PresentEntity = (entity: unknown, alone: boolean) => unknown;

function wrapped(page: Page<unknown>, { list, page: request }: Setting, present: PresentEntity) {
  return {
    links: pageLinks(list, request, page),
    results: page.results.map((item) => present(item, false)),
    ...(request.includeCount && page.totalCount !== undefined ? { totalCount: page.totalCount } : {}),
  };
}

/**
 * Links are read off the entity in the operation's own shape, unless the version answers an entity of another kind,
 * which has a place of its own.
 */
function entityPresenter(served: Served, { links, at }: Setting): PresentEntity {
  const { shape, operation, present } = served;
  const rule = operation.reply && entityRule(operation.reply);
  const versionRule = shape?.reply && entityRule(shape.reply);
  const isOtherKind = versionRule !== undefined && versionRule.name !== rule?.name;
  const write = shape?.change?.write as ((entity: unknown) => unknown) | undefined;
  const linksOf: LinksOf = (inner, entity) => links.self(inner, entity, at);
  return (entity, alone) => {
    const document = write ? write(entity) : entity;
    const [of, source] = isOtherKind ? [versionRule, document] : [rule, entity];
    const own = of && (alone ? links.all(of, source, at) : links.self(of, source, at));
    return present(document, linksOf, own);
  };
}
