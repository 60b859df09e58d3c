import { signed } from '../../test/examples/sign.ts'
import type { Staged } from '../subjects.ts'
import { answerOf, type Shot, type Target } from './shoot.ts'

/** A request of a protocol that the bench holds to a budget. */
export interface Case extends Shot {
  readonly label: string
  readonly kind: 'craft' | 'prepare' | 'broadcast' | 'networks' | 'read'
}

/** Amounts differ by a millionth, which every chain here can tell. */
const MILLION = 1_000_000

/**
 * What is sent to each protocol: one craft, of an amount where there is such, the reads without a history, and prepare and broadcast of the transaction that its scenario has signed.
 *
 * @param target a service that crafts what is signed
 */
export async function casesOf({ label, prefix, stage, plugin }: Staged, target: Target): Promise<readonly Case[]> {
  const post = (name: string, body: (count: number) => string): Shot => ({ method: 'POST', path: `${prefix}/action/${name}`, body })
  const get = (path: string): Shot => ({ method: 'GET', path: prefix + path })
  const bodies = Object.entries(stage.bodies)
  const [name, first] = bodies.find(([, body]) => 'amount' in body) ?? bodies[0] ?? []
  if (!name || !first) throw new Error(`${label} has no action on its stage`)
  const crafted = await answerOf(
    target,
    post(stage.sent.action, () => JSON.stringify(stage.sent.body)),
  )
  const { kit } = plugin.protocol
  const signatures = JSON.stringify(await signed(kit.family, String(stage.sent.body[kit.signer]), JSON.parse(crafted)))
  const prepare = post('prepare', () => signatures)
  const prepared = await answerOf(target, prepare)
  return [
    { label: `${label} ${name}`, kind: 'craft', ...post(name, (count) => JSON.stringify(another(first, count))) },
    { label: `${label} prepare`, kind: 'prepare', ...prepare },
    { label: `${label} broadcast`, kind: 'broadcast', ...post('broadcast', () => prepared) },
    { label: `${label} networks`, kind: 'networks', ...get('/networks') },
    { label: `${label} staking-info`, kind: 'read', ...get('/staking-info') },
    { label: `${label} staking-balance`, kind: 'read', ...get(`/staking-balance/${stage.parameters.address}`) },
  ]
}

/** The same with another amount, so that no signature is remembered. */
function another(body: Readonly<Record<string, unknown>>, count: number): object {
  if (!('amount' in body)) return body
  const [whole, rest = ''] = String(body.amount).split('.')
  const millionths = Number(rest.padEnd(6, '0').slice(0, 6)) + count
  return { ...body, amount: `${Number(whole) + Math.floor(millionths / MILLION)}.${String(millionths % MILLION).padStart(6, '0')}` }
}
