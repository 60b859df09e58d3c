import type { SvmReceipt } from '@svc/kit-svm'
import t from 'tap'
import { CLUSTER_ADDRESSES } from '../src/addresses.ts'
import { tokenAccountOf } from '../src/chain/derived-addresses.ts'
import { moved } from '../src/moved.ts'
import { poolOf } from '../src/network.ts'

const network = { chainId: 'mainnet-beta', token_program: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' } as never
const { program, mint = '', pool = '' } = CLUSTER_ADDRESSES['mainnet-beta']!
const wallet = 'AKnL4NNf3DGWZJS6cPknBuEGnVsV4A4m5tgebLHaRSZ9'
const [reserve, stake, other] = ['reserve', 'stake', 'other']
const tokens = tokenAccountOf(wallet, poolOf(network)).toBase58()
const RENT = 2_282_880n

const receipt = (more: Partial<SvmReceipt>): SvmReceipt => ({
  feePayer: wallet,
  fee: 5_000n,
  accounts: [],
  tokens: [],
  instructions: [],
  stakes: [],
  ...more,
})
const held = (before: bigint, after: bigint, account = tokens, of = mint) => ({
  account,
  mint: of,
  ownerBefore: wallet,
  owner: wallet,
  before,
  after,
})
const pooled = (tag: number, accounts: readonly string[]) => ({ program, accounts, data: Buffer.from([tag, 0, 0, 0, 0, 0, 0, 0, 0]) })

t.test('a deposit leaves the wallet, is staked in the reserve, and brings tokens', async (t) => {
  const found = moved(
    network,
    receipt({
      accounts: [
        { address: wallet, before: 10_000_005_000n, after: 8_997_960_720n },
        { address: reserve, before: 7n, after: 1_000_000_007n },
      ],
      tokens: [held(0n, 990_000_000n)],
      instructions: [pooled(14, [pool, 'authority', reserve])],
    }),
    null,
  )
  t.same(found, {
    moves: [
      { kind: 'leaves', asset: 'native', amount: 1_002_039_280n },
      { kind: 'staked', asset: 'native', amount: 1_000_000_000n },
      { kind: 'arrives', asset: mint, amount: 990_000_000n },
    ],
    objectIds: [],
  })
})

t.test('what leaves as stake is freed in an account of its own', async (t) => {
  const found = moved(
    network,
    receipt({
      accounts: [
        { address: wallet, before: 10_000_000_000n, after: 10_000_000_000n - 5_000n - RENT },
        { address: 'source', before: 9_000_000_000n, after: 7_000_000_000n },
        // The account was made with the rent of its craft; what the chain asks for now is of no matter.
        { address: stake, before: 0n, after: RENT + 2_000_000_000n },
      ],
      tokens: [held(5_000_000_000n, 3_000_000_000n)],
      instructions: [pooled(10, [pool, 'list', 'authority', 'source', stake])],
    }),
    wallet,
  )
  t.same(found, {
    moves: [
      { kind: 'leaves', asset: 'native', amount: RENT },
      { kind: 'leaves', asset: mint, amount: 2_000_000_000n },
      { kind: 'freed', asset: 'native', amount: 2_000_000_000n },
    ],
    objectIds: [stake],
  })
})

t.test('what is of another pool, mint or account counts for nothing', async (t) => {
  const strangers = receipt({
    accounts: [
      { address: wallet, before: 5_000n, after: 0n },
      { address: reserve, before: 0n, after: 5n },
    ],
    tokens: [held(0n, 5n, other), held(0n, 5n, tokens, other)],
    instructions: [pooled(14, [other, 'authority', reserve]), { ...pooled(14, [pool, 'authority', reserve]), program: other }],
  })
  t.same(moved(network, strangers, wallet), { moves: [], objectIds: [] })
})
