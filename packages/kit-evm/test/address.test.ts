import t from 'tap'
import { checksumAddress } from '../src/index.ts'

/** @see https://eips.ethereum.org/EIPS/eip-55 test cases (read 2026-11-21) */
const eip55 = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
]

t.test('an address is answered with its checksum, whichever case it came in', async (t) => {
  for (const address of eip55.slice(2)) {
    t.equal(checksumAddress(address), address)
    t.equal(checksumAddress(address.toLowerCase()), address)
    t.equal(checksumAddress(`0x${address.slice(2).toUpperCase()}`), address)
  }
  for (const address of eip55.slice(0, 2)) t.equal(checksumAddress(address), address)
})

t.test('one letter of another case is a mistyped address', async (t) => {
  for (const address of eip55.slice(2)) {
    const at = [...address].findIndex((letter, index) => index > 1 && /[a-f]/i.test(letter))
    const letter = address[at]!
    const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()
    const mistyped = address.slice(0, at) + flipped + address.slice(at + 1)
    t.throws(() => checksumAddress(mistyped), { statusCode: 400, code: 'ADDRESS_INVALID', message: /wrong EIP-55 checksum/ })
  }
})

t.test('what is no address is refused with a sentence that shows it, cut', async (t) => {
  const address = eip55[2]!
  const wrong = [
    '',
    '0x',
    address.slice(2),
    address.slice(0, -1),
    `${address}0`,
    `${address.slice(0, -1)}g`,
    `0X${address.slice(2)}`,
    ` ${address}`,
    'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS',
    'vitalik.eth',
  ]
  for (const text of wrong)
    t.throws(() => checksumAddress(text), { statusCode: 400, code: 'ADDRESS_INVALID', message: /not an EVM address: 0x and 40/ }, text)
  t.throws(() => checksumAddress('x'.repeat(10_000)), { message: /^.{0,150}$/ })
})
