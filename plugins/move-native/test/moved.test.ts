import { bcs } from '@mysten/sui/bcs'
import type { Balance, StakedObject } from '@svc/contract'
import { differences } from '@svc/core/plugins'
import type { MoveReceipt } from '@svc/kit-move'
import t from 'tap'
import { due } from '../src/due.ts'
import { moved } from '../src/moved.ts'

const SUI = 10n ** 9n
const id = (byte: string) => `0x${byte.repeat(32)}`
const ME = id('aa')
const u64 = (value: bigint) => bcs.u64().serialize(value).toBytes()
const event = (name: string, addresses: number, ...numbers: bigint[]) => ({
  type: `0x${'3'.padStart(64, '0')}::validator::${name}`,
  contents: new Uint8Array(Buffer.concat([Buffer.alloc(32 * addresses, 1), ...numbers.map(u64)])),
})
const receipt = (change: Partial<MoveReceipt>): MoveReceipt => ({
  sender: ME,
  payer: ME,
  fee: 3_000_000n,
  balances: [{ address: ME, coinType: '0x2::sui::SUI', amount: -3_000_000n }],
  created: [],
  events: [],
  ...change,
})
const told = (change: Partial<MoveReceipt>, wallet: string | null = ME) => moved({}, receipt(change), wallet)
const native = (kind: string, amount: bigint) => ({ kind, asset: 'native', amount })
const mine = (amount: bigint) => [{ address: ME, coinType: `0x${'2'.padStart(64, '0')}::sui::SUI`, amount }]

t.test('a stake leaves the wallet, without its gas, and is the new object', (t) => {
  const change = {
    balances: mine(-5n * SUI - 3_000_000n),
    events: [event('StakingRequestEvent', 3, 999n, 5n * SUI)],
    created: [
      { id: id('01'), type: '0x3::staking_pool::StakedSui', owner: ME },
      { id: id('02'), type: '0x2::coin::Coin<0x2::sui::SUI>', owner: ME },
      { id: id('03'), type: '0x3::staking_pool::StakedSui', owner: id('bb') },
      { id: id('04'), type: null, owner: ME },
    ],
  }
  const expected = { moves: [native('leaves', 5n * SUI), native('staked', 5n * SUI)], objectIds: [id('01')] }
  t.same(told(change), expected)
  t.same(told(change, null), expected, 'of a hash alone, too')
  t.same(told({ ...change, balances: null }), expected, 'and of a node that has no balances any more')
  t.same(told({ ...change, payer: id('cc'), balances: mine(-5n * SUI) }), expected, 'and where another one pays the gas')
  const promised = [native('leaves', 5n * SUI), { kind: 'staked', asset: 'native', amount: null }] as never
  t.same(differences(promised, told(change)), [])
  const less = told({ ...change, balances: mine(-4n * SUI - 3_000_000n) })
  t.match(differences(promised, less), [{ kind: 'leaves', promised: 5n * SUI, moved: 4n * SUI }])
  t.end()
})

t.test('a withdrawal frees principal and rewards, which arrive', (t) => {
  const paid = 5n * SUI + 1234n
  const arrived = [native('freed', paid), native('arrives', paid)]
  const balances = mine(paid - 3_000_000n)
  t.same(told({ balances, events: [event('UnstakingRequestEvent', 3, 990n, 999n, 5n * SUI, 1234n)] }).moves, arrived)
  t.same(told({ balances, events: [event('RedeemingFungibleStakedSuiEvent', 1, 77n, paid)] }).moves, arrived)
  t.same(
    told({ fee: -900_000n, balances: mine(paid + 900_000n), events: [event('RedeemingFungibleStakedSuiEvent', 1, 77n, paid)] }).moves,
    arrived,
  )
  t.end()
})

t.test('nothing else is a move, and what is no such event is none', (t) => {
  t.same(told({ events: [{ type: '0x3::validator::Other', contents: Uint8Array.of(1) }] }), { moves: [], objectIds: [] })
  t.same(told({ balances: [...mine(-3_000_000n), { address: ME, coinType: `${id('dd')}::usd::USD`, amount: 7n }] }).moves, [])
  for (const contents of [new Uint8Array(111), new Uint8Array(113)])
    t.throws(() => told({ events: [{ ...event('StakingRequestEvent', 3), contents }] }), RangeError)
  t.end()
})

t.test('the next stake to become active is due with its epoch, a minute late', async (t) => {
  const start = Date.parse('2026-11-21T00:00:00Z')
  const DAY = 86_400_000
  const state = { epoch: 999n, epochStartMs: BigInt(start), epochDurationMs: BigInt(DAY) }
  const at = (now: number) =>
    ({ now: () => new Date(now), client: { exchange: async (work: any) => work({ systemState: async () => state }) } }) as never
  const balance = (...objects: Partial<StakedObject>[]) => ({ objects }) as unknown as Balance
  const waits = (activationEpoch: number): Partial<StakedObject> => ({ status: 'activating', activationEpoch })
  t.equal(await due(at(start), ME, balance()), null)
  t.equal(await due(at(start), ME, balance({ status: 'active', activationEpoch: 990 }, { status: 'active', activationEpoch: null })), null)
  t.same(await due(at(start), ME, balance(waits(1001), waits(1000))), new Date(start + DAY + 60_000))
  const late = start + 3 * DAY
  t.same(await due(at(late), ME, balance(waits(1000))), new Date(late + 60_000), 'a chain that stands still is looked at again')
})
