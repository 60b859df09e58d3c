import type { Node } from '../node.ts'

/** Answers one method: a whole request to members of a response. */
export type Handler<Request = never> = (node: Node, request: Request) => object | Promise<object>

/** Handlers of a service, by method name. */
export type Handlers = Readonly<Record<string, Handler>>
