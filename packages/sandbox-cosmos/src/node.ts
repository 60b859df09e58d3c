import { sha256 } from '@cosmjs/crypto'
import { toHex } from '@cosmjs/encoding'
import { present } from '@svc/sandbox'
import { App, type BlockAround, type TxResult } from './app.ts'
import type { ChainEvent } from './context.ts'
import { ChainError, sdk } from './errors.ts'
import type { CosmosGenesis } from './genesis.ts'
import { buildState } from './genesis-state.ts'
import { bondedValidators, consensusBytes } from './modules/validators.ts'
import { changes, type PowerChange, powersOf } from './powers.ts'
import { decodeTx } from './tx/decode.ts'
import { withPlace } from './tx/sources.ts'

/** A block that was made. */
export interface Block {
  readonly height: bigint
  /** Milliseconds since 1970. */
  readonly time: number
  /** Upper-case hex, as all hashes here. */
  readonly hash: string
  readonly appHash: string
  readonly txs: readonly Uint8Array[]
  readonly results: readonly TxResult[]
  readonly events: readonly ChainEvent[]
  /** Operator address. */
  readonly proposer: string
  /** Consensus addresses in upper-case hex of those who made blocks then, the strongest first. */
  readonly signers: readonly string[]
  readonly powers: readonly PowerChange[]
}

/** Data that a node keeps besides blocks: whether it finds transactions, and what came of them in past blocks. */
interface Keeps {
  /** `indexer` is `kv`: `tx` and `tx_search` answer. */
  index: boolean
  /** `discard_abci_responses` is off: `block_results` answers. */
  results: boolean
}

/** A transaction in a block. */
export interface CommittedTx {
  readonly hash: string
  readonly height: bigint
  readonly index: number
  readonly bytes: Uint8Array
  readonly result: TxResult
}

/** Why celestia-core has no transaction, as `tx_status` tells it. */
interface Refusal {
  readonly execution_code: number
  readonly error: string
}

/** Why a node does not even look at a transaction. */
export class MempoolError extends Error {}

/** A fault of the node's own, which ends the whole request. */
export class NodeFault extends Error {}

/** Place of a transaction. */
type TxStatus = 'UNKNOWN' | 'PENDING' | 'EVICTED' | 'REJECTED' | 'COMMITTED'

/** Most transactions that wait, and most bytes of one. CometBFT's defaults (0.38, read 2026-11-21). */
const mempoolSize = 5000
const maxTxBytes = 1_048_576

/** A node: the application, the transactions that wait, and the blocks. */
export class Node {
  readonly app: App
  readonly genesis: CosmosGenesis
  readonly chainId: string
  /** False lets transactions wait until a block is asked for. */
  instant = true
  /** True lets them wait, whatever blocks are made. */
  held = false
  /** Hashes of those whose messages will take more gas than they may. */
  readonly exhausted = new Set<string>()
  /** Answers of the node about the past; all is remembered, so that an answer may be turned on again. */
  readonly keeps: Keeps
  /** Height of the first block that it has. */
  lowest = 1n
  readonly #blocks: Block[] = []
  readonly #pending = new Map<string, Uint8Array>()
  readonly #cache = new Set<string>()
  readonly #committed = new Map<string, CommittedTx>()
  /** Refusals of the checks, by hash. */
  readonly #refused = new Map<string, Refusal>()
  readonly #evicted = new Set<string>()
  readonly #waiting = new Map<string, (tx: CommittedTx) => void>()
  readonly #followers = new Set<(txs: readonly CommittedTx[]) => void>()
  #nextTime: number

  /** @param time milliseconds since 1970 of the first block, which is made here */
  constructor(chainId: string, genesis: CosmosGenesis, time: number) {
    this.chainId = chainId
    this.genesis = genesis
    this.keeps = { index: genesis.node.txIndex, results: genesis.node.keepsResults }
    this.app = new App({ chainId, genesis, state: buildState(chainId, genesis, time), time })
    this.#nextTime = time
    this.makeBlock()
  }

