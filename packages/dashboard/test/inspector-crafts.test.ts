import type { AnyFamily } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { evmFamily } from '@svc/conformance/evm'
import { moveFamily } from '@svc/conformance/move'
import { svmFamily } from '@svc/conformance/svm'
import { base58, digitsOf } from '@svc/verify/bytes'
import { addressOfKey } from '@svc/verify/cosmos'
import { type Inspecting, type Inspection, inspect, type PinnedTerms } from '@svc/verify/inspect'
import { type CraftReview, type Intent, readInput, review } from '@svc/verify/intent'
import { keyOf } from '@svc/verify/svm'
import t from 'tap'
import { outcome, sorted } from '../src/pages/inspector/words.ts'
import { recorded, trust } from './support/crafts.ts'
import { families, protocols } from './support/intents.ts'

const look = (text: string, more: Partial<Inspecting> = {}) => inspect({ text, protocols, families, now: new Date(), ...more })

/** The only reading, with what differs from the terms. */
function only(inspection: Inspection) {
  if (inspection.kind !== 'read' || inspection.readings.length !== 1) throw new Error(`one reading was expected: ${outcome(inspection)}`)
  const [reading] = inspection.readings
  if (!reading) throw new Error('there is none')
  return { ...reading, differ: reading.agreements.flatMap(({ differ }) => differ) }
}

/** What a wallet of the service's own nonce account signed, which no action of a pool makes. */
const NOT_CRAFTED = new Set(['svm-liquid prepare', 'svm-liquid broadcast'])

/** Calls that are for whoever signs, and name nobody. */
const WITHOUT_PARTY = new Set(['evm-vault withdraw'])

/** The recorded requests that are read, by plugin. */
const READ = {
  'evm-three': 'broadcast claim-rewards compound delegate prepare undelegate withdraw',
  'evm-three-liquid': 'broadcast delegate prepare undelegate withdraw',
  'evm-two': 'broadcast claim-rewards compound-rewards delegate prepare undelegate withdraw',
  'evm-vault': 'broadcast prepare stake unstake withdraw',
  'hub-one': 'broadcast claim-rewards prepare stake unstake',
  'hub-two': 'broadcast claim-rewards prepare stake unstake',
  'move-native': 'broadcast prepare stake unstake',
  'svm-liquid': 'stake unstake',
  'svm-native': 'broadcast close-nonce-account create-nonce-account prepare stake unstake withdraw',
}
/** Those of them in which a party is named, and so can be replaced. */
const ROBBED = {
  'evm-three-liquid': 'delegate undelegate withdraw',
  'evm-vault': 'stake unstake',
  'hub-one': 'claim-rewards stake unstake',
  'hub-two': 'claim-rewards stake unstake',
  'move-native': 'stake unstake',
  'svm-liquid': 'stake unstake',
  'svm-native': 'close-nonce-account create-nonce-account stake unstake withdraw',
}

/** Actions by plugin, each list in the order of its words. */
function byPlugin(names: readonly string[]): Readonly<Record<string, string>> {
  const actions: Record<string, string> = {}
  for (const name of names.toSorted()) {
    const [plugin = '', action = ''] = name.split(' ')
    actions[plugin] = actions[plugin] === undefined ? action : `${actions[plugin]} ${action}`
  }
  return actions
}

