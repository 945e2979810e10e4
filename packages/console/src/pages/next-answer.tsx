import { Alert, Button, Flex, FlexItem } from '@patternfly/react-core';
import { useState } from 'react';
import { operatorRequest } from '../api/requests.ts';
import { useChange } from '../api/resources.ts';
import { Problem } from '../parts/problem.tsx';
import { SelectField } from '../parts/select-field.tsx';

/** The responses that the person can choose for the next request, each with its fields in a declared fault. */
const answers: Readonly<Record<string, object>> = {
  '503 Service Unavailable': { status: 503 },
  '500 Internal Server Error': { status: 500 },
  '429 Too Many Requests': { status: 429 },
  '409 Conflict': { status: 409 },
  '404 Not Found': { status: 404 },
  'a response after 10 seconds': { delayMilliseconds: 10_000 },
  'a closed connection before the operation': { disconnect: 'BEFORE' },
  'a closed connection after the operation': { disconnect: 'AFTER' },
};

/** Declares a fault for the next request of an operation. */
export function NextAnswer({ operation }: { readonly operation: string }) {
  const [chosen, setChosen] = useState(Object.keys(answers)[0] ?? '');
  const [declared, setDeclared] = useState<string>();
  const declaration = useChange(() => setDeclared(chosen));
  const request = { operations: [operation], ...answers[chosen] };
  return (
    <>
      <Problem error={declaration.error} />
      <Flex alignItems={{ default: 'alignItemsFlexEnd' }}>
        <FlexItem>
          <SelectField
            id="answer"
            label={`The next ${operation} request gets`}
            value={chosen}
            options={Object.keys(answers)}
            onChange={setChosen}
          />
        </FlexItem>
        <FlexItem>
          <Button
            isLoading={declaration.isPending}
            onClick={() => declaration.mutate(operatorRequest('POST', '/faults', { times: 1, request }))}
          >
            Declare fault
          </Button>
        </FlexItem>
      </Flex>
      {declared !== undefined && (
        <Alert
          isInline
          variant="success"
          className="gap"
          title={`The next ${operation} request gets ${declared}.`}
        >
          <a href="#/laboratory/faults">All declared faults</a>
        </Alert>
      )}
    </>
  );
}
