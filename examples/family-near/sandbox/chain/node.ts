import { base58, type SignedTransaction, sha256 } from './bytes.ts'
import { Panic, Pool } from './pool.ts'
import { type Account, Invalid, type Permission, requireValid, textOf, upfrontOf } from './transaction.ts'
import { BLOCK_MS, CALL_GAS, EPOCH_BLOCKS, GAS_PRICE, KEPT_EPOCHS, NEAR, runGas, sendGas } from './units.ts'

/** What became of a receipt, as the RPC writes it. */
export interface Outcome {
  readonly id: string
  readonly block_hash: string
  readonly outcome: {
    readonly executor_id: string
    readonly gas_burnt: number
    readonly logs: readonly string[]
    readonly receipt_ids: readonly string[]
    readonly status: object
    readonly tokens_burnt: string
  }
}

/** A transaction that landed. */
export interface Landed {
  readonly transaction: SignedTransaction
  readonly height: bigint
  readonly outcomes: readonly [Outcome, ...Outcome[]]
}

/** Bytes of an account with one key. */
const STORAGE = 182n
const SUPPLY = 1_290_000_000n * NEAR

/** A chain of one node that stands still between transactions: whatever is sent is in the next block, and final some blocks later, before it is answered. */
export class Node {
  readonly chainId: string
  readonly accounts = new Map<string, Account>()
  readonly pools = new Map<string, Pool>()
  readonly landed = new Map<string, Landed>()
  /** Sent while the node was told to hold transactions back. */
  readonly waiting = new Map<string, SignedTransaction>()
  height: bigint
  /** Milliseconds since 1970. */
  time: number
  epoch = 3000n
  epochStart: bigint
  /** Pools that are not among the validators of the next epoch. */
  readonly idle = new Set<string>()
  /** Yocto that each epoch pays to a pool. */
  readonly rewards = new Map<string, bigint>()
  isHolding = false
  /** Calls that are still to fail in the contract, and transfers and stakes of it that are. */
  failing = 0
  breaking = 0
  readonly #blocks = new Map<string, bigint>()

  constructor({ chainId, height, time }: { readonly chainId: string; readonly height: bigint; readonly time: number }) {
    this.chainId = chainId
    this.height = height
    this.epochStart = height
    this.time = time
  }

  /** The hash of a block up to the head; asked for, it is known from then on. */
  hashOf(height: bigint): string {
    const hash = base58(sha256(`${this.chainId} ${height}`))
    this.#blocks.set(hash, height)
    return hash
  }

  timeOf(height: bigint): number {
    return this.time - Number(this.height - height) * BLOCK_MS
  }

  /** Height of a block that the node still has. */
  heightOf(hash: string): bigint | null {
    const height = this.#blocks.get(hash)
    return height === undefined || height < this.earliest ? null : height
  }

  get earliest(): bigint {
    return this.height - KEPT_EPOCHS * EPOCH_BLOCKS
  }

  get supply(): bigint {
    return SUPPLY
  }

  /** Makes blocks; an epoch ends by itself when it has had its own. */
  pass(blocks: bigint): void {
    let left = blocks
    for (;;) {
      const untilEnd = this.epochStart + EPOCH_BLOCKS - this.height
      if (left < untilEnd) break
      left -= untilEnd
      this.#grow(untilEnd)
      this.#endEpoch()
    }
    this.#grow(left)
  }

