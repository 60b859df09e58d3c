import type { Static, TObject, TSchema } from 'typebox'

/** Describes a read: the host documents it, and converts path and query by it. */
interface ReadSchema<Params extends TObject, Query extends TObject> {
  /** Summary in one line. */
  readonly summary: string
  readonly description?: string
  /** Schema of the path parameters, the parts of the path that start with a colon. */
  readonly params?: Params
  readonly querystring?: Query
  /** Schemas by status code; 200 is the answer. */
  readonly response: Readonly<Record<number, TSchema>>
}

/** The part of a request that a read depends on. The headers, and with them the caller's key, are the host's. */
interface ReadRequest<Params extends TObject, Query extends TObject> {
  readonly params: Static<Params>
  readonly query: Static<Query>
}

/** Registry for a protocol's own reads. It offers no hooks, decorators, parsers or actions: nothing that could change what the host answers. */
export interface Reads<Ctx> {
  /**
   * Registers `GET <path>` below the protocol's prefix.
   *
   * @param answer gets the context of the request's network, and answers a value for JSON; what it throws is answered as everywhere else
   */
  get<Params extends TObject = TObject, Query extends TObject = TObject>(
    path: `/${string}`,
    schema: ReadSchema<Params, Query>,
    answer: (ctx: Ctx, request: ReadRequest<Params, Query>) => unknown,
  ): void
}
