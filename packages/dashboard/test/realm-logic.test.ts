import { MessageChannel } from 'node:worker_threads'
import { evmThree } from '@svc/intent-evm-three'
import * as hub from '@svc/intent-hub'
import { inspectedEvm } from '@svc/verify/evm/inspected'
import t, { type Test } from 'tap'
import { readExports } from '../src/realm/exports.ts'
import { INSPECTION, inspectBy, PROTOCOLS, protocolsOf } from '../src/realm/inspection.ts'
import { inspectorateWithin } from '../src/realm/page-realm.ts'
import { type Channel, connect, Far, type Handlers, Late } from '../src/realm/port.ts'
import { list, members, nullable, number, record, shaped, text, word } from '../src/realm/shape.ts'
import { type PageRequest, stakingCalls } from '../src/realm/staking.ts'
import { recorded, trust } from './support/crafts.ts'

/** Both ends of a channel; what the far end handles. */
function ends(t: Test, far: Handlers, near: Handlers = {}) {
  const { port1, port2 } = new MessageChannel()
  t.teardown(() => port1.close())
  const [here, there] = [port1, port2] as unknown as readonly [Channel, Channel]
  return { here: connect(here, near), there: connect(there, far), raw: there }
}

t.test('calls go both ways, with what structured clones carry', async (t) => {
  const { here, there } = ends(t, { double: (value) => ({ twice: (value as bigint) * 2n }) }, { name: () => 'page' })
  t.same(await here.call('double', 21n), { twice: 42n })
  t.equal(await there.call('name', null), 'page')
})

t.test('an error comes over by its name, its sentence and what was refused, and with nothing that is of another kind', async (t) => {
  const { here, raw } = ends(t, {
    refuse() {
      throw Object.assign(new Error('no'), { name: 'ServiceError', sentence: 'Not now.', code: 'LIMITED', retryAfter: 7, txHash: '0xab' })
    },
    odd() {
      throw Object.assign(new Error('odd'), { sentence: 7, txHash: 7, name: 7 })
    },
  })
  const refused = { name: 'ServiceError', message: 'no', refusal: { sentence: 'Not now.', code: 'LIMITED', retryAfter: 7 }, txHash: '0xab' }
  await t.rejects(here.call('refuse', null), refused)
  await t.rejects(here.call('odd', null), { name: 'Error', message: 'odd', refusal: null, txHash: null })
  await t.rejects(here.call('toString', null), { message: 'There is nothing here called toString.' }, 'not what every object has')
  t.ok(await here.call('refuse', null).catch((error: unknown) => error instanceof Far))
  for (const message of [null, 7, {}, { id: 'x', value: 1 }, { id: 1 }, { id: 99, value: 1 }, { id: 1, call: 7 }]) raw.postMessage(message)
  await t.rejects(here.call('odd', null), { message: 'odd' }, 'what is no message changes nothing')
})

t.test('what does not answer in time is told, and an answer that comes later is nobody’s', async (t) => {
  let answer = (_value: unknown) => {}
  const { here } = ends(t, { slow: () => new Promise((resolve) => (answer = resolve)), soon: () => 1 })
  await t.rejects(here.call('slow', null, 1), { name: 'Late', message: 'No answer came within 0.001 s.' })
  t.ok((await here.call('slow', null, 1).catch((error: unknown) => error)) instanceof Late)
  answer('late')
  t.equal(await here.call('soon', null), 1)
})

t.test('a shape lets through what it says, member by member', async (t) => {
  const shape = members({ name: text, kinds: list(word('a', 'b')), of: nullable(number), by: record(text) }, { note: text })
  const right = { name: 'x', kinds: ['a', 'b'], of: null, by: { one: '1' } }
  for (const value of [right, { ...right, note: 'y' }, { ...right, more: 1 }, { ...right, of: 3 }]) t.ok(shape(value))
  for (const change of [{ name: 7 }, { kinds: ['c'] }, { kinds: 'a' }, { of: undefined }, { by: { one: 1 } }, { by: [] }, { note: 7 }])
    t.notOk(shape({ ...right, ...change }), Object.keys(change).join())
  for (const value of [null, undefined, 7, 'x', []]) t.notOk(shape(value))
  t.throws(() => shaped(text, 7, 'a text'), /has changed a text into something that it cannot be/)
  t.equal(shaped(text, 'x', 'a text'), 'x')
})

