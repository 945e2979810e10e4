import { bsonTypes } from '../../bson/bson-types.ts';
import { RawDocument } from '../../bson/raw.ts';
import { textOf } from '../../bson/value.ts';
import { ServerError } from '../../errors/server-error.ts';
import type { Command } from '../context/command.ts';
import type { Explainable, Verbosity } from '../context/explainable.ts';
import type { CommandRequest } from '../context/request.ts';
import { explainReply } from '../planning/explain-reply.ts';
import { command } from '../shared/define.ts';
import { words } from '../shared/field-builders.ts';
import { reading } from '../shared/presets.ts';
import { checkStable } from '../shared/stable-api.ts';

const verbosities: readonly Verbosity[] = ['queryPlanner', 'executionStats', 'allPlansExecution'];

/** Creates the command `explain`. `find` looks up a command by name. */
export function explainCommand(find: (name: string) => Command | undefined): Command {
  return command({
    name: 'explain',
    ...reading,
    readConcern: 'newest',
    stableApi: true,
    privileges(request) {
      const inner = innerRequest(request);
      const privileges = find(inner.name)?.privileges;
      return typeof privileges === 'function' ? privileges(inner) : [];
    },
    fields: { explain: 'object!', verbosity: words(verbosities) },
    run({ verbosity = 'allPlansExecution' }, request, cluster) {
      const inner = innerRequest(request);
      const explainable = explainableOf(inner, request, find);
      if (request.body.bool('apiStrict') === true) checkStable(explainable.stages?.(inner.body) ?? []);
      explainable.check?.(inner.body);
      const pipelines = explainableOf({ ...inner, name: 'aggregate' }, request, find);
      return explainReply(inner, explainable, pipelines.explain, cluster, verbosity);
    },
  });
}

function innerRequest(request: CommandRequest): CommandRequest {
  const body = request.body.document('explain') ?? RawDocument.empty;
  const { retries: _retries, ...rest } = request;
  return { ...rest, name: body.first()?.name ?? '', body, sequences: new Map() };
}

/** Throws if the command is unknown or cannot be explained. An alias cannot be explained. */
function explainableOf(
  { name, body }: CommandRequest,
  { database }: CommandRequest,
  find: (name: string) => Command | undefined,
): Explainable {
  const found = find(name);
  if (found === undefined) {
    throw new ServerError('CommandNotFound', `Explain failed due to unknown command: ${name}`);
  }
  const { explain } = found;
  if (explain === 'unsupported' || found.name !== name) {
    throw new ServerError('IllegalOperation', `Cannot explain cmd: ${name}`);
  }
  const db = body.get('$db');
  if (db !== undefined && (db.type !== bsonTypes.string || textOf(db) !== database)) {
    throw new ServerError('InvalidNamespace', 'Mismatched $db in explain command');
  }
  return explain;
}
