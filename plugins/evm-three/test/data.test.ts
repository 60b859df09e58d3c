import { type Service, startStage } from '@svc/conformance'
import { evmFamily } from '@svc/conformance/evm'
import { multicallAbi } from '@svc/sandbox-evm'
import { Interface } from 'ethers'
import t from 'tap'
import { scenario, stakingAbi } from '../sandbox/index.ts'
import plugin from '../src/index.ts'
import { crowd, leave, listed } from './support/crowd.ts'

const stage = await startStage({ plugin, scenario, family: evmFamily })
t.teardown(() => stage.close())
const { upstream } = stage
const multicall = new Interface(multicallAbi)
const url = stage.world.rpcUrl
/** Validators of the scenario that nobody but their owners has delegated to. */
const CROWDED = 13
const HOUR = 3_600_000
const MINUTE = 61_000
let ahead = 0
const now = () => new Date(Date.now() + ahead)

async function terms(service: Service): Promise<Record<string, any> & { text: string }> {
  const { json, text } = await (await service.client()).get('/staking-info')
  return { ...(json as object), text }
}

/** What it says once a refresh that is due by now has ended. */
async function refreshed(service: Service, later: number) {
  ahead += later
  await terms(service)
  await upstream.idle()
  return terms(service)
}

t.test('delegators of any number are counted over several refreshes and a restart, null until then and never a part of them', async (t) => {
  const settings = { validator_id: CROWDED }
  const CROWD = 2_600
  await crowd(url, CROWDED, CROWD)
  await stage.world.advance({ epochs: 2 })
  t.equal((await listed(url, CROWDED)).length, CROWD + 1, 'the crowd and the owner')

  let service = await stage.serve({ settings, now })
  const first = await terms(service)
  t.equal(first.users, null, 'not all could be counted yet')
  t.match(first.text, '"tvl_token":100000000.0000026}', 'the rest is there, to the unit')
  await upstream.idle()
  await service.close()

  service = await stage.serve({ settings, now })
  t.equal((await terms(service)).users, CROWD + 1, 'another start goes on where the one before stood')
  await upstream.idle()

  // The next pass has to begin anew where somebody leaves just where it stands; meanwhile the last count is served.
  ahead += HOUR
  await terms(service)
  await upstream.idle()
  const [here] = (await listed(url, CROWDED)).slice(1 + 49 + 39 * 48 - 2)
  t.equal((await terms(service)).users, CROWD + 1)
  await leave(url, CROWDED, here!)
  t.equal((await refreshed(service, MINUTE)).users, CROWD + 1, 'not yet')
  t.equal((await refreshed(service, MINUTE)).users, CROWD, 'one less')
  await service.close()
  t.equal((await listed(url, CROWDED)).length, CROWD)
})

t.test('a node that gives no true page of the list is not counted by', async (t) => {
  const staking = new Interface(stakingAbi)
  const select = staking.getFunction('getDelegators')!.selector.slice(2)
  const page = (done: boolean, delegators: readonly string[]) =>
    staking.encodeFunctionResult('getDelegators', [done, `0x${'0'.repeat(40)}`, delegators])
  const [one, two, three] = ['1', '2', '3'].map((digit) => `0x${digit.repeat(40)}`)
  const many = Array.from({ length: 101 }, (_, index) => `0x${(index + 1).toString(16).padStart(40, '0')}`)
  const lies: Record<string, string> = {
    'the same page for ever': page(false, [one!, two!, three!]),
    'somebody twice': page(true, [one!, one!]),
    'a page too long': page(true, many),
    'nobody, and no end': page(false, []),
  }
  for (const [what, lie] of Object.entries(lies)) {
    const ctx = stage.connect()
    let told = 0
    upstream.interfere(({ body }, pass) =>
      body.includes(select) ? pass().then(async (response) => retold(body, await response.json(), lie)) : null,
    )
    const { users } = await stage.protocol.info(ctx)
    t.ok(told > 0, `${what} was told`)
    t.equal(users ?? null, null, `${what}: nothing was counted`)
    upstream.interfere(null)
    await stage.kit.close?.(ctx.client)

    /** An answer in which the page is a lie. */
    function retold(body: string, answer: unknown, page: string): Response {
      const asked = [JSON.parse(body)].flat() as { id: number; params: [{ data?: string }] }[]
      const answers = ([answer].flat() as { id: number; result: string }[]).map((each) => {
        const data = asked.find(({ id }) => id === each.id)?.params[0]?.data ?? ''
        if (!data.includes(select)) return each
        told++
        const [calls] = multicall.decodeFunctionData('aggregate3', data)
        const [results] = multicall.decodeFunctionResult('aggregate3', each.result)
        const changed = [...results].map(([ok, bytes], index) => [ok, calls[index].callData.startsWith(`0x${select}`) ? page : bytes])
        return { ...each, result: multicall.encodeFunctionResult('aggregate3', [changed]) }
      })
      return Response.json(Array.isArray(answer) ? answers : answers[0])
    }
  }
})

t.test('after a day the rate is what the chain paid, also over a restart', async (t) => {
  // By the formula it would be 0.79 percent.
  const settings = { validator_id: 14, reward_per_block: '1' }
  const before = await stage.serve({ settings, now })
  const formula = (await terms(before)).staking_apr
  t.ok(formula < 1, `${formula}`)
  await upstream.idle()
  await before.close()

  await stage.world.advance({ epochs: 6 })
  ahead += 6 * 15_000_000
  const after = await stage.serve({ settings, now })
  const { staking_apr: measured } = await terms(after)
  t.ok(Math.abs(measured - 14.19) < 0.2, `${measured}`)
  await upstream.idle()
  await after.close()
})
