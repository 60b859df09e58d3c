import { type Info, isServiceError, membersOf } from '@svc/contract'
import { firstProblem } from '@svc/contract/host'
import { StakingInfoSchema } from '@svc/core/plugins'
import { type Check, shown, thrown } from '../check.ts'
import { numberText } from '../http.ts'
import { openState } from '../service.ts'
import type { Subject } from '../subject.ts'

type Terms = Readonly<Record<string, unknown>>

const HOUR_MS = 3_600_000
/** Most calls of a refresh whose failure is tried one by one. */
const MOST_SOURCES = 40

/** Tests staking-info: complete, plausible, answered without asking the chain, and kept when a source fails. */
export async function info(subject: Subject, check: Check): Promise<void> {
  const { client, upstream } = subject
  const answer = await client.get('/staking-info')
  if (!check.equal(answer.status, 200, 'staking-info answers 200')) return
  const terms = membersOf(answer.json)
  check.equal(firstProblem(StakingInfoSchema, terms, ''), null, 'staking-info fits its schema')
  check.equal(Object.keys(terms).sort(), Object.keys(StakingInfoSchema.properties).sort(), 'staking-info has exactly its members')
  sane(check, terms, numberText(terms, 'tvl_token'))

  await upstream.idle()
  const { result, usage } = await upstream.measure(() => client.get('/staking-info'))
  check.equal(usage.calls, 0, 'once warm, staking-info asks the chain nothing')
  check.equal(result.text, answer.text, 'and answers the same')

  await eachSource(subject, check)
  await lastGood(subject, check)
  await away(subject, check)
}

function sane(check: Check, terms: Terms, tvl: string | undefined): void {
  const within = (name: string, least: number, most: number) => {
    const value = terms[name]
    check.ok(
      value === null || (typeof value === 'number' && value >= least && value <= most),
      `${name} lies from ${least} to ${most}`,
      value,
    )
  }
  for (const name of ['stake_activation_max_time', 'stake_deactivation_max_time', 'withdrawal_max_time']) within(name, 0, 200_000)
  for (const name of ['staking_reward_fee', 'withdrawal_fee', 'max_slashing_percentage']) within(name, 0, 100)
  for (const name of ['staking_apr', 'staking_apy']) within(name, 0, 1000)
  const [apr, apy] = [terms.staking_apr, terms.staking_apy]
  if (typeof apr === 'number' && typeof apy === 'number') check.ok(apy >= apr, 'staking_apy is not below staking_apr', [apr, apy])
  for (const name of ['min_stake_amount', 'max_stake_amount']) {
    const value = terms[name]
    check.ok(value === null || (typeof value === 'string' && /^\d+(\.\d+)?$/.test(value)), `${name} is a decimal text`, value)
  }
  const users = terms.users
  check.ok(users === null || (Number.isInteger(users) && Number(users) >= 0), 'users is a count', users)
  check.ok(terms.tvl_usd === null || Number(terms.tvl_usd) >= 0, 'tvl_usd is no debt', terms.tvl_usd)
  check.ok(terms.tvl_token === null || /^\d+(\.\d+)?$/.test(tvl ?? ''), 'tvl_token is an exact decimal', tvl)
}

