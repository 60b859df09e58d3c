import { type CraftRejection, formatUnits, type GivenOf, type Intent, Refused, worded } from '@svc/verify/intent'
import { ConnectionError, MismatchError, SetupError, SvcError, UnavailableError } from './errors.ts'
import { type Answer, type Call, type CallOptions, pause } from './http.ts'
import { Decimal, writeBody } from './json.ts'
import { CALL, type Names, onlyKnown } from './option-names.ts'
import { type Balance, membersOf, readBalance, readInfo, type StakingInfo } from './reads.ts'
import { bothLand } from './replaces.ts'
import { isSettled, readStatus, type TransactionStatus } from './status.ts'
import { SignedTransaction, VerifiedTransaction } from './transaction.ts'
import type { TrustedNetwork } from './trust.ts'

/** First pause between two looks at a transaction, in milliseconds. */
const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 60_000
const GROWTH = 1.5
/** Largest difference of a nonce or sequence from the last one of the same signer that this client saw: a choice of this project. */
const MOST_AHEAD = 16n

/** Options of one craft. */
export interface CraftOptions extends CallOptions {
  /** Facts that the caller knows independently, by their names in the intent. They are compared exactly, instead of being taken from the service. */
  readonly facts?: Readonly<Record<string, unknown>>
  /**
   * An earlier transaction of the same signer in whose place this one is to come: it is refused unless both use something that the chain takes once, such as
   * a nonce, so that one at most can ever land.
   */
  readonly replaces?: VerifiedTransaction
}

const CRAFT: Names<CraftOptions> = { ...CALL, facts: true, replaces: true }
const TRACK: Names<TrackOptions> = { ...CALL, order: true }
const SETTLED = { ...CALL, wallet: true, onStatus: true } as const

/** Options of one look at a transaction. */
export interface StatusOptions extends CallOptions {
  /** Who signed it: some chains find a transaction by its hash and its signer only, where the service does not follow it. */
  readonly wallet?: string
}

/** Options of following a transaction. */
export interface TrackOptions extends CallOptions {
  /** Checked transaction that the wallet was handed, of an EVM chain: what was sent is told to be it, or how it differs, before it is followed. */
  readonly order?: VerifiedTransaction
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

/** Members that every protocol has besides its actions. */
export interface Common {
  /** The pinned terms, of this network. */
  readonly terms: TrustedNetwork['terms']
  /** Crafts as the method of the action's name does, for callers who learn the action at run time. @param action its name in the API: `claim-rewards` */
  craft(action: string, input: Readonly<Record<string, unknown>>, options?: CraftOptions): Promise<VerifiedTransaction>
  /** Reads the state of a position; amounts exact. */
  balance(address: string, options?: CallOptions): Promise<Balance>
  /** Reads the terms of staking on this network. */
  info(options?: CallOptions): Promise<StakingInfo>
  /** A read of the protocol's own: the body, with numbers that a double cannot hold as text. @param path behind the protocol's */
  read(path: string, options?: CallOptions): Promise<unknown>
  /**
   * Assembles and sends. The signed bytes that the service assembles are compared with what this process writes before they are sent; a whole transaction of a wallet is sent as it is. Never
   * repeated by itself.
   *
   * @returns the hash by which the chain knows it; sent is not yet final
   * @throws SvcError of any kind. With `txHash` it may have been sent, whatever else the error says: look the hash up first. Without, nothing has left
   */
  send(signed: SignedTransaction, options?: CallOptions): Promise<{ readonly txHash: string }>
  /**
   * Reads the state of a transaction, of any that the chain has: on the service's word.
   *
   * @throws UnavailableError when nobody could be asked, which is not the same as `unknown`
   */
  status(txHash: string, options?: StatusOptions): Promise<TransactionStatus>
  /**
   * Has a transaction followed that was sent elsewhere; what `send` has sent is followed by itself. A hash alone proves less than the signed bytes, and nothing of what was sent: give
   * the `order` that a wallet was handed as `call`, and its bytes are waited for, as long as no endpoint shows them, and compared with it first.
   *
   * @throws MismatchError with `txHash` for bytes that are not the order: it moved what they say. The signal's reason
   */
  track(sent: SignedTransaction | string, options?: TrackOptions): Promise<TransactionStatus>
  /**
   * Waits until a transaction stays as it is: final, failed for good, replaced, or expired. Asks at longer and longer intervals, up to a minute, and
   * goes on while the chain cannot be asked. A transaction that only another one can end is waited for without end: give a `signal`.
   *
   * @throws the signal's reason
   */
  settled(txHash: string, options?: CallOptions & { readonly onStatus?: (status: TransactionStatus) => void }): Promise<TransactionStatus>
  /** Returns the service's answer to a craft without reading or checking it. This client cannot sign it. */
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
  const { family, path, reader } = intent
  const base = `/api/v1${path}`
  const network = terms.chainId
  /** The highest nonce or sequence of each signer. */
  const counters = new Map<string, bigint>()
  const post = (action: string, body: string, options: CallOptions, repeatable = true) =>
    http({ ...onlyKnown(options, CALL, action), method: 'POST', path: `${base}/action/${action}`, body, network, repeatable })
  const get = (where: string, options: CallOptions = {}, name = where) =>
    http({ ...onlyKnown(options, CALL, name), method: 'GET', path: base + where, network })

