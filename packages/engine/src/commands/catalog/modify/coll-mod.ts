import { encodeDocument } from '../../../bson/encode.ts';
import { RawDocument } from '../../../bson/raw.ts';
import { ServerError } from '../../../errors/server-error.ts';
import type { Command } from '../../context/command.ts';
import { modifyIndex } from '../../indexes/modify.ts';
import { command } from '../../shared/define.ts';
import { checkDefinitions } from '../../shared/definitions.ts';
import { checkNamespace, onCollection } from '../../shared/namespace.ts';
import { writing } from '../../shared/presets.ts';
import { checkUuid } from '../../shared/uuid.ts';
import { findView } from '../../views/view.ts';
import { withOptions } from '../create/stored-options.ts';
import { type ModifyArguments, modifyFields } from './arguments.ts';
import { changesOf, invalid } from './options.ts';
import { modifyView } from './view.ts';

const collMod = command({
  name: 'collMod',
  ...writing,
  stableApi: true,
  unstableFields: ['dryRun'],
  inOplog: true,
  audit: 'none',
  privileges: onCollection('collMod'),
  fields: modifyFields,
  run(args, request, cluster) {
    const { database } = request;
    const { store } = cluster;
    const namespace = checkNamespace(database, args.collMod);
    checkUuid(args.collectionUUID, database, args.collMod, store);
    checkDryRun(args);
    const collection = store.collection(database, args.collMod);
    const view = findView(store, database, args.collMod);
    if (view !== undefined) {
      modifyView(view, args, request, cluster);
      return {};
    }
    if (collection === undefined) {
      throw new ServerError('NamespaceNotFound', `ns does not exist: ${namespace}`);
    }
    if ((args.viewOn ?? args.pipeline) !== undefined) throw invalid('option only supported on a view');
    if (collection === store.oplog) throw invalid('the options of the oplog cannot be changed');
    const changes = changesOf(collection, args, cluster);
    // Record the command in the oplog even if it changes nothing.
    if (Object.keys(changes).length > 0 || args.index === undefined) {
      const change = new RawDocument(encodeDocument(changes));
      const options = withOptions(collection.options, changes);
      checkDefinitions(store, [options], collection.options);
      store.modify(collection, options, change);
    }
    if (args.index === undefined) return {};
    return modifyIndex(collection, args.index, args.dryRun === true, request, cluster);
  },
});

/** Throws for `dryRun` unless the command converts an index to a unique index. */
function checkDryRun({ dryRun, index }: ModifyArguments): void {
  if (!dryRun || index?.unique !== undefined) return;
  throw invalid('dryRun mode is only supported for the conversion of an index to a unique one');
}

export const modifyCommands: readonly Command[] = [collMod];
