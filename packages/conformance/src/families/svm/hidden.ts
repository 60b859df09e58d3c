import type { SvmCraft } from '@svc/verify/svm'
import type { Addition, HiddenCall, HiddenKind } from '../../family.ts'
import { present } from '../../present.ts'
import { base58, keyOf } from '../shared/base58.ts'
import { oneOf, randomBytes } from '../shared/random.ts'
import { CLOCK, COMPUTE_BUDGET, isBudget, MEMO, STAKE, SYSTEM, TOKEN, u32, u64 } from './parts.ts'
import {
  type AccountUse,
  compile,
  EMPTY,
  type Instruction,
  payerOf,
  readTransaction,
  resolve,
  type Transaction,
  writeTransaction,
} from './wire.ts'

/** Program of Phantom's assertions. @see https://github.com/Jac0xb/lighthouse (read 2026-11-28) */
const LIGHTHOUSE = present(keyOf('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95') ?? undefined, 'the address of Lighthouse')

const reads = (key: Buffer): AccountUse => ({ key, signer: false, writable: false })
const writes = (key: Buffer): AccountUse => ({ key, signer: false, writable: true })

/** Makes transactions with one more instruction, at a random place. */
export function hiddenInstructions(craft: SvmCraft, random: () => number): readonly HiddenCall<SvmCraft>[] {
  const original = readTransaction(craft.unsigned_tx_hex)
  const all = resolve(original.message)
  const payer: AccountUse = { key: payerOf(original), signer: true, writable: true }
  const thief = randomBytes(random, 32)
  const stake = all.find(({ program }) => program.equals(STAKE))?.accounts[0]?.key ?? randomBytes(random, 32)
  // A note more is no action more.
  const last = present(all.filter((each) => !isBudget(each) && !each.program.equals(MEMO)).at(-1), 'an instruction')
  const added = (kind: HiddenKind, name: string, each: Instruction, says: string): HiddenCall<SvmCraft> => {
    const at = Math.floor(random() * (all.length + 1))
    return { name: `${name} at ${at}`, kind, says, unsigned: written(compiled(original, all.toSpliced(at, 0, each))) }
  }
  const which = oneOf(random, [0, 1])
  return [
    added(
      'control',
      `Authorize ${which}`,
      { program: STAKE, accounts: [writes(stake), reads(CLOCK), payer], data: Buffer.concat([u32(1), thief, u32(which)]) },
      'change of authority',
    ),
    added(
      'control',
      'AuthorizeChecked',
      {
        program: STAKE,
        accounts: [writes(stake), reads(CLOCK), payer, { ...reads(payer.key), signer: true }],
        data: Buffer.concat([u32(10), u32(which)]),
      },
      'change of authority',
    ),
    added(
      'control',
      'SetLockup',
      { program: STAKE, accounts: [writes(stake), payer], data: Buffer.concat([u32(6), Buffer.from([0, 0, 1]), thief]) },
      'lockup',
    ),
    added('control', 'Assign', { program: SYSTEM, accounts: [payer], data: Buffer.concat([u32(1), thief]) }, 'change of owner'),
    added(
      'control',
      'Approve',
      { program: TOKEN, accounts: [writes(thief), reads(thief), payer], data: Buffer.concat([Buffer.from([4]), u64(2n ** 63n)]) },
      'approval',
    ),
    added(
      'control',
      'SetAuthority',
      { program: TOKEN, accounts: [writes(thief), payer], data: Buffer.concat([Buffer.from([6, 2, 1]), thief]) },
      'change of authority',
    ),
    added(
      'transfer',
      'Transfer',
      { program: SYSTEM, accounts: [payer, writes(thief)], data: Buffer.concat([u32(2), u64(BigInt(1 + Math.floor(random() * 1e9)))]) },
      base58(thief),
    ),
    added(
      'transfer',
      'Split',
      { program: STAKE, accounts: [writes(stake), writes(thief), payer], data: Buffer.concat([u32(3), u64(1n)]) },
      base58(thief),
    ),
    added(
      'transfer',
      'Withdraw to somebody else',
      {
        program: STAKE,
        accounts: [writes(stake), writes(thief), reads(CLOCK), reads(HISTORY), payer],
        data: Buffer.concat([u32(4), u64(1n)]),
      },
      base58(thief),
    ),
    { name: 'the last instruction twice', kind: 'action', says: 'then', unsigned: written(compiled(original, [...all, last])) },
    added('unknown', 'of a program of somebody else', { program: thief, accounts: [payer], data: randomBytes(random, 9) }, base58(thief)),
    // It writes, where assertions read.
    added(
      'unknown',
      'a memory of Lighthouse',
      { program: LIGHTHOUSE, accounts: [payer, writes(thief)], data: Buffer.from([0, 0, 0]) },
      base58(LIGHTHOUSE),
    ),
  ]
}

const HISTORY = present(keyOf('SysvarStakeHistory1111111111111111111111111') ?? undefined, 'the address of the stake history')

/** Makes the changes of wallets and custodians: another budget in another place, a memo, the assertions of Phantom. */
export function walletChanges(craft: SvmCraft): readonly Addition<SvmCraft>[] {
  const original = readTransaction(craft.unsigned_tx_hex)
  const all = resolve(original.message)
  const calls = all.filter((each) => !isBudget(each))
  const budget = (tag: number, value: Buffer): Instruction => ({
    program: COMPUTE_BUDGET,
    accounts: [],
    data: Buffer.concat([Buffer.from([tag]), value]),
  })
  const stranger = Buffer.alloc(32, 7)
  const memo: Instruction = { program: MEMO, accounts: [], data: Buffer.from('payout 12 é') }
  const assertion = (key: Buffer, data: string): Instruction => ({
    program: LIGHTHOUSE,
    accounts: [reads(key)],
    data: Buffer.from(data, 'hex'),
  })
  const changed = (name: string, instructions: readonly Instruction[], signed: 'told' | 'same' | 'refused' = 'refused') => ({
    name,
    unsigned: written(compiled(original, instructions)),
    signed,
  })
  return [
    { name: 'as it was crafted', unsigned: craft, signed: 'same' },
    changed('a limit and a price of the wallet', [budget(2, u32(400_000)), budget(3, u64(50_000n)), ...calls], 'told'),
    changed('a budget behind the calls', [...calls, budget(3, u64(7n)), budget(4, u32(65_536))]),
    changed('a memo', [...all, memo]),
    changed('a memo in front', [memo, ...all]),
    // As on mainnet: of the fee payer's lamports, and of the owner of an account.
    changed(
      'the assertions of Phantom',
      [
        ...all,
        assertion(payerOf(original), '060403003ffc2e24040000000403000001000000000000000000'),
        assertion(payerOf(original), '06040203000001000000000000000000'),
      ],
      'same',
    ),
    changed('more assertions than a wallet adds', [
      ...all,
      ...Array.from({ length: 5 }, () => assertion(payerOf(original), '06040203000001000000000000000000')),
    ]),
    changed('an assertion with an account that may be written to', [
      ...all,
      { ...assertion(payerOf(original), '06040203000001000000000000000000'), accounts: [writes(stranger)] },
    ]),
  ]
}

/** Compiled anew. A signature that was there is none over the new bytes. */
function compiled(original: Transaction, instructions: readonly Instruction[]): Transaction {
  const { message, signatures } = compile(original, instructions)
  return { message, signatures: signatures.map(() => EMPTY) }
}

function written(transaction: Transaction): SvmCraft {
  return { unsigned_tx_hex: writeTransaction(transaction) }
}
