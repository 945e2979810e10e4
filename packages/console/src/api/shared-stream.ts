/**
 * One event stream for all tabs of a browser. Over HTTP/1.1, a browser opens at most six connections to a host, for all
 * tabs together. If each tab had its own streams, a few tabs would use all connections, and no tab could send requests.
 */

/** What happens to the stream. The tab that has opened it tells the other tabs. */
export type StreamNotice =
  /**
   * The stream is open. Each stream has its own `id`, which stays the same if the browser connects to the stream again.
   */
  | { readonly kind: 'opened'; readonly id: string }
  /** The connection is lost. The browser connects again. */
  | { readonly kind: 'lost' }
  /** The service has rejected the request. */
  | { readonly kind: 'rejected' }
  | { readonly kind: 'event'; readonly data: string }
  /** The service cannot repeat the events since the last connection. */
  | { readonly kind: 'reset' };

/** A tab asks whether the stream is open. */
type Message = StreamNotice | { readonly kind: 'asked' };

/** The functions of the browser that connect its tabs. */
export interface Tabs {
  /**
   * The Web Locks of the browser. A lock has at most one holder among the tabs. Browsers offer locks only to pages with
   * TLS and to pages of the same machine. On other pages, each tab opens its own stream.
   */
  readonly locks?:
    | {
        request(
          name: string,
          options: { readonly signal: AbortSignal },
          work: () => Promise<void>,
        ): Promise<unknown>;
      }
    | undefined;
  readonly channel: (name: string) => BroadcastChannel;
}

/** Opens the stream. Returns a function that closes it. */
type Connect = (notify: (notice: StreamNotice) => void) => () => void;

/**
 * Calls `receive` for everything that happens to the stream with this name. The first tab opens the stream. When this
 * tab stops or is closed, the next tab opens the stream. Returns a function that ends the calls.
 */
export function shareStream(
  name: string,
  { locks, channel: channelOf }: Tabs,
  connect: Connect,
  receive: (notice: StreamNotice) => void,
): () => void {
  if (locks === undefined) return connect(receive);
  const { signal, stop } = stoppable();
  const channel = channelOf(name);
  let opened: StreamNotice | undefined;
  const send = (message: Message) => channel.postMessage(message);
  const notify = (notice: StreamNotice) => {
    if (notice.kind === 'opened') opened = notice;
    else if (notice.kind === 'lost' || notice.kind === 'rejected') opened = undefined;
    send(notice);
    receive(notice);
  };
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (data.kind !== 'asked') receive(data);
    else if (opened !== undefined) send(opened);
  };
  send({ kind: 'asked' });
  const lead = async () => {
    if (signal.aborted) return;
    const close = connect(notify);
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    close();
  };
  // This promise rejects if the tab stops while it waits for a lock that another tab holds.
  locks
    .request(name, { signal }, lead)
    .catch(() => {})
    .finally(() => channel.close());
  return stop;
}

function stoppable() {
  const controller = new AbortController();
  return { signal: controller.signal, stop: () => controller.abort() };
}
