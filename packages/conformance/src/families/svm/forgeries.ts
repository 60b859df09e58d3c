import type { Effects } from '@svc/verify'
import type { SvmCraft } from '@svc/verify/svm'
import type { Forgery, Theft } from '../../family.ts'
import { present } from '../../present.ts'
import { keyOf } from '../shared/base58.ts'
import { additions, roleChanges } from './additions.ts'
import { CLOCK, forged, isBudget, type Mark, swapped, THIEF, u64 } from './parts.ts'
import {
  type AccountUse,
  compile,
  EMPTY,
  type Instruction,
  type Message,
  payerOf,
  readTransaction,
  resolve,
  type Transaction,
  writeMessage,
  writeTransaction,
} from './wire.ts'

/** Makes changed transactions that are written anew: accounts are sorted, and have the roles that they need. */
export function forgeries({ unsigned_tx_hex }: SvmCraft, effects: Effects): readonly Forgery<SvmCraft>[] {
  const original = readTransaction(unsigned_tx_hex)
  return [
    ...instructionChanges(original),
    ...valueChanges(original, effects),
    ...additions(original),
    ...roleChanges(original),
    ...formats(unsigned_tx_hex, original),
  ]
}

/** Instructions changed, moved, doubled and left out, and the accounts that they name. */
function instructionChanges(original: Transaction): Forgery<SvmCraft>[] {
  const all = resolve(original.message)
  const payer = payerOf(original)
  const forgeryOf = (name: string, instructions: readonly Instruction[], more: Mark = {}) => ({
    ...forged(name, compile(original, instructions)),
    ...more,
  })
  const changed = (name: string, index: number, to: Partial<Instruction>) =>
    forgeryOf(name, all.with(index, { ...present(all[index], `an instruction ${index}`), ...to }))
  const replaced = all.map((each) => ({
    ...each,
    accounts: each.accounts.map((account) => (account.key.equals(payer) ? { ...account, key: THIEF } : account)),
  }))

  return [
    forged('somebody else pays the fee', compile(original, all, THIEF)),
    { ...forged('somebody else is the wallet', compile(original, replaced, THIEF)), attack: true, theft: 'customer' },
    ...all.flatMap((each, i): Forgery<SvmCraft>[] => [
      ...(all.length > 1 ? [forgeryOf(`instruction ${i} left out`, all.toSpliced(i, 1), { attack: i === all.length - 1 })] : []),
      forgeryOf(`instruction ${i} twice`, all.toSpliced(i, 0, each)),
      ...(i > 0 && !all.slice(i - 1, i + 1).every(isBudget)
        ? [forgeryOf(`instructions ${i - 1} and ${i} swapped`, swapped(all, i - 1))]
        : []),
      changed(`instruction ${i}: somebody else's program`, i, { program: THIEF }),
      ...(each.data.length > 0 ? [changed(`instruction ${i}: no data`, i, { data: Buffer.alloc(0) })] : []),
      changed(`instruction ${i}: an account more`, i, { accounts: [...each.accounts, { key: CLOCK, signer: false, writable: false }] }),
      changed(`instruction ${i}: somebody else's account more`, i, { accounts: [...each.accounts, foreign(false)] }),
      ...(each.accounts.length > 0 ? [changed(`instruction ${i}: an account less`, i, { accounts: each.accounts.slice(0, -1) })] : []),
      ...each.accounts.flatMap((account, j) => [
        changed(`instruction ${i}, account ${j}: somebody else's`, i, { accounts: each.accounts.with(j, { ...account, key: THIEF }) }),
        ...(account.key.equals(payer)
          ? []
          : [changed(`instruction ${i}, account ${j}: the wallet`, i, { accounts: each.accounts.with(j, { ...account, key: payer }) })]),
      ]),
    ]),
  ]
}

