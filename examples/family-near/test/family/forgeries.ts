import type { Forgery } from '@svc/conformance'
import { actionOf, type Craft, craftOf, type Fields, keyPair, read, write } from './wire.ts'

type Mark = Pick<Forgery, 'at' | 'attack' | 'theft'>

const THIEF = keyPair('a thief of the conformance tests').publicKey
const THIEF_ID = THIEF.toString('hex')

/** Each form of the answer changed alone, and each field in the hex. */
export function fields(unsigned: Craft): readonly Forgery<Craft>[] {
  const good = read(unsigned.unsigned_tx_hex)
  const other = craftOf(write({ ...good, nonce: good.nonce + 1n }))
  return [
    ...(Object.keys(other) as (keyof Craft)[]).map((name) => ({
      name: `${name} of other bytes`,
      unsigned: { ...unsigned, [name]: other[name] },
    })),
    ...changes(good).map(({ name, to }) => ({
      name: `hex: ${name}`,
      unsigned: { ...unsigned, unsigned_tx_hex: write({ ...good, ...to }).toString('hex') },
    })),
    { name: 'a member more', unsigned: { ...unsigned, memo: 'x' } as Craft },
    { name: 'a member less', unsigned: { ...unsigned, tx_hash: undefined } as unknown as Craft },
  ]
}

/** The transaction written anew, in all its forms. */
export function forgeries(unsigned: Craft): readonly Forgery<Craft>[] {
  const good = read(unsigned.unsigned_tx_hex)
  const bytes = Buffer.from(unsigned.unsigned_tx_hex, 'hex')
  const own = actionOf(good)
  const made = (name: string, of: Buffer, mark: Mark = {}): Forgery<Craft> => ({ name, unsigned: craftOf(of), ...mark })
  const addKey = Buffer.concat([Buffer.of(5, 0), THIEF, Buffer.alloc(8), Buffer.of(1)])
  const transfer = Buffer.concat([Buffer.of(3), Buffer.from('00'.repeat(10) + '01'.padStart(12, '0'), 'hex')])
  const extra = actionOf({ ...good, method: 'deposit_and_stake', args: '{}', deposit: 10n ** 24n })
  const cut = (text: string) => text.slice(1, -1)
  return [
    ...changes(good).map(({ name, to, ...mark }) => made(name, write({ ...good, ...to }), mark)),
    made('a key for a thief goes along', write(good, [own, addKey]), { at: 'bytes', attack: true, theft: 'call' }),
    made('a key for a thief before it', write(good, [addKey, own]), { at: 'bytes', attack: true, theft: 'call' }),
    made('a transfer in its place', write(good, [transfer]), { at: 'bytes', attack: true, theft: 'call' }),
    made('another call goes along', write(good, [own, extra]), { at: 'bytes', attack: true, theft: 'call' }),
    made('no action', write(good, []), { at: 'bytes' }),
    made('arguments with a space', write({ ...good, args: `${good.args.slice(0, -1)} }` }), { at: 'calls[0].method' }),
    made(
      'a member of the arguments more',
      write({ ...good, args: `{"referral":"x"${cut(good.args) === '' ? '' : `,${cut(good.args)}`}}` }),
      { at: 'calls[0].method' },
    ),
    ...(cut(good.args) === ''
      ? []
      : [
          made('a member of the arguments twice', write({ ...good, args: `{${cut(good.args)},${cut(good.args)}}` }), {
            at: 'calls[0].method',
          }),
        ]),
    made('a byte behind it', Buffer.concat([bytes, Buffer.of(0)]), { at: 'bytes' }),
    made('its last byte cut', bytes.subarray(0, -1), { at: 'bytes' }),
    made('of version 1', Buffer.concat([Buffer.of(1), bytes]), { at: 'bytes' }),
    made('signed already', Buffer.concat([bytes, Buffer.of(0), Buffer.alloc(64, 7)]), { at: 'bytes' }),
    { name: 'hex in upper case', unsigned: { ...unsigned, unsigned_tx_hex: unsigned.unsigned_tx_hex.toUpperCase() }, at: 'bytes' },
    { name: 'hex with 0x', unsigned: { ...unsigned, unsigned_tx_hex: `0x${unsigned.unsigned_tx_hex}` }, at: 'bytes' },
  ]
}

function changes(good: Fields): readonly (Mark & { readonly name: string; readonly to: Partial<Fields> })[] {
  const { signer, nonce, receiver, blockHash, method, args, gas, deposit } = good
  const turned = Buffer.from(blockHash)
  turned.writeUInt8(turned.readUInt8(31) ^ 1, 31)
  const amount = /^\{"amount":"(\d+)"\}$/.exec(args)?.[1]
  const asked = (value: bigint) => ({ args: `{"amount":"${value}"}` })
  return [
    { name: 'somebody else signs', to: { signer: THIEF_ID, key: THIEF }, at: 'signers', attack: true, theft: 'customer' },
    { name: 'another account, the same key', to: { signer: 'thief.near' }, at: 'signers', attack: true, theft: 'customer' },
    { name: 'the same account, another key', to: { key: THIEF }, at: 'keys', attack: true, theft: 'customer' },
    { name: 'a key of another kind', to: { keyKind: 1 }, at: 'bytes' },
    { name: 'nonce + 1', to: { nonce: nonce + 1n }, at: 'terms.nonce' },
    { name: 'another block hash', to: { blockHash: turned }, at: 'terms.blockHash' },
    { name: "somebody else's pool", to: { receiver: 'thief.poolv1.near' }, at: 'calls[0].target', attack: true, theft: 'validator' },
    { name: 'the wallet itself is called', to: { receiver: signer }, at: 'calls[0].target' },
    { name: 'a receiver that is no account', to: { receiver: `${receiver}.` }, at: 'bytes' },
    { name: 'a signer in upper case', to: { signer: 'ALICE.NEAR' }, at: 'bytes' },
    { name: 'a method that nobody knows', to: { method: 'transfer_ownership' }, at: 'calls[0].method', attack: true, theft: 'call' },
    {
      name: 'another method of the pool',
      to: { method: method === 'unstake_all' ? 'withdraw_all' : 'unstake_all', args: '{}' },
      at: 'calls[0].method',
    },
    { name: 'gas + 1', to: { gas: gas + 1n }, at: 'terms.gas' },
    { name: 'all the gas that there is', to: { gas: 2n ** 64n - 1n }, at: 'maxFee', attack: true, theft: 'fee' },
    { name: 'a yocto more goes along', to: { deposit: deposit + 1n }, at: 'calls[0].value', attack: true, theft: 'amount' },
    { name: 'the balance goes along', to: { deposit: 10n ** 28n }, at: 'calls[0].value', attack: true, theft: 'amount' },
    { name: '2^64 yocto more go along', to: { deposit: deposit + (1n << 64n) }, at: 'calls[0].value' },
    ...(deposit > 0n ? [{ name: 'a yocto less goes along', to: { deposit: deposit - 1n }, at: 'calls[0].value' }] : []),
    ...(amount === undefined
      ? []
      : [
          { name: 'amount + 1', to: asked(BigInt(amount) + 1n), at: 'calls[0].args.amount' },
          { name: 'amount tenfold', to: asked(BigInt(amount) * 10n), at: 'calls[0].args.amount', attack: true, theft: 'amount' as const },
          { name: 'an amount with a zero before it', to: { args: `{"amount":"0${amount}"}` }, at: 'calls[0].method' },
          { name: 'an amount that is a number', to: { args: `{"amount":${amount}}` }, at: 'calls[0].method' },
        ]),
  ]
}
