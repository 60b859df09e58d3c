import { exactNumber, isServiceError, type KitIo, membersOf, tokensText } from '@svc/contract'
import { Connection } from '@svc/solana'
import { svmAgreement } from './agreement.ts'
import { badGateway } from './codes.ts'
import { DECIMALS } from './decimals.ts'
import { lamportsOf } from './lamports.ts'
import { liveNode } from './liveness.ts'
import { createRpc, malformed, NodeError, type Rpc } from './rpc.ts'
import type { SvmNetwork } from './settings.ts'

/** Time for which a rent is remembered, in milliseconds. The rent changes by vote of the validators, at the end of an epoch. */
const RENT_MS = 600_000

/** Bytes of an account beside its data. @see https://docs.rs/solana-rent/latest/solana_rent/constant.ACCOUNT_STORAGE_OVERHEAD.html (read 2026-11-21) */
export const OVERHEAD = 128

/**
 * Most lamports for each byte that the chain has ever asked for, and asks for today; the steps that are decided lead down from it
 * (SIMD-0437). The wallet pays it, so that a node must not name any sum.
 *
 * @see https://docs.rs/solana-rent/latest/solana_rent/ (DEFAULT_LAMPORTS_PER_BYTE_YEAR times DEFAULT_EXEMPTION_THRESHOLD, read 2026-11-22)
 */
export const MOST_PER_BYTE = 6_960n

/** One network of the family over the service's own endpoints. Every node is asked which cluster it serves, and how old its head is. */
export interface SvmClient {
  /**
   * web3.js at `confirmed`. Whatever fails is a 502, 503 or 504, answers of another form included. For `sendTransaction` and
   * `simulateTransaction` use `rpc`, since the library drops the node's error code.
   */
  readonly connection: Connection
  /** A call without the library. */
  readonly rpc: Rpc
  /** Means to listen to what nodes push; undefined where the host has none. */
  readonly listen: KitIo['listen']
  /** Lamports that an account of so many bytes must hold, within what the chain has ever asked for; remembered for some minutes. @throws 502, 503, 504 */
  rent(space: number): Promise<bigint>
  /** Has the next one read anew: whoever was refused on what is remembered of it may be refused on what was true before. */
  forgetRents(): void
}

/** Makes the client of a network; calls nothing. */
export function connectSvm(network: SvmNetwork, io: KitIo): SvmClient {
  const rpc = createRpc(io, liveNode(network, io), svmAgreement)
  const rents = new Map<number, { readonly lamports: Promise<bigint>; readonly until: number }>()
  return {
    connection: connectionOver(rpc),
    rpc,
    listen: io.listen,
    rent(space) {
      const remembered = rents.get(space)
      if (remembered && remembered.until > performance.now()) return remembered.lamports
      const lamports = rpc('getMinimumBalanceForRentExemption', [space], (answer) => rentOf(answer, space))
      rents.set(space, { lamports, until: performance.now() + RENT_MS })
      lamports.catch(() => rents.delete(space))
      return lamports
    },
    forgetRents: () => rents.clear(),
  }
}

const sol = (lamports: bigint) => tokensText(lamports, { decimals: DECIMALS, symbol: 'SOL' })

/** At least a lamport for each byte, since what is remembered had better be none by accident; at most what the chain has ever asked for. */
function rentOf(answer: unknown, space: number): bigint {
  const lamports = lamportsOf(answer)
  const bytes = BigInt(OVERHEAD + space)
  if (lamports < bytes) throw malformed(answer)
  if (lamports <= bytes * MOST_PER_BYTE) return lamports
  throw badGateway(
    'UPSTREAM_ERROR',
    `The chain's node says that an account of ${space} bytes costs ${sol(lamports)}, where it costs ${sol(bytes * MOST_PER_BYTE)} at most; try again.`,
  )
}

function connectionOver(rpc: Rpc): Connection {
  const answer = async (question: unknown) => {
    const { id, method, params } = membersOf(question)
    return { jsonrpc: '2.0', id, result: await rpc(String(method), Array.isArray(params) ? params : [], (result) => result) }
  }
  // The library opens no socket unless it is made to subscribe, and would wait and repeat by itself when a node is busy.
  const connection = new Connection('http://upstream.invalid/', {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
    fetch: async (_url, init) => {
      const request: unknown = JSON.parse(String(init?.body))
      // Errors are thrown here, since the library keeps neither code nor data of one, and in some methods answers 0 in its place.
      const reply = Array.isArray(request) ? await Promise.all(request.map(answer)) : await answer(request)
      return new Response(JSON.stringify(reply, (_key, value) => (typeof value === 'bigint' ? exactNumber(String(value)) : value)))
    },
  })
  return new Proxy(connection, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, BARE.get(name) ?? name, receiver)
      if (typeof member !== 'function') return member
      return (...parameters: unknown[]) => {
        const result: unknown = Reflect.apply(member, receiver, parameters)
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
