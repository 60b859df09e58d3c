import type { AnyFamily } from '@svc/conformance'
import { cosmosFamily } from '@svc/conformance/cosmos'
import { evmFamily } from '@svc/conformance/evm'
import { moveFamily } from '@svc/conformance/move'
import { svmFamily } from '@svc/conformance/svm'
import { type Inspecting, type Inspection, inspect, type PinnedTerms } from '@svc/verify/inspect'
import { type Intent, type Reviewed, readInput, review } from '@svc/verify/intent'
import t from 'tap'
import { protocols } from '../src/pages/inspector/protocols.ts'
import { outcome } from '../src/pages/inspector/words.ts'
import { recorded, trust } from './support/crafts.ts'

const look = (text: string, more: Partial<Inspecting> = {}) => inspect({ text, protocols, now: new Date(), ...more })

/** The only reading, with what differs from the terms. */
function only(inspection: Inspection) {
  if (inspection.kind !== 'read' || inspection.readings.length !== 1) throw new Error(`one reading was expected: ${outcome(inspection)}`)
  const [reading] = inspection.readings
  if (!reading) throw new Error('there is none')
  return { ...reading, differ: reading.agreements.flatMap(({ differ }) => differ) }
}

/** What a wallet of the service's own nonce account signed, which no action of a pool makes. */
const NOT_CRAFTED = new Set(['svm-liquid prepare', 'svm-liquid broadcast'])

t.test('every recorded craft of all nine protocols is read, with and without agreed terms, and nothing of it is unusual', async (t) => {
  let read = 0
  for (const { plugin, path, exchanges } of recorded) {
    for (const [action, { request, response }] of Object.entries(exchanges)) {
      if (action === 'inspect' || NOT_CRAFTED.has(`${plugin} ${action}`)) continue
      const isCraft = !['prepare', 'broadcast'].includes(action)
      const text = JSON.stringify(isCraft ? response : request, null, 2)
      const free = only(await look(text))
      const agreed = only(await look(text, { trust, ...(isCraft ? { request: request ?? null, action } : {}) }))
      for (const reading of [free, agreed]) {
        t.same([reading.protocol?.path, reading.unusual, reading.differ, reading.also], [path, [], [], []], `${plugin} ${action}`)
        if (isCraft) t.equal(reading.protocol?.action, action)
        t.notMatch(reading.sentence, /does not know/)
      }
      t.equal(agreed.form, action === 'broadcast' || action === 'prepare' ? 'signed' : 'unsigned')
      t.ok(agreed.agreements.length > 0 && agreed.agreements.every(({ agree }) => agree.length > 0), 'whose terms it keeps')
      read++
    }
  }
  t.ok(read > 45, `${read} were read`)
})

t.test('no attack of a thief passes as what was asked for, and what needs no request shows without one', async (t) => {
  const tally = new Map<string, { tried: number; unseen: number }>()
  for (const { plugin, path, exchanges } of recorded) {
    const intent = protocols.find((each) => each.intent.path === path)?.intent
    const terms = trust.protocols.find((each) => each.path === path)?.networks[0]?.terms
    if (!intent || !terms) throw new Error(`${path} is in no trust document`)
    // One action each: the corpus of all runs in conformance, and this is about what is shown.
    const action = 'stake' in intent.actions ? 'stake' : 'delegate'
    const { request = {}, response } = exchanges[action] ?? {}
    const { reviewed, accountNumber } = honest(intent, action, terms, request, response)
    const told = assumed(await look(JSON.stringify(response), { trust, request, action, accountNumber }))
    for (const { attack, theft = 'other', name, unsigned } of familyOf(intent, terms.chainId).forgeries(response, reviewed.effects)) {
      if (!attack) continue
      const found = await look(JSON.stringify(unsigned), { trust, request, action, accountNumber })
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
  t.same(only(await look(head(now.getTime() / 1000 - 5), { now })).unusual, [])
  const other = only(await look(head(now.getTime() / 1000), { now, accountNumber: '19' }))
  t.match(other.unusual, [{ level: 'bad', title: 'The answer contradicts itself' }])
})

function honest(
  intent: Intent,
  action: string,
  terms: PinnedTerms,
  request: object,
  response: unknown,
): { readonly reviewed: Reviewed; readonly accountNumber: string } {
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
    chainId === 'celestia' ? { prefix: 'celestia', denom: 'utia', chainId } : { prefix: 'cosmos', denom: 'uatom', chainId },
  )
}

function shows(inspection: Inspection): boolean {
  if (inspection.kind !== 'read') return inspection.kind === 'unreadable'
  return inspection.readings.some(
    ({ unusual, agreements }) => unusual.length > 0 || agreements.length === 0 || agreements.some(({ differ }) => differ.length > 0),
  )
}

function assumed(inspection: Inspection): string {
  return inspection.kind === 'read' ? JSON.stringify(inspection.readings.map((each) => each.assumed)) : ''
}
