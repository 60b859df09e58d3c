import { createServer } from 'node:http'
import {
  type ChainEngine,
  type Door,
  type Fault,
  formatUnits,
  listen,
  openDoor,
  parseChainName,
  parseStep,
  parseUnits,
  type SandboxChain,
  type Scenario,
  type Step,
  sendJson,
  shut,
} from '@svc/sandbox'

/** A wallet of the toy family. */
export interface ToyWallet {
  readonly name: string
}

export const toyWallets: readonly ToyWallet[] = [{ name: 'first' }, { name: 'second' }]

/** A chain of a family that does not exist: it keeps balances, and answers every request with its id. */
export class ToyChain implements SandboxChain {
  readonly id: `${string}:${string}`
  readonly rpcUrl: string
  /** In hundredths. */
  readonly balances = new Map<string, bigint>()
  block = 1
  closed = false
  readonly #door: Door

  constructor(id: `${string}:${string}`, door: Door) {
    this.id = id
    this.rpcUrl = door.url
    this.#door = door
  }

  async advance(step: Step) {
    this.block += Object.values(parseStep(step))[0] as number
    return { block: this.block }
  }

  async fund(address: string, amount: string) {
    this.balances.set(address, (this.balances.get(address) ?? 0n) + parseUnits(amount, 2))
    return { address, balance: formatUnits(this.balances.get(address)!, 2) }
  }

  latest() {
    return { block: this.block }
  }

  fault(fault: Fault): void {
    this.#door.fault(fault)
  }

  onClose(closer: () => Promise<void>): void {
    this.#door.onClose(closer)
  }

  async close(): Promise<void> {
    await this.#door.close()
    this.closed = true
  }
}

export type ToyScenario = Scenario<ToyChain, ToyWallet>

/** What somebody writes whose family the sandbox has never heard of. */
export function toyEngine(family: string, changes: Partial<ChainEngine<ToyChain, ToyWallet>> = {}): ChainEngine<ToyChain, ToyWallet> {
  return {
    family,
    async start({ chainId, log }) {
      const id = `${family}:${parseChainName(chainId, 'net-1')}` as const
      const server = createServer((_, response) => sendJson(response, 200, { id }))
      const url = await listen(server, 0, id)
      return new ToyChain(id, await openDoor({ id, engine: { url, close: () => shut(server) }, log }))
    },
    wallets: async () => toyWallets,
    addressOf: ({ name }, { id }) => `${name}@${id}`,
    ...changes,
  }
}
