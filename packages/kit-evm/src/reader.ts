import { isServiceError, type KitContext, type ServiceError, SettingsError } from '@svc/contract'
import type { Question } from './abi.ts'
import type { EvmClient } from './client.ts'
import { type ReadBlock, type ReadCall, type ReadResult, readMany } from './multicall.ts'
import type { EvmSettings } from './settings.ts'

/** Questions by names, or in a list. */
export type Questions<T> = { readonly [K in keyof T]: Question<T[K]> }

/** An answer, or the chain's reason why there is none, which is empty where the chain gives none. */
export type Answer<T> = { readonly ok: true; readonly value: T } | NoAnswer
/** Answers under the names, or in the places, of their questions. */
export type Answers<T> = { readonly [K in keyof T]: Answer<T[K]> }

/** Result for a question that was not answered. */
export interface NoAnswer {
  readonly ok: false
  readonly method: string
  readonly reason: string
}

/**
 * Treatment of an answer that has another form on every endpoint. `refuse` is 502 UPSTREAM_ERROR for all that was asked with it; `leave out`
 * asks once more and leaves that one out, as if the chain had refused it. An empty answer is that of an address without code, and left out.
 */
export type MalformedPolicy = 'refuse' | 'leave out'

export interface AskOptions {
  readonly malformed?: MalformedPolicy
  /** Most questions in one call of the chain, for those that cost much gas. All calls travel together. */
  readonly perCall?: number
  /** Hash of the block whose state is read: all calls are of that one state, or none is answered. @default the latest state of each call */
  readonly at?: string
}

type ReadContext = KitContext<EvmClient, EvmSettings>

/** Functions with which a protocol asks its contracts. */
export interface Reader {
  /**
   * Asks in one round trip, all of one state where the chain has Multicall3. A question that the chain refuses fails alone.
   *
   * @throws 502, 503, 504 when the chain could not be asked
   */
  ask<T extends object>(ctx: ReadContext, questions: Questions<T>, options?: AskOptions): Promise<Answers<T>>
  /** Asks in the same way, and returns the answers themselves. @throws the protocol's 502 for the first question without an answer */
  askAll<T extends object>(ctx: ReadContext, questions: Questions<T>, options?: AskOptions): Promise<T>
  /** Returns the value of an answer. @throws the protocol's 502 when there is none */
  answered<T>(answer: Answer<T>): T
  /**
   * A reading that shows whether a setting is true: what cannot be read of a contract that answers is a setting that does not fit.
   *
   * @param what the sentence begins with: `vault 0x… is no vault`
   * @throws SettingsError in place of the protocol's 502
   */
  orSettingsError<T>(what: string, read: () => Promise<T>): Promise<T>
}

/**
 * Makes the reader of a protocol's contracts, once, in the protocol's `chain.ts`.
 *
 * Questions come from `parseAbi` and bring their own `read`: an answer that it refuses is asked of the next endpoint. They are asked together, by names or in a list, and
 * the answers have the types that the ABI declares.
 *
 * @example
 * const vault = parseAbi(['function balanceOf(address owner) view returns (uint256)', 'function paused() view returns (bool)'])
 * const { ask, askAll, answered, orSettingsError } = reader({
 *   unreadable: ({ method, reason }) => badGateway('VAULT_UNREADABLE', `The vault could not be read (${method}): ${reason || 'no reason given'}.`),
 * })
 *
 * const askShares = ({ vault: to }: VaultNetwork, owner: string) => vault.question(to, 'balanceOf', [owner], readAmount)
 * const askPaused = ({ vault: to }: VaultNetwork) => vault.question(to, 'paused', [])
 *
 * const { shares, paused } = await askAll(ctx, { shares: askShares(ctx.network, owner), paused: askPaused(ctx.network) }) // bigint, boolean
 * const [mine, yours] = await ask(ctx, [askShares(ctx.network, me), askShares(ctx.network, you)]) // each may fail alone
 * if (mine.ok) use(mine.value)
 *
 * @param unreadable the protocol's refusal for what is not answered: a 502 with a code of its own
 * @param malformed for every question, unless it is asked otherwise; `refuse` when absent
 */
export function reader({
  unreadable,
  malformed: usual = 'refuse',
}: {
  readonly unreadable: (unanswered: NoAnswer) => ServiceError
  readonly malformed?: MalformedPolicy
}): Reader {
  const refusals = new WeakSet<object>()

  function answered<T>(answer: Answer<T>): T {
    if (answer.ok) return answer.value
    const refusal = unreadable(answer)
    refusals.add(refusal)
    throw refusal
  }

  async function answersOf(ctx: ReadContext, questions: object, options: AskOptions = {}): Promise<readonly Answer<unknown>[]> {
    const list: readonly Question<unknown>[] = Object.values(questions)
    const { perCall = list.length || 1, malformed = usual, at } = options
    const block = at === undefined ? 'latest' : ({ blockHash: at, requireCanonical: true } as const)
    const calls = Array.from({ length: Math.ceil(list.length / perCall) }, (_, place) => list.slice(place * perCall, (place + 1) * perCall))
    return (await Promise.all(calls.map((call) => answersOfCall(ctx, call, malformed, block)))).flat()
  }

  return {
    ask: async (ctx, questions, options) => inPlace(questions, await answersOf(ctx, questions, options)),
    askAll: async (ctx, questions, options) => inPlace(questions, (await answersOf(ctx, questions, options)).map(answered)),
    answered,
    async orSettingsError(what, read) {
      try {
        return await read()
      } catch (error) {
        if (!(error instanceof Error) || !refusals.has(error)) throw error
        throw new SettingsError(`${what}: ${error.message}`)
      }
    },
  }
}

async function answersOfCall(
  ctx: ReadContext,
  questions: readonly Question<unknown>[],
  malformed: MalformedPolicy,
  block: ReadBlock,
): Promise<readonly Answer<unknown>[]> {
  const readings = questions.map(readingOf)
  const results = await readMany(ctx, readings, block).catch((error: unknown) => {
    if (malformed === 'refuse' || !isServiceError(error) || error.code !== 'UPSTREAM_ERROR') throw error
    return readMany(
      ctx,
      questions.map(({ to, data }) => ({ to, data })),
      block,
    )
  })
  return readings.map(({ answer }, index) => answer(results[index]))
}

/** A question that is asked, with the handling of its result. */
interface Reading<T> extends ReadCall {
  readonly answer: (result: ReadResult | undefined) => Answer<T>
}

/** Reads an answer, or returns the value that was read of it while another endpoint could still be asked: an answer is read once. */
function readingOf<T>({ to, method, data, read, check }: Question<T>): Reading<T> {
  let last: { readonly of: string; readonly value: T } | undefined
  return {
    to,
    data,
    check(answer) {
      if (answer === '0x') return
      if (check) check(answer)
      else last = { of: answer, value: read(answer) }
    },
    answer(result) {
      if (!result?.ok) return { ok: false, method, reason: result?.reason ?? 'its answer is missing' }
      if (last?.of === result.data) return { ok: true, value: last.value }
      try {
        return { ok: true, value: read(result.data) }
      } catch {
        return { ok: false, method, reason: 'its answer has another form' }
      }
    },
  }
}

/** Returns the results of the questions, under their names or in their places; each question said the type of its own. */
function inPlace<T>(questions: object, values: readonly unknown[]): T
function inPlace(questions: object, values: readonly unknown[]): unknown {
  if (Array.isArray(questions)) return values
  return Object.fromEntries(Object.keys(questions).map((name, index) => [name, values[index]]))
}
