import t, { type Test } from 'tap'
import type { Store } from '../../src/index.ts'
import { following } from '../life/heart.ts'
import { onBoth } from '../support/databases.ts'
import { mortal, seeded } from '../support/mortal.ts'
import { booking, faultsOf, HOSTS, linesIn, PaperChain } from './booking.ts'

const memory = { memory: true }
const HOUR = 3_600_000
const MON = 10n ** 18n

async function replica(t: Test, state: Store, chain: PaperChain) {
  const life = mortal(state)
  const endpoints = { desk: HOSTS.map((host) => `http://${host}`) }
  const config = {
    plugins: { '@svc/plugin-paper': { networks: { 1: { name: 'paper one', endpoints, clerk: 'p002' } } } },
    accounts: { acme: { name: 'Acme' } },
  }
  const served = await following(t, state, { plugins: [booking(chain)], config, fetch: chain.fetch, store: () => life.store })
  return { ...served, ...life }
}

await t.test('two replicas that are killed in the middle of their work write each line once, and lose none', (t) =>
  onBoth(
    t,
    async (t, state) => {
      for (const seed of [1, 2, 3]) {
        const chain = new PaperChain()
        const wallet = `p00${seed}`
        const replicas = [await replica(t, state, chain), await replica(t, state, chain)]
        const random = seeded(seed)
        const start = replicas[0]!.clock.now
        chain.time = start
        await replicas[0]!.call('PUT', `/api/v1/watch/paper/${wallet}`)
        let kills = 0
        for (let step = 0; step < 200; step++) {
          const now = new Date(start.getTime() + step * 3 * HOUR)
          chain.time = now
          if (random(3) > 0) chain.pay(BigInt(1 + random(1_000)) * (MON / 1_000n))
          if (random(4) === 0) chain.block(['deposit', BigInt(1 + random(50)) * MON, 'wallet', 'stake'])
          if (random(6) === 0 && (chain.amounts.rewards ?? 0n) > 0n)
            chain.block(['claim', chain.amounts.rewards ?? 0n, 'rewards', 'wallet'])
          for (const each of replicas) each.clock.now = now
          const victim = random(3) === 0 ? replicas[random(2)] : undefined
          victim?.kill(random(25))
          if (victim) kills++
          await Promise.all(replicas.map((each) => each.beat()))
          victim?.revive()
        }
        t.ok(kills > 40, `${kills} kills`)
        // A lease that a killed one held ends, and what it had claimed is due again.
        for (let hour = 0; hour < 30; hour++) {
          chain.time = new Date(chain.time.getTime() + HOUR)
          chain.block()
          for (const each of replicas) each.clock.now = chain.time
          await replicas[hour % 2]!.beat()
        }
        const lines = await linesIn(state, wallet)
        t.ok(lines.length > 20, `${lines.length} lines`)
        t.same(
          lines.map(({ n }) => n),
          lines.map((_, index) => index),
          'each line once',
        )
        t.same(faultsOf(lines), [])
        const standing = lines.filter(({ isSuperseded }) => !isSuperseded)
        t.ok(
          standing.every(({ isComplete }) => isComplete),
          'everything is explained',
        )
        const sumOf = (kind: string) =>
          standing
            .flatMap(({ entries }) => entries)
            .reduce((sum, entry) => (entry.kind === kind && entry.corrects === null ? sum + entry.amount : sum), 0n)
        const { rewards: before = 0n, stake = 0n } = lines[0]?.closing ?? {}
        t.equal(before + sumOf('reward'), chain.paid, 'rewards are what was paid, to the unit')
        const deposited = chain.flows.reduce((sum, { kind, amount }) => (kind === 'deposit' ? sum + amount : sum), 0n)
        t.equal(stake + sumOf('deposit'), deposited)
        t.same(lines.at(-1)?.closing, Object.fromEntries(Object.entries(chain.amounts).filter(([, amount]) => amount > 0n)))
        for (const each of replicas) await each.app.close()
      }
    },
    memory,
  ),
)
