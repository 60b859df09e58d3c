import type { SvmCraft } from '@svc/verify/svm'
import type { Forgery } from '../../family.ts'
import { base58 } from '../shared/base58.ts'
import { CLOCK, COMPUTE_BUDGET, forged, isBudget, MEMO, RECENT_BLOCKHASHES, STAKE, SYSTEM, THIEF, TOKEN, u32, u64 } from './parts.ts'
import { type AccountUse, compile, type Instruction, payerOf, resolve, type Transaction } from './wire.ts'

/** Makes transactions with additional instructions, and with other terms. */
export function additions(original: Transaction): Forgery<SvmCraft>[] {
  const all = resolve(original.message)
  const calls = all.filter((each) => !isBudget(each)).length
  const payer: AccountUse = { key: payerOf(original), signer: true, writable: true }
  const reads = (key: Buffer): AccountUse => ({ key, signer: false, writable: false })
  const writes = (key: Buffer): AccountUse => ({ key, signer: false, writable: true })
  const stake = all.find(({ program }) => program.equals(STAKE))?.accounts[0]?.key
  const transfer = { program: SYSTEM, accounts: [payer, writes(THIEF)], data: Buffer.concat([u32(2), u64(1n)]) }
  const added: Record<string, Instruction> = {
    'a transfer to somebody else': transfer,
    'an assignment of the wallet': { program: SYSTEM, accounts: [payer], data: Buffer.concat([u32(1), THIEF]) },
    'a memo': { program: MEMO, accounts: [], data: Buffer.from('paid') },
    'an instruction of somebody else': { program: THIEF, accounts: [payer], data: Buffer.from([1]) },
    'an approval of tokens': {
      program: TOKEN,
      accounts: [writes(THIEF), reads(THIEF), payer],
      data: Buffer.concat([Buffer.from([4]), u64(1n)]),
    },
    ...(stake
      ? {
          'a change of the withdrawer': {
            program: STAKE,
            accounts: [writes(stake), reads(CLOCK), payer],
            data: Buffer.concat([u32(1), THIEF, u32(1)]),
          },
          'a lockup': {
            program: STAKE,
            accounts: [writes(stake), payer],
            data: Buffer.concat([u32(6), Buffer.from([0, 1]), u64(2n ** 63n - 1n), Buffer.from([0])]),
          },
        }
      : {}),
    // SetLockup: no time, no epoch, a custodian.
    'a lockup with a custodian': {
      program: STAKE,
      accounts: [writes(stake ?? THIEF), payer],
      data: Buffer.concat([u32(6), Buffer.from([0, 0, 1]), THIEF]),
    },
  }
  const advance = { program: SYSTEM, accounts: [writes(THIEF), reads(RECENT_BLOCKHASHES), payer], data: u32(4) }
  return [
    ...Object.entries(added).map(([name, each]) => ({
      ...forged(`${name} at the end`, compile(original, [...all, each])),
      at: `calls[${calls}]`,
      attack: true,
      theft: name.startsWith('a lockup') ? ('custodian' as const) : ('call' as const),
    })),
    forged('a transfer to somebody else at the start', compile(original, [transfer, ...all])),
    forged("somebody else's nonce at the start", compile(original, [advance, ...all])),
    forged('a nonce at the end', compile(original, [...all, advance])),
    {
      ...forged('a price that empties the wallet', withPrice(original, all, 2n ** 64n - 1n)),
      at: 'terms.unitPrice',
      attack: true,
      theft: 'fee',
    },
    {
      ...forged(
        'no compute budget',
        compile(
          original,
          all.filter((each) => !isBudget(each)),
        ),
      ),
      at: 'terms.unit',
    },
    forged(
      'a larger heap',
      compile(original, [...all, { program: COMPUTE_BUDGET, accounts: [], data: Buffer.concat([Buffer.from([1]), u32(65_536)]) }]),
    ),
  ]
}

/** Makes transactions with rights of accounts that no instruction needs, or without needed ones. */
export function roleChanges(original: Transaction): Forgery<SvmCraft>[] {
  const all = resolve(original.message)
  const uses = new Map(
    all
      .flatMap(({ accounts, program }) => [...accounts, { key: program, signer: false, writable: false }])
      .map((use) => [base58(use.key), use]),
  )
  const withRole = (target: Buffer, role: Partial<AccountUse>) => {
    const accounts = (list: readonly AccountUse[]) => list.map((use) => (use.key.equals(target) ? { ...use, ...role } : use))
    return compile(
      original,
      all.map((each) => ({ ...each, accounts: accounts(each.accounts) })),
    )
  }
  const payer = base58(payerOf(original))
  return [...uses.values()].flatMap(({ key, signer, writable }, i) => {
    if (base58(key) === payer || !all.some(({ accounts }) => accounts.some((use) => use.key.equals(key)))) return []
    return [
      { ...forged(`account use ${i} ${signer ? 'does not sign' : 'signs'}`, withRole(key, { signer: !signer })), at: 'bytes' },
      { ...forged(`account use ${i} ${writable ? 'is read-only' : 'is writable'}`, withRole(key, { writable: !writable })), at: 'bytes' },
    ]
  })
}

function withPrice(original: Transaction, all: readonly Instruction[], price: bigint): Transaction {
  const setting: Instruction = { program: COMPUTE_BUDGET, accounts: [], data: Buffer.concat([Buffer.from([3]), u64(price)]) }
  const at = all.findIndex((each) => isBudget(each) && each.data[0] === 3)
  return compile(original, at === -1 ? [setting, ...all] : all.with(at, setting))
}
