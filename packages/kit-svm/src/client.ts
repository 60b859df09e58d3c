import { Connection } from '@solana/web3.js'
import { isServiceError, type KitIo, type NetworkBase } from '@svc/contract'
import { createRpc, malformed, NodeError, post, type Rpc, readEnvelope } from './rpc.ts'

/** How long a rent is remembered, in milliseconds. It changes by vote of the validators, at the end of an epoch. */
const RENT_MS = 600_000

/** Bytes of an account beside its data. @see https://docs.rs/solana-rent/latest/solana_rent/constant.ACCOUNT_STORAGE_OVERHEAD.html (read 2026-11-21) */
const OVERHEAD = 128

/** One network of the family over the service's own endpoints. */
export interface SvmClient {
  /**
   * web3.js at `confirmed`. Whatever fails is a 502, 503 or 504, answers of another form included. For `sendTransaction` and
   * `simulateTransaction` use `rpc`, since the library drops the node's error code.
   */
  readonly connection: Connection
  /**
   * A call without the library.
   *
   * @returns the result, unchecked; integers beyond what a double holds are `bigint`
   * @throws NodeError for a transaction that a node refused; 502 with the NodeError as its cause, 503 and 504 for all else
   */
  readonly rpc: Rpc
  /** Lamports that an account of so many bytes must hold; remembered for some minutes. @throws 502, 503, 504 */
  rent(space: number): Promise<bigint>
  /** Whether this client has seen that its endpoints serve its network; noted by the kit. */
  readonly cluster: { confirmedUntil: number }
}

/** Calls nothing. */
export function connectSvm(_network: NetworkBase, io: KitIo): SvmClient {
  const rpc = createRpc(io)
  const rents = new Map<number, { readonly lamports: Promise<bigint>; readonly until: number }>()
  return {
    connection: connectionOver(io),
    rpc,
    cluster: { confirmedUntil: 0 },
    rent(space) {
      const remembered = rents.get(space)
      if (remembered && remembered.until > performance.now()) return remembered.lamports
      const lamports = rpc<unknown>('getMinimumBalanceForRentExemption', [space]).then((answer) => rentOf(answer, space))
      rents.set(space, { lamports, until: performance.now() + RENT_MS })
      lamports.catch(() => rents.delete(space))
      return lamports
    },
  }
}

/** What is remembered had better be none by accident: an account always costs more than a lamport for each of its bytes. */
function rentOf(answer: unknown, space: number): bigint {
  const lamports = lamportsOf(answer)
  if (lamports < BigInt(OVERHEAD + space)) throw malformed(answer)
  return lamports
}

/** An amount as `rpc` answers it. @throws 502 when it is none */
export function lamportsOf(value: unknown): bigint {
  if (typeof value === 'bigint' && value >= 0n) return value
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return BigInt(value)
  throw malformed(value)
}

function connectionOver({ fetch: send }: KitIo): Connection {
  // The library opens no socket unless it is made to subscribe, and would wait and repeat by itself when a node is busy.
  const connection = new Connection('http://upstream.invalid/', {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: async (_url, init) => {
      const text = await post(send, String(init?.body))
      const { method, id } = JSON.parse(String(init?.body)) as { method?: string; id?: unknown }
      // Refused here, since the library keeps neither code nor data of an error, and in some methods answers 0 in its place.
      readEnvelope(method ?? '', id, text)
      return new Response(text)
    },
  })
  return new Proxy(connection, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, BARE.get(name) ?? name, receiver)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => {
        const result: unknown = Reflect.apply(member, receiver, given)
        if (!(result instanceof Promise)) return result
        return (BARE.has(name) ? result.then(({ value }: { value: unknown }) => value) : result).catch(understood)
      }
    },
  })
}

/** Methods whose failures the library puts into a sentence of its own, and those that they are made of. */
const BARE: ReadonlyMap<string | symbol, string> = new Map([
  ['getBalance', 'getBalanceAndContext'],
  ['getNonce', 'getNonceAndContext'],
])

/** The library says in its own ways that an answer does not have the form it should. */
function understood(error: unknown): never {
  throw isServiceError(error) || error instanceof NodeError ? error : malformed(error)
}
