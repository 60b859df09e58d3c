import { present } from '@svc/sandbox'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { addressBytes, toAddress } from './address.ts'
import type { ChainEvent, Context } from './context.ts'
import { emit } from './context.ts'
import { ceil } from './dec.ts'
import { ChainError, sdk } from './errors.ts'
import type { CosmosGenesis } from './genesis.ts'
import { moduleAddress } from './modules/auth.ts'
import { send } from './modules/bank.ts'
import { allocate } from './modules/distribution.ts'
import { gasPrice, updateBasePrice } from './modules/feemarket.ts'
import { mintProvisions } from './modules/mint.ts'
import { completeUnbondings } from './modules/staking.ts'
import { bondedValidators, updateValidatorSet } from './modules/validators.ts'
import type { State } from './state.ts'
import { runAnte, statedFee } from './tx/ante.ts'
import { type DecodedTx, decodeTx } from './tx/decode.ts'
import { GasMeter } from './tx/gas.ts'
import { messageGas } from './tx/messages.ts'

/** What came of a transaction, in the words of ABCI. */
export interface TxResult {
  readonly code: number
  readonly codespace: string
  readonly log: string
  /** Responses of the messages, encoded. */
  readonly data: Uint8Array
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly events: readonly ChainEvent[]
}

/** What happens around the transactions of a block, such as evidence against a validator. What it throws undoes the block. */
export interface BlockAround {
  begin?(ctx: Context): void
  end?(ctx: Context): void
}

/** What a block is made with. */
interface BlockInput {
  readonly height: bigint
  /** Milliseconds since 1970. */
  readonly time: number
  readonly txs: readonly Uint8Array[]
  readonly around: BlockAround
  /** Whether the messages of a transaction take more gas than it may: the state has grown since it was simulated. */
  isDear(bytes: Uint8Array): boolean
}

/** What came of a block. */
interface BlockOutcome {
  /** Those that are in it. */
  readonly txs: readonly Uint8Array[]
  readonly results: readonly TxResult[]
  readonly events: readonly ChainEvent[]
  readonly proposer: string
}

/** The application: the committed state, and beside it the state that pending transactions have been checked on. */
export class App {
  readonly chainId: string
  readonly genesis: CosmosGenesis
  readonly #committed: State
  #checked: State
  #height = 0n
  #time: number

  constructor(options: { chainId: string; genesis: CosmosGenesis; state: State; time: number }) {
    this.chainId = options.chainId
    this.genesis = options.genesis
    this.#committed = options.state
    this.#checked = options.state.branch()
    this.#time = options.time
  }

  /** The last committed state, for queries; what they change on the way is lost. */
  view(): Context {
    return this.#context(this.#committed.branch(), this.#height, this.#time)
  }