t.test('every recorded craft of all nine protocols is read, with and without agreed terms, and nothing of it is unusual', async (t) => {
  const read: string[] = []
  for (const { plugin, path, exchanges } of recorded) {
    for (const [action, { request, response }] of Object.entries(exchanges)) {
      if (action === 'inspect' || NOT_CRAFTED.has(`${plugin} ${action}`)) continue
      const isCraft = !['prepare', 'broadcast'].includes(action)
      const text = JSON.stringify(isCraft ? response : request, null, 2)
      const asking = only(await look(text))
      const named = asking.unusual.map(({ title }) => wordOf(title))
      t.ok(
        asking.unusual.every(({ level }) => level === 'ask'),
        `${plugin} ${action}: but who is meant`,
      )
      t.equal(named.length, isCraft && !['evm-two', 'evm-three'].includes(plugin) && !WITHOUT_PARTY.has(`${plugin} ${action}`) ? 1 : 0)
      const free = only(await look(text, named[0] === undefined ? {} : { address: named[0] }))
      const agreed = only(await look(text, { trust, ...(isCraft ? { request: request ?? null, action } : {}) }))
      for (const reading of [free, agreed]) {
        t.same([reading.protocol?.path, reading.unusual, reading.differ, reading.also], [path, [], [], []], `${plugin} ${action}`)
        if (isCraft) t.equal(reading.protocol?.action, action)
        t.notMatch(reading.sentence, /does not know/)
      }
      t.equal(agreed.form, action === 'broadcast' || action === 'prepare' ? 'signed' : 'unsigned')
      t.ok(agreed.agreements.length > 0 && agreed.agreements.every(({ agree }) => agree.length > 0), 'whose terms it keeps')
      read.push(`${plugin} ${action}`)
    }
  }
  t.same(byPlugin(read), READ)
})

t.test('no attack of a thief passes as what was asked for, and what needs no request shows without one', async (t) => {
  const tally = new Map<string, { tried: number; unseen: number }>()
  for (const { plugin, path, exchanges } of recorded) {
    const intent = protocols.find((each) => each.path === path)
    const terms = trust.protocols.find((each) => each.path === path)?.networks[0]?.terms
    if (!intent || !terms) throw new Error(`${path} is in no trust document`)
    // One action each: the corpus of all runs in conformance, and this is about what is shown.
    const action = 'stake' in intent.actions ? 'stake' : 'delegate'
    const { request = {}, response } = exchanges[action] ?? {}
    const { reviewed, accountNumber } = honest(intent, action, terms, request, response)
    const told = assumed(await look(JSON.stringify(response), { trust, request, action, stated: { 'x-account-number': accountNumber } }))
    for (const { attack, theft = 'other', name, unsigned } of familyOf(intent, terms.chainId).forgeries(response, reviewed.effects)) {
      if (!attack) continue
      const found = await look(JSON.stringify(unsigned), { trust, request, action, stated: { 'x-account-number': accountNumber } })
      const isSeen = shows(found) || assumed(found) !== told
      if (!isSeen) t.fail(`${plugin} ${action}: ${name} passes`)
      const row = tally.get(theft) ?? { tried: 0, unseen: 0 }
      tally.set(theft, { tried: row.tried + 1, unseen: row.unseen + (isSeen ? 0 : 1) })
      if (theft === 'custodian' || (theft === 'validator' && plugin !== 'svm-liquid'))
        t.ok(shows(await look(JSON.stringify(unsigned), { trust })), `${plugin}: ${name} shows without the request`)
    }
  }
  for (const [theft, { tried, unseen }] of tally) {
    t.comment(`${theft}: ${tried} tried, ${unseen} unseen`)
    t.equal(unseen, 0)
  }
  t.same([...tally.keys()].sort(), ['amount', 'call', 'custodian', 'customer', 'fee', 'other', 'recipient', 'validator'])
})

