import type { PlacedRecord, RunInstruction } from '@svc/kit-svm'
import { Authorized, Lockup, PublicKey, StakeAuthorizationLayout, StakeProgram, type TransactionInstruction } from '@svc/solana'
import t from 'tap'
import { ownerChange } from '../src/ledger/authority.ts'
import { holdingsOf } from '../src/ledger/reading.ts'
import { walk } from '../src/ledger/walk.ts'

const keyOf = (byte: number) => new PublicKey(new Uint8Array(32).fill(byte))
const [wallet, stranger, first, second] = [1, 2, 3, 4].map(keyOf) as [PublicKey, PublicKey, PublicKey, PublicKey]
const [WALLET, STRANGER, FIRST, SECOND] = [wallet, stranger, first, second].map((key) => key.toBase58()) as [string, string, string, string]

const run = ({ programId, keys, data }: TransactionInstruction): RunInstruction => ({
  program: programId.toBase58(),
  accounts: keys.map(({ pubkey }) => pubkey.toBase58()),
  data: Buffer.from(data),
})
const authorize = (account: PublicKey, to: PublicKey, stakeAuthorizationType = StakeAuthorizationLayout.Withdrawer) =>
  StakeProgram.authorize({
    stakePubkey: account,
    authorizedPubkey: wallet,
    newAuthorizedPubkey: to,
    stakeAuthorizationType,
  }).instructions.map(run)
const program = StakeProgram.programId.toBase58()
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

t.test('each instruction that changes who may withdraw is read, and no other', (t) => {
  const owner = (instruction: RunInstruction | undefined) => instruction && ownerChange(instruction)
  t.same(owner(authorize(first, stranger)[0]), { account: FIRST, owner: STRANGER })
  t.equal(owner(authorize(first, stranger, StakeAuthorizationLayout.Staker)[0]), null)
  const initialize = StakeProgram.initialize({
    stakePubkey: first,
    authorized: new Authorized(stranger, wallet),
    lockup: new Lockup(0, 0, stranger),
  })
  t.same(owner(run(initialize)), { account: FIRST, owner: WALLET })
  const seeded = StakeProgram.authorizeWithSeed({
    stakePubkey: first,
    authorityBase: wallet,
    authoritySeed: 'seed',
    authorityOwner: StakeProgram.programId,
    newAuthorizedPubkey: stranger,
    stakeAuthorizationType: StakeAuthorizationLayout.Withdrawer,
  })
  t.same(owner(seeded.instructions.map(run)[0]), { account: FIRST, owner: STRANGER })
  const split = StakeProgram.split({ stakePubkey: first, authorizedPubkey: wallet, splitStakePubkey: second, lamports: 5 }, 1)
  t.same(owner(split.instructions.map(run).at(-1)), { account: SECOND, from: FIRST })
  // The checked forms name the new authority as an account, which signs.
  const checked = (tag: number, role: number, accounts: readonly string[]) =>
    owner({ program, accounts, data: Buffer.concat([u32(tag), u32(role)]) })
  t.same(checked(10, 1, [FIRST, 'clock', WALLET, STRANGER]), { account: FIRST, owner: STRANGER })
  t.equal(checked(10, 0, [FIRST, 'clock', WALLET, STRANGER]), null)
  t.same(checked(11, 1, [FIRST, WALLET, 'clock', STRANGER]), { account: FIRST, owner: STRANGER })
  t.same(owner({ program, accounts: [FIRST, 'rent', STRANGER, WALLET], data: u32(9) }), { account: FIRST, owner: WALLET })
  t.equal(owner({ program, accounts: [FIRST], data: Buffer.alloc(3) }), null, 'too short')
  t.equal(owner({ program: WALLET, accounts: [FIRST, 'rent', STRANGER, WALLET], data: u32(9) }), null, 'of another program')
  const deactivate = StakeProgram.deactivate({ stakePubkey: first, authorizedPubkey: wallet })
  t.equal(owner(deactivate.instructions.map(run)[0]), null)
  t.end()
})

