import { exactNumber, membersOf } from '@svc/contract'
import { amountMark } from '@svc/contract/host'
import { check as compare } from '@svc/verify'
import { type Check, shown } from '../check.ts'
import { kitWith, onKit } from '../direct.ts'
import type { Answer } from '../http.ts'
import { actionOf, exitsOf, present } from '../present.ts'
import type { Subject } from '../subject.ts'

type Schema = Readonly<Record<string, unknown>>

/** Amounts that are none. Numbers are given as the text that stands in the JSON. */
const NO_AMOUNTS: readonly (readonly [string, unknown])[] = [
  ['0', 0],
  ['0.000', exactNumber('0.000')],
  ['-0', exactNumber('-0')],
  ['-1', -1],
  ['1e400', exactNumber('1e400')],
  ['1e-400', exactNumber('1e-400')],
  ['above a uint256', exactNumber((1n << 256n).toString())],
  ['of 300 digits', exactNumber('1'.repeat(300))],
  ['"0"', '0'],
  ['"-1"', '-1'],
  ['""', ''],
  ['" 1"', ' 1'],
  ['"NaN"', 'NaN'],
  ['"Infinity"', 'Infinity'],
  ['"1,5"', '1,5'],
  ['"0x10"', '0x10'],
  ['"1.5.2"', '1.5.2'],
  ['"+1"', '+1'],
  ['".5"', '.5'],
  ['"1e99999"', '1e99999'],
  ['true', true],
  ['null', null],
  ['[1]', [1]],
  ['{}', {}],
]

const NO_BODIES: readonly (readonly [string, string])[] = [
  ['an empty body', ''],
  ['text that is no JSON', '{"address":'],
  ['a list', '[]'],
  ['null', 'null'],
  ['a text', '"delegate"'],
  ['a number', '7'],
  ['a member that reaches a prototype', '{"__proto__":{"amount":1}}'],
]

/** Tests that an invalid body is refused with a sentence before anything is crafted, and that nothing ever becomes a 500. */
export async function bodies(subject: Subject, check: Check): Promise<void> {
  for (const action of subject.actions) await crafts(subject, check, action)
  await exits(subject, check)
  await readings(subject, check)
}

async function crafts(subject: Subject, check: Check, action: string): Promise<void> {
  const { client, protocol } = subject
  const { body } = await subject.example(action)
  const { invalidBody = 400, body: members } = actionOf(protocol, action)
  const post = (changed: unknown) => client.post(`/action/${action}`, changed)
  const refusal = async (name: string, changed: unknown, status: number, naming?: string): Promise<void> => {
    const answer = await post(changed)
    const isNamed = naming === undefined || answer.sentence.includes(naming)
    check.ok(
      answer.status === status && isNamed && isError(answer),
      `${action}: ${name} answers ${status}${naming ? `, naming ${naming}` : ''}`,
      said(answer),
    )
  }

  const good = await post(body)
  check.equal(good.status, 200, `${action}: the body of its example is accepted`)
  await refusal('a member that it does not know', { ...body, amout: 1 }, invalidBody, 'amout')
  for (const [name, text] of NO_BODIES) await refusal(name, text, text.startsWith('{') || text === '' ? 400 : invalidBody)

  for (const [name, described] of Object.entries(members)) {
    const schema = membersOf(described)
    const { [name]: value, ...rest } = body
    const required = !('~optional' in schema)
    if (required) await refusal(`without ${name}`, rest, invalidBody, name)
    if (schema['x-amount']) await amounts(subject, check, action, name, value)
    else
      for (const wrong of wrongValues(schema, value))
        await refusal(`${name} is ${shown(wrong, 40)}`, { ...body, [name]: wrong }, invalidBody)
    if (schema['x-address'])
      for (const text of subject.family.malformedAddresses) await refusal(`${name} is "${text}"`, { ...body, [name]: text }, invalidBody)
  }
}

/** Values of the wrong type, and for whole numbers those out of bounds. */
function wrongValues(schema: Schema, value: unknown): unknown[] {
  const types = [schema.type].flat()
  const others = [7, 'text', true, null, [], {}].filter((each) => {
    const type = each === null ? 'null' : Array.isArray(each) ? 'array' : typeof each
    return typeof value !== type && !types.includes(type) && !(type === 'number' && types.includes('integer'))
  })
  if (!types.includes('integer')) return others
  const bounds = [
    ...(typeof schema.minimum === 'number' ? [schema.minimum - 1] : []),
    ...(typeof schema.maximum === 'number' ? [schema.maximum + 1] : []),
  ]
  return [...others, ...bounds, 1.5, exactNumber('1e400'), String(value)]
}

