import { Alert, Button, Title } from '@patternfly/react-core';
import { useState } from 'react';
import { type Document, documentsOf, useCommand } from '../../api/commands.ts';
import type { Schemas } from '../../api/operations.ts';
import { apiRequest } from '../../api/requests.ts';
import { type ClusterPath, useChange, useDocument } from '../../api/resources.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { documentIn, JsonField } from '../../parts/json-field.tsx';
import { Problem } from '../../parts/problem.tsx';
import { Remove } from '../../parts/remove.tsx';
import { Restricted } from '../../parts/restricted.tsx';
import { SelectField } from '../../parts/select-field.tsx';
import { StateLabel } from '../../parts/state-label.tsx';
import { TextField } from '../../parts/text-field.tsx';
import type { CollectionProps } from './collection.tsx';
import { Results } from './results.tsx';

type SearchIndex = Schemas['SearchIndex'];

/** The search indexes of a collection, and a field for trying a search. */
export function Search(props: CollectionProps) {
  return (
    <>
      <Restricted may={props.may} roles={readers}>
        {() => <SearchIndexes {...props} />}
      </Restricted>
      <Trial {...props} />
    </>
  );
}

/** The roles that may list search indexes. */
const readers = ['GROUP_DATA_ACCESS_READ_WRITE', 'GROUP_SEARCH_INDEX_EDITOR'];

function useSearchIndexes({ place, collection, may }: CollectionProps) {
  const [database, name] = [place.database, collection].map(encodeURIComponent);
  return useDocument(`${place.path}/search/indexes/${database}/${name}`, readers.some(may));
}

/** The roles that may create and delete search indexes. */
const editors = ['GROUP_DATA_ACCESS_ADMIN', 'GROUP_SEARCH_INDEX_EDITOR'];

function SearchIndexes(props: CollectionProps) {
  const { place, collection, may } = props;
  const indexes = `${place.path}/search/indexes` as const;
  const { data, error } = useSearchIndexes(props);
  const [isCreating, setCreating] = useState(false);
  const isEditor = editors.some(may);
  return (
    <>
      {isEditor && (
        <Button variant="secondary" className="gap" onClick={() => setCreating(true)}>
          Create search index
        </Button>
      )}
      <DataTable
        label="Search indexes"
        columns={columnsOf(indexes, isEditor)}
        rows={data}
        keyOf={({ indexID }) => indexID}
        error={error}
        empty="Create a search index to find documents by words or vectors."
      />
      {isCreating && (
        <CreateSearchIndex
          path={indexes}
          database={place.database}
          collection={collection}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

const columnsOf = (
  path: `${ClusterPath}/search/indexes`,
  isEditor: boolean,
): readonly Column<SearchIndex>[] => [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Type', cell: ({ type }) => type },
  { title: 'State', cell: ({ status }) => <StateLabel state={status} /> },
  {
    title: 'Definition',
    cell: ({ latestDefinition }) => <span className="code">{JSON.stringify(latestDefinition)}</span>,
  },
  {
    title: 'Action',
    cell: ({ indexID, name }) =>
      isEditor && (
        <Remove
          name={name}
          change={apiRequest('DELETE', `${path}/${indexID}`)}
          consequence="Searches that use the index then find nothing."
        />
      ),
  },
];

interface CreateProps {
  readonly path: `${ClusterPath}/search/indexes`;
  readonly database: string;
  readonly collection: string;
  readonly onClose: () => void;
}

const definitions: Readonly<Record<string, string>> = {
  search: '{"mappings": {"dynamic": true}}',
  vectorSearch:
    '{"fields": [{"type": "vector", "path": "embedding", "numDimensions": 3, "similarity": "cosine"}]}',
};

function CreateSearchIndex({ path, database, collection, onClose }: CreateProps) {
  const [name, setName] = useState('default');
  const [type, setType] = useState('search');
  const [text, setText] = useState(definitions.search ?? '');
  const creation = useChange(onClose);
  const definition = documentIn(text);
  const choose = (chosen: string) => {
    setType(chosen);
    setText(definitions[chosen] ?? '');
  };
  const body = { database, collectionName: collection, name, type, definition: definition ?? {} };
  return (
    <FormDialog
      title="Create search index"
      action="Create"
      isReady={definition !== undefined && name !== ''}
      attempt={creation}
      onSubmit={() => creation.mutate(apiRequest('POST', path, body))}
      onClose={onClose}
    >
      <TextField
        id="search-name"
        label="Name"
        value={name}
        onChange={setName}
        error={creation.error}
        field="name"
        isRequired
      />
      <SelectField
        id="search-type"
        label="Type"
        value={type}
        options={Object.keys(definitions)}
        onChange={choose}
      />
      <JsonField id="definition" label="Definition" rows={6} value={text} onChange={setText} />
    </FormDialog>
  );
}

interface UnreadyProps {
  readonly indexes: readonly SearchIndex[];
  readonly stage: Document;
}

/** Says that the index of a search cannot find documents yet. The database then returns no documents, and no error. */
function Unready({ indexes, stage }: UnreadyProps) {
  const [search] = Object.values(stage) as [{ readonly index?: string } | undefined];
  const name = search?.index ?? 'default';
  const index = indexes.find((one) => one.name === name);
  if (index?.queryable) return null;
  const title =
    index === undefined
      ? `The collection has no search index ${name}.`
      : `The search index ${name} finds documents when its state is READY. Then search again.`;
  return <Alert isInline variant="info" title={title} />;
}

const SHOWN = 10;

/**
 * Returns a search stage that the person can change. It names the index, since a search without a name uses the index
 * `default`.
 */
const exampleOf = (index = 'default') =>
  `{"$search": {"index": ${JSON.stringify(index)}, "text": {"query": "a word", "path": {"wildcard": "*"}}}}`;

/** Runs a search stage, and shows the first documents with their scores. */
function Trial(props: CollectionProps) {
  const { place, collection } = props;
  const { data: indexes } = useSearchIndexes(props);
  const [typed, setText] = useState<string>();
  const text = typed ?? exampleOf(indexes?.find(({ type }) => type === 'search')?.name);
  const [stage, setStage] = useState<Document>();
  const [turn, setTurn] = useState(0);
  const score = { $meta: stage && '$vectorSearch' in stage ? 'vectorSearchScore' : 'searchScore' };
  const command = stage && {
    aggregate: collection,
    pipeline: [stage, { $limit: SHOWN }, { $addFields: { score } }],
  };
  const { data, error } = useCommand(place, command, turn);
  const search = () => {
    setStage(documentIn(text));
    setTurn(turn + 1);
  };
  return (
    <>
      <Title headingLevel="h2" className="gap">
        Try a search
      </Title>
      <JsonField id="search" label="Search stage" rows={3} value={text} onChange={setText} />
      <Button variant="secondary" className="gap" onClick={search}>
        Search
      </Button>
      {indexes && stage && <Unready indexes={indexes} stage={stage} />}
      <Problem error={error} />
      {data && <Results documents={documentsOf(data) ?? []} isCut={data.isCut} />}
    </>
  );
}
