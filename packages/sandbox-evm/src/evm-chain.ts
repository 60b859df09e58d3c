import {
  type Door,
  DoorChain,
  formatUnits,
  membersOf,
  openDoor,
  parseAmount,
  parseBlocks,
  parseCount,
  parseStep,
  type SandboxChain,
  SandboxError,
  type Step,
  show,
} from '@svc/sandbox'
import { type Anvil, startAnvil } from './anvil.ts'
import { multicallAddress, multicallCode } from './multicall.ts'
import { operationsOf } from './operations.ts'

/** A transaction in JSON-RPC's words; `value` and `gas` as numbers here. */
export interface EvmCall {
  readonly from?: string
  readonly to: string
  readonly data?: string
  /** Wei. */
  readonly value?: bigint
  /** Gas limit; half as much again as is estimated when absent, since a second later a contract may take another way. */
  readonly gas?: bigint
}

/** Part of a receipt that is left here. */
export interface EvmReceipt {
  readonly transactionHash: string
  readonly status: string
  readonly gasUsed: string
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[]
}

/**
 * Handler that a scenario runs when its chain is told to advance. For `{ epochs }` the handler moves time itself (`moveTime`), since only
 * the scenario knows how long an epoch is; for `{ seconds }` time has moved already, and the handler does what became due.
 *
 * @returns members for the answer of `advance`, such as the epoch
 */
export type AdvanceHandler = (step: Step) => Promise<Record<string, unknown>> | Promise<void>

const decimals = 18
/** Blocks after which every protocol here takes one for final: the two that anvil wants, the eight that Pharos waits for besides, and a few. */
const finalAfter = 12

/**
 * Starts a local EVM chain: anvil on 127.0.0.1, and in front of it a proxy of ours, which is the chain's `rpcUrl`. A block is
 * made for every transaction. The process that started it takes anvil with it when it ends, even by SIGKILL.
 *
 * @param options.port of `rpcUrl`; any free one when absent
 * @param options.multicall false leaves out the contract at Multicall3's address
 * @param options.log gets one line per start and end
 * @param options.binary another anvil than the installed one
 * @throws SandboxError `ENGINE_MISSING`, `ENGINE_FAILED`, `PORT_BUSY`, `INVALID_INPUT`
 */
export async function startEvmChain(options: {
  chainId: number
  log?: (line: string) => void
  port?: number
  multicall?: boolean
  binary?: string
}): Promise<EvmChain> {
  const chainId = parseCount('chainId', options.chainId, Number.MAX_SAFE_INTEGER)
  const anvil = await startAnvil({ chainId, binary: options.binary })
  const door = await openDoor({ ...options, id: `evm:${chainId}`, engine: anvil })
  try {
    const chain = new EvmChain(chainId, anvil, door)
    if (options.multicall !== false) await chain.setCode(multicallAddress, multicallCode)
    // Until there is a block, anvil runs calls at the time 1.
    await chain.mine()
    return chain
  } catch (error) {
    await door.close()
    throw error
  }
}

/** A local EVM chain; made by `startEvmChain`. */
export class EvmChain extends DoorChain implements SandboxChain {
  readonly id: `evm:${number}`
  readonly chainId: number
  /** The program behind it, for those who want to see that it ends. */
  readonly engine: { readonly pid: number; readonly url: string }
  readonly operations = operationsOf(this)
  readonly #handlers: AdvanceHandler[] = []
  /** The last block that `grow` made or found enough above, and where it stops. */
  #grown = 0
  #enough = 0
  #queue: Promise<unknown> = Promise.resolve()
  #funding: Promise<unknown> = Promise.resolve()

  constructor(chainId: number, { pid, url }: Anvil, door: Door) {
    super(door)
    this.id = `evm:${chainId}`
    this.chainId = chainId
    this.engine = { pid, url }
  }