async function amounts(subject: Subject, check: Check, action: string, name: string, value: unknown): Promise<void> {
  const { client, protocol, kit } = subject
  const { body } = await subject.example(action)
  const members = actionOf(protocol, action).body
  const decimals = amountMark(members[name])?.decimals ?? kit.decimals
  const post = (amount: unknown) => client.post(`/action/${action}`, { ...body, [name]: amount })
  const tooFine = `1.${'0'.repeat(decimals)}1`
  for (const [what, amount] of [
    ...NO_AMOUNTS,
    ['finer than the token', exactNumber(tooFine)],
    ['"finer than the token"', tooFine],
  ] as const) {
    const answer = await post(amount)
    check.ok([400, 422].includes(answer.status) && isError(answer), `${action}: the ${name} ${what} is refused`, said(answer))
  }
  // The same amount in other spellings has to become the same transaction.
  const text = String(membersOf(value).rawJSON ?? value)
  const { effects, bounds } = await subject.captured(action)
  for (const [what, amount] of [
    ['as a text', text],
    ['with an exponent', exactNumber(`${text}e0`)],
    ['with more zeros', exactNumber(`${text.includes('.') ? text : `${text}.`}0`)],
  ] as const) {
    const answer = await post(amount)
    if (!check.equal(answer.status, 200, `${action}: the ${name} ${what} is accepted`)) continue
    // Where facts shape the bytes, a fresh key for example, two crafts need not be alike.
    const { read, settle } = actionOf(protocol, action)
    if (read && !settle) continue
    const { chainId, maxFee } = bounds
    const decoded = kit.decode(membersOf(answer.json), effects, subject.direct.network, bounds.terms ?? {})
    const mismatches = compare(decoded, effects, { chainId, maxFee })
    check.equal(mismatches, [], `${action}: the ${name} ${what} makes the same transaction`)
  }
}

/** Prepare and broadcast take a whole response with members they do not know, and refuse what is no transaction. */
async function exits(subject: Subject, check: Check): Promise<void> {
  const { client, family, kit } = subject
  const action = present(subject.actions[0], 'an action')
  const { player, body } = await subject.freshExample(action)
  const crafted = await client.post(`/action/${action}`, body)
  if (!check.equal(crafted.status, 200, `${action}: a fresh example is accepted`)) return
  const signatures = await family.sign(crafted.json, player.wallet)
  const stranger = { note: 'a member of the caller' }
  const prepared = await client.post('/action/prepare', { ...membersOf(crafted.json), ...signatures, ...stranger })
  check.equal(prepared.status, 200, 'prepare takes a craft response with the signatures and members it does not know')

  for (const name of kit.wire.prepare.required ?? []) {
    const { [name]: _, ...rest } = signatures
    const answer = await client.post('/action/prepare', rest)
    check.ok(answer.status === 400 && answer.sentence.includes(name), `prepare without ${name} answers 400, naming it`, said(answer))
  }
  for (const { name, body: bad } of family.badPrepares(signatures)) {
    const answer = await client.post('/action/prepare', bad)
    check.ok(answer.status === 400 && isError(answer), `prepare: ${name}: answers 400`, said(answer))
  }

  if (prepared.status === 200) {
    const signed = membersOf(prepared.json)
    for (const [name, value] of Object.entries(signed)) {
      if (!(name in kit.wire.broadcast.properties)) continue
      const texts =
        typeof value === 'string' ? ['', '0x', 'zz', value.slice(0, -1), value.slice(0, -2), `${value}00`, '00'.repeat(200_000)] : []
      for (const wrong of [...texts, 7, null, [], {}, true].filter(
        (each) => Array.isArray(each) !== Array.isArray(value) || typeof each === 'string',
      )) {
        const answer = await client.post('/action/broadcast', { ...signed, [name]: wrong })
        check.ok(answer.status === 400 || answer.status === 413, `broadcast with ${name} ${shown(wrong, 20)} answers 400`, said(answer))
      }
      const { [name]: _, ...rest } = signed
      const answer = await client.post('/action/broadcast', rest)
      check.equal(answer.status, 400, `broadcast without ${name} answers 400`)
    }
    const { network } = subject.direct
    const names = kit.names.signed({ ...signed, ...stranger }, network)
    for (const [of, unsigned] of Object.entries({
      'a craft': crafted.json,
      'a body of prepare': { ...membersOf(crafted.json), ...signatures },
    }))
      check.equal(
        kit.names.unsigned(membersOf(unsigned), network),
        names.unsignedHash,
        `the unsigned hash of ${of} is that of the signed one`,
      )
    const sent = await client.post('/action/broadcast', { ...signed, ...stranger })
    check.equal(sent.status, 200, 'broadcast takes members it does not know')
    check.equal(membersOf(sent.json).tx_hash, names.txHash, 'the hash that is answered is the one that the bytes say')
  }
  for (const exit of exitsOf(subject.protocol))
    for (const [name, text] of NO_BODIES) {
      const answer = await client.post(exit, text)
      check.ok(answer.status === 400, `${exit}: ${name} answers 400`, said(answer))
    }
}

