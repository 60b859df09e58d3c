import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client, TransactionStatus, VerifiedTransaction } from '@svc/client'
import { ethersSigner } from '@svc/client/signers'
import { evmVault } from '@svc/intent-evm-vault'
import { id, Wallet, ZeroAddress } from 'ethers'
import type { Stage } from '../node.ts'
import type { Report } from '../report.ts'
import type { Service } from '../service.ts'
import { CHAIN_ID } from './genesis.ts'
import { type Geth, startGeth } from './geth.ts'
import { keyedChain } from './keyed-chain.ts'
import { setUpVault, type VaultChain, type World } from './models.ts'

/** Seconds of the chain from an exit request to its claim; 54,000 on mainnet. */
const CLAIM_DELAY = 15
const ETHER = 10n ** 18n
/** Customers with funds; each life takes one of its own. */
const CUSTOMERS = 60
/** Package of the plugin. */
export const PLUGIN = '@svc/plugin-evm-vault'

/** A geth with a vault, and the service on it. */
export interface VaultStage {
  readonly geth: Geth
  readonly world: World<VaultChain>
  readonly service: Service
  readonly vault: Client<{ readonly vault: typeof evmVault }>['vault']
  /** The next customer. */
  customer(): Wallet
  /** Signs, sends, and has the chain go on until the transaction has ended. @returns every state that it was told in */
  carryOut(tx: VerifiedTransaction, wallet: Wallet): Promise<readonly TransactionStatus[]>
  /** An oracle update: validators bring what is asked back, and the queue is paid. */
  update(): Promise<void>
  /** Compares fee and balances of a transaction that has landed with the node's receipt and books. */
  exact(report: Report, what: string, status: TransactionStatus | undefined, wallet: Wallet): Promise<void>
}

/**
 * Starts a geth, puts the models of a vault on it, and the service in front.
 *
 * @param options.flags of geth, as an operator adds them
 * @param options.final false leaves the chain without a final block
 */
export async function startVaultStage(
  stage: Stage,
  name: string,
  options: { readonly flags?: readonly string[]; readonly final?: boolean } = {},
): Promise<VaultStage> {
  const folder = join(stage.folder, name)
  await mkdir(folder, { recursive: true })
  const steward = new Wallet(id('real steward'))
  const customers = Array.from({ length: CUSTOMERS }, (_, place) => new Wallet(id(`real customer ${place}`)))
  const rich = [steward, ...customers].map(({ address }) => address)
  const geth = await startGeth(stage.programs, join(stage.built, 'geth'), { folder, rich, flags: options.flags ?? [] })
  const world = await setUpVault(keyedChain(geth, steward, customers), 20_000_000n * ETHER, CLAIM_DELAY)
  const deposit = (amount: bigint) => world.act(steward.address, 'deposit', [steward.address, ZeroAddress], amount)
  await deposit(20_000n * ETHER)
  await world.control('keeper', 'collateralize', world.vault)
  if (options.final !== false) geth.beacon.finalise()
  let reward = 0n
  const update = async () => {
    await deposit(100n * ETHER)
    reward += ETHER
    await world.publish(reward)
    await world.harvest()
  }
  await update()

  const network = networkOf(world, [geth.url])
  const service = await stage.service({ plugins: { [PLUGIN]: { networks: { [CHAIN_ID]: network } } } })
  const { vault } = service.client({ vault: evmVault })
  let serial = 0

  return {
    geth,
    world,
    service,
    vault,
    update,
    customer() {
      const wallet = customers[serial++]
      if (!wallet) throw new RangeError(`there are ${CUSTOMERS} customers`)
      return wallet
    },
    async carryOut(tx, wallet) {
      const { txHash } = await vault.send(await tx.sign(ethersSigner(wallet)))
      const statuses: TransactionStatus[] = []
      const pause = geth.beacon.run()
      try {
        const signal = AbortSignal.timeout(120_000)
        await vault.settled(txHash, { signal, onStatus: (status) => statuses.push(status) })
      } finally {
        await pause()
      }
      return statuses
    },
    async exact(report, what, status, wallet) {
      report.equal(`${what} is final`, `${status?.status} ${status?.certainty}`, 'final proven')
      if (!status) return
      const receipt = (await geth.rpc('eth_getTransactionReceipt', [status.txHash])) as Receipt
      const height = Number(receipt.blockNumber)
      const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
      const sent = (await geth.rpc('eth_getTransactionByHash', [status.txHash])) as { readonly value: string }
      const at = async (block: number) => BigInt(String(await geth.rpc('eth_getBalance', [wallet.address, `0x${block.toString(16)}`])))
      const change = (await at(height)) - (await at(height - 1))
      // Shares arrive too, which are no coins.
      const arrived = (status.moves ?? []).reduce(
        (sum, { kind, asset, amount }) => sum + (kind === 'arrives' && asset === 'native' ? (amount ?? 0n) : 0n),
        0n,
      )
      report.equal(`the fee of ${what} is the node's, to the wei`, status.fee?.units, fee)
      report.equal(`what ${what} moved is what the node's books say, to the wei`, arrived - BigInt(sent.value) - fee, change)
      report.equal(`the block of ${what} is the node's`, status.block?.height, height)
    },
  }
}

/** Settings of the network, as an operator writes them. @param urls endpoints in order of preference */
export function networkOf({ vault }: World<VaultChain>, urls: readonly string[]) {
  return {
    name: 'Geth',
    endpoints: { rpc: urls },
    vault,
    first_block: 0,
    inclusion_ms: 500,
    claim_delay_seconds: CLAIM_DELAY,
  }
}

interface Receipt {
  readonly blockNumber: string
  readonly gasUsed: string
  readonly effectiveGasPrice: string
}