t.test('bytes in which every party is a thief are never without a finding that names him', async (t) => {
  const tried: string[] = []
  for (const { plugin, path, exchanges } of recorded) {
    const intent = protocols.find((each) => each.path === path)
    for (const [action, { request, response }] of Object.entries(exchanges)) {
      if (!intent || ['inspect', 'prepare', 'broadcast'].includes(action)) continue
      const holder = String(request?.[intent.family.signer])
      const { text, thief } = robbed(response, intent, holder)
      if (text === bytesOf(response)) {
        t.ok(['evm-two', 'evm-three'].includes(plugin) || WITHOUT_PARTY.has(`${plugin} ${action}`), `${plugin} ${action} names nobody`)
        continue
      }
      const beside = JSON.stringify({ request: { ...request, [intent.family.signer]: thief.given }, response: answerWith(response, text) })
      for (const [how, inspection] of [
        ['bytes alone', await look(text)],
        ['with terms', await look(text, { trust })],
        ['with terms and action', await look(text, { trust, action })],
        ['with a request that the thief wrote beside it', await look(beside, { trust })],
      ] as const) {
        const found = only(inspection)
        const naming = found.unusual.filter(({ level, title }) => level === 'ask' && title.includes(thief.address))
        t.equal(naming.length, 1, `${plugin} ${action}, ${how}: ${outcome(inspection)}`)
        t.notMatch(outcome(inspection), / no unusual things/)
      }
      const mine = only(await look(text, { trust, address: ownOf(holder, intent) }))
      t.ok(
        mine.unusual.some(({ level, title }) => level === 'bad' && title.includes(thief.address)),
        `${plugin} ${action}: not mine`,
      )
      const his = only(await look(text, { trust, address: thief.address }))
      t.same(
        his.unusual.filter(({ level, title }) => level === 'ask' || title.includes(thief.address)),
        [],
        'of the thief’s own asking',
      )
      if (request) {
        const requested = await look(text, { trust, request, action })
        t.ok(shows(requested), `${plugin} ${action}: not what was asked for`)
      }
      tried.push(`${plugin} ${action}`)
    }
  }
  t.same(byPlugin(tried), ROBBED)
})

/** The generator of secp256k1, which is a key as good as any; a key of Ed25519 need only be another. */
const THIEF_KEY = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** The bytes of a craft with somebody else wherever they name the wallet. */
function robbed(
  response: unknown,
  { family }: Intent,
  holder: string,
): { readonly text: string; readonly thief: { readonly address: string; readonly given: string } } {
  const text = bytesOf(response)
  const replaced = (from: string, to: string) => text.split(from).join(to)
  if (family.name === 'evm') {
    const address = `0x${'7e'.repeat(20)}`
    return { text: replaced(holder.slice(2).toLowerCase(), address.slice(2)), thief: { address, given: address } }
  }
  if (family.name === 'svm') {
    const key = '7e'.repeat(32)
    const address = base58(Buffer.from(key, 'hex'))
    return { text: replaced(digitsOf(keyOf(holder)), key), thief: { address, given: address } }
  }
  if (family.name === 'move') {
    const address = `0x${'7e'.repeat(32)}`
    const digits = Buffer.from(text, 'base64').toString('hex').split(holder.slice(2)).join(address.slice(2))
    return { text: Buffer.from(digits, 'hex').toString('base64'), thief: { address, given: address } }
  }
  const own = ownOf(holder, { family })
  const address = addressOfKey({ prefix: own.slice(0, own.lastIndexOf('1')), algorithm: 'secp256k1' }, Buffer.from(THIEF_KEY, 'hex'))
  const hex = (each: string) => Buffer.from(each).toString('hex')
  const digits = text.split(hex(own)).join(hex(address)).split(keyDigits(holder)).join(THIEF_KEY)
  return { text: digits, thief: { address, given: THIEF_KEY } }
}

function bytesOf(response: unknown): string {
  const [, text] = Object.entries(Object(response)).find(([name]) => /^(serialized|unsigned)_tx_(hex|b64)$/.test(name)) ?? []
  return String(text)
}

/** The same answer around other bytes, without what is worked out from them. */
function answerWith(response: unknown, text: string): object {
  const [name = ''] = Object.keys(Object(response)).filter((each) => /^(serialized|unsigned)_tx_(hex|b64)$/.test(each))
  return { [name]: text }
}

/** Last 66 digits of a compressed key, as requests write it. */
function keyDigits(pubkey: string): string {
  return pubkey.replace(/^0x/, '').toLowerCase()
}

