import { present, SandboxError, show } from '@svc/sandbox'
import { epochDurationMs, systemObject } from './constants.ts'
import { endEpoch } from './epoch.ts'
import { storageOf } from './gas.ts'
import { madeDigest, madeId } from './ids.ts'
import { Knobs } from './knobs.ts'
import { identifierOf } from './networks.ts'
import { type Content, indexKeyOf, type MoveObject, makeObject, type Owner } from './objects.ts'
import { addStake, type Pool } from './pool.ts'
import { State, type Validator } from './state.ts'
import type { ExecutedTransaction, SignedTransaction } from './tx/executed.ts'
import { addValidator, amount, findValidator, type NewValidator, systemDigest, validatorOfPool } from './validators.ts'

/** MIST of a gas unit: what mainnet's validators have settled on for most of its life. */
const referenceGasPrice = 500n

/** Checkpoints that a node has at least; a real one keeps those of an epoch, some hundred thousand. */
const keptCheckpoints = 100_000n

/** State with which an epoch began. */
export interface EpochStart {
  readonly epoch: bigint
  readonly startMs: number
  endMs?: number
  readonly firstCheckpoint: bigint
  readonly safeMode: boolean
  readonly validators: readonly { readonly validator: Validator; readonly pool: Pool }[]
}

/** The node: the state, the clock, and what was executed. */
export class Node {
  readonly chainId: string
  readonly chainIdentifier: string
  readonly state = new State()
  readonly knobs = new Knobs()
  /** Executed transactions by digest. */
  readonly executed = new Map<string, ExecutedTransaction>()
  /** While it is true nothing is executed: what is submitted waits. */
  held = false
  /** Transactions that wait, by digest. */
  readonly waiting = new Map<string, SignedTransaction>()
  /** First checkpoint of which transactions can be asked for. */
  lowest = 0n
  /** Objects over which transactions were sent at once in this epoch: whoever names an earlier state of one is told which transaction has taken it. */
  readonly contested = new Set<string>()
  /** Epochs by number. */
  readonly epochs = new Map<bigint, EpochStart>()
  gasPrice = referenceGasPrice
  epoch: bigint
  /** Milliseconds since 1970. */
  time: number
  safeMode = false
  #given = 0n
  #checkpoint = 0n
  /** Epoch and time of checkpoints, each from its number up to the next one here. */
  readonly #places: { readonly from: bigint; readonly epoch: bigint; readonly time: number }[] = []
  readonly #start: number
  readonly #startedAt = Date.now()
  #advanced = 0

  constructor(options: { chainId: string; chainIdentifier: string | undefined; epoch: bigint; time: number }) {
    this.chainId = options.chainId
    this.chainIdentifier = options.chainIdentifier ?? identifierOf(options.chainId, (name) => madeDigest('genesis', name))
    this.epoch = amount('epoch', options.epoch)
    this.time = options.time
    this.#start = options.time
    const owner: Owner = { kind: 'shared', since: 1n }
    this.#put({ id: systemObject, version: 1n, owner, content: { kind: 'system' } })
    this.#begin()
  }

  get checkpoint(): bigint {
    return this.#checkpoint
  }

  set checkpoint(number: bigint) {
    this.#checkpoint = number
    this.#places.push({ from: number, epoch: this.epoch, time: this.time })
  }

  /** Epoch and time, in milliseconds since 1970, of a checkpoint. */
  placeOf(checkpoint: bigint): { readonly epoch: bigint; readonly time: number } {
    return this.#places.findLast(({ from }) => from <= checkpoint) ?? { epoch: this.epoch, time: this.#start }
  }

