import { membersOf, parseAmount, type Reads } from '@svc/contract'
import { amountMark, parseJson, readInput } from '@svc/contract/host'
import { balanceToWire, craft } from '@svc/core/plugins'
import type { TObject } from 'typebox'
import type { AnyContext } from '../direct.ts'
import { actionOf, present } from '../present.ts'
import type { Subject } from '../subject.ts'
import type { Facts, Probe } from './trial.ts'

/** Lists the requests of a plugin that ask the chain: a craft of each action, the fullest balance, reads of its own, a broadcast. */
export async function requestsOf(subject: Subject): Promise<readonly Probe[]> {
  const requests: Probe[] = []
  for (const action of subject.actions) requests.push(await craftOf(subject, action))
  requests.push(await balanceOf(subject), ...readsOf(subject), await broadcastOf(subject))
  return requests
}

async function craftOf(subject: Subject, name: string): Promise<Probe> {
  const { body } = await subject.example(name)
  return craftProbe(subject, name, body)
}

/** Makes the probe that crafts an action. @param body of the request */
export function craftProbe({ kit, protocol, options }: Subject, name: string, body: Readonly<Record<string, unknown>>): Probe {
  const action = actionOf(protocol, name)
  const text = JSON.stringify(body)
  const fields = readInput(kit, action.body, parseJson(text), action.invalidBody)
  const amounts = Object.entries(action.body).flatMap(([member, schema]) => {
    const amount = fields[member]
    return amountMark(schema) && typeof amount === 'bigint' ? [amount] : []
  })
  return {
    name,
    bound: (facts) => (options.examples[name]?.converts ? null : amountProblem(facts, amounts)),
    async run(ctx) {
      const input = readInput(kit, action.body, parseJson(text), action.invalidBody)
      const { decoded } = await craft(kit, action, ctx, input)
      return factsOf(decoded)
    },
  }
}

async function balanceOf(subject: Subject): Promise<Probe> {
  const { kit, protocol, direct, actions, example } = subject
  let [fullest, most] = ['', -1]
  for (const action of actions) {
    const { address } = (await example(action)).player.wallet
    const { objects, digest: _digest, parts: _parts, control: _control, ...buckets } = await protocol.balance(direct, kit.address(address))
    const size = Object.values(buckets).filter((units) => units !== null && units > 0n).length + (objects?.length ?? 0)
    if (size > most) [fullest, most] = [address, size]
  }
  return balanceProbe(subject, fullest)
}

/** Makes the probe that reads the position of an address. */
export function balanceProbe({ kit, protocol }: Subject, address: string): Probe {
  return {
    name: 'staking-balance',
    partial: true,
    run: async (ctx) => factsOf(balanceToWire(await protocol.balance(ctx, kit.address(address)), kit.decimals)),
    bound: (facts) => positionProblem(facts, kit.decimals),
  }
}

async function broadcastOf({ kit, actions, freshExample, client, family }: Subject): Promise<Probe> {
  const action = present(actions[0], 'an action')
  const { player, body } = await freshExample(action)
  const crafted = await client.post(`/action/${action}`, body)
  const prepared = await client.post('/action/prepare', await family.sign(crafted.json, player.wallet))
  return broadcastProbe(kit, membersOf(prepared.json))
}

/** Makes the probe that broadcasts a signed transaction. */
export function broadcastProbe(kit: Subject['kit'], body: Readonly<Record<string, unknown>>): Probe {
  return { name: 'broadcast', run: async (ctx) => factsOf(await kit.broadcast(ctx, body)) }
}

/** Reads of the plugin's own, each asked as its schemas would have it. */
function readsOf({ protocol, world, family }: Subject): readonly Probe[] {
  const probes: Probe[] = []
  const sampleOf = (name: string, schema: unknown): unknown => {
    const { type, default: usual } = membersOf(schema)
    if (name === 'address') return world.freshWallet(family).address
    return usual ?? (type === 'integer' || type === 'number' ? 0 : '0')
  }
  // What may be left out is, unless its usual value is known: a value that was made up is none of the operator's.
  const isGiven = (schema: TObject | undefined, name: string, each: unknown) =>
    schema?.required?.includes(name) || membersOf(each).default !== undefined
  const valuesOf = (schema: TObject | undefined) =>
    Object.fromEntries(
      Object.entries(membersOf(schema?.properties))
        .filter(([name, each]) => isGiven(schema, name, each))
        .map(([name, each]) => [name, sampleOf(name, each)]),
    )
  const reads: Reads<AnyContext> = {
    get(path, { params, querystring }, answer) {
      probes.push({
        name: `GET ${path}`,
        partial: true,
        async run(ctx) {
          const request = { params: valuesOf(params), query: valuesOf(querystring) } as Parameters<typeof answer>[1]
          return factsOf(parseJson(JSON.stringify(await answer(ctx, request))))
        },
      })
    },
  }
  protocol.routes?.(reads)
  return probes
}

/** Each value by where it stands. */
function factsOf(value: unknown): Facts {
  const facts = new Map<string, string>()
  const walk = (each: unknown, path: string): void => {
    const raw = membersOf(each).rawJSON
    if (typeof raw === 'string') facts.set(path, raw)
    else if (each instanceof Date) facts.set(path, each.toISOString())
    else if (Array.isArray(each)) {
      facts.set(`${path}.length`, String(each.length))
      for (const [index, item] of each.entries()) walk(item, `${path}[${index}]`)
    } else if (typeof each === 'object' && each !== null)
      for (const [name, member] of Object.entries(each)) walk(member, path === '' ? name : `${path}.${name}`)
    else facts.set(path, typeof each === 'bigint' ? String(each) : (JSON.stringify(each) ?? 'undefined'))
  }
  walk(value, '')
  return facts
}

/** More base units than any token has: the largest supply here is 10^29. */
const MOST_UNITS = 1n << 128n

/** @returns what of a position cannot be, or null */
function positionProblem(facts: Facts, decimals: number): string | null {
  for (const [path, text] of facts)
    if (/amount$/.test(path) && text !== 'null') {
      const units = text.startsWith('-') ? -1n : parseAmount(text, decimals)
      if (units < 0n || units >= MOST_UNITS) return `${path} is ${text}`
    }
  return null
}

/**
 * A settled amount may be less than the one asked for by what a double cannot tell; it is never more.
 *
 * @returns which amount of the request is not in the bytes, or null
 */
function amountProblem(facts: Facts, amounts: readonly bigint[]): string | null {
  const numbers = [...facts].filter(([path, text]) => path.startsWith('calls[') && /^\d+$/.test(text)).map(([, text]) => BigInt(text))
  const lost = amounts.find((amount) => !numbers.some((number) => number <= amount && number >= amount - amount / (1n << 50n)))
  return lost === undefined ? null : `the bytes do not hold the ${lost} that was asked for`
}