  /** Whether a transaction may wait for a block. Its fee and its sequence then count for the next check. */
  check(bytes: Uint8Array): TxResult {
    const state = this.#checked.branch()
    const ctx = this.#context(state, this.#height, this.#time)
    return this.#attempt(bytes, (tx, meter) => {
      runAnte(ctx, tx, 'run', meter)
      state.write()
      return { data: new Uint8Array(), events: [] }
    })
  }

  /** Forgets what the checks since the last block have changed. */
  uncheck(): void {
    this.#checked = this.#committed.branch()
  }

  /**
   * Runs a transaction that has no signature and no fee yet, and forgets it.
   *
   * @throws ChainError with the gas that was counted until then
   */
  simulate(bytes: Uint8Array): { gasUsed: bigint; data: Uint8Array; events: readonly ChainEvent[] } {
    const ctx = this.#context(this.#checked.branch(), this.#height, this.#time)
    const meter = new GasMeter(undefined)
    try {
      const tx = decodeTx(bytes, this.genesis)
      runAnte(ctx, tx, 'simulate', meter)
      return { data: runMessages(ctx, tx, meter), gasUsed: meter.used, events: ctx.events }
    } catch (error) {
      if (error instanceof ChainError) error.gasUsed = meter.used
      throw error
    }
  }

  /** Makes and commits a block. */
  commit({ height, time, txs, around, isDear }: BlockInput): BlockOutcome {
    const state = this.#committed.branch()
    const ctx = this.#context(state, height, time)
    mintProvisions(ctx, this.#height === 0n ? 0 : time - this.#time)
    allocate(ctx)
    around.begin?.(ctx)
    const delivered = txs.map((bytes) => ({ bytes, result: this.#deliver(ctx, bytes, isDear(bytes)) }))
    // Celestia's proposers leave out what the ante handler refuses: https://github.com/celestiaorg/celestia-app/blob/main/specs/src/ante_handler.md (read 2026-11-22).
    const taken = delivered.filter(({ result }) => !this.genesis.node.celestiaCore || result.events.length > 0)
    const results = taken.map(({ result }) => result)
    updateValidatorSet(ctx)
    completeUnbondings(ctx)
    const gas = results.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    if (this.genesis.fees.kind === 'feemarket') updateBasePrice(ctx, this.genesis.fees, gas)
    around.end?.(ctx)
    state.write()
    this.uncheck()
    this.#height = height
    this.#time = time
    return { txs: taken.map(({ bytes }) => bytes), results, events: ctx.events, proposer: ctx.proposer }
  }

  #deliver(block: Context, bytes: Uint8Array, dear: boolean): TxResult {
    const state = block.state.branch()
    const ctx: Context = { ...block, state, events: [] }
    return this.#attempt(bytes, (tx, meter, keep) => {
      runAnte(ctx, tx, 'run', meter)
      const paid = ctx.events
      keep(paid)
      // What was paid stays paid, whatever the messages do.
      state.write()
      const run = { ...block, state: block.state.branch(), events: [] }
      try {
        if (dear) meter.consume('ReadFlat', meter.limit ?? 0n)
        const data = runMessages(run, tx, meter)
        run.state.write()
        return { data, events: [...paid, ...run.events] }
      } finally {
        tip(block, tx, meter)
      }
    })
  }

  /** @param run hands to `keep` the events that stay whatever else fails */
  #attempt(
    bytes: Uint8Array,
    run: (tx: DecodedTx, meter: GasMeter, keep: (events: readonly ChainEvent[]) => void) => Pick<TxResult, 'data' | 'events'>,
  ): TxResult {
    let meter = new GasMeter(undefined)
    let events: readonly ChainEvent[] = []
    try {
      const tx = decodeTx(bytes, this.genesis)
      meter = new GasMeter(tx.authInfo.fee?.gasLimit ?? 0n)
      const done = run(tx, meter, (kept) => {
        events = kept
      })
      return { code: 0, codespace: '', log: '', ...done, gasWanted: meter.limit ?? 0n, gasUsed: meter.used }
    } catch (error) {
      if (!(error instanceof ChainError)) throw error
      const { code, codespace, message } = error
      return { code, codespace, log: message, data: new Uint8Array(), events, gasWanted: meter.limit ?? 0n, gasUsed: meter.used }
    }
  }

  #context(state: State, height: bigint, time: number): Context {
    const bonded = bondedValidators(state)
    const proposer = bonded[Number(height) % (bonded.length || 1)]?.operator ?? ''
    return { chainId: this.chainId, genesis: this.genesis, state, height, time, proposer, events: [] }
  }
}

function runMessages(ctx: Context, tx: DecodedTx, meter: GasMeter): Uint8Array {
  const msgResponses = tx.messages.map((message, index) => {
    const own = { ...ctx, events: [] }
    emit(own, 'message', { action: message.typeUrl, sender: message.signer })
    try {
      meter.consume(message.typeUrl, present(messageGas[message.typeUrl], `the gas of ${message.typeUrl}`))
      const value = message.run(own)
      ctx.events.push(...own.events.map((event) => ofMessage(event, index)))
      return { typeUrl: `${message.typeUrl}Response`, value }
    } catch (error) {
      if (!(error instanceof ChainError) || isOutOfGas(error)) throw error
      const text = `failed to execute message; message index: ${index}: ${error.message}`
      throw new ChainError({ codespace: error.codespace, code: error.code, text })
    }
  })
  return TxMsgData.encode(TxMsgData.fromPartial({ msgResponses })).finish()
}

/** Every event of a message names it. See the SDK's baseapp (createEvents, version 0.50, read 2026-11-22). */
function ofMessage({ type, attributes }: ChainEvent, index: number): ChainEvent {
  return { type, attributes: [...attributes, { key: 'msg_index', value: String(index), index: true }] }
}

function isOutOfGas({ codespace, code }: ChainError): boolean {
  return codespace === sdk.outOfGas.codespace && code === sdk.outOfGas.code
}

/** With a fee market, what a fee has above the base price of the gas that was used is the proposer's. */
function tip(ctx: Context, tx: DecodedTx, meter: GasMeter): void {
  if (ctx.genesis.fees.kind !== 'feemarket' || ctx.proposer === '') return
  const due = ceil(gasPrice(ctx.genesis, ctx.state) * meter.used)
  const over = statedFee(tx) - due
  if (over <= 0n) return
  const { prefix } = ctx.genesis
  send(ctx, moduleAddress(ctx.genesis, 'fee_collector'), toAddress(prefix, addressBytes(ctx.proposer, `${prefix}valoper`)), over)
}
