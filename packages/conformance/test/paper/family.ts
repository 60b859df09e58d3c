import type { Family, Forgery } from '../../src/index.ts'
import { hashOf, type PaperCall, type PaperTransaction } from './chain.ts'
import { signatureOf } from './kit.ts'
import { paperLiar } from './lies.ts'
import { paperScenes } from './scenes.ts'
import { fromHex, toHex } from './wire.ts'

interface Unsigned {
  readonly tx_hex: string
  readonly tx_hash_hex: string
}

const read = ({ tx_hex }: Unsigned) => JSON.parse(fromHex(tx_hex)) as PaperTransaction
const write = (transaction: object): Unsigned => {
  const text = JSON.stringify(transaction)
  return { tx_hex: toHex(text), tx_hash_hex: hashOf(text) }
}
const plusOne = (text: string) => String(BigInt(text) + 1n)

/** What an author with a kit of his own writes. */
export const paperFamily: Family<Unsigned> = {
  family: 'paper',
  otherChainId: 'paper-2',
  wallet(index) {
    const address = `p1${index.toString(16).padStart(8, '0')}`
    return { address, signer: address }
  },
  sign: async (unsigned, wallet) => ({ ...unsigned, signature_hex: signatureOf(wallet.address, fromHex(unsigned.tx_hex)) }),
  async landed(rpcUrl, hash) {
    const response = await fetch(rpcUrl, { method: 'POST', body: JSON.stringify({ method: 'landed', params: [hash] }) })
    const { result } = (await response.json()) as { result: boolean }
    if (!result) throw new TypeError(`transaction ${hash} is in no block`)
  },
  spellings: (address) => [address.toUpperCase().replace('P1', 'p1')],
  malformedAddresses: ['p1', 'p1000000a', 'p1000000gg', 'x1000000aa', '0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A'],
  badPrepares: (body) => [
    { name: 'no signature', body: { ...body, signature_hex: '' } },
    { name: "somebody else's signature", body: { ...body, signature_hex: hashOf('somebody') } },
    { name: 'cut bytes', body: { ...body, tx_hex: String(body.tx_hex).slice(0, -2) } },
    { name: 'bytes that are a number', body: { ...body, tx_hex: 7 } },
  ],
  fields: (unsigned) =>
    changes(read(unsigned)).map(({ name, transaction }) => ({ name, unsigned: { ...unsigned, tx_hex: write(transaction).tx_hex } })),
  forgeries: (unsigned) => changes(read(unsigned)).map(({ transaction, ...forgery }) => ({ ...forgery, unsigned: write(transaction) })),
  signed: {
    join: ({ tx_hex, signature_hex }) => toHex(JSON.stringify({ transaction: JSON.parse(fromHex(String(tx_hex))), signature_hex })),
    chosen: {},
    attacks: (signed) => [['a byte less', signed.slice(0, -2)]],
  },
  garble: (answer) => [
    'null',
    '[]',
    '{}',
    '"busy"',
    '{"result":null}',
    '{"result":true}',
    '{"result":"soon"}',
    '{"result":[]}',
    `[${answer}]`,
  ],
  liar: paperLiar,
  life: paperScenes,
}

function changes(good: PaperTransaction): (Omit<Forgery<Unsigned>, 'unsigned'> & { transaction: object })[] {
  const [first] = good.calls as [PaperCall]
  const extra: PaperCall = { method: 'stake', argument: '1' }
  return [
    { name: 'another chain', transaction: { ...good, chain: 'paper-2' }, at: 'chainId' },
    { name: 'sequence + 1', transaction: { ...good, sequence: plusOne(good.sequence) }, at: 'terms.sequence' },
    { name: 'a fee above the cap', transaction: { ...good, fee: '99999999999' }, at: 'maxFee' },
    { name: 'another signer', transaction: { ...good, signer: 'p1deadbeef' }, at: 'signers', attack: true },
    {
      name: 'argument + 1',
      transaction: { ...good, calls: [{ ...first, argument: plusOne(first.argument) }] },
      at: 'calls[0].args',
      attack: true,
    },
    { name: 'another method', transaction: { ...good, calls: [{ ...first, method: 'give' }] }, at: 'calls[0].method', attack: true },
    { name: 'a call appended', transaction: { ...good, calls: [...good.calls, extra] }, at: `calls[${good.calls.length}]`, attack: true },
    { name: 'a call before', transaction: { ...good, calls: [extra, ...good.calls] }, at: 'calls[', attack: true },
    { name: 'the call removed', transaction: { ...good, calls: [] }, at: 'calls[0]', attack: true },
    { name: 'a member more', transaction: { ...good, memo: 'x' }, at: 'bytes' },
    { name: 'members in another order', transaction: Object.fromEntries(Object.entries(good).reverse()), at: 'bytes' },
  ]
}
