import {
  type ChainOperation,
  type Door,
  DoorChain,
  formatUnits,
  maxEpochs,
  openDoor,
  parseAmount,
  parseChainName,
  parseCount,
  parseStep,
  type SandboxChain,
  SandboxError,
  type Step,
} from '@svc/sandbox'
import { parseAddress } from './address.ts'
import { maxU64, suiDecimals } from './constants.ts'
import type { Node } from './node.ts'
import { chainOperations } from './operations.ts'
import type { NewValidator } from './validators.ts'

/** Most coins of one `giveCoins`. */
const maxCoins = 5000

/**
 * Starts a local Sui chain on 127.0.0.1: a node of ours that answers gRPC-web, and in front of it the fault proxy, which is the chain's `rpcUrl`. Its time advances on
 * request only.
 *
 * @param options.chainId as the network's own: `mainnet`
 * @param options.chainIdentifier base58 digest of the genesis checkpoint. @default that of the network of the same name
 * @param options.epoch the first one, so that a chain can have a past. @default 1000n
 * @param options.time milliseconds since 1970 at which that epoch starts. @default now, in whole seconds
 * @param options.port of `rpcUrl`; any free one when absent
 * @param options.log gets one line per start and end
 * @throws SandboxError `PORT_BUSY`, `INVALID_INPUT`
 */
export async function startMoveChain(options: {
  chainId: string
  chainIdentifier?: string
  epoch?: bigint
  time?: number
  port?: number
  log?: (line: string) => void
}): Promise<MoveChain> {
  const chainId = parseChainName(options.chainId, 'mainnet')
  const id = `move:${chainId}`
  const [{ Node }, { rpcOf }] = await loadNode()
  const node = new Node({
    chainId,
    chainIdentifier: options.chainIdentifier,
    epoch: options.epoch ?? 1000n,
    time: options.time ?? Math.floor(Date.now() / 1000) * 1000,
  })
  const door = await openDoor({ ...options, id, engine: { answer: rpcOf(node) } })
  return new MoveChain(chainId, door, node)
}

/** Loads the node's code, only when a chain is wanted, since Sui's library is large. The files are loaded one after the other, since both load it. */
export async function loadNode() {
  return [await import('./node.ts'), await import('./rpc/server.ts')] as const
}

/** A local Sui chain; made by `startMoveChain`. */
export class MoveChain extends DoorChain implements SandboxChain {
  readonly id: `move:${string}`
  readonly chainId: string
  readonly operations: Readonly<Record<string, ChainOperation>>
  /** The node behind it, for tests and operations. */
  readonly node: Node

  constructor(chainId: string, door: Door, node: Node) {
    super(door)
    this.id = `move:${chainId}`
    this.chainId = chainId
    this.node = node
    this.operations = chainOperations(this)
  }

  /** Digest of the genesis checkpoint, in base58. */
  get chainIdentifier(): string {
    return this.node.chainIdentifier
  }

  /**
   * Adds a validator to the active set, with a staking pool of its own. Address and pool follow from the name. For scenarios.
   *
   * @param options.stake MIST that the validator itself stakes, active at once. @default 10 million SUI
   * @param options.rewardPerEpoch MIST that each epoch pays before commission. @default about 1.6 % of the stake in a year
   * @throws SandboxError `INVALID_INPUT` for a name that is taken, a commission above 10000 basis points, or a negative amount
   */
  async createValidator(options: NewValidator): Promise<{ address: string; poolId: string }> {
    return this.node.createValidator(options)
  }

  /** Address and pool of a validator, by its name or its address; the first one's when absent. */
  validator(nameOrAddress?: string): { address: string; poolId: string } {
    return this.node.validator(nameOrAddress)
  }

  /** Sets what each epoch from now on pays to a validator and its stakers, in MIST before commission. */
  setReward(validator: string, rewardPerEpoch: bigint): void {
    this.node.setReward(validator, rewardPerEpoch)
  }