/** The address that belongs to what a request names. */
function ownOf(holder: string, { family }: Pick<Intent, 'family'>): string {
  if (family.name !== 'cosmos') return holder
  const prefix = family === protocols.find(({ path }) => path === '/hub-two/native')?.family ? 'celestia' : 'cosmos'
  return addressOfKey({ prefix, algorithm: 'secp256k1' }, Buffer.from(keyDigits(holder), 'hex'))
}

t.test('yesterday’s answer says its age by its headers, which also bring the account number', async (t) => {
  const { exchanges } = recorded.find(({ plugin }) => plugin === 'hub-one') ?? {}
  const { request, response } = exchanges?.stake ?? {}
  const head = (created: number) =>
    `HTTP/1.1 200 OK\r\nDate: Sun, 22 Nov 2026 12:34:42 GMT\r\nsignature-input: svc=("@status");created=${created}\r\nx-account-number: 18\r\n\r\n${JSON.stringify(response)}`
  const now = new Date('2026-11-23T12:34:42Z')
  const old = only(await look(head(1795350882), { trust, request: request ?? null, now }))
  t.match(old.unusual, [{ level: 'odd', title: 'The answer was made 1 day ago' }])
  t.equal(old.hash, (response as { unsigned_tx_hash_hex: string }).unsigned_tx_hash_hex, 'the hash is worked out')
  t.ok(old.agreements[0]?.agree.some(({ term }) => term === 'chainId'))
  t.same(sorted(only(await look(head(now.getTime() / 1000 - 5), { now }))).strange, [])
  const other = only(await look(head(now.getTime() / 1000), { now, stated: { 'x-account-number': '19' } }))
  t.match(other.unusual, [{ level: 'bad', title: 'The answer contradicts itself' }])
})

function honest(
  intent: Intent,
  action: string,
  terms: PinnedTerms,
  request: object,
  response: unknown,
): { readonly reviewed: CraftReview; readonly accountNumber: string } {
  const declared = intent.actions[action]
  if (!declared) throw new Error(`${intent.path} has no ${action}`)
  const textual = Object.entries(request).map(([name, value]) => [name, declared.input[name]?.kind === 'amount' ? String(value) : value])
  const input = readInput(declared.input, Object.fromEntries(textual), terms.decimals)
  // Recorded bodies come without headers: the number is the one that the recorded hash is of.
  for (let number = 0; number < 100; number++) {
    const reviewed = review({ intent, action: declared, terms, input, answer: response, stated: { 'x-account-number': String(number) } })
    if ('effects' in reviewed) return { reviewed, accountNumber: String(number) }
  }
  throw new Error(`the recorded ${action} of ${intent.path} is not what was asked for`)
}

function familyOf({ family: { name } }: Intent, chainId: string): AnyFamily {
  if (name === 'evm') return evmFamily
  if (name === 'svm') return svmFamily
  if (name === 'move') return moveFamily
  return cosmosFamily(
    chainId === 'celestia'
      ? { prefix: 'celestia', denom: 'utia', algorithm: 'secp256k1', chainId }
      : { prefix: 'cosmos', denom: 'uatom', algorithm: 'secp256k1', chainId },
  )
}

/** Whether more is said than who it is for, which is asked of honest ones too. */
function shows(inspection: Inspection): boolean {
  if (inspection.kind !== 'read') return inspection.kind === 'unreadable'
  return inspection.readings.some(
    (reading) =>
      sorted(reading).strange.length > 0 || reading.agreements.length === 0 || reading.agreements.some(({ differ }) => differ.length > 0),
  )
}

/** The address in a title, which is the longest word of it. */
function wordOf(title: string): string {
  return title.split(/[ ,:]+/).reduce((one, other) => (other.length > one.length ? other : one))
}

function assumed(inspection: Inspection): string {
  return inspection.kind === 'read' ? JSON.stringify(inspection.readings.map((each) => each.assumed)) : ''
}
