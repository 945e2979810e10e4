import {
  Alert,
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
import { type InspectedExchange, useOperatorDocument } from '../api/resources.ts';
import { Copied } from '../parts/copied.tsx';
import { Problem } from '../parts/problem.tsx';

/** The lowest status of a failed request. */
export const FAILED_FROM = 400;

interface RequestDialogProps {
  readonly requestId: string;
  readonly onClose: () => void;
}

/** A request and its response. The service has masked the secrets in them. */
export function RequestDialog({ requestId, onClose }: RequestDialogProps) {
  const { data, error } = useOperatorDocument<InspectedExchange>(
    `/requests/${encodeURIComponent(requestId)}`,
  );
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
  return (
    <Stack hasGutter>
      <StackItem>
        {`${status} ${errorCode ?? ''} in ${milliseconds.toFixed(1)} ms, request id ${requestId}`}
      </StackItem>
      {status >= FAILED_FROM && (
        <StackItem>
          <Reason exchange={exchange} />
        </StackItem>
      )}
      <StackItem>
        <Copied label="curl command" text={curl} />
      </StackItem>
      <Part title="Request headers" text={headersOf(request.headers)} />
      <Part title="Request body" text={indented(request.body)} />
      <Part title="Response headers" text={headersOf(response.headers)} />
      <Part title="Response body" text={indented(response.body)} />
    </Stack>
  );
}

/** Says why a request failed, or how to find the reason. */
function Reason({ exchange: { status, request, response } }: { readonly exchange: InspectedExchange }) {
  const isChallenge = status === 401 && 'www-authenticate' in response.headers;
  if (isChallenge && !('authorization' in request.headers))
    return (
      <Alert
        isInline
        title="The request had no credentials. Clients with an API key send each request twice: the first one gets this challenge, the second one answers it."
      />
    );
  const { detail } = (parsed(response.body) ?? {}) as { readonly detail?: string };
  if (detail !== undefined) return <Alert isInline variant="danger" title={detail} />;
  return (
    <Alert
      isInline
      variant="warning"
      title="Bodies were not recorded. To see the reason, turn on “Record bodies” and send the request again."
    />
  );
}

function parsed(body: string | undefined): unknown {
  try {
    return body === undefined ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** A JSON body on several lines, any other text as it is. */
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
