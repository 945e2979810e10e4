import Type from 'typebox';
import { extension } from '../../services.ts';
import { requestStopStart } from '../lifecycle/instances.ts';
import { requireCluster } from '../require.ts';

const WantedInstance = Type.Object({
  hostnameAndPort: Type.String({ description: 'Host and port of the node, such as `127.0.0.1:27100`.' }),
  running: Type.Boolean({ description: 'Whether the node should run.' }),
});

export const changeInstance = extension({
  id: 'stopOrStartInstance',
  summary: 'Stops or starts a node of a cluster, to test alerts and clients.',
  tag: 'Operator',
  surface: 'operator',
  method: 'POST',
  path: '/groups/{groupId}/clusters/{clusterName}/instances',
  access: 'operator',
  body: WantedInstance,
  status: 202,
  handler: (call) =>
    call.write(async (tx) =>
      requestStopStart(tx, await requireCluster(tx, call.params), call.body, {
        actor: call.actor,
        naming: call.services.naming,
      }),
    ),
});
