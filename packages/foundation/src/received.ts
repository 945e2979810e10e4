import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';

/** Takes the messages that wait at a port, also when the event loop does not run. */
export function* received<Message>(port: MessagePort): Generator<Message> {
  for (let next = receiveMessageOnPort(port); next !== undefined; next = receiveMessageOnPort(port)) {
    yield next.message;
  }
}
