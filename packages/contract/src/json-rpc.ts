import { refusesBatches, refusesPart, refusesSize } from './batch-refusal.ts'
import { badGateway } from './codes.ts'
import { EndpointError, isEndpointError, malformedAnswer, type Upstream } from './endpoint.ts'
import { isServiceError, type ServiceError } from './errors.ts'
import { membersOf } from './members.ts'
import { inTurns } from './turns.ts'

/** The `error` member of an answer, as far as a node fills it in. */
export interface JsonRpcFault {
  readonly code?: unknown
  readonly message?: unknown
  readonly data?: unknown
}

/** A call that goes along with others and judges the endpoint that answers them: is it on the chain meant, and is it up to date. */
export interface Sentinel {
  readonly method: string
  readonly params: readonly unknown[]
  /**
   * Finds its answer in that to another call of the wave, so that it is not asked for by itself.
   *
   * @returns what takes it out of the result of the call; null when that does not tell it
   */
  readonly within?: (method: string, params: unknown) => ((result: unknown) => unknown) | null
  /**
   * @returns further ones, to be asked of the same endpoint, when this one could not tell
   * @throws EndpointError when nothing that this endpoint says is to be believed
   */
  read(result: unknown): readonly Sentinel[] | undefined
}

export interface JsonRpcOptions {
  /** Most calls of one request; 1 sends each by itself. */
  readonly batchMax: number
  /**
   * What an `error` member means. An EndpointError sends the wave on to the next endpoint; any other error is the chain's verdict, which the
   * call throws.
   */
  refusal(method: string, fault: JsonRpcFault, params: unknown): Error
  /** Asked in every wave; made anew for each, so that they may follow what is known of the chain. */
  readonly sentinels?: () => readonly Sentinel[]
  /** Text of a body to its value. @default JSON.parse */
  readonly parse?: (text: string) => unknown
  /** Milliseconds of a clock that never runs backwards. @default performance.now */
  readonly now?: () => number
}

/** When the sentinels are asked: along with the call, before it (what changes the chain), or not at all (asking who an endpoint is). */
export type Judged = 'along' | 'before' | 'not'

/** A chain's JSON-RPC over its endpoints. */
export interface JsonRpc {
  /**
   * Calls of the same turn of the event loop are one wave: they go to one endpoint, in as few requests as it takes.
   *
   * @param read checks the form and the bounds of a result while another endpoint can still be asked; what it throws counts as no verdict
   *   of the chain when it is an EndpointError, a 5xx, or no refusal at all. Its value is the call's
   * @throws what `refusal` made of the node's error; 502, 503, 504 when no endpoint gave a verdict
   */
  call<T>(method: string, params: unknown, read: (result: unknown) => T, judged?: Judged): Promise<T>
}

/** How long an endpoint that refused a batch is asked in smaller ones, or call by call, before it is tried again, in milliseconds. */
const NO_BATCHES_MS = 600_000

/** Characters of a body that takes some milliseconds to parse. */
const LARGE = 500_000
/** Of all clients: they share an event loop. */
const oneByOne = inTurns()