  /** @throws MismatchError */
  function agreed<R extends object>(review: R | CraftRejection, what: string): R {
    if (!('mismatches' in review)) return review
    const { mismatches } = review
    throw new MismatchError(
      what,
      mismatches,
      mismatches.map((each) => worded(each, terms, intent)),
    )
  }

  async function craft(name: string, members: Readonly<Record<string, unknown>>, options: CraftOptions = {}): Promise<VerifiedTransaction> {
    const action = Object.hasOwn(intent.actions, name) ? intent.actions[name] : undefined
    const { signing } = family
    if (!action || !signing || !reader) throw new SetupError(`${path} has no action ${name} that this client can have signed.`)
    const { facts, replaces, ...rest } = onlyKnown(options, CRAFT, name)
    const input = reading(() => reader.readInput(action.input, members, terms.decimals), `${name} was not asked for`)
    const { body: answer, headers: headerValues } = await post(name, writeBody(wire(action.input, input, terms.decimals)), rest)
    const reviewed = agreed(
      reader.review({ intent, action, terms, input, answer, stated: headerValues, ...(facts ? { facts } : {}) }),
      'The transaction is not what was asked for, so it cannot be signed',
    )
    const wrong = await signing.proven?.(answer)
    if (wrong) throw new MismatchError('The transaction cannot land, so it is not signed', [wrong])
    const request = reading(() => signing.request(answer, input, terms, headerValues), `${name} was not asked for`)
    const { counter = '' } = family
    const count = reviewed.decoded.terms[counter]
    if (typeof count === 'bigint') {
      const most = (counters.get(request.signer) ?? count) + MOST_AHEAD
      if (count > most && !Object.hasOwn(facts ?? {}, counter))
        throw new MismatchError('The transaction would lie in wait, so it is not signed', [
          { path: `facts.${counter}`, expected: `at most ${most}, or the one that you give`, found: String(count) },
        ])
      if (count >= most - MOST_AHEAD) counters.set(request.signer, count)
    }
    if (replaces) {
      const isOthers = replaces.request.signer !== request.signer || replaces.request.chainId !== network
      const both = bothLand(family, replaces.decoded, reviewed.decoded, isOthers)
      if (both) throw new MismatchError('Both transactions could land, so this one is not signed', [both])
    }
    const order = { intent, action, terms, input, stated: headerValues, craft: reviewed }
    return new VerifiedTransaction({
      reviewed,
      request: { ...request, answer, chainId: network, stated: headerValues },
      signing,
      call: family.call?.(reviewed.decoded) ?? null,
      judge: async (signedTx, chosen) =>
        agreed(
          await reader.reviewSigned({ ...order, signed: signedTx, chosen }),
          'What was signed is not what was asked for, so it is not sent',
        ),
      compare: async (signedTx) =>
        agreed(await reader.reviewSent({ ...order, signed: signedTx }), 'What was sent is not what was asked for'),
    })
  }

