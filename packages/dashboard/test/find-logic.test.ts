import t from 'tap'
import { choicesOf } from '../src/shell/finder-choices.ts'
import { type NamedProtocol, networkName, networksOf, placeName, protocolName } from '../src/text/networks.ts'
import { soughtBy, TOO_LITTLE } from '../src/text/pasted.ts'

const network = (id: string, name: string, caip2: string) => ({ network: id, name, caip2 })
const PROTOCOLS: readonly NamedProtocol[] = [
  { protocol: 'evm-three-liquid', title: 'Magma gMON on Monad', networks: [network('143', 'mainnet', 'eip155:143')] },
  {
    protocol: 'evm-three',
    title: 'Monad',
    networks: [network('143', 'mainnet', 'eip155:143'), network('10143', 'testnet', 'eip155:10143')],
  },
  { protocol: 'evm-vault', title: 'StakeWise V3 on Ethereum', networks: [network('1', 'ethereum', 'eip155:1')] },
  { protocol: 'svm-native', title: 'Solana', networks: [network('devnet', 'devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1')] },
]
const ULID = '01JD4Z0V9T6E6N1S2XKQ3B7W8R'
const HASH = `0x${'8b'.repeat(32)}`

t.test('a network has one name, whichever way it is written and whatever protocol is on it', async (t) => {
  for (const id of ['143', 'eip155:143']) {
    t.equal(networkName(PROTOCOLS, id), 'Monad mainnet (143)', id)
    t.equal(networkName(PROTOCOLS, id, 'evm-three'), 'Monad mainnet (143)', id)
  }
  t.equal(networkName(PROTOCOLS, '10143'), 'Monad testnet (10143)')
  t.equal(networkName(PROTOCOLS, '1', 'evm-vault'), 'Ethereum (1)', 'a chain is not named twice')
  t.equal(networkName(PROTOCOLS, 'devnet'), 'Solana devnet', 'a name that is the id is not said twice')
  t.equal(networkName(PROTOCOLS, 'eip155:7'), 'eip155:7', 'what nobody has stays as it is')
  const twins = [{ protocol: 'other', title: 'Other', networks: [network('143', 'main', 'other:143')] }, ...PROTOCOLS]
  t.equal(networkName(twins, '143', 'evm-three'), 'Monad mainnet (143)', 'of two families that use one id the protocol decides')
  t.same(
    networksOf(PROTOCOLS).map(({ label }) => label),
    ['Monad mainnet (143)', 'Monad testnet (10143)', 'Ethereum (1)', 'Solana devnet'],
  )
  t.equal(protocolName(PROTOCOLS, 'evm-three'), 'Monad')
  t.equal(protocolName(PROTOCOLS, 'gone'), 'gone')
  t.equal(placeName(PROTOCOLS, 'evm-three', '143'), 'Monad mainnet (143)')
  t.equal(placeName(PROTOCOLS, 'evm-three-liquid', '143'), 'Magma gMON, Monad mainnet (143)', 'two protocols of a network are told apart')
  t.equal(placeName(PROTOCOLS, 'gone', '7'), 'gone, 7')
  t.equal(placeName(PROTOCOLS, 'evm-three', null), 'Monad')
  t.equal(placeName(PROTOCOLS, null, null), null)
})

t.test('what people paste is known by its form, or left to the service', async (t) => {
  const by = (text: string) => {
    const { by, value } = soughtBy(text, PROTOCOLS)
    return `${by} ${value}`
  }
  t.equal(by('evm-three'), 'protocol evm-three')
  t.equal(by(' “Monad” '), 'protocol evm-three', 'quotes and spaces of where it was copied')
  t.equal(by('monad'), 'protocol evm-three')
  t.equal(by('Monad mainnet (143)'), 'network 143')
  t.equal(by('eip155:10143'), 'network 10143')
  t.equal(by('Monad validator'), 'q Monad validator')
  t.equal(by(`svc_${ULID}`), `q ${ULID}`, 'what lists show of a key, with all of its id')
  for (const whole of [
    HASH,
    '8B'.repeat(32),
    '0x3c59cd4F1b6e6D0a1D5f8E1f6C2a7B9d40c2a403',
    ULID,
    'SLOT_IN_USE',
    'user-7',
    'night-batch',
    '100',
    HASH.slice(0, 8),
    HASH.slice(0, 65),
    '8b8b8b8b8b8b8b',
    'celestia1qqqs',
  ])
    t.same(soughtBy(whole, PROTOCOLS), { by: 'q', value: whole, hint: null }, whole)
  for (const part of [HASH.slice(0, 7), '0x3c59…c2a403', '0x3c59cd4F1b...c2a403', 'svc_01JD4Z0V'])
    t.equal((soughtBy(part, PROTOCOLS) as { hint?: string }).hint, TOO_LITTLE, part)
})

t.test('one field leads to records, transactions, keys and pages', async (t) => {
  const known = {
    protocols: PROTOCOLS,
    keys: [
      { ulid: ULID, name: 'night-batch' },
      { ulid: '01JD51QK3M8YB0WZ4T5C6D7E8F', name: 'payments' },
    ],
    pages: [
      { path: 'keys', title: 'Keys' },
      { path: 'activity', title: 'Activity' },
    ],
  }
  const to = (text: string) => choicesOf(text, known).map((each) => each.to)
  t.same(to(''), ['keys', 'activity'])
  t.same(to(HASH), [`activity?q=${HASH}&period=all`, `transactions?q=${HASH}`], 'of all time')
  t.same(to('Monad'), ['activity?protocol=evm-three&period=all', 'transactions?protocol=evm-three'])
  t.same(to('night'), ['activity?q=night&period=all', 'transactions?q=night', `keys/${ULID}`])
  t.same(to(ULID.toLowerCase()).at(-1), `keys/${ULID}`)
  t.same(to('svc_01jd51').at(-1), 'keys/01JD51QK3M8YB0WZ4T5C6D7E8F')
  t.same(to('key')[0], 'keys', 'a page by the beginning of its title')
})