/** Lets each call of a refresh fail alone: what it fed must then be missing, not wrong, so that its last good value stays. */
async function eachSource(subject: Subject, check: Check): Promise<void> {
  const { protocol, upstream } = subject
  const refresh = async (failing: number | null): Promise<{ values: Info | null; calls: number }> => {
    const ctx = subject.connect()
    const first = upstream.calls.length
    upstream.interfere((call) =>
      failing === null || call !== upstream.calls[first + failing] ? null : Promise.reject(new TypeError('fetch failed')),
    )
    try {
      return { values: await protocol.info(ctx), calls: upstream.calls.length - first }
    } catch (error) {
      check.ok(isServiceError(error) && error.statusCode >= 500, 'a refresh fails with a refusal that says what is down', thrown(error))
      return { values: null, calls: upstream.calls.length - first }
    } finally {
      upstream.interfere(null)
      await protocol.kit.close?.(ctx.client)
    }
  }
  const healthy = await refresh(null)
  check.ok(healthy.values !== null, 'a refresh without faults succeeds')
  if (healthy.values === null) return
  const right = new Map<string, unknown>(Object.entries(healthy.values))
  const wrong: string[] = []
  for (let failing = 0; failing < Math.min(healthy.calls, MOST_SOURCES); failing++) {
    const { values } = await refresh(failing)
    for (const [name, value] of Object.entries(values ?? {}))
      if (value !== undefined && !near(value, right.get(name)))
        wrong.push(`with call ${failing + 1} failing, ${name} is ${shown(value)} instead of ${shown(right.get(name))}`)
  }
  check.equal(wrong, [], 'a value whose source fails is left out of a refresh, not replaced by another')
}

/** The same through the service: an hour later everything is down, and the answer stays. */
async function lastGood(subject: Subject, check: Check): Promise<void> {
  const { upstream } = subject
  let offset = 0
  const service = await subject.serve({ now: () => new Date(Date.now() + offset) })
  try {
    const client = await service.client()
    const before = await client.get('/staking-info')
    check.ok(
      Object.values(membersOf(before.json)).some((value) => value !== null),
      'the first answer waits for the first snapshot',
      before.text,
    )
    await upstream.idle()
    const first = upstream.calls.length
    upstream.interfere(() => Promise.reject(new TypeError('fetch failed')))
    for (let hours = 2; hours <= 4; hours += 2) {
      offset = hours * HOUR_MS
      const after = await client.get('/staking-info')
      check.equal([after.status, after.text], [200, before.text], `${hours} hours later, with every source down, the last good values stay`)
      await upstream.idle()
    }
    check.ok(upstream.calls.length > first, 'a snapshot older than an hour is refreshed')
    upstream.interfere(null)
    offset = 6 * HOUR_MS
    await client.get('/staking-info')
    await upstream.idle()
    check.equal((await client.get('/staking-info')).status, 200, 'and it recovers')
    await upstream.idle()
  } finally {
    upstream.interfere(null)
    await service.close()
  }
}

/** A start on which every source is away: what was read before it, and to a service that never read anything a 503. */
async function away(subject: Subject, check: Check): Promise<void> {
  const { upstream } = subject
  const [state, nothing] = await Promise.all([openState(), openState()])
  const ask = async (change: Parameters<Subject['serve']>[0]) => {
    const service = await subject.serve(change)
    try {
      return await (await service.client()).get('/staking-info')
    } finally {
      await upstream.idle()
      await service.close()
    }
  }
  try {
    const before = await ask({ state })
    upstream.interfere(() => Promise.reject(new TypeError('fetch failed')))
    const after = await ask({ state, now: () => new Date(Date.now() + HOUR_MS) })
    check.equal([after.status, after.text], [200, before.text], 'a start with every source down serves what was read before it')
    const age = Number(after.headers.get('x-snapshot-age'))
    check.ok(age >= HOUR_MS / 1000, 'and says how old that is', age)
    const unknown = await ask({ state: nothing })
    check.equal([unknown.status, unknown.code], [503, 'STAKING_INFO_INCOMPLETE'], 'what could not be read and never was is a 503')
    check.ok(Number(unknown.headers.get('retry-after')) > 0, 'which says when to come again', unknown.headers.get('retry-after'))
  } finally {
    upstream.interfere(null)
    await Promise.all([state.store.close(), nothing.store.close()])
  }
}

/** Equal, or a measurement that moved by less than a hundredth. */
function near(actual: unknown, expected: unknown): boolean {
  if (actual === expected) return true
  return typeof actual === 'number' && typeof expected === 'number' && Math.abs(actual - expected) <= Math.abs(expected) / 100
}