  get #current(): EpochStart {
    return present(this.epochs.get(this.epoch), `an epoch ${this.epoch}`)
  }

  /** When the epoch began, in milliseconds since 1970. */
  get epochStart(): number {
    return this.#current.startMs
  }

  /**
   * Ends the epoch.
   *
   * @param how.safeMode true processes no pool and writes no rate, as when the chain's own epoch change has failed
   */
  endEpoch(how: { safeMode?: boolean } = {}): void {
    const due = this.epochStart + epochDurationMs
    if (due > this.time) {
      this.#advanced += due - this.time
      this.time = due
    }
    this.#current.endMs = this.time
    this.epoch += 1n
    this.safeMode = how.safeMode === true
    this.checkpoint += 1n
    if (!this.safeMode) endEpoch(this.state, { epoch: this.epoch, version: this.nextVersion() })
    this.contested.clear()
    this.#begin()
  }

  /** Moves the clock on, and ends every epoch that is over by then, though no more than `most`. */
  moveTime(ms: number, most: number): void {
    const until = this.time + ms
    this.#advanced += ms
    for (let ended = 0; ended < most && this.epochStart + epochDurationMs <= until; ended++) {
      this.time = this.epochStart + epochDurationMs
      this.endEpoch()
    }
    this.time = until
    this.checkpoint += 1n
  }

  /** Moves the clock to real time, with what the chain was advanced by. */
  followRealTime(most: number): void {
    const advanced = this.#advanced
    const now = this.#start + advanced + Date.now() - this.#startedAt
    if (now > this.time) this.moveTime(now - this.time, most)
    this.#advanced = advanced
  }

  /** @throws SandboxError `INVALID_INPUT` */
  createValidator(options: NewValidator): { address: string; poolId: string } {
    const { address, poolId } = addValidator(this.state, options, {
      chainId: this.chainId,
      epoch: this.epoch,
      version: this.nextVersion(),
    })
    this.#snapshot()
    return { address, poolId }
  }

  /** @throws SandboxError `INVALID_INPUT` */
  validator(naming?: string): { address: string; poolId: string } {
    const { address, poolId } = findValidator(this.state, naming)
    return { address, poolId }
  }

  /** @throws SandboxError `INVALID_INPUT` */
  changeValidator(
    label: string | undefined,
    change: Partial<Pick<Validator, 'leaving' | 'commissionBps' | 'nextCommissionBps' | 'rewardPerEpoch'>>,
  ): Validator {
    const validator = { ...findValidator(this.state, label), ...change }
    this.state.validators.set(validator.address, validator)
    this.#snapshot()
    return validator
  }

  setReward(nameOrAddress: string, rewardPerEpoch: bigint): void {
    this.changeValidator(nameOrAddress, { rewardPerEpoch: amount('rewardPerEpoch', rewardPerEpoch) })
  }

  validatorOfPool(poolId: string): Validator | undefined {
    return validatorOfPool(this.state, poolId)
  }

  /** A new coin of an address. */
  giveCoin(address: string, balance: bigint): string {
    return this.#give(address, { kind: 'coin', balance: amount('amount', balance) })
  }

  giveStake(address: string, validator: string, principal: bigint): string {
    const pool = this.state.pools.existing(findValidator(this.state, validator).poolId)
    this.state.pools.set(pool.id, addStake(pool, amount('amount', principal)))
    return this.#give(address, { kind: 'staked', poolId: pool.id, activationEpoch: this.epoch + 1n, principal })
  }

  giveObject(address: string, type: string, bytes: Uint8Array): string {
    return this.#give(address, { kind: 'other', type, bytes })
  }

  addAddressBalance(address: string, added: bigint): void {
    this.state.balances.set(address, amount('balance', this.state.balance(address) + added))
    this.checkpoint += 1n
  }

  /** @throws SandboxError `INVALID_INPUT` unless an address owns it */
  makeParty(id: string): void {
    const { object, address } = this.#owned(id, 'become a party object')
    const version = this.nextVersion()
    this.#put({ ...object, version, owner: { kind: 'consensus', address, since: version } })
  }

  /** @throws SandboxError `INVALID_INPUT` unless an address owns it */
  putInto(id: string, parent: string): void {
    const { object } = this.#owned(id, 'be put into another one')
    this.#put({ ...object, version: this.nextVersion(), owner: { kind: 'object', parent } })
  }

  #owned(id: string, use: string) {
    const object = this.state.objects.get(id)
    if (object?.owner.kind === 'address') return { object, address: object.owner.address }
    throw new SandboxError('INVALID_INPUT', `object ${show(id)} does not exist, or no address owns it: only such an object can ${use}`)
  }

  balanceOf(address: string): { coins: bigint; address: bigint; total: bigint } {
    let coins = 0n
    for (const { content } of this.ownedBy(address)) if (content.kind === 'coin') coins += content.balance
    const own = this.state.balance(address)
    return { coins, address: own, total: coins + own }
  }

  /** Objects of an address in the order of ids. */
  ownedBy(address: string): MoveObject[] {
    return this.state.objects
      .entries()
      .map(([, object]) => object)
      .filter(({ owner }) => (owner.kind === 'address' || owner.kind === 'consensus') && owner.address === address)
  }

  /** The same in the order of a node's index. */
  listedFor(address: string): MoveObject[] {
    return this.ownedBy(address)
      .map((object) => ({ object, key: indexKeyOf(object) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
      .map(({ object }) => object)
  }

  /** Fields of an object in the order of ids. */
  fieldsOf(parent: string): MoveObject[] {
    return this.state.objects
      .entries()
      .map(([, object]) => object)
      .filter(({ owner }) => owner.kind === 'object' && owner.parent === parent)
  }

  /** Keeps what a transaction did, in a checkpoint of its own. */
  commit(executed: Omit<ExecutedTransaction, 'checkpoint' | 'time' | 'hiddenReads'>, changes: State): ExecutedTransaction {
    changes.write()
    this.checkpoint += 1n
    const entry = { ...executed, checkpoint: this.checkpoint, time: this.time, hiddenReads: this.knobs.lag }
    this.executed.set(entry.digest, entry)
    return entry
  }

  /** Forgets the transactions of every checkpoint up to now, and moves on by as many as a node always keeps. */
  prune(): void {
    this.lowest = this.checkpoint + 1n
    for (const [digest, { checkpoint }] of this.executed) if (checkpoint < this.lowest) this.executed.delete(digest)
    this.checkpoint += keptCheckpoints
  }

  /** A version for objects that no transaction wrote. */
  nextVersion(): bigint {
    this.checkpoint += 1n
    return this.checkpoint
  }

  #give(address: string, content: Content): string {
    this.#given += 1n
    const id = madeId('given', this.chainId, address, this.#given)
    this.#put({ id, version: this.nextVersion(), owner: { kind: 'address', address }, content })
    return id
  }

  #put(object: Pick<MoveObject, 'id' | 'version' | 'owner' | 'content'>): void {
    const { id, version, owner, content } = object
    const storageRebate = content.kind === 'system' ? 0n : storageOf(id, content)
    this.state.objects.set(id, makeObject({ id, version, owner, content, previousTransaction: systemDigest, storageRebate }))
  }

  #begin(): void {
    const { epoch, time: startMs, checkpoint: firstCheckpoint, safeMode } = this
    this.epochs.set(epoch, { epoch, startMs, firstCheckpoint, safeMode, validators: [] })
    this.#snapshot()
  }

  /** The epoch's start again, for what the sandbox itself has changed since. */
  #snapshot(): void {
    const validators = this.state.activeSet().map((validator) => ({ validator, pool: this.state.pools.existing(validator.poolId) }))
    this.epochs.set(this.epoch, { ...this.#current, validators })
  }
}