  #grow(blocks: bigint): void {
    this.height += blocks
    this.time += Number(blocks) * BLOCK_MS
  }

  endEpoch(): void {
    this.pass(this.epochStart + EPOCH_BLOCKS - this.height)
  }

  #endEpoch(): void {
    this.epoch++
    this.epochStart = this.height
    // Rewards are added to what is locked; the contract books them when it is called next.
    for (const [pool, reward] of this.rewards) this.#account(pool).locked += reward
  }

  /** Adds to a balance; an account of 64 hex digits begins so. @returns null where there is no such account, and none can begin */
  fund(id: string, amount: bigint): bigint | null {
    const earlier = this.accounts.get(id)
    if (earlier) {
      earlier.amount += amount
      return earlier.amount
    }
    if (!/^[0-9a-f]{64}$/.test(id)) return null
    this.createAccount(id, amount, { [`ed25519:${base58(Buffer.from(id, 'hex'))}`]: 'FullAccess' })
    return amount
  }

  createAccount(id: string, amount: bigint, keys: Readonly<Record<string, Permission>>, storage = STORAGE): void {
    // A key that was deleted and added again cannot sign once more what it signed before.
    const nonce = (this.height - 1n) * 1_000_000n
    const accessKeys = Object.entries(keys).map(([key, permission]) => [key, { nonce, permission }] as const)
    this.accounts.set(id, { amount, locked: 0n, storage, keys: new Map(accessKeys) })
  }

  /** Puts a pool on the chain, with a stake of its own. @param balance yocto */
  createPool(id: string, balance: bigint, fee: Pool['fee']): void {
    const pool = new Pool(`owner.${id.replace(/^[^.]*\./, '')}`, balance, this.epoch, fee)
    this.createAccount(id, balance - pool.staked, {}, 300_000n)
    this.#account(id).locked = pool.staked
    this.pools.set(id, pool)
  }

  /** Takes a transaction, and executes it unless it holds them back. @throws Invalid */
  send(transaction: SignedTransaction): void {
    if (this.landed.has(transaction.hash)) return
    requireValid(transaction, { height: this.height, begins: this.#blocks.get(transaction.blockHash), accounts: this.accounts })
    if (this.isHolding) this.waiting.set(transaction.hash, transaction)
    else this.#execute(transaction)
  }

  /** Executes what waited, as far as it is still valid. */
  release(): void {
    this.isHolding = false
    for (const [hash, transaction] of this.waiting) {
      this.waiting.delete(hash)
      try {
        this.send(transaction)
      } catch (error) {
        if (!(error instanceof Invalid)) throw error
      }
    }
  }

  #account(id: string): Account {
    const account = this.accounts.get(id)
    if (account === undefined) throw new Error(`expected the account ${id}`)
    return account
  }

  #execute(transaction: SignedTransaction): void {
    const { signer, key, nonce, receiver, method, args, gas, deposit, hash } = transaction
    const account = this.#account(signer)
    const upfront = upfrontOf(method, args, gas)
    account.amount -= deposit + upfront
    const access = account.keys.get(textOf(key))
    if (access) access.nonce = nonce
    this.pass(1n)
    const height = this.height
    const bytes = BigInt(method.length + args.length)
    const burnt = { send: sendGas(bytes), run: runGas(bytes) + CALL_GAS }
    const id = (name: string) => base58(sha256(hash, name))
    const outcome = (name: string, executor: string, used: bigint, status: object, more: Partial<Outcome['outcome']> = {}): Outcome => ({
      id: name === '' ? hash : id(name),
      block_hash: this.hashOf(this.height),
      outcome: {
        executor_id: executor,
        gas_burnt: Number(used),
        tokens_burnt: String(used * GAS_PRICE),
        logs: [],
        receipt_ids: [],
        status,
        ...more,
      },
    })
    const first = outcome('', signer, burnt.send, { SuccessReceiptId: id('call') }, { receipt_ids: [id('call')] })
    this.pass(1n)
    const called = this.#call(receiver, transaction)
    const refund = upfront - (burnt.send + burnt.run) * GAS_PRICE
    const receipts: Outcome[] = []
    if ('failure' in called) {
      receipts.push(outcome('call', receiver, burnt.run, { Failure: called.failure }, { receipt_ids: [id('refund')] }))
      account.amount += deposit
    } else {
      const { logs, stake, pays } = called
      const further = [...(stake === null ? [] : ['stake']), ...(pays === 0n ? [] : ['pay'])].map(id)
      receipts.push(outcome('call', receiver, burnt.run, { SuccessValue: '' }, { logs, receipt_ids: [...further, id('refund')] }))
      this.pass(1n)
      const isBroken = this.breaking > 0
      if (isBroken && further.length > 0) this.breaking--
      const status = (failure: object) => (isBroken ? { Failure: { ActionError: { index: 0, kind: failure } } } : { SuccessValue: '' })
      if (stake !== null) {
        if (!isBroken) this.#lock(receiver, stake)
        receipts.push(
          outcome(
            'stake',
            receiver,
            0n,
            status({ InsufficientStake: { account_id: receiver, stake: String(stake), minimum_stake: String(10n ** 30n) } }),
          ),
        )
      }
      if (pays > 0n) {
        if (!isBroken) {
          this.#account(receiver).amount -= pays
          account.amount += pays
        }
        receipts.push(outcome('pay', signer, 0n, status({ AccountDoesNotExist: { account_id: signer } })))
      }
    }
    this.pass(1n)
    account.amount += refund
    receipts.push(outcome('refund', signer, 0n, { SuccessValue: '' }))
    // Two blocks more, and it is final.
    this.pass(2n)
    this.landed.set(hash, { transaction, height, outcomes: [first, ...receipts] })
  }

  #call(receiver: string, { signer, method, args, deposit }: SignedTransaction): ReturnType<Pool['call']> | { readonly failure: object } {
    const refusal = (words: string) => ({
      failure: { ActionError: { index: 0, kind: { FunctionCallError: { ExecutionError: `Smart contract panicked: ${words}` } } } },
    })
    const pool = this.pools.get(receiver)
    if (pool === undefined) return { failure: { ActionError: { index: 0, kind: { AccountDoesNotExist: { account_id: receiver } } } } }
    if (this.failing > 0) {
      this.failing--
      return refusal('it was told to fail, src/lib.rs:1:1')
    }
    const own = this.#account(receiver)
    own.amount += deposit
    try {
      return pool.call(method, args.toString(), { epoch: this.epoch, total: own.amount + own.locked, caller: signer, deposit })
    } catch (error) {
      own.amount -= deposit
      if (error instanceof Panic) return refusal(`${error.message}, src/internal.rs:1:1`)
      throw error
    }
  }

  #lock(id: string, stake: bigint): void {
    const account = this.#account(id)
    const total = account.amount + account.locked
    account.locked = stake
    account.amount = total - stake
  }
}
