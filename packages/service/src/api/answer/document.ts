import { nextTurn } from '@portolan/foundation/next-turn';
import { Turns } from '@portolan/foundation/turns';
import type { Page, PageRequest } from '../../store/page.ts';
import { entityRule } from '../entity.ts';
import { NO_DOCUMENT } from '../operation.ts';
import type { LinkContext, Links } from '../routes/links.ts';
import type { OperationVersion } from '../routes/operation-version.ts';
import type { LinksOf } from '../schema/presenter.ts';
import { weightOf } from './json-pieces.ts';
import { type ListAddress, pageLinks } from './page-links.ts';
import type { Document } from './written.ts';

/** Everything on which a response depends, apart from the handler's result. */
export interface AnswerContext {
  readonly links: Links;
  readonly at: LinkContext;
  readonly list: ListAddress;
  readonly page: PageRequest;
}

/**
 * Converts a handler's result to the document of a response, in the shape of the requested version: adds links and
 * masks secrets. Returns undefined for a response without a body.
 */
export async function documentOf(
  served: OperationVersion,
  answer: unknown,
  context: AnswerContext,
): Promise<Document | undefined> {
  const { shape, operation } = served;
  const status = shape?.status;
  if (answer === NO_DOCUMENT) return undefined;
  // An empty response is `{}` if the status allows a body (docs/contract/clusters.md 1.1).
  if (shape?.reply === undefined) return status === 204 ? undefined : { kind: 'whole', value: {} };
  const present = entityPresenter(served, context);
  if (operation.list === 'array') {
    const items = answer as readonly unknown[];
    return { kind: 'whole', value: await presented(items, present) };
  }
  if (operation.list === 'page')
    return { kind: 'list', value: await wrapped(answer as Page<unknown>, context, present) };
  return { kind: 'whole', value: await presentedWhole(answer, present) };
}

type PresentEntity = (entity: unknown, alone: boolean, later?: LinksOf['later']) => unknown;

/** Presents one document. Long lists in it are presented in parts, with pauses for other requests. */
async function presentedWhole(answer: unknown, present: PresentEntity): Promise<unknown> {
  const lists: { readonly count: number; readonly fill: (from: number, to: number) => void }[] = [];
  const value = present(answer, true, (count, fill) => lists.push({ count, fill }));
  // `fill` can find further lists in the items. They are added to the end of `lists`, and this loop reaches them, too.
  for (const { count, fill } of lists) {
    for (let from = 0; from < count; from += TURN_ITEMS) {
      await nextTurn();
      fill(from, from + TURN_ITEMS);
    }
  }
  return value;
}

async function wrapped(page: Page<unknown>, { list, page: request }: AnswerContext, present: PresentEntity) {
  return {
    links: pageLinks(list, request, page),
    results: await presented(page.results, present),
    ...(request.includeCount && page.totalCount !== undefined ? { totalCount: page.totalCount } : {}),
  };
}

/**
 * Number of entities that are presented without a pause for other requests. Presenting them takes at most a few
 * milliseconds.
 */
const TURN_ITEMS = 100;

/** The cost of presenting an entity of any size (`Turns`). */
const ITEM_COST = 1000 / TURN_ITEMS;

async function presented(items: readonly unknown[], present: PresentEntity): Promise<unknown[]> {
  const made: unknown[] = [];
  const turns = new Turns();
  for (const item of items) {
    made.push(present(item, false));
    await turns.take(Math.max(ITEM_COST, weightOf(item)));
  }
  return made;
}

/**
 * Returns a function that converts an entity to its document. Links are usually derived from the entity in the
 * operation's own shape. If the requested version returns another kind of entity, with another address, links are
 * derived from that entity.
 */
function entityPresenter(served: OperationVersion, { links, at }: AnswerContext): PresentEntity {
  const { shape, operation, present } = served;
  const rule = operation.reply && entityRule(operation.reply);
  const versionRule = shape?.reply && entityRule(shape.reply);
  const isOtherKind = versionRule !== undefined && versionRule.name !== rule?.name;
  const write = shape?.change?.write as ((entity: unknown) => unknown) | undefined;
  const linksOf: LinksOf = (inner, entity) => links.self(inner, entity, at);
  return (entity, alone, later) => {
    const document = write ? write(entity) : entity;
    const [of, source] = isOtherKind ? [versionRule, document] : [rule, entity];
    const own = of && (alone ? links.all(of, source, at) : links.self(of, source, at));
    const deferring =
      later && Object.assign<LinksOf, Pick<LinksOf, 'later'>>((...of) => linksOf(...of), { later });
    return present(document, deferring ?? linksOf, own);
  };
}
