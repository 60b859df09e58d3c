import type { Node } from '../node.ts'

/** Answers one method: a whole request to members of a response. */
export type Handler<Request = never> = (node: Node, request: Request) => object | Promise<object>

/** Answers one method whose answer is a stream: a whole request to members of each of its messages. */
export type StreamHandler<Request = never> = (node: Node, request: Request) => Iterable<object>

/** Handlers of a service, by method name. */
export type Handlers = Readonly<Record<string, Handler>>
export type StreamHandlers = Readonly<Record<string, StreamHandler>>
