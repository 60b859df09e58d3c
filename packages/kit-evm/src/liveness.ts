import { type KitIo, malformedAnswer, membersOf, requireChain, requireRecent } from '@svc/contract'
import type { Sentinel, SentinelReading } from '@svc/contract/rpc'
import { readBytes, readQuantity } from './answer.ts'
import type { EvmNetwork } from './settings.ts'

/** Selector of Multicall3's `getCurrentBlockTimestamp()`: the head's time in 32 bytes, where a whole block names each of its transactions. @see https://github.com/mds1/multicall3 (read 2026-11-22) */
const HEAD_TIME = '0x0f28c97d'
/** Time for which a chain without a multicall contract is not asked for one again, in milliseconds. */
const ABSENT_MS = 600_000
/** Latest second since 1970 that a `Date` holds. @see https://tc39.es/ecma262/#sec-time-values-and-time-range (read 2026-11-22) */
const LAST_SECOND = 8_640_000_000_000n

/** Watch of every wave, and its results. */
export interface Liveness {
  readonly sentinels: () => readonly Sentinel[]
  /** Tells whether the chain has said, by its code there, that it has no multicall contract. */
  hasMulticall(): boolean
  /** @param time of a head, in seconds since 1970. @throws EndpointError when it is too old, or none */
  requireFresh(time: bigint): SentinelReading
}

/**
 * Makes the sentinels that ask which chain an endpoint serves, and how old its head is, together with every wave. A node of another chain answers that chain's nonces
 * and balances; one that lies behind answers old ones. The multicall contract tells the head's time; where it is missing the block does, and for a while it is not
 * asked again.
 */
export function liveness(network: EvmNetwork, { now }: Pick<KitIo, 'now'>): Liveness {
  let absentUntil = Number.NEGATIVE_INFINITY
  const hasMulticall = () => now().getTime() >= absentUntil

  const chain: Sentinel = {
    method: 'eth_chainId',
    params: [],
    read(result) {
      requireChain(String(readQuantity(result)), network.chainId)
      return undefined
    },
  }
  const block: Sentinel = {
    method: 'eth_getBlockByNumber',
    params: ['latest', false],
    read: (result) => requireFresh(readQuantity(membersOf(result).timestamp)),
  }
  const code: Sentinel = {
    method: 'eth_getCode',
    params: [network.multicall, 'latest'],
    read(result) {
      if (readBytes(result) === '0x') absentUntil = now().getTime() + ABSENT_MS
      return undefined
    },
  }
  const head: Sentinel = {
    method: 'eth_call',
    params: [{ to: network.multicall, data: HEAD_TIME }, 'latest'],
    read(result) {
      const data = readBytes(result)
      // No code there answers nothing, and so does a node that is broken: the block tells, and the code whether to ask so again.
      if (data === '0x') return { further: [block, code] }
      if (data.length !== 66) throw malformedAnswer(result)
      return requireFresh(BigInt(data))
    },
  }

  /** @param time of the head, in seconds since 1970 */
  function requireFresh(time: bigint): SentinelReading {
    if (time > LAST_SECOND) throw malformedAnswer(time)
    const head = new Date(Number(time) * 1000)
    requireRecent(head, network.max_block_age, now())
    return { head }
  }

  return { sentinels: () => [chain, hasMulticall() ? head : block], hasMulticall, requireFresh }
}
