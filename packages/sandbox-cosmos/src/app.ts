import { present } from '@svc/sandbox'
import { TxMsgData } from 'cosmjs-types/cosmos/base/abci/v1beta1/abci'
import { toAddress } from './address.ts'
import type { ChainEvent, Context } from './context.ts'
import { coinText, emit, inMode, moduleOf } from './context.ts'
import { ceil, smaller } from './dec.ts'
import { ChainError, sdk } from './errors.ts'
import type { CosmosGenesis } from './genesis.ts'
import { moduleAddress } from './modules/auth.ts'
import { expireGrants } from './modules/authz.ts'
import { send, sendNothing } from './modules/bank.ts'
import { allocate } from './modules/distribution.ts'
import { gasPrice, updateBasePrice } from './modules/feemarket.ts'
import { mintProvisions } from './modules/mint.ts'
import { completeUnbondings } from './modules/staking.ts'
import { bondedValidators, consensusBytes, updateValidatorSet } from './modules/validators.ts'
import type { State } from './state.ts'
import { runAnte, statedFee } from './tx/ante.ts'
import { type DecodedTx, decodeTx } from './tx/decode.ts'
import { GasMeter } from './tx/gas.ts'
import { consumeMessage } from './tx/messages.ts'

/** Result of a transaction, in the words of ABCI. */
export interface TxResult {
  readonly code: number
  readonly codespace: string
  readonly log: string
  /** Responses of the messages, encoded. */
  readonly data: Uint8Array
  readonly gasWanted: bigint
  readonly gasUsed: bigint
  readonly events: readonly ChainEvent[]
  /** Who signed it; celestia-core tells it of what is in a block. */
  readonly signers?: readonly string[]
}

/** Work around the transactions of a block, such as evidence against a validator. An error of this work undoes the block. */
export interface BlockAround {
  begin?(ctx: Context): void
  end?(ctx: Context): void
}

/** Input with which a block is made. */
interface BlockInput {
  readonly height: bigint
  /** Milliseconds since 1970. */
  readonly time: number
  readonly txs: readonly Uint8Array[]
  readonly around: BlockAround
  /** Tells whether the messages of a transaction take more gas than it may: the state has grown since it was simulated. */
  isDear(bytes: Uint8Array): boolean
}

/** Outcome of a block. */
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
  /** As it was, but for the parameters that governance has changed since. */
  genesis: CosmosGenesis
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

  /** Checks whether a transaction may wait for a block. Its fee and its sequence then count for the next check. */
  check(bytes: Uint8Array): TxResult {
    const state = this.#checked.branch()
    const ctx = this.#context(state, this.#height, this.#time)
    return this.#attempt(bytes, (tx, meter) => {
      runAnte(ctx, tx, 'run', meter)
      state.write()
      // The tip is reckoned at once, and forgotten; of a check only its events are told.
      const after = this.#context(state.branch(), this.#height, this.#time)
      tip(after, tx, meter)
      return { data: new Uint8Array(), events: after.events }
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
      const data = runMessages(ctx, tx, meter)
      tip(ctx, tx, meter, 0n)
      return { data, gasUsed: meter.used, events: ctx.events }
    } catch (error) {
      if (error instanceof ChainError)
        error.gasUsed = isUnread(error) ? unreadGas[this.genesis.node.celestiaCore ? 'celestia' : 'hub'] : meter.used
      throw error
    }
  }

  /** Makes and commits a block. */
  commit({ height, time, txs, around, isDear }: BlockInput): BlockOutcome {
    const state = this.#committed.branch()
    const ctx = this.#context(state, height, time)
    mintProvisions(ctx, this.#height === 0n ? 0 : time - this.#time)
    allocate(ctx)
    expireGrants(ctx)
    around.begin?.(ctx)
    const begun = ctx.events.length
    const delivered = txs.map((bytes) => this.#deliver(ctx, bytes, isDear(bytes)))
    const results = this.genesis.node.celestiaCore
      ? delivered.map((result, index) => ({ ...result, signers: signersOf(txs[index], this.genesis) }))
      : delivered
    updateValidatorSet(ctx)
    completeUnbondings(ctx)
    const gas = results.reduce((sum, { gasUsed }) => sum + gasUsed, 0n)
    if (this.genesis.fees.kind === 'feemarket') updateBasePrice(ctx, this.genesis.fees, gas)
    around.end?.(ctx)
    state.write()
    this.uncheck()
    this.#height = height
    this.#time = time
    const events = [...inMode(ctx.events.slice(0, begun), 'BeginBlock'), ...inMode(ctx.events.slice(begun), 'EndBlock')]
    return { txs, results, events, proposer: ctx.proposer }
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
      if (dear) meter.consume('ReadFlat', meter.limit ?? 0n)
      const data = runMessages(run, tx, meter)
      // After a failure the whole fee stays where it was put.
      tip(run, tx, meter)
      run.state.write()
      return { data, events: [...paid, ...run.events] }
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
      const done = run(tx, meter, (list) => {
        events = list
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

/** Gas that a simulation counts of what it could not read. As recorded of both on 2026-11-23. */
const unreadGas = { hub: 1156n, celestia: 1180n } as const

/** Tells whether nothing was run: bytes that are no transaction, or one without a message. */
function isUnread({ codespace, code, message }: ChainError): boolean {
  return codespace === 'sdk' && (code === sdk.txDecode.code || message.startsWith('must contain at least one message'))
}

function signersOf(bytes: Uint8Array | undefined, genesis: CosmosGenesis): readonly string[] {
  return decodeTx(present(bytes, 'a transaction'), genesis).signers
}

function runMessages(ctx: Context, tx: DecodedTx, meter: GasMeter): Uint8Array {
  const msgResponses = tx.messages.map((message, index) => {
    const own = { ...ctx, events: [] }
    emit(own, 'message', { action: message.typeUrl, sender: message.signer, module: moduleOf(message.typeUrl) })
    try {
      const value = message.run(own)
      consumeMessage(meter, message, own)
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

/**
 * With a fee market, what a fee has above the base price of the gas that was used is the proposer's; the rest stays in the fee market's account.
 *
 * @see skip-mev/feemarket x/feemarket/post/fee.go, v1.1.2 (read 2026-11-23): `distribute_fees` is off on the Hub
 */
function tip(ctx: Context, tx: DecodedTx, meter: GasMeter, fee: bigint = statedFee(tx)): void {
  if (ctx.genesis.fees.kind !== 'feemarket' || ctx.proposer === '') return
  const due = smaller(ceil(gasPrice(ctx.genesis, ctx.state) * meter.used), fee)
  const over = fee - due
  const payee = toAddress(ctx.genesis.prefix, consensusBytes(ctx.state.validators.existing(ctx.proposer)))
  const collector = moduleAddress(ctx.genesis, 'feemarket-fee-collector')
  if (fee === 0n) sendNothing(ctx, collector, payee)
  else send(ctx, collector, payee, over)
  emit(ctx, 'fee_pay', { fee: coinText(ctx, due) })
  emit(ctx, 'tip_pay', { tip: coinText(ctx, over), tip_payee: payee })
}
