import { lastTwo, type SvmScenario, svmEngine } from '@svc/sandbox-svm'
import { CLUSTER_ADDRESSES } from '../src/addresses.ts'

const SOL = 1_000_000_000n

/** Fees of the pool. The real ones may differ, and every one of them can be told apart by its amount. */
export const fees = {
  epoch: { numerator: 5n, denominator: 100n },
  solDeposit: { numerator: 8n, denominator: 10_000n },
  solWithdrawal: { numerator: 3n, denominator: 1_000n },
  stakeWithdrawal: { numerator: 1n, denominator: 1_000n },
  /** Percent of the deposit fee. */
  solReferral: 50,
} as const
/** Commission of the pool's validators, in basis points. */
export const commissionBps = 500
/** Lamports in the pool at the start: in the reserve, and with each of its two validators. */
export const reserve = 1_000n * SOL
export const stake = 50_000n * SOL
/** Pool tokens at the start, in base units: a token is worth a little more than 1.1 SOL. */
export const supply = 91_818n * SOL

/** Addresses of a pool: those that are absent are made up. */
export interface PoolAddresses {
  readonly pool?: string
  readonly mint?: string
  /** @default the program of the cluster */
  readonly program?: string
}

/**
 * A stake pool on a cluster, where a token is worth 1.1 SOL and more with every epoch that the chain is advanced. On mainnet-beta it has the
 * addresses of the pool that is known there.
 *
 * @param given addresses of another pool
 */
export function scenarioOn(chainId: 'mainnet-beta' | 'devnet', given: PoolAddresses = CLUSTER_ADDRESSES[chainId] ?? {}): SvmScenario {
  let minted = ''
  return {
    engine: svmEngine,
    chain: `svm:${chainId}`,
    async install(chain) {
      const first = await chain.createValidator({ name: 'pool validator 1', commissionBps })
      const second = await chain.createValidator({ name: 'pool validator 2', commissionBps })
      const { pool, mint, program } = given
      const stakePool = await chain.createStakePool({
        name: 'liquid-b',
        ...(pool === undefined ? {} : { pool }),
        ...(mint === undefined ? {} : { mint }),
        ...(program === undefined ? {} : { program }),
        validators: [first.vote, second.vote],
        deposit: reserve,
        stake,
        supply,
        fees,
      })
      // So that the pool has a past epoch to tell its yield from.
      await chain.advance({ epochs: 1 })
      minted = stakePool.mint
      return { settings: { pool: stakePool.pool, mint: stakePool.mint, program: stakePool.program, validator: first.vote } }
    },
    /** The last wallet but one holds pool tokens; the last one has a nonce account. */
    async stage(chain, wallets) {
      const [wallet_address, sender] = lastTwo(wallets.map(({ address }) => address))
      chain.mintTo(minted, wallet_address, 1_000n * SOL)
      const nonce = chain.giveNonce('example liquid', sender)
      return {
        bodies: { stake: { wallet_address, amount: 25.5 }, unstake: { wallet_address, amount: 10 } },
        parameters: { address: wallet_address },
        sent: { action: 'stake', body: { wallet_address: sender, amount: 25.5 }, nonce },
      }
    },
  }
}

export const scenario: SvmScenario = scenarioOn('mainnet-beta')

/** One for each cluster that the service knows. */
export const scenarios: readonly SvmScenario[] = [scenario, scenarioOn('devnet')]
