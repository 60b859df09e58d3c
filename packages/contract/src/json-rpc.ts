import { agreedOutcomes, compareJourneys, type JsonRpcAgreement } from './agreement.ts'
import { partsOf } from './batch-parts.ts'
import { refusesBatches, refusesPart, refusesSize } from './batch-refusal.ts'
import { EndpointError, isEndpointError, malformedAnswer, type Repeatable, type Sender, type Upstream } from './endpoint.ts'
import { isServiceError } from './errors.ts'
import { faultsOf, given, isFault, leastFaulty, notHeld, resultOf, sentinelResultOf, toldBy, unanswered } from './json-rpc-answers.ts'
import type { Again, Journey, JsonRpcFault, NamedCall, Outcome, Question, Result, Sentinel, SentinelReading } from './json-rpc-wave.ts'
import { membersOf } from './members.ts'
import { inTurns } from './turns.ts'

export interface JsonRpcOptions {
  /** Most calls of one request; 1 sends each by itself. */
  readonly batchMax: number
  /**
   * Tells the meaning of an `error` member. An EndpointError sends the wave on to the next endpoint; any other error is the chain's verdict,
   * which the call throws.
   */
  refusal(method: string, fault: JsonRpcFault, params: unknown): Error
  /** Makes the sentinels that are asked in every wave, anew for each wave, so that they may follow what is known of the chain. */
  readonly sentinels?: () => readonly Sentinel[]
  /**
   * Methods that change the chain. A wave with one of them goes to one endpoint at a time; any other may be asked of two.
   *
   * @default every wave may change something
   */
  readonly writes?: ReadonlySet<string>
  /** Rules by which two endpoints agree. @default their results have to be the same to the last member */
  readonly agreement?: JsonRpcAgreement
  /** Parses the text of an answer's body. @default JSON.parse */
  readonly parse?: (text: string) => unknown
  /** Reads a clock in milliseconds that never runs backwards. @default performance.now */
  readonly now?: () => number
}

/** Time at which the sentinels are asked: along with the call, before it (for calls that change the chain), or not at all (for the question who an endpoint is). */
export type SentinelTiming = 'along' | 'before' | 'not'

/** JSON-RPC client of one chain over its endpoints. */
export interface JsonRpc {
  /**
   * Makes a call. Calls of the same turn of the event loop form one wave: they go to one endpoint, in as few requests as possible.
   *
   * @param read checks the form and the bounds of a result while another endpoint can still be asked; what it throws counts as no verdict
   *   of the chain when it is an EndpointError, a 5xx, or no refusal at all. Its value is the call's
   * @param lacks tells a negative, such as a transaction that this node does not have: the next endpoint is asked, and the outcome of the first counts where every one
   *   lacks it
   * @throws what `refusal` made of the node's error; 502, 503, 504 when no endpoint gave a verdict
   */
  call<T>(method: string, params: unknown, read: (result: unknown) => T, judged?: SentinelTiming, lacks?: Lacks<T>): Promise<T>
}

/** A node's answer to a call: its value, or the verdict that `refusal` made of its error. */
type Told<T> = { readonly value: T } | { readonly verdict: unknown }

/** Tells whether an answer is a negative, which another endpoint may contradict. */
export type Lacks<T> = (answer: Told<T>) => boolean

/** Time for which an endpoint that refused a batch is asked in smaller ones, or call by call, before the next full batch, in milliseconds. */
const NO_BATCHES_MS = 600_000

/** Status of a body that is larger than the endpoint takes. */
const TOO_LARGE = 413
/** Characters of a body that takes some milliseconds to parse. */
const LARGE = 500_000
/** Turns of all clients: they share an event loop. */
const oneByOne = inTurns()