t.test('of what a script exports its intents are taken, and families that say how they are inspected', async (t) => {
  const brought = readExports({ evmThree, inspectedEvm, other: 7, nothing: null, half: { family: {}, path: '/x' } })
  t.same(
    brought.intents.map(({ name, intent }) => [name, intent.path]),
    [['evmThree', '/evm-three/native']],
  )
  t.same(brought.families, [inspectedEvm])
  for (const none of [undefined, null, {}, { inspectedEvm }, 'x']) t.throws(() => readExports(none), /exports no intent/)
  const protocols = protocolsOf(brought)
  t.match(protocols, [{ path: '/evm-three/native', family: 'EVM', name: 'evmThree', terms: ['staking', 'validator_id'] }])
  t.ok(PROTOCOLS(protocols))
  t.notOk(PROTOCOLS([{ ...protocols[0], actions: 'delegate' }]))
  t.match(protocolsOf(readExports({ evmThree })), [{ family: 'evm' }], 'a family that says no title is called by its name')
  t.ok(protocolsOf(readExports(hub)).length > 1, 'a package may have several')
})

t.test('every reading of what was recorded has the shape that is shown, and none with a member of another kind has', async (t) => {
  const scripts = [readExports({ evmThree, inspectedEvm })]
  const { response } = recorded.find(({ plugin }) => plugin === 'evm-three')?.exchanges.delegate ?? {}
  const now = new Date()
  const inspection = await inspectBy(scripts, { text: JSON.stringify(response), now })
  t.ok(INSPECTION(inspection) && inspection.kind === 'read')
  if (inspection.kind !== 'read') return
  const [reading = {}] = inspection.readings
  for (const name of Object.keys(reading)) {
    // Members that may be null are another thing when they are a number.
    const changed = { ...inspection, readings: [{ ...reading, [name]: 7 }] }
    t.notOk(INSPECTION(changed), name)
  }
  t.ok(INSPECTION(await inspectBy(scripts, { text: 'ab', now })), 'unreadable')
  t.ok(INSPECTION(await inspectBy(scripts, { text: '', now })), 'nothing')
  t.notOk(INSPECTION({ kind: 'other' }))
  const cloned = structuredClone(inspection)
  t.ok(INSPECTION(cloned), 'as it comes over')
})

t.test('a saved file reads by the intents in it, and says which could not be loaded', async (t) => {
  const { protocols, faults, inspect } = inspectorateWithin([{ evmThree, inspectedEvm }, undefined])
  t.same(
    protocols.map(({ path }) => path),
    ['/evm-three/native'],
  )
  t.match(faults, [/^Intent 2 of this file could not be loaded: It exports no intent/])
  t.match(await inspect({ text: '0x02f0', now: new Date() }), { kind: 'unreadable', tried: [{ title: 'EVM' }] })
})

t.test('where the intent runs the client has no key: what it asks for is asked of the page', async (t) => {
  const asked: PageRequest[] = []
  const calls = stakingCalls(
    (path) => (path === evmThree.path ? evmThree : undefined),
    async (name, argument) => {
      t.equal(name, 'fetch')
      asked.push(argument as PageRequest)
      return { status: 200, headers: [['x-own', 'yes']], body: new TextEncoder().encode('{"serialized_tx_hex":"0x00"}') }
    },
  )
  const document = { ...trust, baseUrl: 'http://127.0.0.1:1' }
  const binding = { path: evmThree.path, network: '143', trust: document, baseUrl: 'http://127.0.0.1:1' }
  const client = await calls.bind?.(binding)
  t.equal(client, 0)
  t.equal(await calls.bind?.(binding), 1, 'each its own')
  const input = { address: `0x${'11'.repeat(20)}`, amount: '1' }
  // The answer is signed by nobody.
  await t.rejects(calls.craft?.({ client, action: 'delegate', input }) as Promise<unknown>, { name: 'SignatureError' })
  const [request] = asked
  t.match(request, { client: 0, method: 'POST', url: `http://127.0.0.1:1/api/v1${evmThree.path}/action/delegate` })
  t.same(JSON.parse(request?.body ?? ''), { address: input.address, amount: 1 })
  t.match(request?.headers, { 'x-api-key': 'the-page-has-it', 'x-network': '143' })
  t.throws(() => calls.bind?.({ ...binding, path: '/other' }), /no intent of \/other here/)
  for (const call of ['craft', 'balance', 'status'])
    await t.rejects(async () => calls[call]?.({ client: 7 }), /is not here any more: ask for it again/)
})