  get latest(): Block {
    return present(this.#blocks.at(-1), 'a block, as the first is made at once')
  }

  get pending(): readonly Uint8Array[] {
    return [...this.#pending.values()]
  }

  /** A block by its height, counted from 1. */
  block(height: bigint): Block | undefined {
    return height < this.lowest ? undefined : this.#blocks[Number(height) - 1]
  }

  /** The block before one; its header is known also when it was itself pruned. */
  before({ height }: Block): Block | undefined {
    return this.#blocks[Number(height) - 2]
  }

  /** A transaction by its hash. */
  tx(hash: string): CommittedTx | undefined {
    return this.#committed.get(hash)
  }

  /** Every transaction that is in a block, in order. */
  txs(): readonly CommittedTx[] {
    return [...this.#committed.values()]
  }

  status(hash: string): TxStatus {
    if (this.#committed.has(hash)) return 'COMMITTED'
    if (this.#pending.has(hash)) return 'PENDING'
    if (this.#evicted.has(hash)) return 'EVICTED'
    return this.#refused.has(hash) ? 'REJECTED' : 'UNKNOWN'
  }

  /** Tells why the checks refused a transaction; undefined where they did not. */
  refusal(hash: string): Refusal | undefined {
    return this.status(hash) === 'REJECTED' ? this.#refused.get(hash) : undefined
  }

  /**
   * Takes a transaction in, if it passes the checks. With instant blocks it is in one when this returns.
   *
   * @throws MempoolError for one that is known already, too large, or one too many
   */
  submit(bytes: Uint8Array): { hash: string; check: TxResult } {
    const hash = txHash(bytes)
    if (bytes.length > maxTxBytes) throw new MempoolError(`Tx too large. Max size is ${maxTxBytes}, but got ${bytes.length}`)
    if (this.#cache.has(hash)) throw new MempoolError(`tx already exists in ${this.genesis.node.celestiaCore ? 'mempool' : 'cache'}`)
    if (this.#pending.size >= mempoolSize) {
      throw new MempoolError(`mempool is full: number of txs ${this.#pending.size} (max: ${mempoolSize})`)
    }
    if (this.genesis.node.celestiaCore) this.#refuseUnread(bytes)
    const check = this.app.check(bytes)
    if (check.code !== 0) {
      this.#refused.set(hash, { execution_code: check.code, error: check.log })
      return { hash, check }
    }
    this.#refused.delete(hash)
    this.#evicted.delete(hash)
    this.#cache.add(hash)
    this.#pending.set(hash, bytes)
    if (this.instant && !this.held) this.makeBlock()
    return { hash, check }
  }

  /** celestia-app reads a transaction before its checks, and fails where it cannot, instead of refusing. As recorded of celestia-appd v6.2.5 on 2026-11-23. */
  #refuseUnread(bytes: Uint8Array): void {
    try {
      const { signatures, authInfo } = decodeTx(bytes, this.genesis)
      if (signatures.length > 0) return
      if (authInfo.signerInfos.length > 0) throw new NodeFault('runtime error: index out of range [0] with length 0')
      throw new MempoolError('tx of type *tx.wrapper contains no signatures')
    } catch (error) {
      if (error instanceof ChainError && error.code === sdk.txDecode.code) throw new MempoolError(withPlace(error.message, this.genesis))
      if (!(error instanceof ChainError)) throw error
    }
  }

  /** Forgets a transaction that waits, as a mempool does that needs its space. @returns whether it waited */
  drop(hash: string): boolean {
    if (!this.#pending.delete(hash)) return false
    this.#cache.delete(hash)
    this.#evicted.add(hash)
    this.#recheck()
    return true
  }

  /** Forgets what lies before the latest block, blocks and transactions, as a node that was begun from a snapshot of the state at it. */
  prune(): void {
    this.lowest = this.latest.height
    for (const [hash, { height }] of this.#committed) {
      if (height >= this.lowest) continue
      this.#committed.delete(hash)
      // celestia-core still knows the hash, and answers as of one that was refused for nothing: recorded of celestia-appd v6.2.5 on 2026-11-23.
      this.#refused.set(hash, { execution_code: 0, error: '' })
    }
  }

  /** Calls back when the transaction is in a block, at once when it is in one already; the returned function stops waiting. */
  whenCommitted(hash: string, done: (tx: CommittedTx) => void): () => void {
    const transaction = this.#committed.get(hash)
    if (transaction !== undefined) done(transaction)
    else this.#waiting.set(hash, done)
    return () => void this.#waiting.delete(hash)
  }

  /** Calls back with the transactions of each block that is made; the returned function ends it. */
  follow(follower: (txs: readonly CommittedTx[]) => void): () => void {
    this.#followers.add(follower)
    return () => void this.#followers.delete(follower)
  }

  /**
   * Makes a block of everything that waits.
   *
   * @param options.time milliseconds since 1970; by default the usual step after the block before
   */
  makeBlock(options: BlockAround & { time?: number } = {}): Block {
    // Time never stands still: every block is later than the one before.
    const time = Math.max(options.time ?? this.#nextTime, (this.#blocks.at(-1)?.time ?? 0) + 1)
    const height = BigInt(this.#blocks.length + 1)
    const waiting = this.held ? [] : this.pending
    const powersBefore = powersOf(this.app.view().state)
    const { txs, ...outcome } = this.app.commit({
      height,
      time,
      txs: waiting,
      around: options,
      isDear: (bytes) => this.exhausted.has(txHash(bytes)),
    })
    const makers = bondedValidators(this.app.view().state)
    const before = this.#blocks.at(-1)?.hash ?? ''
    const content = txs.map(txHash).join()
    const block: Block = {
      height,
      time,
      hash: digest(`${this.chainId}/${height}/${time}/${before}/${content}`),
      appHash: digest(`state/${this.chainId}/${height}/${before}`),
      txs,
      ...outcome,
      signers: makers.map((validator) => toHex(consensusBytes(validator)).toUpperCase()),
      powers: changes(powersBefore, this.app.view().state),
    }
    this.#blocks.push(block)
    this.#nextTime = time + this.genesis.blockSeconds * 1000
    this.#settle(block)
    return block
  }

  /** Takes what is in a block from the list of those that wait; what failed may come again. */
  #settle(block: Block): void {
    const transactions: CommittedTx[] = []
    for (const [index, bytes] of block.txs.entries()) {
      const hash = txHash(bytes)
      this.#pending.delete(hash)
      const result = present(block.results[index], `a result of transaction ${index}`)
      // CometBFT remembers the bytes of a success and refuses them unseen; celestia-core looks at them again. As recorded of both on 2026-11-23.
      if (result.code !== 0 || this.genesis.node.celestiaCore) this.#cache.delete(hash)
      const tx = { hash, height: block.height, index, bytes, result }
      transactions.push(tx)
      // Of the results of one hash the index keeps the newest, but for one that was a success. See CometBFT's state/txindex/kv (0.38, read 2026-11-22).
      if (this.#committed.get(hash)?.result.code !== 0) this.#committed.set(hash, tx)
      this.#waiting.get(hash)?.(tx)
      this.#waiting.delete(hash)
    }
    this.#recheck()
    for (const follower of this.#followers) follower(transactions)
  }

  /** Checks those that wait on the latest state; what no longer passes is forgotten. */
  #recheck(): void {
    this.app.uncheck()
    for (const [hash, bytes] of this.#pending) {
      const { code, log } = this.app.check(bytes)
      if (code === 0) continue
      this.#pending.delete(hash)
      this.#cache.delete(hash)
      this.#refused.set(hash, { execution_code: code, error: log })
    }
  }
}

/** Returns the hash by which a transaction is known: sha256 in upper-case hex. */
export function txHash(bytes: Uint8Array): string {
  return toHex(sha256(bytes)).toUpperCase()
}

function digest(text: string): string {
  return toHex(sha256(new TextEncoder().encode(text))).toUpperCase()
}