/** A record of a transaction that the wallet pays a fee of 5 for. */
function record(
  slot: bigint,
  accounts: Record<string, readonly [bigint, bigint]>,
  instructions: readonly RunInstruction[] = [],
): PlacedRecord {
  const list = Object.entries(accounts).map(([address, [before, after]]) => ({ address, before, after }))
  return {
    signature: `tx-${slot}`,
    slot,
    time: new Date(Number(slot) * 1000),
    verdict: { err: null } as never,
    receipt: { feePayer: WALLET, fee: 5n, accounts: list, tokens: [], instructions },
  }
}
const holdings = (entries: Record<string, bigint>) => new Map(Object.entries(entries))
const lines = ({ moves, missing, differing }: ReturnType<typeof walk>) => [
  missing,
  [...differing].length,
  ...moves.map(({ kind, amount, from, to }) => `${kind} ${amount} ${from} ${to}`),
]

t.test('what leaves the wallet is a deposit, what others bring is a transfer, and a fee is neither', (t) => {
  const paid = record(11n, { [WALLET]: [1_000n, 795n], [FIRST]: [100n, 300n] })
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 300n }), [paid], [])), [null, 0, 'deposit 200 wallet stake'])
  const tipped = record(11n, { [WALLET]: [1_000n, 995n], [STRANGER]: [50n, 43n], [FIRST]: [100n, 107n] })
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 107n }), [tipped], [])), [
    null,
    0,
    'transfer_in 7 others stake',
  ])
  const both = record(11n, { [WALLET]: [1_000n, 985n], [STRANGER]: [50n, 43n], [FIRST]: [100n, 117n] })
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 117n }), [both], [])), [
    null,
    0,
    'deposit 10 wallet stake',
    'transfer_in 7 others stake',
  ])
  const out = record(11n, { [WALLET]: [1_000n, 1_055n], [STRANGER]: [0n, 40n], [FIRST]: [100n, 0n] })
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({}), [out], [])), [
    null,
    0,
    'withdrawal 60 stake wallet',
    'transfer_out 40 stake others',
  ])
  t.end()
})

t.test('an account goes with its lamports, and comes with them', (t) => {
  const gone = record(11n, { [WALLET]: [9n, 4n], [FIRST]: [100n, 100n] }, authorize(first, stranger))
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n, [SECOND]: 7n }), holdings({ [SECOND]: 7n }), [gone], [])), [
    null,
    0,
    'transfer_out 100 stake others',
  ])
  const come = record(11n, { [WALLET]: [9n, 4n], [FIRST]: [100n, 100n] }, authorize(first, wallet))
  t.same(lines(walk(WALLET, holdings({}), holdings({ [FIRST]: 100n }), [come], [])), [null, 0, 'transfer_in 100 others stake'])
  t.same(lines(walk(WALLET, holdings({}), holdings({ [FIRST]: 100n }), [], [])), ['flow_missing', 0], 'nothing says how it came')
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({}), [], [])), ['flow_missing', 0], 'nor how it went')
  // Made by a program within another, whose instructions the message does not show.
  const inner = record(11n, { [WALLET]: [200n, 95n], [FIRST]: [0n, 100n] })
  t.same(lines(walk(WALLET, holdings({}), holdings({ [FIRST]: 100n }), [inner], [])), [null, 0, 'deposit 100 wallet stake'])
  t.end()
})

t.test('rewards stand where they were paid, and what neither explains is left open', (t) => {
  const reward = { account: FIRST, epoch: 7, slot: 12n, amount: 3n }
  const tip = (before: bigint) => record(13n, { [WALLET]: [9n, 4n], [STRANGER]: [9n, 7n], [FIRST]: [before, before + 2n] })
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 105n }), [tip(103n)], [reward])), [
    null,
    0,
    'reward 3 chain stake',
    'transfer_in 2 others stake',
  ])
  t.same(
    lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 105n }), [tip(103n)], [])).slice(0, 2),
    ['flow_missing', 1],
    'the reward is asked for',
  )
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 106n }), [tip(103n)], [reward])).slice(0, 2), [
    'flow_missing',
    1,
  ])
  t.same(lines(walk(WALLET, holdings({ [FIRST]: 100n }), holdings({ [FIRST]: 104n }), [], [reward])).slice(0, 2), ['flow_missing', 1])
  t.same(lines(walk(WALLET, holdings({}), holdings({}), [], [reward])), [null, 0], "a reward of somebody else's account")
  t.end()
})

t.test('a wallet of too many accounts has no holdings', (t) => {
  t.equal(holdingsOf({ 'too-many': '100' }), null)
  t.same(holdingsOf({ [FIRST]: '5' }), holdings({ [FIRST]: 5n }))
  t.end()
})
