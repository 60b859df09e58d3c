import type { MoveCraft } from '@svc/verify/move'
import type { Forgery, Theft } from '../../family.ts'
import { u64 } from './bcs.ts'
import { type Change, STRANGE, THIEF } from './change.ts'
import { argumentsOf, commandChanges, orderChanges } from './command-forgeries.ts'
import { type Expiration, type Input, type MoveTransaction, type Reference, readTransaction, writeTransaction } from './wire.ts'

/** Above any cap of an operator: 1000 SUI. */
const FORTUNE = 1_000_000_000_000n

/** Makes each change of one bit in one byte. */
export function fieldForgeries(craft: MoveCraft): readonly Forgery<MoveCraft>[] {
  const bytes = bytesOf(craft)
  return Array.from(bytes, (byte, at) => ({
    name: `byte ${at} of ${bytes.length} is ${byte ^ 1} instead of ${byte}`,
    unsigned: craftOf(bytes.map((each, index) => (index === at ? each ^ 1 : each))),
  }))
}

/** Makes a change of each field of the transaction, and other encodings of the same transaction. */
export function forgeries(craft: MoveCraft): readonly Forgery<MoveCraft>[] {
  const tx = readTransaction(bytesOf(craft))
  const changed = [
    ...tx.inputs.flatMap((input, index) => inputChanges(tx, input, index)),
    ...tx.commands.flatMap((command, index) => commandChanges(tx, command, index)),
    ...orderChanges(tx),
    ...partyChanges(tx),
    ...gasChanges(tx),
    ...expirationChanges(tx),
  ]
  return [...changed.map(({ to, ...rest }) => ({ ...rest, unsigned: craftOf(writeTransaction(to)) })), ...formats(craft)]
}

function inputChanges(tx: MoveTransaction, input: Input, index: number): Change[] {
  const change = (what: string, to: Input, at: string, attack = false, theft?: Theft): Change => ({
    name: `input ${index}: ${what}`,
    at,
    attack,
    ...(theft ? { theft } : {}),
    to: { ...tx, inputs: tx.inputs.with(index, to) },
  })
  const call = `calls[${tx.commands.findIndex((command) => argumentsOf(command).some((each) => each[0] === 'input' && each[1] === index))}].args`
  switch (input.kind) {
    case 'pure': {
      const { bytes } = input
      const with_ = (what: string, to: Uint8Array, theft?: Theft) => change(what, { ...input, bytes: to }, call, theft !== undefined, theft)
      const forms = [
        change('a byte more', { ...input, bytes: Buffer.concat([bytes, Uint8Array.of(0)]) }, 'bytes'),
        change('a byte less', { ...input, bytes: bytes.subarray(1) }, 'bytes'),
        change('no byte', { ...input, bytes: new Uint8Array() }, 'bytes'),
      ]
      if (bytes.length !== 8)
        return [
          ...forms,
          with_("somebody else's address", Buffer.from(THIEF, 'hex'), 'validator'),
          with_('zeros', new Uint8Array(bytes.length)),
        ]
      const amount = Buffer.from(bytes).readBigUInt64LE()
      return [
        ...forms,
        with_('amount + 1', u64(amount + 1n)),
        with_('amount - 1', u64(amount - 1n)),
        with_('amount tenfold', u64(amount * 10n), 'amount'),
        with_('amount of nothing', u64(0n)),
        with_('the largest amount', u64(-1n)),
      ]
    }
    case 'owned':
    case 'receiving':
      return [
        change('another object', { ...input, id: STRANGE }, call, true),
        change('another version of the object', { ...input, version: input.version + 1n }, 'terms'),
        change('another digest of the object', { ...input, digest: STRANGE }, 'terms'),
        change('the object as a shared one', { kind: 'shared', id: input.id, version: input.version, mutable: 1 }, 'terms'),
        change('the object as one to be received', { ...input, kind: 'receiving' }, 'bytes'),
        change('its id as a value', { kind: 'pure', bytes: Buffer.from(input.id, 'hex') }, 'bytes'),
      ]
    case 'shared':
      return [
        change('another shared object', { ...input, id: STRANGE }, call),
        change('another initial version', { ...input, version: input.version + 1n }, 'terms'),
        change('to be read only', { ...input, mutable: 0 }, 'terms'),
        change('of an unknown mutability', { ...input, mutable: 3 }, 'bytes'),
        change('the object as an owned one', { kind: 'owned', id: input.id, version: input.version, digest: STRANGE }, 'terms'),
      ]
    case 'withdrawal':
      return [
        change('a larger withdrawal', { ...input, amount: input.amount * 10n }, 'calls'),
        change('a withdrawal from a sponsor', { ...input, source: 1 }, 'calls'),
        change('a withdrawal of another type', { ...input, type: 2 }, 'calls'),
      ]
  }
}

function partyChanges(tx: MoveTransaction): Change[] {
  return [
    { name: 'another sender', at: 'signers', to: { ...tx, sender: THIEF } },
    { name: 'somebody else pays the gas', at: 'signers', to: { ...tx, owner: THIEF } },
    { name: 'of somebody else altogether', at: 'signers', attack: true, theft: 'customer', to: { ...tx, sender: THIEF, owner: THIEF } },
  ]
}