  /**
   * Ends epochs, one after the other, or moves the chain's clock on; an epoch ends by itself when its 24 hours have passed.
   *
   * @returns the latest checkpoint, its time and the epoch
   * @throws SandboxError `INVALID_INPUT`
   */
  async advance(step: Step): Promise<{ block: number; timestamp: number; epoch: number }> {
    const checked = parseStep(step)
    if ('epochs' in checked) for (let passed = 0; passed < checked.epochs; passed++) this.node.endEpoch()
    else this.node.moveTime(checked.seconds * 1000, maxEpochs)
    return this.latest()
  }

  /**
   * Gives an address a coin.
   *
   * @param amount MIST as a bigint, or decimal text in SUI (`'1.5'`)
   * @returns the address, its balance after in SUI, coins and address balance together, and the coin's id
   * @throws SandboxError `INVALID_INPUT`
   */
  async fund(address: string, amount: bigint | string): Promise<{ address: string; balance: string; coin: string }> {
    const to = parseAddress('address', address)
    const coin = this.node.giveCoin(to, mist(amount))
    return { address: to, balance: formatUnits(this.node.balanceOf(to).total, suiDecimals), coin }
  }

  /** Adds to the balance of an address that is not in coins. Amount and errors as with `fund`. */
  async fundAddressBalance(address: string, amount: bigint | string): Promise<{ address: string; balance: string }> {
    const to = parseAddress('address', address)
    this.node.addAddressBalance(to, mist(amount))
    return { address: to, balance: formatUnits(this.node.balanceOf(to).total, suiDecimals) }
  }

  /**
   * Gives an address many coins of the same amount.
   *
   * @returns their ids
   * @throws SandboxError `INVALID_INPUT`
   */
  async giveCoins(address: string, count: number, each: bigint | string): Promise<string[]> {
    const to = parseAddress('address', address)
    return Array.from({ length: parseCount('count', count, maxCoins) }, () => this.node.giveCoin(to, mist(each)))
  }

  /**
   * Stakes out of nothing for an address, which holds the stake from now on. It earns from the next epoch.
   *
   * @param amount MIST
   * @returns its id
   * @throws SandboxError `INVALID_INPUT`
   */
  async giveStake(address: string, validator: string, amount: bigint): Promise<string> {
    return this.node.giveStake(parseAddress('address', address), validator, mist(amount))
  }

  /**
   * Gives an address an object of any type, such as one that is no stake.
   *
   * @param type with addresses in full
   * @param contents BCS after the id
   * @returns its id
   */
  async giveObject(address: string, type: string, contents: Uint8Array): Promise<string> {
    return this.node.giveObject(parseAddress('address', address), type, contents)
  }

  /** Makes an object that an address owns into a "party" object: the same owner, and sequenced by consensus like a shared one. */
  async makeParty(objectId: string): Promise<void> {
    this.node.makeParty(parseAddress('object', objectId))
  }

  /** Puts an object that an address owns into another object, as lending and liquid staking protocols do: it is owned by that object then. */
  async putInto(objectId: string, parent: string): Promise<void> {
    this.node.putInto(parseAddress('object', objectId), parseAddress('into', parent))
  }

  /** SUI of an address in MIST: in coins, in the address balance, and together. */
  async balance(address: string): Promise<{ coins: bigint; address: bigint; total: bigint }> {
    return this.node.balanceOf(parseAddress('address', address))
  }

  /** The latest checkpoint, its time (seconds since 1970) and the epoch. */
  latest(): { block: number; timestamp: number; epoch: number } {
    const { checkpoint, time, epoch } = this.node
    return { block: Number(checkpoint), timestamp: Math.floor(time / 1000), epoch: Number(epoch) }
  }

  /** Lets epochs end that real time has gone past. */
  async tick(): Promise<void> {
    this.node.followRealTime(maxEpochs)
  }
}

function mist(amount: bigint | string): bigint {
  const units = parseAmount(amount, suiDecimals, 'MIST')
  if (units <= maxU64) return units
  throw new SandboxError('INVALID_INPUT', `amount is ${units} MIST: it must fit in 64 bits`)
}