interface Waiting {
  readonly method: string
  readonly params: unknown
  readonly read: (result: unknown) => unknown
  readonly lacks: Lacks<never> | undefined
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/** Makes a JSON-RPC client over a chain's endpoints, for all families that speak JSON-RPC. */
export function createJsonRpc(upstream: Pick<Upstream, 'exchange' | 'agreement'>, options: JsonRpcOptions): JsonRpc {
  const { batchMax, sentinels = () => [], parse = JSON.parse, now = () => performance.now(), writes, agreement } = options
  const isAgreed = (upstream.agreement ?? 1) > 1
  const queues = new Map<SentinelTiming, Waiting[]>()
  /** Reduced batch sizes of endpoints that refused a larger batch, each with the time until which it counts, by the endpoint's number. */
  const smaller = new Map<number, { readonly size: number; readonly until: number }>()
  let lastId = 0

  return {
    call: (method, params, read, judged = 'along', lacks = undefined) =>
      new Promise((resolve, reject) => {
        const queue = queues.get(judged)
        const waiting = { method, params, read, lacks, resolve, reject }
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

  async function travel(calls: readonly Waiting[], judged: SentinelTiming): Promise<void> {
    // The last one of each endpoint: none is heard twice.
    const journeys = new Map<number, Journey>()
    let outcomes: readonly (Outcome | undefined)[] = []
    let reason: unknown
    const reading = readingOf(calls, judged)
    const lacking = (journey: Journey) =>
      calls.filter(({ lacks }, index) => {
        const outcome = journey.outcomes[index]
        return lacks !== undefined && outcome !== undefined && !('fault' in outcome) && lacks(outcome as Told<never>)
      }).length
    try {
      const { outcomes: all } = await upstream.exchange<Journey>(async (send, endpoint, again) => {
        if (judged === 'before') await judge(send, endpoint, sentinels())
        const journey = await visit(calls, judged === 'along' ? sentinels() : [], send, endpoint, again as Again | undefined)
        journeys.set(endpoint, journey)
        const faults = faultsOf(journey.outcomes)
        const fault = faults.find(({ reason }) => reason !== 'not held') ?? faults[0]
        if (fault) throw new EndpointError(fault.reason, fault.refusal, { partial: faults.length < calls.length })
        if (lacking(journey) > 0) throw notHeld()
        return journey
      }, reading)
      outcomes = all
    } catch (error) {
      reason = error
      const all = [...journeys.values()]
      // What an endpoint could answer is not taken away by what none could; of two that have to agree, what they agree about.
      outcomes = isAgreed && reading ? agreedOutcomes(calls, agreement, all) : (leastFaulty(all, lacking)?.outcomes ?? [])
    }
    calls.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index]
      if (outcome === undefined) reject(reason)
      else if ('value' in outcome) resolve(outcome.value as never)
      else reject('verdict' in outcome ? outcome.verdict : outcome.fault.refusal)
    })
  }

  /** Asks one endpoint all calls of a wave, together with the sentinels that judge it. @throws EndpointError when nothing that it says is to be believed */
  async function visit(
    calls: readonly Waiting[],
    judges: readonly Sentinel[],
    send: Sender,
    endpoint: number,
    again: Again | undefined,
  ): Promise<Journey> {
    const along = judges.map((sentinel) => ({ sentinel, told: toldBy(sentinel, calls) }))
    const bare: NamedCall[] = along.flatMap(({ sentinel, told: statement }) => (statement === null ? [sentinel] : []))
    const { height } = isAgreed && judges.length > 0 ? (agreement ?? {}) : {}
    if (height && !bare.some(({ method }) => method === height.question.method)) bare.push(height.question)
    const questions = calls.map((call, index) => changed(call, index, again))
    const results = await ask(send, endpoint, [...bare, ...questions])
    const own = results.slice(bare.length)
    const readings = along.map(({ sentinel, told: carrier }) =>
      carrier === null ? given(results, bare.indexOf(sentinel)) : sentinelResultOf(given(own, carrier.index), carrier.take),
    )
    await judge(send, endpoint, judges, readings)
    const place = bare.findIndex(({ method }) => method === height?.question.method)
    const level = height && read({ ...height.question, read: height.read }, given(results, place))
    if (level && 'fault' in level) throw level.fault
    const outcomes = calls.map((call, index) => again?.confirmed.get(index)?.outcome ?? read(call, given(own, index)))
    return { results: own, outcomes, height: level && 'value' in level ? BigInt(String(level.value)) : null, again }
  }

  /** Returns the call in the form in which it is asked again: for the state of one height, or replaced by the question that confirms its answer. */
  function changed({ method, params }: NamedCall, index: number, again: Again | undefined): NamedCall {
    if (again === undefined) return { method, params }
    const confirmation = again.confirmed.get(index)
    if (confirmation) return confirmation.question
    return { method, params: again.height === null ? params : (agreement?.height?.at(method, params, again.height) ?? params) }
  }

  /** Returns the mark of a wave that changes nothing; undefined where that is not known. */
  function readingOf(calls: readonly Waiting[], judged: SentinelTiming): Repeatable<Journey> | undefined {
    if (judged !== 'along' || writes === undefined || calls.some(({ method }) => writes.has(method))) return undefined
    const methods = [...new Set(calls.map(({ method }) => method))].sort().join('+')
    return {
      // As many calls as up to the next power of two take about as long.
      kind: `${methods} ${2 ** Math.ceil(Math.log2(calls.length))}`,
      compare: (one, other) => compareJourneys(calls, agreement, one, other),
    }
  }

  /** Asks the sentinels whether the endpoint may be believed. @throws EndpointError when a sentinel does not find what it must */
  async function judge(send: Sender, endpoint: number, along: readonly Sentinel[], known?: readonly Result[]): Promise<void> {
    if (along.length === 0) return
    const results = known ?? (await ask(send, endpoint, along))
    const further = along.flatMap((sentinel, index) => {
      const outcome = read(sentinel, given(results, index))
      if ('fault' in outcome) throw outcome.fault
      if ('verdict' in outcome) throw unanswered(outcome.verdict)
      const { head, further = [] } = (outcome.value as SentinelReading | undefined) ?? {}
      if (head) send.saw?.(head)
      return further
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

  /** Asks one endpoint, of calls that are alike once. @throws EndpointError when it gave no answer to the calls as a whole, and what `send` throws */
  async function ask(send: Sender, endpoint: number, calls: readonly NamedCall[]): Promise<Result[]> {
    const questions: Question[] = []
    const places = new Map<string, number>()
    const order = calls.map(({ method, params }) => {
      const words = JSON.stringify({ method, params })
      const place = places.get(words) ?? questions.length
      if (place < questions.length) return place
      const id = ++lastId
      places.set(words, questions.push({ id, method, params, text: `{"jsonrpc":"2.0","id":${id},${words.slice(1)}` }) - 1)
      return place
    })
    const limit = smaller.get(endpoint)
    const size = limit && now() < limit.until ? Math.min(limit.size, batchMax) : batchMax
    const results = (await Promise.all(partsOf(questions, size).map((part) => batch(send, endpoint, part)))).flat()
    return order.map((place) => given(results, place))
  }

  async function one(send: Sender, question: Question): Promise<Result[]> {
    const { body } = await post(send, question.text)
    return [resultOf(question, [body])]
  }

  async function batch(send: Sender, endpoint: number, questions: readonly Question[]): Promise<Result[]> {
    const [first, ...others] = questions
    if (first === undefined) return []
    if (others.length === 0) return one(send, first)
    const { status, body } = await post(send, `[${questions.map(({ text }) => text).join(',')}]`)
    const { error } = membersOf(body)
    const inHalves = Array.isArray(body) ? refusesPart(body, questions) : status === TOO_LARGE || refusesSize(error)
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
    const refusal = options.refusal(first.method, error, first.params)
    throw isEndpointError(refusal) ? refusal : unanswered(refusal)
  }

  function isBusy(fault: unknown): boolean {
    const rejection = isFault(fault) && options.refusal('', fault, [])
    return isEndpointError(rejection) && rejection.reason === 'busy'
  }

  async function post(send: Sender, input: string): Promise<{ readonly status: number; readonly body: unknown }> {
    if (send.postJson) {
      const { status, value } = await send.postJson(input, parsed)
      return { status, body: value }
    }
    const response = await send('http://upstream.invalid/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: input,
    })
    const text = await response.text()
    try {
      return { status: response.status, body: await parsed(text) }
    } catch (error) {
      // Some nodes refuse a batch by a plain text.
      if (response.status >= 400) return { status: response.status, body: undefined }
      throw malformedAnswer(error)
    }
  }

  function parsed(text: string): unknown {
    return text.length > LARGE ? oneByOne(() => parse(text)) : parse(text)
  }
}
