import { formatUnits, type GivenOf, type Intent, Refused, readInput, review } from '@svc/verify/intent'
import { ConnectionError, MismatchError, ServiceError, SetupError, UnavailableError } from './errors.ts'
import { type Answer, type Call, type CallOptions, pause } from './http.ts'
import { Decimal, writeBody } from './json.ts'
import { type Balance, readBalance, readInfo, type StakingInfo } from './reads.ts'
import { isSettled, readStatus, type TransactionStatus } from './status.ts'
import { SignedTransaction, VerifiedTransaction } from './transaction.ts'
import type { TrustedNetwork } from './trust.ts'

/** Between two looks at a transaction, in milliseconds. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
const GROWTH = 1.5

/** Of one craft. */
export interface CraftOptions extends CallOptions {
  /** Facts that the caller knows himself, by their names in the intent: compared exactly, and not assumed. */
  readonly facts?: Readonly<Record<string, unknown>>
}

type Camel<K extends string> = K extends `${infer Head}-${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : K
// biome-ignore lint/suspicious/noExplicitAny: any body of any action
type Shape = Readonly<Record<string, any>>
type ShapeOf<A> = A extends { readonly input: infer S extends Shape } ? S : never

/** A method for each action, by its name in camel case: `claimRewards`. */
export type Actions<I extends Intent> = {
  readonly [K in keyof I['actions'] & string as Camel<K>]: (
    input: GivenOf<ShapeOf<I['actions'][K]>>,
    options?: CraftOptions,
  ) => Promise<VerifiedTransaction>
}

/** What every protocol has besides its actions. */
export interface Common {
  /** The pinned terms, of this network. */
  readonly terms: TrustedNetwork['terms']
  /** What a method of the action's name does, for callers who learn at run time which it is. @param action its name in the API: `claim-rewards` */
  craft(action: string, input: Readonly<Record<string, unknown>>, options?: CraftOptions): Promise<VerifiedTransaction>
  /** Where a position stands; amounts exact. */
  balance(address: string, options?: CallOptions): Promise<Balance>
  /** What staking means on this network. */
  info(options?: CallOptions): Promise<StakingInfo>
  /** A read of the protocol's own: the body, with numbers that a double cannot hold as text. @param path behind the protocol's */
  read(path: string, options?: CallOptions): Promise<unknown>
  /**
   * Assembles and sends. The signed bytes that the service assembles are compared with what this process writes before they are sent. Never
   * repeated by itself.
   *
   * @returns the hash by which the chain knows it; sent is not yet final
   * @throws ServiceError or ConnectionError with `txHash` when it is not known whether it arrived: look the hash up first
   */
  send(signed: SignedTransaction, options?: CallOptions): Promise<{ readonly txHash: string }>
  /**
   * Where a transaction stands, of any that the chain has: on the service's word.
   *
   * @throws UnavailableError when nobody could be asked, which is not the same as `unknown`
   */
  status(txHash: string, options?: CallOptions): Promise<TransactionStatus>
  /** Has a transaction followed that was sent elsewhere; what `send` has sent is followed by itself. A hash alone proves less than the signed bytes. */
  track(sent: SignedTransaction | string, options?: CallOptions): Promise<TransactionStatus>
  /**
   * Waits until a transaction stays as it is: final, failed for good, replaced, or expired. Asks at longer and longer intervals, up to a minute, and
   * goes on while the chain cannot be asked. A transaction that only another one can end is waited for without end: give a `signal`.
   *
   * @throws the signal's reason
   */
  settled(txHash: string, options?: CallOptions & { readonly onStatus?: (status: TransactionStatus) => void }): Promise<TransactionStatus>
  /** What the service crafts, unread: nothing was checked, and it cannot be signed by this client. */
  craftWithoutVerification(action: string, body: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<UnverifiedCraft>
}

/** A craft that nobody has checked. */
export interface UnverifiedCraft {
  readonly unverified: unknown
}

export type Protocol<I extends Intent> = Actions<I> & Common

/** Binds an intent to one network of a service. */
export function bindProtocol<I extends Intent>(
  intent: I,
  terms: TrustedNetwork['terms'],
  http: (call: Call) => Promise<Answer>,
): Protocol<I> {
  const { family, path } = intent
  const base = `/api/v1${path}`
  const network = terms.chainId
  const post = (action: string, body: string, options: CallOptions, repeatable = true) =>
    http({ ...options, method: 'POST', path: `${base}/action/${action}`, body, network, repeatable })
  const get = (where: string, options: CallOptions = {}) => http({ ...options, method: 'GET', path: base + where, network })

  async function craft(name: string, given: Readonly<Record<string, unknown>>, options: CraftOptions = {}): Promise<VerifiedTransaction> {
    const action = Object.hasOwn(intent.actions, name) ? intent.actions[name] : undefined
    const { signing } = family
    if (!action || !signing) throw new SetupError(`${path} has no action ${name} that this client can have signed.`)
    const { facts, ...rest } = options
    const input = reading(() => readInput(action.input, given, terms.decimals), `${name} was not asked for`)
    const { body: answer, headers: stated } = await post(name, writeBody(wire(action.input, input, terms.decimals)), rest)
    const reviewed = review({ intent, action, terms, input, answer, stated, ...(facts ? { facts } : {}) })
    if ('mismatches' in reviewed)
      throw new MismatchError('The transaction is not what was asked for, so it cannot be signed', reviewed.mismatches)
    const request = signing.request(answer, input, terms, stated)
    return new VerifiedTransaction({ reviewed, request: { ...request, answer, chainId: network, stated }, signing })
  }

  const common: Common = {
    terms,
    craft,
    balance: async (address, options) =>
      readBalance((await get(`/staking-balance/${encodeURIComponent(address)}`, options)).body, terms.decimals),
    info: async (options) => readInfo((await get('/staking-info', options)).body),
    read: async (where, options) => (await get(where, options)).body,
    async send(signed, options = {}) {
      if (!(signed instanceof SignedTransaction)) throw new SetupError('send takes what `sign` of a verified transaction gives.')
      const { prepare, txHash } = signed
      const { body } = await post('prepare', writeBody(prepare.body), options)
      const answered: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
      const different = Object.entries(prepare.expected).filter(([name, text]) => answered[name] !== text)
      if (different.length > 0) {
        const list = different.map(([name, text]) => ({ path: name, expected: text, found: String(answered[name]) }))
        throw new MismatchError('The prepared transaction is not the one that was signed, so it is not sent', list)
      }
      const sent = await post('broadcast', writeBody(prepare.expected), options, false).catch((error: unknown) => {
        throw named(error, txHash)
      })
      const { tx_hash } = sent.body as { readonly tx_hash?: unknown }
      if (tx_hash !== txHash)
        throw new MismatchError('The service names another transaction than the one that was sent', [
          { path: 'tx_hash', expected: txHash, found: String(tx_hash) },
        ])
      return { txHash }
    },
    status: async (txHash, options) => readStatus((await get(`/transaction/${encodeURIComponent(txHash)}`, options)).body, terms.decimals),
    async track(sent, options = {}) {
      const body = writeBody(typeof sent === 'string' ? { tx_hash: sent } : sent.signed)
      const call = { ...options, method: 'POST', path: `${base}/transaction/track`, body, network } as const
      return readStatus((await http(call)).body, terms.decimals)
    },
    async settled(txHash, { onStatus, ...options } = {}) {
      for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * GROWTH, LONGEST_WAIT_MS)) {
        const found = await common.status(txHash, options).catch((error: unknown) => {
          if (!(error instanceof UnavailableError || error instanceof ConnectionError)) throw error
        })
        if (found) onStatus?.(found)
        if (found && isSettled(found)) return found
        await pause(wait, options.signal)
      }
    },
    craftWithoutVerification: async (action, body, options = {}) => ({ unverified: (await post(action, writeBody(body), options)).body }),
  }
  const actions = Object.fromEntries(
    Object.keys(intent.actions).map((name) => [
      name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      (given: Readonly<Record<string, unknown>>, options?: CraftOptions) => craft(name, given, options),
    ]),
  )
  return { ...actions, ...common } as Protocol<I>
}

/** A body as it stands on the wire: amounts as JSON numbers, digit by digit. */
function wire(shape: Shape, input: Readonly<Record<string, unknown>>, decimals: number): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      typeof value === 'bigint' ? new Decimal(formatUnits(value, shape[name]?.decimals ?? decimals)) : value,
    ]),
  )
}

function reading<T>(read: () => T, what: string): T {
  try {
    return read()
  } catch (error) {
    if (Refused.is(error)) throw new MismatchError(what, [error.mismatch])
    throw error
  }
}

/** An error of a broadcast always names the transaction. */
function named(error: unknown, txHash: string): unknown {
  if (error instanceof ConnectionError) {
    return new ConnectionError(`${error.message} The transaction ${txHash} may have been sent: look it up before sending anything again.`, {
      cause: error,
      txHash,
    })
  }
  return error instanceof ServiceError && error.txHash !== null && error.txHash !== txHash
    ? new MismatchError('The service names another transaction than the one that was sent', [
        { path: 'tx_hash', expected: txHash, found: error.txHash },
      ])
    : error
}
