import { setTimeout as wait } from 'node:timers/promises'
import type { BuiltBlock, EngineApi } from './engine-api.ts'

/** A block that this client has had made. */
interface Made {
  readonly hash: string
  readonly parent: string
  readonly height: number
  /** Seconds since 1970. */
  readonly time: number
  /** Raw transactions. */
  readonly transactions: readonly string[]
}

/** A consensus client of one node: it alone decides which blocks there are, and which of them are safe and final. */
export interface Consensus {
  readonly head: () => Made
  /**
   * Has a block made on the head.
   *
   * @param how.empty without transactions, whatever waits
   * @param how.rival another block without transactions is made in the same place, for `reorganise`
   * @throws Error where the node refuses its own block
   */
  block(how?: { readonly empty?: boolean; readonly rival?: boolean }): Promise<Made>
  /** So many blocks, one after the other. */
  blocks(count: number, how?: { readonly empty?: boolean }): Promise<void>
  /**
   * Makes the last rival the chain, with a block without transactions on it. A node builds on its head alone, so that the rival has to be there beforehand.
   *
   * @throws RangeError where there is none, or its place is final already
   */
  reorganise(): Promise<void>
  /** Makes two blocks a second until the result is called. */
  run(): () => Promise<void>
  /** Lets blocks become safe and final from now on; before, the chain has none of either. */
  finalise(): void
  /** Brings a node that was started anew to the head: what it has lost is told again. */
  resume(): Promise<void>
  /** Tells another node all blocks that there are, and which are safe and final; without it that node stays where it is. @throws Error where it refuses one */
  lead(other: EngineApi): Promise<void>
}

const NONE = `0x${'0'.repeat(64)}`
/** Blocks behind the head, far fewer than the 32 and 64 of mainnet, so that a run takes minutes. */
const SAFE_BEHIND = 4
const FINAL_BEHIND = 8
/** Seconds by which the chain's clock is behind, so that many blocks can be made at once without one of the future. */
const BEHIND_SECONDS = 600
/** Milliseconds that a node is given to put what waits into a block; it builds the empty one first. */
const FILL_MS = 150
/** Milliseconds between two blocks of a chain that runs: a time of the chain's own, which has a second for each. */
const PERIOD_MS = 350

/**
 * Drives a node over its Engine API, with the methods of Osaka.
 *
 * @param genesis the node's first block
 * @see https://github.com/ethereum/execution-apis/blob/main/src/engine/osaka.md (read 2026-11-24)
 */
export function createConsensus(engine: EngineApi, genesis: { readonly hash: string; readonly time: number }): Consensus {
  const chain: Made[] = [{ hash: genesis.hash, parent: NONE, height: 0, time: genesis.time, transactions: [] }]
  const built = new Map<string, BuiltBlock>()
  /** Number of blocks that each node was told. */
  const lengths = new Map<EngineApi, number>()
  let rival: Made | null = null
  let finalising = false
  let seed = 0
  let turn: Promise<unknown> = Promise.resolve()
  const head = () => at(chain.length - 1)

  function at(height: number): Made {
    const block = chain[Math.max(0, height)]
    if (!block) throw new RangeError(`there is no block ${height}`)
    return block
  }

  async function choose(attributes: unknown, node = engine): Promise<string | null> {
    const top = head().height
    const [safe, final] = [top - SAFE_BEHIND, top - FINAL_BEHIND]
    const state = {
      headBlockHash: head().hash,
      safeBlockHash: finalising && safe > 0 ? at(safe).hash : NONE,
      finalizedBlockHash: finalising && final > 0 ? at(final).hash : NONE,
    }
    const answer = (await node.call('engine_forkchoiceUpdatedV3', [state, attributes])) as {
      readonly payloadStatus: { readonly status: string }
      readonly payloadId: string | null
    }
    if (answer.payloadStatus.status !== 'VALID') throw new Error(`engine_forkchoiceUpdatedV3: ${JSON.stringify(answer)}`)
    return answer.payloadId
  }

  async function tell({ executionPayload, executionRequests = [] }: BuiltBlock, node = engine): Promise<void> {
    const answer = (await node.call('engine_newPayloadV4', [executionPayload, [], NONE, executionRequests])) as {
      readonly status: string
    }
    if (answer.status !== 'VALID') throw new Error(`engine_newPayloadV4: ${JSON.stringify(answer)}`)
  }

  async function tellAll(node: EngineApi, from: number): Promise<void> {
    for (const { hash } of chain.slice(from)) {
      const payload = built.get(hash)
      if (payload) await tell(payload, node)
    }
    await choose(null, node)
    lengths.set(node, chain.length)
  }

  async function make(empty: boolean): Promise<Made> {
    chain.push(await build(empty))
    await choose(null)
    return head()
  }

  /** A block on the head that the node knows, and that is not the head yet. */
  async function build(empty: boolean): Promise<Made> {
    const parent = head()
    const time = Math.max(parent.time + 1, Math.floor(Date.now() / 1_000) - BEHIND_SECONDS)
    for (;;) {
      // Another seed makes another block, also on the same parent and in the same second.
      const prevRandao = `0x${(++seed).toString(16).padStart(64, '0')}`
      const attributes = {
        timestamp: `0x${time.toString(16)}`,
        prevRandao,
        suggestedFeeRecipient: `0x${'fe'.repeat(20)}`,
        withdrawals: [],
        parentBeaconBlockRoot: NONE,
      }
      const id = await choose(attributes)
      if (!empty) await wait(FILL_MS)
      const product = (await engine.call('engine_getPayloadV5', [id])) as BuiltBlock
      const { blockHash: hash, transactions } = product.executionPayload
      if (empty && transactions.length > 0) continue
      await tell(product)
      built.set(hash, product)
      return { hash, parent: parent.hash, height: parent.height + 1, time, transactions }
    }
  }

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = turn.then(work)
    turn = result.catch(() => {})
    return result
  }

  return {
    head,
    block: ({ empty = false, rival: isRival = false } = {}) =>
      inTurn(async () => {
        if (isRival) rival = await build(true)
        return make(empty)
      }),
    async blocks(count, { empty = false } = {}) {
      for (let round = 0; round < count; round++) await inTurn(() => make(empty))
    },
    reorganise: () =>
      inTurn(async () => {
        if (!rival || (finalising && rival.height <= head().height - FINAL_BEHIND)) throw new RangeError('no rival can take a place')
        chain.length = rival.height
        chain.push(rival)
        rival = null
        await choose(null)
        await make(true)
      }),
    run() {
      let running = true
      const loop = (async () => {
        while (running) {
          await inTurn(() => make(false)).catch(() => {
            // A node that is just being started anew; it is asked again.
          })
          await wait(PERIOD_MS)
        }
      })()
      return async () => {
        running = false
        await loop
      }
    },
    finalise() {
      finalising = true
    },
    resume: () => inTurn(() => tellAll(engine, 1)),
    lead: (other) => inTurn(() => tellAll(other, lengths.get(other) ?? 1)),
  }
}