/** What is named, recorded, followed and sent of a body is one reading of its bytes; the second reading, which checks a craft, is not counted. */
async function readings(subject: Subject, check: Check): Promise<void> {
  const { family, kit, plugin, serve } = subject
  const reads = new Map<string, number>()
  const watch = watchedBodies(new Set(Object.keys({ ...kit.wire.unsigned.properties, ...kit.wire.broadcast.properties })), reads)
  const { life, names } = kit
  const counting = kitWith(kit, {
    names: {
      unsigned: (body, network) => names.unsigned(watch(body), network),
      signed: (body, network) => names.signed(watch(body), network),
    },
    ...(kit.sent ? { sent: (body, network) => present(kit.sent, 'sent')(watch(body), network) } : {}),
    prepare: (ctx, body, craftedFor) => kit.prepare(ctx, watch(body), craftedFor),
    broadcast: (ctx, body) => kit.broadcast(ctx, watch(body)),
    ...(life
      ? {
          life: Object.assign(Object.create(life), {
            bounds: (body: never, network: never) => life.bounds(watch(body), network),
            validUntil: (unsigned: never, network: never, terms: never, now: never) =>
              life.validUntil(watch(unsigned), network, terms, now),
          }),
        }
      : {}),
  })
  const service = await serve({ plugin: onKit(plugin, counting) })
  try {
    const client = await service.client()
    const action = present(subject.actions[0], 'an action')
    const { player, body } = await subject.freshExample(action)
    const post = async (route: string, sent: unknown) => {
      reads.clear()
      const answer = await client.post(`/action/${route}`, sent)
      if (!check.equal(answer.status, 200, `${route}: a body whose readings are counted is accepted`)) return {}
      const many = [...reads].filter(([, count]) => count > 1).map(([name, count]) => `${name} ${count} times`)
      check.ok(reads.size > 0, `${route}: the bytes of a body are read`)
      check.equal(many, [], `${route}: the bytes of a body are read once`)
      return membersOf(answer.json)
    }
    const crafted = await post(action, body)
    const signed = await post('prepare', { ...crafted, ...(await family.sign(crafted, player.wallet)) })
    await post('broadcast', signed)
  } finally {
    await service.close()
  }
}

/** Gives each body as it is, and counts how often the texts that hold a transaction are asked for. @param names of their members */
function watchedBodies(names: ReadonlySet<string>, reads: Map<string, number>): <T>(body: T) => T {
  const proxies = new WeakMap<object, object>()
  return <T>(body: T): T => {
    if (typeof body !== 'object' || body === null) return body
    const earlier = proxies.get(body)
    if (earlier) return earlier as T
    const proxy = new Proxy(body, {
      get(members, name) {
        const value: unknown = Reflect.get(members, name)
        if (typeof value === 'string' && names.has(String(name))) reads.set(String(name), 1 + (reads.get(String(name)) ?? 0))
        return value
      },
    })
    proxies.set(body, proxy)
    return proxy as T
  }
}

function isError({ json, status }: Answer): boolean {
  const { statusCode, message, error, code } = membersOf(json)
  return statusCode === status && [message, error, code].every((each) => typeof each === 'string' && each !== '')
}

function said(answer: Answer): string {
  return `${answer.status} ${shown(answer.text)}`
}