interface Waiting {
  readonly method: string
  readonly params: unknown
  readonly read: (result: unknown) => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** How a call ended at one endpoint: a value, the chain's verdict, or no verdict. */
type Outcome = { readonly value: unknown } | { readonly verdict: unknown } | { readonly fault: EndpointError }

interface Question {
  readonly id: number
  readonly method: string
  readonly params: unknown
}

/** One JSON-RPC client for all families that speak it. */
export function createJsonRpc(upstream: Pick<Upstream, 'exchange'>, options: JsonRpcOptions): JsonRpc {
  const { batchMax, sentinels = () => [], parse = JSON.parse, now = () => performance.now() } = options
  const queues = new Map<Judged, Waiting[]>()
  /** How many calls an endpoint gets in a batch that refused a larger one, and until when, by its number. */
  const smaller = new Map<number, { readonly size: number; readonly until: number }>()
  let lastId = 0

  return {
    call: (method, params, read, judged = 'along') =>
      new Promise((resolve, reject) => {
        const queue = queues.get(judged)
        const waiting = { method, params, read, resolve, reject }
        if (queue) queue.push(waiting)
        else {
          const calls: Waiting[] = [waiting]
          queues.set(judged, calls)
          setImmediate(() => {
            queues.delete(judged)
            void travel(calls, judged)
          })
        }
      }),
  }

  async function travel(calls: readonly Waiting[], judged: Judged): Promise<void> {
    let best: readonly Outcome[] | undefined
    try {
      await upstream.exchange(async (send, endpoint) => {
        if (judged === 'before') await judge(send, endpoint, sentinels())
        const along = (judged === 'along' ? sentinels() : []).map((sentinel) => ({ sentinel, told: toldBy(sentinel, calls) }))
        const bare = along.flatMap(({ sentinel, told }) => (told === null ? [sentinel] : []))
        const results = await ask(send, endpoint, [...bare, ...calls])
        const found = along.map(({ sentinel, told }) =>
          told === null ? given(results, bare.indexOf(sentinel)) : within(given(results, bare.length + told.index), told.take),
        )
        const judges = along.map(({ sentinel }) => sentinel)
        await judge(send, endpoint, judges, found)
        const outcomes = calls.map((call, index) => read(call, given(results, bare.length + index)))
        if (best === undefined || faultsOf(outcomes).length < faultsOf(best).length) best = outcomes
        const [fault] = faultsOf(outcomes)
        if (fault) throw new EndpointError(fault.reason, fault.refusal, { partial: faultsOf(outcomes).length < outcomes.length })
      })
    } catch (error) {
      if (best === undefined) for (const { reject } of calls) reject(error)
    }
    calls.forEach(({ resolve, reject }, index) => {
      const outcome = best?.[index]
      if (outcome === undefined) return
      if ('value' in outcome) resolve(outcome.value as never)
      else reject('verdict' in outcome ? outcome.verdict : outcome.fault.refusal)
    })
  }

  /** @throws EndpointError when a sentinel does not find what it must */
  async function judge(send: typeof fetch, endpoint: number, along: readonly Sentinel[], known?: readonly Result[]): Promise<void> {
    if (along.length === 0) return
    const results = known ?? (await ask(send, endpoint, along))
    const further = along.flatMap((sentinel, index) => {
      const outcome = read(sentinel, given(results, index))
      if ('fault' in outcome) throw outcome.fault
      if ('verdict' in outcome) throw unanswered(outcome.verdict)
      return (outcome.value as readonly Sentinel[] | undefined) ?? []
    })
    await judge(send, endpoint, further)
  }

  function read({ method, params, read }: Pick<Waiting, 'method' | 'params' | 'read'>, result: Result): Outcome {
    if ('fault' in result) return result
    if ('error' in result) {
      const refused = options.refusal(method, result.error, params)
      return isEndpointError(refused) ? { fault: refused } : { verdict: refused }
    }
    try {
      return { value: read(result.result) }
    } catch (error) {
      if (isEndpointError(error)) return { fault: error }
      if (!isServiceError(error)) return { fault: malformedAnswer(error) }
      return error.statusCode >= 500 ? { fault: new EndpointError('malformed', error) } : { verdict: error }
    }
  }

  /** Asks one endpoint. @throws EndpointError when it gave no answer to the calls as a whole, and what `send` throws */
  async function ask(
    send: typeof fetch,
    endpoint: number,
    calls: readonly { readonly method: string; readonly params: unknown }[],
  ): Promise<Result[]> {
    const questions = calls.map(({ method, params }) => ({ jsonrpc: '2.0', id: ++lastId, method, params }))
    const known = smaller.get(endpoint)
    const size = known && now() < known.until ? Math.min(known.size, batchMax) : batchMax
    const parts = Array.from({ length: Math.ceil(questions.length / size) }, (_, at) => questions.slice(at * size, (at + 1) * size))
    return (await Promise.all(parts.map((part) => batch(send, endpoint, part)))).flat()
  }

  async function one(send: typeof fetch, question: Question): Promise<Result[]> {
    const { body } = await post(send, question)
    return [resultOf(question, [body])]
  }

  async function batch(send: typeof fetch, endpoint: number, questions: readonly Question[]): Promise<Result[]> {
    const [first, ...others] = questions
    if (first === undefined) return []
    if (others.length === 0) return one(send, first)
    const { status, body } = await post(send, questions)
    const { error } = membersOf(body)
    const inHalves = Array.isArray(body) ? refusesPart(body, questions) : refusesSize(error)
    if (inHalves) {
      const size = questions.length >> 1
      smaller.set(endpoint, { size, until: now() + NO_BATCHES_MS })
      return (await Promise.all([questions.slice(0, size), questions.slice(size)].map((part) => batch(send, endpoint, part)))).flat()
    }
    if (Array.isArray(body)) return questions.map((question) => resultOf(question, body))
    if (refusesBatches(error) || (status >= 400 && !isBusy(error))) {
      smaller.set(endpoint, { size: 1, until: now() + NO_BATCHES_MS })
      return (await Promise.all(questions.map((question) => one(send, question)))).flat()
    }
    if (!isFault(error)) throw malformedAnswer(body)
    const refused = options.refusal(first.method, error, first.params)
    throw isEndpointError(refused) ? refused : unanswered(refused)
  }

  function isBusy(fault: unknown): boolean {
    const refused = isFault(fault) && options.refusal('', fault, [])
    return isEndpointError(refused) && refused.reason === 'busy'
  }

  async function post(send: typeof fetch, body: unknown): Promise<{ readonly status: number; readonly body: unknown }> {
    const response = await send('http://upstream.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const text = await response.text()
    try {
      return { status: response.status, body: text.length > LARGE ? await oneByOne(() => parse(text)) : parse(text) }
    } catch (error) {
      // Some nodes refuse a batch by a plain text.
      if (response.status >= 400) return { status: response.status, body: undefined }
      throw malformedAnswer(error)
    }
  }
}

type Result = { readonly result: unknown } | { readonly error: JsonRpcFault } | { readonly fault: EndpointError }

/** The first of the calls whose answer tells a sentinel's; null when none does. */
function toldBy({ within }: Sentinel, calls: readonly Pick<Waiting, 'method' | 'params'>[]) {
  const found = calls.flatMap(({ method, params }, index) => {
    const take = within?.(method, params) ?? null
    return take === null ? [] : [{ index, take }]
  })
  return found[0] ?? null
}

/** A sentinel's answer out of another call's. */
function within(result: Result, take: (result: unknown) => unknown): Result {
  return 'result' in result ? { result: take(result.result) } : result
}

/** What came of a question; one without any outcome has no answer. */
function given(results: readonly Result[], index: number): Result {
  return results[index] ?? { fault: malformedAnswer() }
}

/** The answer to a question among those that came: the one with its id, once. */
function resultOf({ id }: Question, answers: readonly unknown[]): Result {
  const found = answers.filter((each): each is { id?: unknown; result?: unknown; error?: unknown } => isAnswer(each) && each.id === id)
  // A refusal of a whole request may leave its id out.
  const answer = found[0] ?? answers.find((each) => isAnswer(each) && each.id == null && isFault(each.error))
  if (answer === undefined || found.length > 1) return { fault: malformedAnswer(answers) }
  const { error, result } = membersOf(answer)
  if (isFault(error)) return { error }
  return result === undefined || error != null ? { fault: malformedAnswer(answers) } : { result }
}

function isAnswer(value: unknown): value is { id?: unknown; result?: unknown; error?: unknown } {
  return typeof value === 'object' && value !== null
}

function isFault(value: unknown): value is JsonRpcFault {
  return typeof value === 'object' && value !== null
}

function faultsOf(outcomes: readonly Outcome[]): readonly EndpointError[] {
  return outcomes.flatMap((outcome) => ('fault' in outcome ? [outcome.fault] : []))
}

/** The node answered, and not to what was asked. */
export function unanswered(cause?: unknown): EndpointError {
  return new EndpointError('no answer', nodeFailed(cause))
}

function nodeFailed(cause: unknown): ServiceError {
  return badGateway('UPSTREAM_ERROR', "The chain's node could not answer; try again.", cause)
}