  /** Reads what was sent, until an endpoint shows it, and compares it with the order. @returns its bytes as the body of track @throws MismatchError */
  async function bytesOf(txHash: string, order: VerifiedTransaction, options: CallOptions): Promise<Readonly<Record<string, string>>> {
    if (!order.call)
      throw new SetupError(`A transaction of ${path} is not compared by its hash: give what \`sign\` of it gives, and its bytes are.`)
    const where = `/transaction/${encodeURIComponent(txHash)}/signed`
    try {
      const { signed_tx_hex } = membersOf(await again(options, async () => (await get(where, options, 'track')).body))
      const { txHash: own, body } = await order.compare(String(signed_tx_hex))
      if (own === txHash.toLowerCase()) return body
      throw new MismatchError('The service shows another transaction', [{ path: 'tx_hash', expected: txHash, found: own }])
    } catch (error) {
      throw SvcError.is(error) ? SvcError.afterSending(error, txHash) : error
    }
  }

  const common: Common = {
    terms,
    craft,
    balance: async (address, options) =>
      readBalance((await get(`/staking-balance/${encodeURIComponent(address)}`, options, 'balance')).body, terms.decimals),
    info: async (options) => readInfo((await get('/staking-info', options, 'info')).body),
    read: async (where, options) => (await get(where, options, 'read')).body,
    async send(signed, options = {}) {
      onlyKnown(options, CALL, 'send')
      if (!(signed instanceof SignedTransaction)) throw new SetupError('send takes what `sign` of a verified transaction gives.')
      const { prepare, txHash } = signed
      if (prepare !== null) {
        const { body } = await post('prepare', writeBody(prepare), options)
        const response: Readonly<Record<string, unknown>> = typeof body === 'object' && body !== null ? { ...body } : {}
        const different = Object.entries(signed.signed).filter(([name, text]) => response[name] !== text)
        if (different.length > 0) {
          const list = different.map(([name, text]) => ({ path: name, expected: text, found: String(response[name]) }))
          throw new MismatchError('The prepared transaction is not the one that was signed, so it is not sent', list)
        }
      }
      options.signal?.throwIfAborted()
      try {
        // Whatever happens from here on, the transaction may be with the chain: no answer of the service proves that it is not.
        const { body: sent } = await post('broadcast', writeBody(signed.signed), options, false)
        const { tx_hash } = membersOf(sent)
        if (tx_hash !== txHash)
          throw new MismatchError('The service names another transaction than the one that was sent', [
            { path: 'tx_hash', expected: txHash, found: String(tx_hash) },
          ])
      } catch (error) {
        throw SvcError.afterSending(error, txHash)
      }
      return { txHash }
    },
    async status(txHash, { wallet, ...options } = {}) {
      const query = wallet === undefined ? '' : `?wallet=${encodeURIComponent(wallet)}`
      return readStatus((await get(`/transaction/${encodeURIComponent(txHash)}${query}`, options, 'status')).body, terms, txHash)
    },
    async track(sent, given = {}) {
      const { order, ...options } = onlyKnown(given, TRACK, 'track')
      const txHash = typeof sent === 'string' ? sent : sent.txHash
      const body = writeBody(typeof sent !== 'string' ? sent.signed : order ? await bytesOf(txHash, order, options) : { tx_hash: sent })
      const call = { ...options, method: 'POST', path: `${base}/transaction/track`, body, network } as const
      return readStatus((await http(call)).body, terms, txHash)
    },
    async settled(txHash, given = {}) {
      const { onStatus, ...options } = onlyKnown(given, SETTLED, 'settled')
      return again(options, async () => {
        const standing = await common.status(txHash, options)
        onStatus?.(standing)
        return isSettled(standing) ? standing : null
      })
    },
    craftWithoutVerification: async (action, body, options = {}) => ({ unverified: (await post(action, writeBody(body), options)).body }),
  }
  const actions = Object.fromEntries(
    Object.keys(intent.actions).map((name) => [
      name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      (argument: Readonly<Record<string, unknown>>, options?: CraftOptions) => craft(name, argument, options),
    ]),
  )
  return { ...actions, ...common } as Protocol<I>
}

/** Asks at longer and longer intervals until there is an answer, also while the service or the chain cannot be asked. @throws the signal's reason */
async function again<T>({ signal }: CallOptions, ask: () => Promise<T | null>): Promise<T> {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * GROWTH, LONGEST_WAIT_MS)) {
    const answer = await ask().catch((error: unknown) => {
      if (error instanceof UnavailableError || error instanceof ConnectionError) return null
      throw error
    })
    if (answer !== null) return answer
    await pause(wait, signal)
  }
}

/** Writes a body for the service: amounts as JSON numbers, digit by digit. */
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
