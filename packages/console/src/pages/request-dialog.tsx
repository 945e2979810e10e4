import {
  Alert,
  Button,
  CodeBlock,
  CodeBlockCode,
  Modal,
  ModalBody,
  ModalHeader,
  Spinner,
  Stack,
  StackItem,
  Title,
} from '@patternfly/react-core';
import { useState } from 'react';
import { urlOf } from '../api/client.ts';
import { type InspectedExchange, useOperatorDocument } from '../api/resources.ts';
import { Copied } from '../parts/copied.tsx';
import { Facts } from '../parts/facts.tsx';
import { Problem } from '../parts/problem.tsx';
import { NextAnswer } from './next-answer.tsx';

/** The lowest status of a failed request. */
const FAILED_FROM = 400;

interface RequestDialogProps {
  readonly requestId: string;
  readonly onClose: () => void;
}

/** A request and its response. The service has masked the secrets in them. */
export function RequestDialog({ requestId, onClose }: RequestDialogProps) {
  const { data, error } = useOperatorDocument(`/requests/${encodeURIComponent(requestId)}`);
  const title = data === undefined ? 'Request' : `${data.method} ${data.path}`;
  return (
    <Modal isOpen variant="large" onClose={onClose} aria-labelledby="request-title">
      <ModalHeader title={title} labelId="request-title" />
      <ModalBody tabIndex={0} aria-label="Request and response">
        <Problem error={error} />
        {data === undefined ? (
          !error && <Spinner aria-label="Reading the request" />
        ) : (
          <Exchange exchange={data} />
        )}
      </ModalBody>
    </Modal>
  );
}

function Exchange({ exchange }: { readonly exchange: InspectedExchange }) {
  const { request, response, status, errorCode, milliseconds, requestId, curl } = exchange;
  const [isAnswering, setAnswering] = useState(false);
  return (
    <Stack hasGutter>
      <StackItem>
        {`${status} ${errorCode ?? ''} in ${milliseconds.toFixed(1)} ms, request id `}
        <a href={`#/requests/${encodeURIComponent(exchange.operation)}/${encodeURIComponent(requestId)}`}>
          {requestId}
        </a>
      </StackItem>
      {status >= FAILED_FROM && (
        <StackItem>
          <Reason exchange={exchange} />
        </StackItem>
      )}
      <StackItem>
        <Facts facts={factsOf(exchange)} />
      </StackItem>
      <StackItem>
        <Copied label="curl command" text={curl} />
      </StackItem>
      {isAnswerable(exchange) && (
        <StackItem>
          {isAnswering ? (
            <NextAnswer operation={exchange.operation} />
          ) : (
            <Button variant="secondary" onClick={() => setAnswering(true)}>
              Answer the next request with…
            </Button>
          )}
        </StackItem>
      )}
      <Part title="Request headers" text={headersOf(request.headers)} />
      <Part title="Request body" text={indented(request.body)} />
      <Part title="Response headers" text={headersOf(response.headers)} />
      <Part title="Response body" text={indented(response.body)} />
      {request.body === undefined && response.body === undefined && (
        <StackItem>
          To record the bodies of the next requests, check “Record bodies” above the list.
        </StackItem>
      )}
    </Stack>
  );
}

/** Returns whether a fault can be declared for the operation of a request. This is possible in the API only. */
function isAnswerable({ operation, path }: InspectedExchange): boolean {
  return operation !== 'none' && path.startsWith('/api/');
}

function factsOf(exchange: InspectedExchange) {
  const { caller, operation, operationDocumentation, errorCode, errorDocumentation } = exchange;
  const { request, version, unreadFields, unreadParameters } = exchange;
  const asked = /vnd\.\w+\.([\d-]+)/.exec(request.headers.accept ?? '')?.[1];
  const listed = (names: readonly string[]) => (names.length === 0 ? undefined : names.join(', '));
  return [
    ['Caller', caller?.name],
    ['Operation', <Documented key="operation" name={operation} address={operationDocumentation} />],
    ['Error', errorCode && <Documented key="error" name={errorCode} address={errorDocumentation} />],
    ['Version requested', asked ?? 'none'],
    ['Version of the response', version],
    ['Fields without effect', listed(unreadFields)],
    ['Unknown parameters', listed(unreadParameters)],
  ] as const;
}

/** A name that links to its documentation in the reference page. */
function Documented({ name, address }: { readonly name: string; readonly address: string | undefined }) {
  if (address === undefined) return name;
  const { pathname, hash } = new URL(address);
  // The reference page is served below the same path as the console.
  return (
    <a href={urlOf(pathname.slice(1) + hash).href} target="_blank" rel="noreferrer">
      {name}
    </a>
  );
}

/** Says why a request failed. */
function Reason({ exchange: { challenge, detail } }: { readonly exchange: InspectedExchange }) {
  if (challenge)
    return (
      <Alert
        isInline
        title="The request had no credentials. Clients with an API key send each request twice: the first one gets this challenge, the second one answers it."
      />
    );
  if (detail !== undefined) return <Alert isInline variant="danger" title={detail} />;
  // Token endpoints, for example, return errors of another form.
  return <Alert isInline variant="danger" title="The body of the response contains the reason." />;
}

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Returns a JSON body on several lines, any other text as it is. */
function indented(body: string | undefined): string | undefined {
  const value = parsed(body);
  return value === undefined ? body : JSON.stringify(value, null, 2);
}

function Part({
  title,
  text = 'not recorded',
}: {
  readonly title: string;
  readonly text: string | undefined;
}) {
  return (
    <StackItem>
      <Title headingLevel="h2" size="md">
        {title}
      </Title>
      <CodeBlock>
        <CodeBlockCode>{text}</CodeBlockCode>
      </CodeBlock>
    </StackItem>
  );
}

function headersOf(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
