// The readers of the kit, each on every recorded answer that it could meet: what comes of it is told here, and nothing else may.
import { membersOf } from '@svc/contract'
import { recordings } from '@svc/testing/recordings'
import t from 'tap'
import { nodeOf, type Table } from '../support/node.ts'
import { allOf, cameTo, RECORDED, replayed } from '../support/replay.ts'
import { stakingOn } from '../support/staking.ts'
import { EXPECTED } from './expected.ts'
import { READERS } from './readers.ts'

for (const [reader, { pattern, read }] of Object.entries(READERS)) {
  t.test(`${reader} on what was recorded`, async (t) => {
    const expected = EXPECTED[reader] ?? {}
    const met = new Set<string>()
    for (const node of ['hub', 'celestia'] as const) {
      for (const recording of allOf(node, pattern)) {
        met.add(recording.name)
        const told = expected[recording.name]
        const wanted = typeof told === 'string' ? told : told?.[node]
        t.equal(await cameTo(() => read({ of: node, ctx: replayed(node, recording), recording })), wanted, `${node}: ${recording.name}`)
      }
    }
    t.same([...met].sort(), Object.keys(expected).sort(), 'each of the table was met')
  })
}

/** Of the mainnets: 10 % and 2.67 % are issued, of which 2 % is tax; a quarter is staked; commission 10 % and 20 %; two minutes to unbond. */
const INFO = {
  hub: { deactivationMinutes: 2, rewardFeePercent: 11.8, apr: [35.27, 35.29], maxSlashingPercent: 5, users: 3 },
  celestia: { deactivationMinutes: 2, rewardFeePercent: 21.6, apr: [8.37, 8.38], maxSlashingPercent: 2, users: 12 },
} as const

for (const node of ['hub', 'celestia'] as const) {
  t.test(`${node}: terms of staking from what was recorded`, async (t) => {
    const names = [
      'validator',
      'pool',
      'staking-params',
      'slashing-params',
      'distribution-params',
      'provisions',
      'validator-delegations-count',
    ]
    const table: Table = Object.fromEntries(
      names.map((name) => {
        const { request, response } = recordings(node).get(`query-${name}`)!
        const { path } = membersOf(membersOf(request.body).params)
        return [String(path), Buffer.from(String(membersOf(membersOf(membersOf(response.body).result).response).value), 'base64')]
      }),
    )
    const { chain, validator } = RECORDED[node]
    const { ctx, protocol } = stakingOn(nodeOf(table), { validator }, chain)
    const { aprPercent, ...info } = await protocol.info(ctx)
    const { apr, users, ...wanted } = INFO[node]
    t.match(info, wanted)
    t.ok(aprPercent! > apr[0] && aprPercent! < apr[1], `${aprPercent} %`)
    t.match(info, { users })
  })
}