function gasChanges(tx: MoveTransaction): Change[] {
  const { payment, price, budget } = tx
  const coin: Reference = { id: STRANGE, version: 7n, digest: STRANGE }
  const paying = (name: string, refs: readonly Reference[]): Change => ({ name, at: 'terms.gasPayment', to: { ...tx, payment: refs } })
  const last = payment.at(-1)
  return [
    { name: 'gas price + 1', at: 'terms.gasPrice', to: { ...tx, price: price + 1n } },
    { name: 'gas price tenfold', at: 'terms.gasPrice', to: { ...tx, price: price * 10n } },
    { name: 'gas price of nothing', to: { ...tx, price: 0n } },
    { name: 'gas budget + 1', at: 'terms.gasBudget', to: { ...tx, budget: budget + 1n } },
    { name: 'gas budget - 1', at: 'terms.gasBudget', to: { ...tx, budget: budget - 1n } },
    { name: 'gas budget of nothing', to: { ...tx, budget: 0n } },
    { name: 'a fortune as gas budget', at: 'maxFee', attack: true, theft: 'fee' as const, to: { ...tx, budget: FORTUNE } },
    paying('a gas coin more', [...payment, coin]),
    ...(last !== undefined
      ? [
          paying('no gas coin', []),
          paying('the last gas coin twice', [...payment, last]),
          paying('another last gas coin', payment.with(-1, { ...last, id: STRANGE })),
          paying('another version of the last gas coin', payment.with(-1, { ...last, version: last.version + 1n })),
          paying('another digest of the last gas coin', payment.with(-1, { ...last, digest: STRANGE })),
        ]
      : []),
    ...(payment.length > 1
      ? [paying('without the last gas coin', payment.slice(0, -1)), paying('the gas coins the other way round', payment.toReversed())]
      : []),
  ].map((change): Change => (change.name === 'the last gas coin twice' ? { name: change.name, to: change.to } : change))
}

function expirationChanges(tx: MoveTransaction): Change[] {
  const { expiration } = tx
  const until = (name: string, to: Expiration, at: string | undefined): Change => ({
    name: `expiration: ${name}`,
    ...(at === undefined ? {} : { at }),
    to: { ...tx, expiration: to },
  })
  const during = { kind: 'during', bounds: [1n, 2n, null, null], chain: STRANGE, nonce: 1 } as const
  const changes = [
    until('an epoch', { kind: 'epoch', epoch: 1n }, 'terms.expiration'),
    until('epochs of another chain', during, 'chainId'),
    until('a validity with proposers', { ...during, kind: 'validity' }, 'bytes'),
  ]
  if (expiration.kind === 'none') return changes
  changes.push(until('none', { kind: 'none' }, 'terms.expiration'))
  if (expiration.kind === 'epoch')
    changes.push(until('the next epoch', { kind: 'epoch', epoch: expiration.epoch + 1n }, 'terms.expiration'))
  else {
    const { bounds } = expiration
    changes.push(
      until('another chain', { ...expiration, chain: STRANGE }, 'chainId'),
      until('another nonce', { ...expiration, nonce: (expiration.nonce ^ 1) >>> 0 }, 'terms.expiration'),
      ...[0, 1].map((at) =>
        until(`bound ${at} + 1`, { ...expiration, bounds: bounds.with(at, (bounds[at] ?? 0n) + 1n) }, 'terms.expiration'),
      ),
      ...[2, 3].map((at) => until(`bound ${at} is a time`, { ...expiration, bounds: bounds.with(at, 1n) }, 'bytes')),
    )
  }
  return changes
}

/** Bytes that nodes would read differently, or not at all, and texts that other readers would take for the same. */
function formats(craft: MoveCraft): Forgery<MoveCraft>[] {
  const bytes = Buffer.from(bytesOf(craft))
  const text = craft.unsigned_tx_b64
  const written: readonly (readonly [string, Uint8Array])[] = [
    ['a byte more at the end', Buffer.concat([bytes, Uint8Array.of(0)])],
    ['the whole twice', Buffer.concat([bytes, bytes])],
    ['cut by a byte', bytes.subarray(0, -1)],
    ['cut to its half', bytes.subarray(0, bytes.length >> 1)],
    ['another version', bytes.with(0, 1)],
    ['another kind', bytes.with(1, 1)],
    // The number of inputs in two bytes where one would do.
    [
      'a number in more bytes than it takes',
      Buffer.concat([bytes.subarray(0, 2), Uint8Array.of(bytes.readUInt8(2) | 0x80, 0), bytes.subarray(3)]),
    ],
    ['a byte before it', Buffer.concat([Uint8Array.of(0), bytes])],
    ['with the bytes that are signed before it', Buffer.concat([Uint8Array.of(0, 0, 0), bytes])],
  ]
  const texts: readonly (readonly [string, string])[] = [
    ['base64 of an URL', Buffer.from(bytes).toString('base64url').concat('-')],
    ['base64 with a line break', `${text.slice(0, 76)}\n${text.slice(76)}`],
    ['base64 with a space behind it', `${text} `],
    ['base64 with padding too much', `${text}=`],
    ['hex', bytes.toString('hex')],
    ['base64 of the base64', Buffer.from(text).toString('base64')],
    ['JSON', JSON.stringify({ bytes: text })],
  ]
  return [
    ...written.map(([name, changed]) => ({ name: `format: ${name}`, at: 'bytes', unsigned: craftOf(changed) })),
    ...texts.map(([name, changed]) => ({ name: `format: ${name}`, at: 'bytes', unsigned: { unsigned_tx_b64: changed } })),
  ]
}

function bytesOf({ unsigned_tx_b64: text }: MoveCraft): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64'))
}

function craftOf(bytes: Uint8Array): MoveCraft {
  return { unsigned_tx_b64: Buffer.from(bytes).toString('base64') }
}
