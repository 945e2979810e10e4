import { ServerError } from '../../../errors/server-error.ts';
import type { ClusterContext } from '../../context/cluster.ts';
import type { CommandRequest } from '../../context/request.ts';
import { checkNamespace } from '../../shared/namespace.ts';
import { checkView } from '../../views/definition.ts';
import { storeView, type View } from '../../views/view.ts';
import { type ModifyArguments, notOnViews } from './arguments.ts';
import { invalid } from './options.ts';

/** Changes the pipeline or source of a view. The oplog records the command even if it changes nothing. */
export function modifyView(
  view: View,
  args: ModifyArguments,
  request: CommandRequest,
  cluster: ClusterContext,
): void {
  const other = notOnViews.find((option) => args[option] !== undefined);
  if (other !== undefined) throw invalid(`option not supported on a view: ${other}`);
  const { viewOn = view.on, pipeline } = args;
  if (viewOn !== '') checkNamespace(request.database, viewOn);
  if (viewOn.startsWith('$')) throw new ServerError('InvalidNamespace', `Invalid collection name: ${viewOn}`);
  const changed = {
    ...view,
    on: viewOn,
    pipeline: pipeline === undefined ? view.pipeline : pipeline,
  };
  checkView(changed, request, cluster);
  storeView(cluster.store, request.database, changed);
}