/** Numbers and addresses that were asked for, found again in the data of their instruction. */
function valueChanges(original: Transaction, { calls }: Effects): Forgery<SvmCraft>[] {
  const all = resolve(original.message)
  // Instructions of the compute budget are not calls.
  const called = all.map((each, index) => ({ each, index })).filter(({ each }) => !isBudget(each))
  return calls.flatMap((call, k) => {
    const entry = called[k]
    if (!entry) return []
    const { each, index } = entry
    const withBytes = (name: string, at: number, bytes: Buffer, more: Mark = {}): Forgery<SvmCraft> => {
      const data = Buffer.concat([each.data.subarray(0, at), bytes, each.data.subarray(at + bytes.length)])
      return { ...forged(`call ${k}: ${name}`, compile(original, all.with(index, { ...each, data }))), ...more }
    }
    return Object.entries(call.args).flatMap(([name, value]) => {
      const key = keyOf(value)
      if (key) {
        const theft = theftOf(name)
        const mark: Mark = theft ? { attack: true, theft } : {}
        return [
          // An address of zeros is found in every run of zeros; it stands at the end of one.
          ...placesOf(each.data, key).map((at, nth, { length }) =>
            withBytes(`${name} is somebody else's, at byte ${at}`, at, THIEF, nth === length - 1 ? mark : {}),
          ),
          ...each.accounts.flatMap((account, j) =>
            theft && account.key.equals(key) && !account.signer
              ? [
                  {
                    ...forged(
                      `call ${k}: ${name}, account ${j}, is somebody else's`,
                      compile(original, all.with(index, { ...each, accounts: each.accounts.with(j, { ...account, key: THIEF }) })),
                    ),
                    ...mark,
                  },
                ]
              : [],
          ),
        ]
      }
      if (typeof value !== 'bigint') return []
      const places = placesOf(each.data, u64(value))
      const at = places.length === 1 ? { at: `calls[${k}].args.${name}` } : {}
      const others = { '+ 1': value + 1n, '- 1': value - 1n, tenfold: value * 10n, 'is all there is': 2n ** 64n - 1n }
      return places.flatMap((place) =>
        Object.entries(others)
          .filter(([, other]) => other !== value && other >= 0n)
          .map(([how, other]) =>
            withBytes(`${name} ${how}, at byte ${place}`, place, u64(other), {
              ...at,
              ...(how === 'tenfold' && places.length === 1 ? { attack: true, theft: 'amount' } : {}),
            }),
          ),
      )
    })
  })
}

/** Names the theft behind a changed address, by its name in the layout. */
function theftOf(name: string): Theft | undefined {
  if (/custodian/i.test(name)) return 'custodian'
  return /vote|validator/i.test(name) ? 'validator' : /^to$|recipient|destination|withdrawer/i.test(name) ? 'recipient' : undefined
}

/** Other encodings of the same transaction, and of another kind. */
function formats(hex: string, original: Transaction): Forgery<SvmCraft>[] {
  const { signatures, message } = original
  const bytes = (name: string, unsigned_tx_hex: string): Forgery<SvmCraft> => ({
    name: `format: ${name}`,
    unsigned: { unsigned_tx_hex },
    at: 'bytes',
  })
  const body = writeMessage(message).toString('hex')
  const slots = Buffer.concat(signatures).toString('hex')
  const count = hex.slice(0, 2)
  const long = (Number.parseInt(count, 16) | 0x80).toString(16)
  const own = message.keys.length.toString(16).padStart(2, '0')
  const signed = signatures.findIndex((signature) => !signature.equals(EMPTY))
  return [
    bytes('in upper case', hex.toUpperCase()),
    bytes('with 0x', `0x${hex}`),
    bytes('a byte behind the transaction', `${hex}00`),
    bytes('the last byte cut', hex.slice(0, -2)),
    bytes('the message alone', body),
    bytes('a versioned message', `${count}${slots}80${body}00`),
    bytes('a signature more', `${(signatures.length + 1).toString(16).padStart(2, '0')}${slots}${'00'.repeat(64)}${body}`),
    bytes('no signatures', `00${body}`),
    bytes('a count with a byte too many', `${long}00${slots}${body}`),
    bytes(
      'a number of accounts with a byte too many',
      `${count}${slots}${body.slice(0, 6)}${(Number.parseInt(own, 16) | 0x80).toString(16)}00${body.slice(8)}`,
    ),
    bytes('an account that nothing uses', writeTransaction({ ...original, message: withKey(message, THIEF) })),
    bytes('an account twice', writeTransaction({ ...original, message: withKey(message, present(message.keys.at(-1), 'a key')) })),
    bytes('no instructions', writeTransaction({ ...original, message: { ...message, instructions: [] } })),
    bytes('the wallet has signed', writeTransaction({ ...original, signatures: signatures.with(0, Buffer.alloc(64, 7)) })),
    ...(signed === -1
      ? []
      : [
          {
            ...forged('the signature of the new account taken away', { ...original, signatures: signatures.with(signed, EMPTY) }),
            at: 'terms',
          },
        ]),
  ]
}

/** One more read-only account, which no instruction names. */
function withKey(message: Message, key: Buffer): Message {
  const [signers, readonlySigners, readonlyOthers] = message.header
  return { ...message, header: [signers, readonlySigners, readonlyOthers + 1], keys: [...message.keys, key] }
}

function foreign(writable: boolean): AccountUse {
  return { key: THIEF, signer: false, writable }
}

function placesOf(data: Buffer, needle: Buffer): number[] {
  const places: number[] = []
  for (let at = data.indexOf(needle); at !== -1; at = data.indexOf(needle, at + 1)) places.push(at)
  return places
}