  /**
   * A JSON-RPC call straight to anvil, past the faults.
   *
   * @throws SandboxError `RPC_ERROR` with the chain's message, and revert data in `data`
   */
  async rpc(method: string, params: readonly unknown[] = []): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(this.engine.url, { method: 'POST', headers, body }).then(
      (response): Promise<unknown> => response.json(),
      (cause) => {
        throw new SandboxError('RPC_ERROR', `${method}: ${this.id} does not answer; it is closed, or its engine has ended`, { cause })
      },
    )
    const { result, error } = membersOf(answer)
    if (error === undefined) return result
    const { message, data } = membersOf(error)
    throw new SandboxError('RPC_ERROR', `${method}: ${message}`, { data: typeof data === 'string' ? data : undefined })
  }

  /** A call whose result is text. */
  async #text(method: string, params: readonly unknown[]): Promise<string> {
    const result = await this.rpc(method, params)
    if (typeof result === 'string') return result
    throw new SandboxError('RPC_ERROR', `${method}: the result is ${show(result)}, where text is meant`)
  }

  /** Puts run-time code at an address; no constructor runs. */
  async setCode(address: string, code: string): Promise<void> {
    await this.rpc('anvil_setCode', [parseAddress(address), code])
  }

  /**
   * Adds to a balance.
   *
   * @param amount wei as a bigint, or decimal text in native units (`'1.5'`)
   * @returns the address and its balance after, as exact decimal text in native units
   * @throws SandboxError `INVALID_INPUT`
   */
  async fund(address: string, amount: bigint | string): Promise<{ address: string; balance: string }> {
    const wei = parseAmount(amount, decimals, 'wei')
    const to = parseAddress(address)
    // One after the other: anvil reads the balance and writes the sum, and of two at once one can be lost.
    this.#funding = this.#funding.catch(() => undefined).then(() => this.rpc('anvil_addBalance', [to, toHex(wei)]))
    await this.#funding
    return { address, balance: formatUnits(await this.balance(address), decimals) }
  }

  /** A balance in wei. */
  async balance(address: string): Promise<bigint> {
    return BigInt(await this.#text('eth_getBalance', [address, 'latest']))
  }

  /** An `eth_call` on the latest block; the returned data. */
  async call(call: EvmCall): Promise<string> {
    return this.#text('eth_call', [toParams(call), 'latest'])
  }

  /**
   * Sends a transaction from any account, without its key, and waits until it is in a block. The account must be able to pay.
   *
   * @throws SandboxError `RPC_ERROR` when it is refused, or reverts
   */
  async send(call: EvmCall & { readonly from: string }): Promise<EvmReceipt> {
    await this.rpc('anvil_impersonateAccount', [call.from])
    const gas = call.gas ?? (await this.#estimate(call))
    const receipt = await this.rpc('eth_sendTransactionSync', [toParams(gas === undefined ? call : { ...call, gas })])
    if (!isReceipt(receipt)) throw new SandboxError('RPC_ERROR', `eth_sendTransactionSync: the result is ${show(receipt)}, no receipt`)
    if (receipt.status === '0x1') return receipt
    // A receipt does not say why; asking again on the block after mostly does.
    const why = await this.call(call).then(
      () => undefined,
      (error: SandboxError) => error,
    )
    const message = `transaction ${receipt.transactionHash} from ${call.from} to ${call.to} reverted`
    throw new SandboxError('RPC_ERROR', message, { data: why?.data, cause: why })
  }

  /** Undefined for what would revert: sending it says why. */
  async #estimate(call: EvmCall): Promise<bigint | undefined> {
    const estimate = await this.#text('eth_estimateGas', [toParams(call)]).catch(() => undefined)
    return estimate === undefined ? undefined : (BigInt(estimate) * 3n) / 2n
  }

  /**
   * Makes empty blocks.
   *
   * @returns number and time of the latest block
   */
  async mine(blocks = 1): Promise<{ block: number; timestamp: number }> {
    await this.rpc('anvil_mine', [toHex(BigInt(parseBlocks(blocks)))])
    return this.latest()
  }

  /** Number and time (seconds since 1970) of the latest block. */
  async latest(): Promise<{ block: number; timestamp: number }> {
    const { number, timestamp } = membersOf(await this.rpc('eth_getBlockByNumber', ['latest', false]))
    return { block: Number(number), timestamp: Number(timestamp) }
  }

  /** Moves the chain's clock on, counted from the latest block, and makes a block there. For advance handlers; others use `advance`. */
  async moveTime(seconds: number): Promise<void> {
    const { timestamp } = await this.latest()
    await this.rpc('evm_setNextBlockTimestamp', [timestamp + seconds])
    await this.rpc('evm_mine')
  }

  /** Registers what a scenario does when the chain advances. Handlers run in this order, and never two advances at once. */
  onAdvance(handler: AdvanceHandler): void {
    this.#handlers.push(handler)
  }

  /**
   * Moves the chain on. Advances that are asked for together run one after the other. Not to be called from a handler.
   *
   * @returns number and time of the latest block, and what the handlers add
   * @throws SandboxError `INVALID_INPUT`; `NOT_SUPPORTED` for epochs on a chain where no scenario has any
   */
  async advance(step: Step): Promise<Record<string, unknown>> {
    const checked = parseStep(step)
    if ('epochs' in checked && this.#handlers.length === 0) {
      throw new SandboxError('NOT_SUPPORTED', `${this.id} has no epochs: no scenario on it has any; advance it by seconds`)
    }
    return this.#inTurn(async () => {
      if ('seconds' in checked) await this.moveTime(checked.seconds)
      return this.#react(checked)
    })
  }

  /**
   * Makes a block, so that the chain's clock shows the time that has passed, and lets scenarios do what became due. While transactions are held none is
   * made, since they would be in it.
   */
  async tick(): Promise<void> {
    await this.#inTurn(async () => {
      if (await this.#holds()) return
      const before = await this.latest()
      const after = await this.mine()
      await this.#react({ seconds: Math.max(1, after.timestamp - before.timestamp) })
    })
  }

  /** Makes a block where the latest ones that anybody else made are not final yet, for any of the protocols. */
  async grow(): Promise<void> {
    await this.#inTurn(async () => {
      const { block } = await this.latest()
      if (block !== this.#grown) this.#enough = block + finalAfter
      this.#grown = block
      if (block < this.#enough && !(await this.#holds())) this.#grown = (await this.mine()).block
    })
  }

  async #holds(): Promise<boolean> {
    return (await this.rpc('anvil_getAutomine')) !== true
  }

  async #react(step: Step): Promise<Record<string, unknown>> {
    const added: Record<string, unknown> = {}
    for (const handler of this.#handlers) Object.assign(added, await handler(step))
    return { ...(await this.latest()), ...added }
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work)
    this.#queue = result.catch(() => {})
    return result
  }
}

function parseAddress(address: string): string {
  if (typeof address === 'string' && /^0x[0-9a-fA-F]{40}$/.test(address)) return address
  throw new SandboxError('INVALID_INPUT', `address is ${show(address)}: it must be 0x and 40 hexadecimal digits`)
}

function toParams({ value, gas, ...call }: EvmCall): Record<string, unknown> {
  return { ...call, ...(value === undefined ? {} : { value: toHex(value) }), ...(gas === undefined ? {} : { gas: toHex(gas) }) }
}

function toHex(value: bigint): string {
  return `0x${value.toString(16)}`
}

/** The rest of it is as anvil writes it. */
function isReceipt(result: unknown): result is EvmReceipt {
  const { transactionHash, status } = membersOf(result)
  return typeof transactionHash === 'string' && typeof status === 'string'
}
