import type { MovesAct, MovesEvent, MovesTest, WalletLife } from '@svc/conformance'
import { exactNumber, formatAmount } from '@svc/contract'
import type { Behind } from './chain.ts'

const SOL = 1_000_000_000n
/** Where a stake account says how much is delegated. @see https://docs.rs/solana-stake-interface/latest/solana_stake_interface/state/enum.StakeStateV2.html (read 2026-11-28) */
const DELEGATED = 156
/** Lamports a byte that the chain has asked for and will; the first is today's. @see SIMD-0437 (read 2026-11-28) */
const RATES = [6960, 6333, 5080, 2575, 1322, 696]

/** What moves for a holder of pool tokens, for conformance's group `moves`. The books are the accounts of the sandbox's bank, read past every kit. */
export function moves(chain: () => Behind): MovesTest {
  /** A pool that is not up to date takes nothing and gives nothing: mostly it is brought there before. */
  const act = (name: string, action: string, body: MovesAct['body']): MovesAct => ({
    name,
    action,
    async body(life) {
      if (life.random(4) > 0) await life.operate('stale-pool', { stale: false })
      return body(life)
    },
  })
  const event = (name: string, run: MovesEvent['run']): MovesEvent => ({ name, run })
  const text = (units: bigint) => formatAmount(units, 9)
  const some = (random: WalletLife['random'], most: number) => BigInt(1 + random(most)) * SOL + BigInt(random(10 ** 9))
  const held = ({ player }: WalletLife) => {
    const tokens = chain().tokens(player.wallet.address)
    if (tokens === 0n) throw new RangeError('there are no pool tokens')
    return tokens
  }
  return {
    acts: [
      act('stakes an exact amount', 'stake', async ({ random }) => ({ amount: exactNumber(text(some(random, 90))) })),
      act('stakes what a double reads', 'stake', async ({ random }) => ({ amount: Number(text(some(random, 90))) })),
      act('stakes the least', 'stake', async () => ({ amount: exactNumber('0.003') })),
      act('unstakes a part', 'unstake', async (life) => ({ amount: exactNumber(text((held(life) * BigInt(1 + life.random(99))) / 100n)) })),
      act('unstakes a few units', 'unstake', async (life) => ({
        amount: exactNumber(text(held(life) > 9n ? BigInt(2 + life.random(7)) : 1n)),
      })),
      act('unstakes what the reserve cannot pay', 'unstake', async (life) => {
        const tokens = held(life)
        if (tokens < 2n * SOL) throw new RangeError('it is worth no stake account')
        await life.operate('drain-reserve', { leave: '0.100000001' })
        return { amount: exactNumber(text(tokens / 2n + SOL)) }
      }),
      act('unstakes all', 'unstake', async (life) => ({ amount: exactNumber(text(held(life))) })),
      act('unstakes all by a double', 'unstake', async (life) => ({ amount: Number(text(held(life))) })),
      act('unstakes all but a unit', 'unstake', async (life) => ({ amount: exactNumber(text(held(life) - 1n)) })),
    ],
    events: [
      event('an epoch passes', ({ player }) => player.advance({ epochs: 1 })),
      event('two epochs pass', ({ player }) => player.advance({ epochs: 2 })),
      event('blocks pass', ({ operate }) => operate('mine', { blocks: 40 })),
      event('somebody sends it coins', ({ player }) => player.fund('3.000000001')),
      event('somebody sends it pool tokens', async ({ player, random }) =>
        chain().svm.mintTo(chain().settings.mint, player.wallet.address, some(random, 90)),
      ),
      event('the reserve gets a tip', ({ operate }) => operate('tip', { account: chain().record().reserve, amount: '0.500000001' })),
      event('the reserve gets a large tip', ({ operate }) => operate('tip', { account: chain().record().reserve, amount: '1000' })),
      event('the reserve is drained', ({ operate }) => operate('drain-reserve', { leave: '0.100000001' })),
      event('the pool is not brought up to date', ({ operate }) => operate('stale-pool', { stale: true })),
      event('the pool is brought up to date', ({ operate }) => operate('stale-pool', { stale: false })),
      event('the fee of deposits changes', ({ operate, random }) =>
        operate('pool-fee', { fee: 'sol_deposit', numerator: random(30), denominator: 10_000 }),
      ),
      event('the pool loses a part', ({ operate, random }) => operate('pool-loss', { amount: String(1 + random(50)) })),
      event('the rent changes', ({ operate, random }) => operate('rent', { lamports_per_byte: RATES[random(RATES.length)] })),
      event('the usual price of a unit changes', ({ operate, random }) => operate('unit-price', { micro_lamports: random(5_000) })),
      event('epochs pay no rewards', ({ operate }) => operate('rewards', { on: false })),
      event('epochs pay rewards', ({ operate }) => operate('rewards', { on: true })),
      event('rewards take blocks', ({ operate, random }) => operate('epoch-rewards', { blocks: random(4) })),
      event('the commission changes', ({ operate, random }) =>
        operate('validator', { vote: chain().settings.validator, commission_bps: random(10_001) }),
      ),
    ],
    async book({ player: { wallet } }) {
      const { svm, settings } = chain()
      const stakes = await chain().stakesOf(wallet.address)
      return {
        holds: { native: await svm.balance(wallet.address), [settings.mint]: chain().tokens(wallet.address) },
        staked: svm.account(chain().record().reserve)?.lamports ?? 0n,
        // What was split off for the wallet is delegated in accounts of its own.
        freed: stakes.reduce((sum, { data }) => sum + data.readBigUInt64LE(DELEGATED), 0n),
      }
    },
    async fee({ rpcUrl }, txHash) {
      const params = [txHash, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 }]
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params })
      const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      const { result } = (await response.json()) as { readonly result: { readonly meta: { readonly fee: number } } }
      return BigInt(result.meta.fee)
    },
    unused: {
      cluster: 'how fast a stake cools down is no move',
      'minimum-delegation': 'what a node answers is no move',
      steal: 'of a stake account, which a holder of tokens has none of',
      'program-accounts': 'what a node answers is no move',
      pushes: 'what a node pushes is no move',
      votes: 'what a node answers is no move',
    },
  }
}
